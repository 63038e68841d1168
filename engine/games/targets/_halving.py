"""What games share in which a turn without a hit halves the score: their texts, and what a bed is worth."""

from typing import Any, Final

from engine.kit import State, Text

AIM: Final = Text(
    "Have the most points after the last target.",
    "Hab nach dem letzten Ziel die meisten Punkte.",
    "Ayez le plus de points après la dernière cible.",
)
TURN: Final = Text(
    "Darts in the target of the round add their points. A turn without a hit halves your score.",
    "Darts im Ziel der Runde zählen ihre Punkte. Eine Aufnahme ohne Treffer halbiert deine Punkte.",
    "Les fléchettes dans la cible du tour ajoutent leurs points. Une volée sans toucher divise le score par deux.",
)


def worth(state: State[Any, Any], points: int) -> float:
    """The worth of a bed that adds these points: the first hit of a turn also saves half of the score."""
    return points if state.scored or not points else 1 + points / 60
