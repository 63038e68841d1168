"""The rule cards of the formats, for `oche rules` and the pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.about import About
from engine.texts import Text


@dataclass(frozen=True, slots=True)
class Format:
    """A format with its title and its cards. `options` are those of a match that ask for it."""

    name: str
    title: str
    about: About
    options: tuple[str, ...]


_BEST_OF: Final = About(
    "P",
    Text(
        "Any game in several legs.",
        "Jedes Spiel über mehrere Legs.",
        "N’importe quel jeu en plusieurs manches.",
    ),
    Text(
        "Win more legs than everybody else. With sets, the legs decide a set, and the sets decide the match.",
        "Gewinn mehr Legs als alle anderen. Mit Sets entscheiden die Legs ein Set, und die Sets das Spiel.",
        "Gagnez plus de manches que les autres. Avec des sets, les manches donnent le set, et les sets la partie.",
    ),
    Text(
        "Each leg is a whole match of the game, and the next player starts it; the loser, the winner or a throw for "
        "the bull if you like. A leg that is shared is played once more.",
        "Jedes Leg ist ein ganzes Spiel, und die nächste Person beginnt; auf Wunsch wer verlor, wer gewann oder ein "
        "Wurf aufs Bull. Ein geteiltes Leg wird einmal wiederholt.",
        "Chaque manche est une partie entière, commencée par le joueur suivant ; au choix par le perdant, le gagnant "
        "ou un tir au bull. Une manche partagée se rejoue une fois.",
    ),
    Text(
        "Best of five is won with three legs. An even number can be a draw.",
        "Best of five ist mit drei Legs gewonnen. Eine gerade Zahl kann unentschieden enden.",
        "Au meilleur de cinq, trois manches suffisent. Un nombre pair peut finir à égalité.",
    ),
)

_MEDLEY: Final = About(
    "A",
    Text(
        "Several games in one match, such as 501, Cricket, and a game of choice.",
        "Mehrere Spiele in einem, etwa 501, Cricket und eins nach Wahl.",
        "Plusieurs jeux en une partie, comme 501, Cricket et un jeu au choix.",
    ),
    Text("Win more legs than everybody else.", "Gewinn mehr Legs als alle anderen.", "Gagnez plus de manches."),
    Text(
        "The legs are played in their order. Before a leg of choice all throw for the bull; the nearest chooses the "
        "game and starts. The game of the leg before is not on offer while there is another.",
        "Die Legs folgen aufeinander. Vor einem Leg nach Wahl werfen alle aufs Bull; wer am nächsten ist, wählt und "
        "beginnt. Das Spiel davor steht nicht zur Wahl, solange es ein anderes gibt.",
        "Les manches se suivent. Avant une manche au choix, chacun tire au bull ; le plus proche choisit et "
        "commence. Le jeu précédent n’est pas proposé tant qu’il en reste un autre.",
    ),
    Text(
        "The match ends when nobody can be caught. Equal after all legs: one more, of choice.",
        "Das Spiel endet, wenn niemand mehr aufholen kann. Bei Gleichstand entscheidet ein Leg nach Wahl.",
        "La partie finit quand l’avance est décisive. À égalité, une manche au choix décide.",
    ),
)

_BULL_OFF: Final = About(
    "P",
    Text("Who throws first?", "Wer wirft zuerst?", "Qui commence ?"),
    Text("Be the nearest to the middle.", "Sei am nächsten an der Mitte.", "Soyez le plus près du centre."),
    Text(
        "One dart each, as listed. Equals throw again among themselves.",
        "Alle werfen einen Dart, wie aufgeführt. Gleiche werfen untereinander nochmals.",
        "Une fléchette chacun, dans l’ordre. Les ex æquo relancent entre eux.",
    ),
    Text(
        "The nearest starts and the others follow as listed, or the ranking is the whole order.",
        "Wer am nächsten ist, beginnt, und die anderen folgen wie aufgeführt; oder die Rangfolge gilt für alle.",
        "Le plus près commence et les autres suivent dans l’ordre indiqué, ou le classement vaut pour tous.",
    ),
)

_HANDICAP: Final = About(
    "P",
    Text("A fair match of unequal players.", "Ein faires Spiel für Ungleiche.", "Une partie équitable."),
    Text(
        "Win as always, from another start.",
        "Gewinn wie immer, von einem anderen Start aus.",
        "Gagnez comme toujours, d’un autre départ.",
    ),
    Text(
        "X01: a start of their own. Cricket: spot marks, one each on 20, 19 and so on, then round again. Count-up "
        "games: points to begin with. Games of lives: another number of lives.",
        "X01: ein eigener Start. Cricket: Marken, je eine auf 20, 19 und so weiter, dann von vorn. Punktespiele: "
        "Punkte zu Beginn. Spiele mit Leben: eine andere Zahl davon.",
        "X01 : un départ personnel. Cricket : des marques sur 20, 19 et ainsi de suite, puis encore. Jeux de points "
        ": des points au départ. Jeux de vies : un autre nombre de vies.",
    ),
    Text("The match ends as the game does.", "Das Spiel endet wie sonst auch.", "La partie finit comme d’habitude."),
)

_FREEZE: Final = About(
    "P",
    Text(
        "X01 for two teams of two, each player with a score.",
        "X01 für zwei Zweierteams, alle mit eigenem Stand.",
        "X01 pour deux équipes de deux, chacun avec son score.",
    ),
    Text(
        "One of you finishes, and both win.",
        "Wer beendet, gewinnt mit Partner oder Partnerin.",
        "Finissez, et vous gagnez à deux.",
    ),
    Text(
        "You are frozen while your partner has more left than both opponents together. To finish then is a bust; if "
        "you like, it loses the match.",
        "Du bist eingefroren, solange dein Partner mehr übrig hat als beide Gegner zusammen. Beenden ist dann "
        "überworfen; auf Wunsch verliert es das Spiel.",
        "Vous êtes gelé tant que votre partenaire a plus que les deux adversaires réunis. Finir est alors un "
        "dépassement, ou fait perdre la partie.",
    ),
    Text("At 0 by a player who may finish.", "Bei 0, wenn man beenden darf.", "À 0, si l’on peut finir."),
)

FORMATS: Final[Mapping[str, Format]] = {
    each.name: each
    for each in (
        Format("best_of", "Best of", _BEST_OF, ("best_of",)),
        Format("medley", "Medley", _MEDLEY, ("legs",)),
        Format("bull_off", "Bull-off", _BULL_OFF, ("order",)),
        Format("handicap", "Handicap", _HANDICAP, ("handicap",)),
        Format("freeze", "Freeze", _FREEZE, ("freeze",)),
    )
}
"""The formats by name."""
TITLE: Final = Text("Formats over games", "Formate über Spielen", "Formats de partie")
