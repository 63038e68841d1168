"""Ninety-Nine Darts at X: a fixed number of darts at one number."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.practice import _records
from engine.games.seats import with_seat
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    number: int = kit.number(20, 1, 20, Text("Number", "Zahl", "Numéro"))
    rounds: int = kit.rounds(33, 1, 100)


@dataclass(frozen=True, slots=True)
class Own:
    counts: tuple[tuple[int, ...], ...] = ()
    """The darts of each side by their marks: others, singles, doubles, triples."""


S = State[Options, Own]
NAMES: Final = ("others", "singles", "doubles", "triples")
NONE: Final = (0,) * len(NAMES)


def value(state: S, bed: Segment) -> int:
    return kit.marks(bed) if bed.number == state.options.number else 0


def dart(state: S, bed: Segment) -> S:
    marks, counts = value(state, bed), state.own.counts
    own = counts[state.at]
    return state.keep(Own(with_seat(counts, state.at, with_seat(own, marks, own[marks] + 1)))).brings(marks)


def show(state: S, viewer: str | None) -> Show:
    counts = [dict(zip(NAMES[::-1], own[::-1], strict=True)) for own in state.own.counts]
    return Show({"number": state.options.number}, players=counts)


GAME: Final[Kit[Options, Own]] = Kit(
    name="darts_at_x",
    title="Ninety-Nine Darts at X",
    about=About(
        "A",
        Text(
            "Ninety-nine darts at one number.",
            "Neunundneunzig Darts auf eine Zahl.",
            "Quatre-vingt-dix-neuf fléchettes sur un numéro.",
        ),
        aim=Text(
            "Hit the number, the 20 as a rule, as often and as well as you can.",
            "Triff die Zahl, meist die 20, so oft und so gut du kannst.",
            "Touchez le numéro, en général le 20, aussi souvent et aussi bien que possible.",
        ),
        turn=Text(
            "Three darts at the number: a single counts 1, a double 2, a triple 3.",
            "Drei Darts auf die Zahl: Ein Single zählt 1, ein Double 2, ein Triple 3.",
            "Trois fléchettes sur le numéro : un simple compte 1, un double 2, un triple 3.",
        ),
        end=Text(
            "After the last round, 33 as a rule, the highest score wins.",
            "Nach der letzten Runde, meist der 33., gewinnt der höchste Stand.",
            "Après le dernier tour, en général le 33e, le plus haut score gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    start=lambda state: state.keep(Own((NONE,) * len(state.sides))),
    dart=dart,
    targets=lambda state: [f"T{state.options.number}"],
    show=show,
    worth=value,
    matters=lambda _state: (),
    statistics_of=_records.HITS,
    counted_of=kit.hits_counted,
)
