"""Singles Round: three darts at every number, then at the bull."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.practice import _records
from engine.kit import About, Goal, Kit, Refusal, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    value: str = kit.one_of(
        Text("A hit counts", "Ein Treffer zählt", "Une touche compte"),
        {
            "marks": Text("1, 2 or 3", "1, 2 oder 3", "1, 2 ou 3"),
            "points": Text("its points", "seine Punkte", "ses points"),
        },
    )
    from_: int = kit.number(1, 1, 20, Text("First number", "Erste Zahl", "Premier numéro"))
    to: int = kit.number(20, 1, 20, Text("Last number", "Letzte Zahl", "Dernier numéro"))
    bull: bool = kit.flag(True, Text("The bull is the last", "Das Bull kommt zuletzt", "Le bull vient en dernier"))


S = State[Options, None]


def refuses(options: Options, _players: tuple[str, ...]) -> Refusal | None:
    if options.to < options.from_:
        return Refusal("bad_option", f"The last number is {options.to}; it must be at least {options.from_}.")
    return None


def rounds(state: S) -> int:
    return state.options.to - state.options.from_ + 1 + state.options.bull


def goal(state: S) -> Goal:
    number = state.options.from_ + state.round - 1
    return number if number <= state.options.to else "bull"


def value(state: S, bed: Segment) -> int:
    if not kit.hits(bed, goal(state)):
        return 0
    return bed.points if state.options.value == "points" else kit.marks(bed)


GAME: Final[Kit[Options, None]] = Kit(
    name="singles_round",
    title="Singles Round",
    about=About(
        "A",
        Text(
            "Three darts at every number, then at the bull.",
            "Drei Darts auf jede Zahl, dann aufs Bull.",
            "Trois fléchettes sur chaque numéro, puis sur le bull.",
        ),
        aim=Text(
            "Score as much as you can on the way from 1 to the bull.",
            "Wirf auf dem Weg von der 1 bis zum Bull möglichst viel.",
            "Marquez le plus possible du 1 jusqu’au bull.",
        ),
        turn=Text(
            "Only the number of the round counts: a single 1, a double 2, a triple 3; the bull 1, the inner bull 2.",
            "Nur die Zahl der Runde zählt: ein Single 1, ein Double 2, ein Triple 3; das Bull 1, das Bullseye 2.",
            "Seul le numéro du tour compte : simple 1, double 2, triple 3 ; demi-bull 1, bull 2.",
        ),
        end=Text(
            "After the last number the highest score wins.",
            "Nach der letzten Zahl gewinnt der höchste Stand.",
            "Après le dernier numéro, le plus haut score gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    refuses=refuses,
    dart=lambda state, bed: state.brings(value(state, bed)),
    rounds=rounds,
    targets=lambda state: [goal(state)],
    show=lambda state, viewer: Show(turn={"target": goal(state)}),
    worth=value,
    matters=goal,
    statistics_of=_records.HITS,
)
