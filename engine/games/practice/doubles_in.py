"""Doubling In: three darts to hit a double, the sooner the better."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.practice import _records
from engine.games.seats import with_seat
from engine.games.shared_texts import MOST_POINTS_AFTER_10
from engine.kit import DOUBLES, About, Kit, Refusal, Segment, Show, State, Target, Text

ALL: Final[tuple[int | str, ...]] = (*range(1, 21), "bull")


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.rounds(10)
    double: tuple[int | str, ...] = kit.targets(
        ALL, Text("Doubles, one or all", "Doubles, eins oder alle", "Doubles, un seul ou tous")
    )


@dataclass(frozen=True, slots=True)
class Own:
    hits: tuple[int, ...] = ()
    """The turns in which each side came in."""


S = State[Options, Own]
DARTS: Final = 3


def refuses(options: Options, _players: tuple[str, ...]) -> Refusal | None:
    if len(options.double) in (1, len(ALL)):
        return None
    return Refusal("bad_option", f"{len(options.double)} doubles are listed; list one, or leave out double for all.")


def goals(state: S) -> tuple[Target, ...]:
    listed = state.options.double
    if len(listed) == len(ALL):
        return DOUBLES
    return ("DB" if listed[0] == "bull" else f"D{listed[0]}",)


def dart(state: S, bed: Segment) -> S:
    if bed.multiplier != 2 or bed.text not in goals(state):
        return state
    hits = state.own.hits
    after = state.keep(Own(with_seat(hits, state.at, hits[state.at] + 1)))
    return after.brings(DARTS - len(state.darts)).ends()


GAME: Final[Kit[Options, Own]] = Kit(
    name="doubles_in",
    title="Doubling In",
    about=About(
        "A",
        Text(
            "Three darts to get in; the sooner the better.",
            "Drei Darts, um reinzukommen; je früher, desto besser.",
            "Trois fléchettes pour entrer ; le plus tôt possible.",
        ),
        aim=Text(
            "Hit a double with the first dart of every turn.",
            "Triff in jeder Aufnahme mit dem ersten Dart ein Double.",
            "Touchez un double dès la première fléchette de chaque volée.",
        ),
        turn=Text(
            "The first double ends the turn and counts 3 with the first dart, 2 with the second, 1 with the third. The "
            "inner bull is a double.",
            "Das erste Double beendet die Aufnahme und zählt mit dem ersten Dart 3, mit dem zweiten 2, mit dem dritten "
            "1. Das Bullseye ist ein Double.",
            "Le premier double finit la volée et compte 3 à la première fléchette, 2 à la deuxième, 1 à la "
            "troisième. Le bull est un double.",
        ),
        end=MOST_POINTS_AFTER_10,
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    refuses=refuses,
    start=lambda state: state.keep(Own((0,) * len(state.sides))),
    dart=dart,
    targets=goals,
    show=lambda state, viewer: Show(players=[{"hits": hits} for hits in state.own.hits]),
    worth=lambda state, bed: bed.text in goals(state),
    matters=lambda _state: (),
    statistics_of=_records.HITS,
)
