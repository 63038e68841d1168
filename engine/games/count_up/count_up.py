"""Count-Up: as many points as possible in a fixed number of rounds."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.games.shared_texts import MOST_POINTS_AFTER_8, SCORE_MOST_POINTS
from engine.kit import About, Kit, Segment, State, Text

IN = Text("To start counting", "Zählt ab", "On compte à partir")


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.rounds(8)
    bull: str = kit.bull()
    in_: str = kit.one_of(
        IN,
        {
            "open": Text("any dart", "jedem Dart", "de toute fléchette"),
            "double": Text("a double", "einem Double", "d’un double"),
        },
    )
    tie: str = kit.tie()
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    is_in: tuple[bool, ...] = ()
    """Whether each side counts; for the whole match once it does."""


S = State[Options, Own]


def start(state: S) -> S:
    return state.keep(Own((state.options.in_ == "open",) * len(state.sides)))


def counts(state: S, bed: Segment) -> bool:
    return state.own.is_in[state.at] or bed.multiplier == 2


def dart(state: S, bed: Segment) -> S:
    if not counts(state, bed):
        return state
    is_in = with_seat(state.own.is_in, state.at, True)
    return state.keep(Own(is_in)).brings(kit.points(bed, state.options.bull))


def worth(state: S, bed: Segment) -> float:
    if not state.own.is_in[state.at]:
        return counts(state, bed)
    return kit.points(bed, state.options.bull)


GAME: Final[Kit[Options, Own]] = Kit(
    name="count_up",
    title="Count-Up",
    about=About(
        "P",
        Text(
            "Eight rounds, every point counts.",
            "Acht Runden, jeder Punkt zählt.",
            "Huit tours, chaque point compte.",
        ),
        aim=SCORE_MOST_POINTS,
        turn=Text(
            "Three darts; each adds its points. With double in, nothing counts before your first double.",
            "Drei Darts; jeder zählt seine Punkte. Mit Double-In zählt nichts vor deinem ersten Double.",
            "Trois fléchettes ; chacune ajoute ses points. Avec l’entrée en double, rien ne compte avant le premier.",
        ),
        end=MOST_POINTS_AFTER_8,
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    start=start,
    dart=dart,
    targets=lambda state: ["T20"] if state.own.is_in[state.at] else kit.DOUBLES,
    worth=worth,
    matters=lambda state: state.own.is_in[state.at],
    counted_of=kit.points_counted,
)
