"""Halve-It: hit the target of the round, or lose half of what you have."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.targets import _halving
from engine.kit import About, Goal, Kit, Segment, Show, State, Text

SHORT: Final[tuple[Goal, ...]] = (15, 16, "double", 17, 18, "triple", 19, 20, "bull")
LONG: Final[tuple[Goal, ...]] = (12, 13, 14, "double", 15, 16, 17, "triple", 18, 19, 20, "bull")


@dataclass(frozen=True, slots=True)
class Options:
    start: int = kit.number(40, 0, 200, Text("Points at the start", "Punkte zu Beginn", "Points au départ"))
    list: str = kit.one_of(
        Text("Targets", "Ziele", "Cibles"),
        {
            "short": Text("9 from 15 on", "9 ab der 15", "9 dès le 15"),
            "long": Text("12 from 12 on", "12 ab der 12", "12 dès le 12"),
        },
    )
    round_up: bool = kit.flag(
        False, Text("Halves are rounded up", "Hälften werden aufgerundet", "Moitiés arrondies au-dessus")
    )
    tie: str = kit.tie()
    teams: int | None = kit.teams()


S = State[Options, None]


def goals(state: S) -> tuple[Goal, ...]:
    return SHORT if state.options.list == "short" else LONG


def goal(state: S) -> Goal:
    """The target of the round; of an extra round the bull."""
    return "bull" if state.in_extra else goals(state)[state.round - 1]


def points(state: S, bed: Segment) -> int:
    return bed.points if kit.hits(bed, goal(state)) else 0


def close(state: S) -> S:
    return state if state.scored else state.with_score((state.score + state.options.round_up) // 2)


def show(state: S, viewer: str | None) -> Show:
    return Show(turn={"target": goal(state), "hits": sum(map(bool, state.points))})


GAME: Final[Kit[Options, None]] = Kit(
    name="halve_it",
    title="Halve-It",
    about=About(
        "A",
        Text(
            "Hit the target of the round, or lose half.",
            "Triff das Ziel der Runde oder verlier die Hälfte.",
            "Touchez la cible du tour, ou perdez la moitié.",
        ),
        aim=_halving.AIM,
        turn=_halving.TURN,
        end=Text(
            "The targets are 15, 16, a double, 17, 18, a triple, 19, 20 and the bull; then the most points win.",
            "Die Ziele sind 15, 16, ein Double, 17, 18, ein Triple, 19, 20 und Bull; dann gewinnen die meisten Punkte.",
            "Les cibles sont 15, 16, un double, 17, 18, un triple, 19, 20 et le bull ; puis le plus de points gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    start=lambda state: state.with_scores(state.options.start),
    dart=lambda state, bed: state.brings(points(state, bed)),
    close=close,
    rounds=lambda state: len(goals(state)),
    points_to_begin=5000,
    targets=lambda state: kit.lit(goal(state)),
    show=show,
    worth=lambda state, bed: _halving.worth(state, points(state, bed)),
    matters=lambda state: (goal(state), bool(state.scored)),
    statistics_of=kit.POINTS_AND_HITS,
)
