"""The pitch and the rule cards of Dart Wars."""

from typing import Final

from engine.about import About
from engine.texts import Text

ABOUT: Final = About(
    "B",
    Text(
        "Conquer the world on the dartboard.",
        "Erobere die Welt auf dem Dartboard.",
        "Conquérez le monde sur la cible.",
    ),
    aim=Text(
        "Take the homelands of the others, whose players then fight for you.",
        "Nimm die Heimatländer der anderen ein; deren Spieler kämpfen dann für dich.",
        "Prenez les patries des autres, qui combattent ensuite pour vous.",
    ),
    turn=Text(
        "Three darts; each in a zone lets a troop move there. A move to an enemy is an attack: one dart each, "
        "and the nearer to the centre wins.",
        "Drei Darts; jeder in einer Zone lässt eine Truppe dorthin ziehen. Ein Zug zu einem Feind ist ein "
        "Angriff: je ein Dart, und wer näher an der Mitte ist, gewinnt.",
        "Trois fléchettes ; chacune dans une zone permet d’y déplacer une troupe. Vers un ennemi, c’est une "
        "attaque : une fléchette chacun, la plus proche du centre gagne.",
    ),
    end=Text(
        "The last free player is Master of the World and wins.",
        "Wer als Letzter frei ist, ist Herr der Welt und gewinnt.",
        "Le dernier joueur libre est maître du monde et gagne.",
    ),
)
