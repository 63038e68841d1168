"""The pitch and the rule cards of Cricket."""

from typing import Final

from engine.about import About
from engine.texts import Text

ABOUT: Final = About(
    "B",
    Text(
        "Close 20 to 15 and the bull, and score on what is open.",
        "Schließ 20 bis 15 und Bull, und punkte auf dem, was offen ist.",
        "Fermez 20 à 15 et le bull, et marquez sur ce qui est ouvert.",
    ),
    aim=Text(
        "Close all numbers and have at least as many points as everybody else.",
        "Schließ alle Zahlen und hab mindestens so viele Punkte wie alle anderen.",
        "Fermez tous les numéros en ayant au moins autant de points que chacun.",
    ),
    turn=Text(
        "A single is one mark, a double two, a triple three. Three marks close a number; further marks score "
        "until the others have closed it too.",
        "Ein Single ist ein Mark, ein Double zwei, ein Triple drei. Drei Marks schließen eine Zahl; "
        "weitere punkten, bis die anderen sie auch geschlossen haben.",
        "Un simple vaut une marque, un double deux, un triple trois. Trois ferment un numéro ; les suivantes "
        "marquent tant que les autres ne l’ont pas fermé.",
    ),
    end=Text(
        "The match ends when somebody has closed all and is not behind. At the limit of 20 rounds the most points win.",
        "Das Spiel endet, wenn jemand alles geschlossen hat und nicht zurückliegt. Nach 20 Runden gewinnen die "
        "meisten Punkte.",
        "La partie finit quand quelqu’un a tout fermé sans être mené. Après 20 tours, le plus de points gagne.",
    ),
)
