"""The pitch and the rule cards of X01."""

from typing import Final

from engine.about import About
from engine.texts import Text

ABOUT: Final = About(
    "A",
    Text(
        "Count down from 501 to exactly nothing.",
        "Von 501 genau auf null.",
        "De 501 à zéro exactement.",
    ),
    aim=Text(
        "Bring your score from 501, or another start, to exactly 0 before the others.",
        "Bring deine Punkte von 501, oder einem anderen Start, vor den anderen genau auf 0.",
        "Ramenez votre score de 501, ou d’un autre départ, à 0 exactement avant les autres.",
    ),
    turn=Text(
        "Three darts; each takes its points off. Below 0, on 1, or on 0 without the double that ends a leg is "
        "a bust: the turn does not count.",
        "Drei Darts; jeder zieht seine Punkte ab. Unter 0, auf 1 oder auf 0 ohne das Double zum Schluss ist "
        "überworfen: Die Aufnahme zählt nicht.",
        "Trois fléchettes ; chacune retire ses points. Sous 0, à 1, ou à 0 sans le double final, la volée ne "
        "compte pas.",
    ),
    end=Text(
        "The first to reach 0 with a double wins the leg. One leg is the match, or you choose how many legs win a set, "
        "and how many sets win the match.",
        "Wer mit einem Double auf 0 kommt, gewinnt das Leg. Ein Leg ist das ganze Spiel, oder ihr wählt, wie viele "
        "Legs ein Set gewinnen und wie viele Sets das Spiel.",
        "Qui arrive à 0 par un double gagne la manche. Une manche fait la partie, ou vous choisissez combien de "
        "manches il faut pour un set, et combien de sets pour la partie.",
    ),
)
