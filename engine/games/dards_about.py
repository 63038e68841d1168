"""The pitch and the rule cards of Dards."""

from typing import Final

from engine.about import About
from engine.games.shared_texts import SCORE_MOST_POINTS
from engine.texts import Text

ABOUT: Final = About(
    "A",
    Text(
        "A card moves the target round the board.",
        "Eine Karte bewegt das Ziel ums Board.",
        "Une carte déplace la cible autour du plateau.",
    ),
    aim=SCORE_MOST_POINTS,
    turn=Text(
        "Your card moves the target by its value, red clockwise, black the other way. Darts in it score the "
        "number, times the height of the stack of equal cards.",
        "Deine Karte bewegt das Ziel um ihren Wert, Rot im Uhrzeigersinn, Schwarz dagegen. Darts darin zählen "
        "die Zahl mal die Höhe des Stapels gleicher Karten.",
        "La carte déplace la cible de sa valeur, rouge dans le sens horaire, noire dans l’autre. On y marque "
        "le numéro, multiplié par la pile de cartes égales.",
    ),
    end=Text(
        "The match ends when all cards are played. The most points win.",
        "Das Spiel endet, wenn alle Karten gespielt sind. Die meisten Punkte gewinnen.",
        "La partie finit quand toutes les cartes sont jouées. Le plus de points gagne.",
    ),
)
