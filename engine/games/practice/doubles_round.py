"""Doubles Round: three darts at every double."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.practice import _doubles, _records
from engine.games.seats import with_seat
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    order: str = kit.one_of(
        Text("Order", "Reihenfolge", "Ordre"),
        {
            "numeric": Text("1 to 20", "1 bis 20", "1 à 20"),
            "clockwise": Text("clockwise from 20", "im Uhrzeigersinn ab 20", "sens horaire dès 20"),
        },
    )
    bull: bool = _doubles.bull()


@dataclass(frozen=True, slots=True)
class Own:
    hits: tuple[tuple[int, ...], ...] = ()
    """The hits of each side in each round."""


S = State[Options, Own]


def goals(state: S) -> tuple[str, ...]:
    clockwise = state.options.order == "clockwise"
    return _doubles.doubles(20 if clockwise else 1, state.options.bull, clockwise)


def goal(state: S) -> str:
    return goals(state)[state.round - 1]


def dart(state: S, bed: Segment) -> S:
    return state.brings(int(bed.text == goal(state)))


def close(state: S) -> S:
    hits = state.own.hits
    return state.keep(Own(with_seat(hits, state.at, (*hits[state.at], state.scored))))


def show(state: S, viewer: str | None) -> Show:
    by_double = [
        {goal: count for goal, count in zip(goals(state), hits, strict=False) if count} for hits in state.own.hits
    ]
    return Show(turn={"target": goal(state)}, players=[{"hits": hits} for hits in by_double])


GAME: Final[Kit[Options, Own]] = Kit(
    name="doubles_round",
    title="Doubles Round",
    about=About(
        "A",
        Text(
            "Three darts at every double of the board.",
            "Drei Darts auf jedes Double des Boards.",
            "Trois fléchettes sur chaque double de la cible.",
        ),
        aim=Text(
            "Hit as many doubles as you can; 63 hits are perfect.",
            "Triff so viele Doubles wie möglich; 63 Treffer sind perfekt.",
            "Touchez autant de doubles que possible ; 63 touches, c’est parfait.",
        ),
        turn=Text(
            "Each round has one double, from D1 to D20, and the inner bull last. Each hit is a point.",
            "Jede Runde hat ein Double, von D1 bis D20, zuletzt das Bullseye. Jeder Treffer ist ein Punkt.",
            "Chaque tour a son double, de D1 à D20, puis le bull. Chaque touche vaut un point.",
        ),
        end=Text(
            "After the last double the most hits win.",
            "Nach dem letzten Double gewinnen die meisten Treffer.",
            "Après le dernier double, le plus de touches gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    start=lambda state: state.keep(Own(((),) * len(state.sides))),
    dart=dart,
    close=close,
    rounds=lambda state: len(goals(state)),
    targets=lambda state: [goal(state)],
    show=show,
    worth=lambda state, bed: bed.text == goal(state),
    matters=goal,
    statistics_of=_records.HITS,
)
