"""Call Three: your opponent calls three targets; one dart for each, in that order."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine import kit
from engine.games.shared_texts import MOST_POINTS_AFTER_10, SCORE_MOST_POINTS
from engine.kit import About, AnyRoll, Asked, Choose, Kit, Segment, Show, State, Target, Text


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.rounds(10)
    caller: str = kit.one_of(
        Text("Who calls", "Wer ansagt", "Qui annonce"),
        {
            "next": Text("the next player", "der nächste Spieler", "le joueur suivant"),
            "die": Text("dice", "Würfel", "dés"),
        },
    )
    tie: str = kit.tie()


@dataclass(frozen=True, slots=True)
class Own:
    called: tuple[Target, ...] = ()
    rolled: int = 0
    """The round for which the dice were rolled."""


S = State[Options, Own]
DICE = AnyRoll(3, 20)
HARD: tuple[Target, ...] = (11, 6, "bull")
"""What a bot calls: far from what its opponent throws at most."""


def by_dice(state: S) -> bool:
    return state.options.caller == "die" or len(state.scores) == 1 or state.in_extra


def asks(state: S) -> Asked | None:
    called = state.own.called
    return None if len(called) == 3 or by_dice(state) else call((state.at + 1) % len(state.scores), called)


@cache
def call(side: int, called: tuple[Target, ...]) -> Asked:
    """A further number that a side calls."""
    return Asked(side, "number", tuple(target for target in (*range(1, 21), "bull") if target not in called))


def decides(state: S, skill_mm: float) -> Choose | None:
    if asks(state) is None:
        return None
    return Choose("number", next(target for target in HARD if target not in state.own.called))


def points(state: S, bed: Segment) -> int:
    """A single 1, a double 2, a triple 3 in the number of this dart; the outer bull 2, the inner 3."""
    called = state.own.called[len(state.darts)]
    return bed.multiplier + bed.is_bull if kit.hits(bed, called) else 0


GAME: Final[Kit[Options, Own]] = Kit(
    name="call_three",
    title="Call Three",
    about=About(
        "A",
        Text(
            "Your opponent calls three targets for your three darts.",
            "Dein Gegner sagt drei Ziele für deine drei Darts an.",
            "L’adversaire annonce trois cibles pour vos trois fléchettes.",
        ),
        aim=SCORE_MOST_POINTS,
        turn=Text(
            "The next player, or dice, call three targets. Each dart counts for its own: single 1, double 2, triple 3, "
            "outer bull 2, inner bull 3.",
            "Der nächste Spieler oder Würfel sagen drei Ziele an. Jeder Dart zählt nur für seines: Single 1, Double 2, "
            "Triple 3, Single Bull 2, Bullseye 3.",
            "Le joueur suivant, ou des dés, annonce trois cibles. Chaque fléchette compte pour la sienne : simple 1, "
            "double 2, triple 3, demi-bull 2, bull 3.",
        ),
        end=MOST_POINTS_AFTER_10,
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    begin=lambda state: state if by_dice(state) else state.keep(Own()),
    dart=lambda state, bed: state.brings(points(state, bed)),
    chance=lambda state: DICE if by_dice(state) and state.own.rolled != state.round else None,
    drawn=lambda state, dice: state.keep(Own(dice, state.round)),
    asks=asks,
    chosen=lambda state, number: state.keep(Own((*state.own.called, number))),
    points_to_begin=100,
    targets=lambda state: state.own.called[len(state.darts) : len(state.darts) + 1],
    show=lambda state, viewer: Show(turn={"called": list(state.own.called)}),
    worth=points,
    matters=lambda state: state.own.called[len(state.darts)],
    decides=decides,
    statistics_of=kit.HITS,
)
