"""Simon Says: hit the sequence in order; it grows."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.game import AnyRoll
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.rounds(8)
    longest: int = kit.number(3, 1, 3, Text("Longest sequence", "Längste Folge", "Suite la plus longue"))
    tie: str = kit.tie()


@dataclass(frozen=True, slots=True)
class Own:
    sequence: tuple[int, ...] = ()
    round: int = 0
    """The round for which it was rolled."""


S = State[Options, Own]


def chance(state: S) -> AnyRoll | None:
    """As many dice as the sequence is long: one more each round, the longest in extra rounds."""
    if state.own.round == state.round:
        return None
    longest = state.options.longest
    return AnyRoll(longest if state.in_extra else min(state.round, longest), 20)


def asked(state: S) -> int:
    """The number that the next dart must hit; 0 after the whole sequence."""
    sequence, step = state.own.sequence, len(state.darts)
    return sequence[step] if step < len(sequence) else 0


def dart(state: S, bed: Segment) -> S:
    return state.brings(len(state.points)) if bed.number == asked(state) else state.ends()


GAME: Final[Kit[Options, Own]] = Kit(
    name="simon_says",
    title="Simon Says",
    about=About(
        "A",
        Text(
            "Hit the sequence in order; it grows.",
            "Triff die Folge der Reihe nach; sie wächst.",
            "Touchez la suite dans l’ordre ; elle s’allonge.",
        ),
        aim=Text(
            "Score the most points by repeating what Simon says.",
            "Hol die meisten Punkte, indem du triffst, was Simon sagt.",
            "Marquez le plus de points en répétant ce que dit Simon.",
        ),
        turn=Text(
            "Dice name one number in round 1, two in round 2, then three, the same for all. Hit them in this order, in "
            "any bed: 1, 2 and 3 points. The first wrong dart ends your turn.",
            "Würfel nennen in Runde 1 eine Zahl, in Runde 2 zwei, dann drei, für alle dieselben. Triff sie in dieser "
            "Reihenfolge, egal in welchem Feld: 1, 2 und 3 Punkte. Der erste falsche Dart beendet deine Aufnahme.",
            "Les dés donnent un numéro au tour 1, deux au tour 2, puis trois, les mêmes pour tous. Touchez-les dans "
            "l’ordre, dans n’importe quelle zone : 1, 2 et 3 points. La première erreur termine la volée.",
        ),
        end=Text(
            "After the last round the most points win.",
            "Nach der letzten Runde gewinnen die meisten Punkte.",
            "Après le dernier tour, le plus de points gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    chance=chance,
    drawn=lambda state, dice: state.keep(Own(dice, state.round)),
    darts=lambda state: len(state.own.sequence),
    dart=dart,
    points_to_begin=500,
    targets=lambda state: [asked(state)],
    show=lambda state, viewer: Show(
        turn={"called": list(state.own.sequence)} if state.own.round == state.round else {}
    ),
    worth=lambda state, bed: bed.number == asked(state),
    matters=asked,
    statistics_of=kit.HITS,
)
