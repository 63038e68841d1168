"""The pitch and the rule cards of Yatzy-Dart."""

from typing import Final

from engine.about import About
from engine.texts import Text

ABOUT: Final = About(
    "A",
    Text(
        "Yatzy with three darts instead of dice.",
        "Kniffel mit drei Darts statt Würfeln.",
        "Le yahtzee avec trois fléchettes au lieu de dés.",
    ),
    aim=Text(
        "Fill the sheet of 15 categories with more points than the others.",
        "Fülle den Block mit 15 Feldern mit mehr Punkten als die anderen.",
        "Remplissez la grille de 15 cases avec plus de points que les autres.",
    ),
    turn=Text(
        "Three darts in the circles of the figure, then you choose an open category for them. The rings count "
        "once, twice or three times.",
        "Drei Darts in die Kreise der Figur, dann wählst du ein offenes Feld für sie. Die Ringe zählen ein-, "
        "zwei- oder dreifach.",
        "Trois fléchettes dans les cercles de la figure, puis on choisit une case libre. Les anneaux comptent "
        "une, deux ou trois fois.",
    ),
    end=Text(
        "The match ends when all sheets are full. The most points win.",
        "Das Spiel endet, wenn alle Blöcke voll sind. Die meisten Punkte gewinnen.",
        "La partie finit quand toutes les grilles sont pleines. Le plus de points gagne.",
    ),
)
