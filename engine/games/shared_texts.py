"""Aims and ends that games of several families put in the same words."""

from typing import Final

from engine.texts import Text

LIVES_DECIDE: Final = Text(
    "Without lives you are out; the last one in wins. At the limit the most lives win.",
    "Ohne Leben bist du draußen; wer übrig bleibt, gewinnt. An der Rundengrenze gewinnen die meisten Leben.",
    "Sans vie, on est éliminé ; le dernier gagne. À la limite de tours, le plus de vies gagne.",
)
LAST_WITH_LIVES: Final = Text(
    "Be the last one with lives.",
    "Hab als Letzter noch Leben.",
    "Soyez le dernier à avoir des vies.",
)
MOST_POINTS_AFTER_10: Final = Text(
    "After the last round, 10 as a rule, the most points win.",
    "Nach der letzten Runde, meist der zehnten, gewinnen die meisten Punkte.",
    "Après le dernier tour, en général le dixième, le plus de points gagne.",
)
SCORE_MOST_POINTS: Final = Text(
    "Score more points than the others.",
    "Wirf mehr Punkte als die anderen.",
    "Marquez plus de points que les autres.",
)
MOST_POINTS_AFTER_8: Final = Text(
    "After the last round, 8 as a rule, the most points win.",
    "Nach der letzten Runde, meist der achten, gewinnen die meisten Punkte.",
    "Après le dernier tour, en général le huitième, le plus de points gagne.",
)
HAVE_MOST_POINTS: Final = Text(
    "Have the most points at the end.",
    "Hab am Ende die meisten Punkte.",
    "Ayez le plus de points à la fin.",
)
