"""Bermuda Triangle: thirteen targets to the centre of the board; a missed one swallows half."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.games.targets import _halving
from engine.kit import About, Goal, Kit, Segment, Show, State, Text

GOALS: Final[tuple[Goal, ...]] = (12, 13, 14, "double", 15, 16, 17, "triple", 18, 19, 20, "bull", "DB")
LAST: Final = "DB"


@dataclass(frozen=True, slots=True)
class Options:
    double_bull: bool = kit.flag(
        True, Text("Inner bull as last target", "Bullseye als letztes Ziel", "Bull en dernier")
    )
    flat_bull: bool = kit.flag(
        True, Text("Both bulls 25 points", "Beide Bulls 25 Punkte", "25 points pour les deux bulls")
    )
    tie: str = kit.tie()
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    halves: tuple[int, ...] = ()
    """How often each side was halved."""


S = State[Options, Own]


def goal(state: S) -> Goal:
    """The target of the round; of an extra round the inner bull."""
    return LAST if state.in_extra else GOALS[state.round - 1]


def points(state: S, bed: Segment) -> int:
    target = goal(state)
    if not kit.hits(bed, target):
        return 0
    return 25 if target == "bull" and state.options.flat_bull else bed.points


def close(state: S) -> S:
    if state.scored or state.in_extra:
        return state
    halves = with_seat(state.own.halves, state.at, state.own.halves[state.at] + 1)
    return state.with_score(state.score // 2).keep(Own(halves))


GAME: Final[Kit[Options, Own]] = Kit(
    name="bermuda",
    title="Bermuda Triangle",
    about=About(
        "A",
        Text(
            "Thirteen targets, and the sea swallows half.",
            "Dreizehn Ziele, und das Meer verschluckt die Hälfte.",
            "Treize cibles, et la mer engloutit la moitié.",
        ),
        aim=_halving.AIM,
        turn=_halving.TURN,
        end=Text(
            "The targets are 12, 13, 14, a double, 15, 16, 17, a triple, 18, 19, 20, the bull and the inner bull. The "
            "most points win, then the fewest halves.",
            "Die Ziele sind 12, 13, 14, ein Double, 15, 16, 17, ein Triple, 18, 19, 20, Bull und Bullseye. Die meisten "
            "Punkte gewinnen, dann die wenigsten Halbierungen.",
            "Les cibles sont 12, 13, 14, un double, 15, 16, 17, un triple, 18, 19, 20, le demi-bull ou "
            "le bull, puis le bull. Le plus de points gagne, puis le moins de moitiés.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    start=lambda state: state.keep(Own((0,) * len(state.sides))),
    dart=lambda state, bed: state.brings(points(state, bed)),
    close=close,
    rounds=lambda state: len(GOALS) - (not state.options.double_bull),
    rank=lambda state, side: (state.scores[side], -state.own.halves[side]),
    points_to_begin=5000,
    targets=lambda state: kit.lit(goal(state)),
    show=lambda state, viewer: Show(
        turn={"target": goal(state)}, players=[{"halves": halves} for halves in state.own.halves]
    ),
    worth=lambda state, bed: _halving.worth(state, points(state, bed)),
    matters=lambda state: (goal(state), bool(state.scored)),
    statistics_of=kit.POINTS_AND_HITS,
)
