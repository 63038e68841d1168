"""Bull Practice: nothing but the bull."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.practice import _records
from engine.games.seats import with_seat
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.rounds(10, 1, 100)
    value: str = kit.one_of(
        Text("The bulls count", "Die Bulls zählen", "Les bulls comptent"),
        {"hits": Text("1 and 2", "1 und 2", "1 et 2"), "points": Text("25 and 50", "25 und 50", "25 et 50")},
    )


@dataclass(frozen=True, slots=True)
class Own:
    outer: tuple[int, ...] = ()
    """The outer bulls that each side has hit."""
    inner: tuple[int, ...] = ()
    """Their inner bulls."""


S = State[Options, Own]


def value(state: S, bed: Segment) -> int:
    if not bed.is_bull:
        return 0
    return bed.points if state.options.value == "points" else kit.marks(bed)


def start(state: S) -> S:
    none = (0,) * len(state.sides)
    return state.keep(Own(none, none))


def dart(state: S, bed: Segment) -> S:
    if not bed.is_bull:
        return state
    own, at = state.own, state.at
    if bed.text == "DB":
        counted = Own(own.outer, with_seat(own.inner, at, own.inner[at] + 1))
    else:
        counted = Own(with_seat(own.outer, at, own.outer[at] + 1), own.inner)
    return state.keep(counted).brings(value(state, bed))


def show(state: S, viewer: str | None) -> Show:
    counts = zip(state.own.outer, state.own.inner, strict=True)
    return Show(players=[{"sb": outer, "db": inner} for outer, inner in counts])


GAME: Final[Kit[Options, Own]] = Kit(
    name="bull_practice",
    title="Bull Practice",
    about=About(
        "P",
        Text(
            "Nothing but the bull.",
            "Nichts als das Bull.",
            "Rien que le bull.",
        ),
        aim=Text(
            "Hit the bull as often as you can.",
            "Triff das Bull, so oft du kannst.",
            "Touchez le bull aussi souvent que possible.",
        ),
        turn=Text(
            "Three darts at the bull: the outer bull counts 1, the inner bull 2.",
            "Drei Darts aufs Bull: Das Single Bull zählt 1, das Bullseye 2.",
            "Trois fléchettes sur le bull : le demi-bull compte 1, le bull 2.",
        ),
        end=Text(
            "After the last round, 10 as a rule, the highest score wins.",
            "Nach der letzten Runde, meist der zehnten, gewinnt der höchste Stand.",
            "Après le dernier tour, en général le dixième, le plus haut score gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    start=start,
    dart=dart,
    targets=lambda state: ["bull"],
    show=show,
    worth=value,
    matters=lambda _state: (),
    statistics_of=_records.HITS,
)
