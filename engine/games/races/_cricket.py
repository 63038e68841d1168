"""What the Crickets on drawn numbers share: marks, points, the end, the view and the advice, as in Cricket."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from engine import kit
from engine.games.cricket_advice import CLOSED, mark_worths
from engine.games.cricket_statistics import marks_statistics
from engine.games.seats import with_seat
from engine.kit import Refusal, Segment, State, Target, Text
from engine.segments import BULL
from engine.statistics import rate

NO_MARKS: Final = (0,) * (BULL + 1)

AIM: Final = Text(
    "Close all numbers and have at least as many points as everybody else.",
    "Schließ alle Zahlen und hab mindestens so viele Punkte wie alle anderen.",
    "Fermez tous les numéros en ayant au moins autant de points que chacun.",
)
END: Final = Text(
    "The match ends when somebody has closed all and is not behind. At the limit of rounds the most points win.",
    "Das Spiel endet, wenn jemand alles geschlossen hat und nicht zurückliegt. An der Rundengrenze gewinnen die "
    "meisten Punkte.",
    "La partie finit quand quelqu’un a tout fermé sans être mené. À la limite de tours, le plus de points gagne.",
)


@dataclass(frozen=True, slots=True)
class Options:
    count: int = kit.number(6, 1, 20, Text("Numbers", "Zahlen", "Numéros"))
    with_bull: bool = kit.flag(True, Text("The bull counts", "Das Bull zählt", "Le bull compte"))
    mode: str = kit.one_of(
        Text("Scoring", "Wertung", "Décompte"),
        {
            "standard": Text("standard", "Standard", "standard"),
            "cut-throat": Text("cut-throat", "Cut-Throat", "cut-throat"),
            "no-score": Text("no score", "ohne Punkte", "sans points"),
        },
    )
    rounds: int = kit.most_rounds(20, 1000)
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    numbers: tuple[int, ...] = ()
    """The numbers to close, the highest first, then the bull; empty before they are drawn."""
    marks: tuple[tuple[int, ...], ...] = ()
    """The marks of each side on each number of the board, from 0 to 25."""
    counted: tuple[int, ...] = ()
    """The marks of each side that closed or scored."""
    of_turn: tuple[int, ...] = ()
    """Those of each dart of this turn, up to the last one that counted."""
    tried: frozenset[int] = frozenset()
    """The numbers in which a dart has landed, where the numbers are hidden."""
    drawn: int = 0
    """The round in which numbers were drawn last."""
    earlier: tuple[tuple[int, int], ...] = ()
    """The marks and the turns of each side in the legs before; empty in the first one."""

    @property
    def marked(self) -> int:
        """The marks of this turn that closed or scored."""
        return sum(self.of_turn)


S = State[Options, Own]


def in_order(numbers: Iterable[int], bull: bool) -> tuple[int, ...]:
    """The numbers as they are shown: the highest first, then the bull."""
    return (*sorted((number for number in numbers if number != BULL), reverse=True), *((BULL,) if bull else ()))


def dealt(state: S, cards: tuple[int, ...]) -> S:
    """The first numbers of the deck are in play."""
    numbers = in_order(cards[: state.options.count], state.options.with_bull)
    nothing = (0,) * len(state.sides)
    return state.keep(
        kit.replaced(state.own, numbers=numbers, marks=(NO_MARKS,) * len(nothing), counted=nothing, drawn=state.round)
    )


def begin(state: S) -> S:
    return state.keep(kit.replaced(state.own, of_turn=())) if state.own.of_turn else state


def refuses_points(state: S) -> Refusal | None:
    if state.options.mode != "no-score" or not any(state.scores):
        return None
    return Refusal("bad_option", "Without points nobody can begin with some; leave out handicap.")


def closed(state: S, side: int, number: int) -> bool:
    return state.own.marks[side][number] == CLOSED


def behind(state: S, number: int) -> tuple[int, ...]:
    """The opponents who have not closed a number."""
    return tuple(side for side in state.others if not closed(state, side, number))


def is_open(state: S, number: int) -> bool:
    """Whether a mark of the thrower closes or scores."""
    further = state.options.mode != "no-score" and behind(state, number)
    return not closed(state, state.at, number) or bool(further)


def dart(state: S, bed: Segment) -> S:
    number, own, at = bed.number, state.own, state.at
    if number not in own.numbers or not is_open(state, number):
        return state
    closing = min(CLOSED - own.marks[at][number], bed.multiplier)
    late = behind(state, number) if state.options.mode != "no-score" else ()
    further = bed.multiplier - closing if late else 0
    marks = with_seat(own.marks[at], number, own.marks[at][number] + closing)
    counted = closing + further
    own = kit.replaced(
        own,
        marks=with_seat(own.marks, at, marks),
        counted=with_seat(own.counted, at, own.counted[at] + counted),
        of_turn=(*padded(own.of_turn, len(state.darts)), counted),
    )
    after = state.keep(own)
    if state.options.mode == "cut-throat":
        for side in late if further else ():
            after = after.gains(further * number, side)
    else:
        after = after.brings(further * number)
    # Points of the thrower can make another win in cut-throat: those who have closed all get none.
    for side in (*range(at, len(state.sides)), *range(at)):
        if all(closed(after, side, each) for each in own.numbers) and _standing(after, side) == max(
            _standing(after, each) for each in after.sides
        ):
            return after.is_won(side)
    return after


def _standing(state: S, side: int) -> int:
    return -state.scores[side] if state.options.mode == "cut-throat" else state.scores[side]


def rank(state: S, side: int) -> tuple[int, ...]:
    """At the limit points count, then the marks that counted."""
    return _standing(state, side), state.own.counted[side]


def mark_worth(state: S, number: int) -> tuple[int, float, float]:
    """How many marks close a number for the thrower, and the worth of a closing and of a scoring mark."""
    return _mark_worth(state.options.mode, number, state.at, state.scores, state.own.marks)


@lru_cache(512)
def _mark_worth(
    mode: str, number: int, at: int, scores: tuple[int, ...], marks: tuple[tuple[int, ...], ...]
) -> tuple[int, float, float]:
    standings = tuple(zip(scores, marks, strict=True))
    close, score = mark_worths(mode, number, number, standings[at], standings[:at] + standings[at + 1 :])
    return CLOSED - marks[at][number], close, score


def worth_of(state: S, bed: Segment) -> float:
    """The worth of a bed if its number is to be closed."""
    missing, close, score = mark_worth(state, bed.number)
    closing = min(missing, bed.multiplier)
    return closing * close + (bed.multiplier - closing) * score


def worth(state: S, bed: Segment) -> float:
    return worth_of(state, bed) if bed.number in state.own.numbers else 0.0


def matters(state: S) -> Hashable:
    return state.own.numbers, tuple([mark_worth(state, number) for number in state.own.numbers])


def named(numbers: Iterable[int]) -> list[Target]:
    return ["bull" if number == BULL else number for number in numbers]


def targets(state: S) -> list[Target]:
    """The numbers on which a mark closes or scores."""
    return named(number for number in state.own.numbers if is_open(state, number))


def total(state: S, side: int) -> tuple[int, int]:
    """The counted marks and the turns of a side in the match."""
    thrown = side < state.at or (side == state.at and bool(state.darts or state.finished))
    marks, turns = state.own.earlier[side] if state.own.earlier else (0, 0)
    return marks + state.own.counted[side], turns + state.round - 1 + thrown


def with_earlier(state: S, before: S | None) -> S:
    """The state of a leg with the marks and turns of the legs before it, or without them."""
    of = {} if before is None else {before.players[side]: total(before, side) for side in before.sides}
    return state.keep(
        kit.replaced(state.own, earlier=tuple(of[state.players[side]] for side in state.sides) if of else ())
    )


def players(state: S, numbers: tuple[int, ...]) -> list[Mapping[str, Any]]:
    """The marks of each side on these numbers, and its marks per round; nothing before they are drawn."""
    own = state.own
    if not own.numbers:
        return []
    return [
        {
            "marks": {"bull" if number == BULL else str(number): own.marks[side][number] for number in numbers},
            "mpr": rate(*total(state, side)),
        }
        for side in state.sides
    ]


def _marked(state: State[Any, Any]) -> int:
    marked: int = state.own.marked
    return marked


def padded(marks: tuple[int, ...], darts: int) -> tuple[int, ...]:
    """The marks of as many darts; those after the last one that counted have none."""
    return (*marks, *(0,) * (darts - len(marks)))


def counted(begun: State[Any, Own], state: State[Any, Own]) -> kit.Counted:
    """The marks of each dart, and the numbers that the thrower had not closed."""
    worth = padded(state.own.of_turn, len(state.darts))
    before = begun.own.marks[begun.at] if begun.own.marks else NO_MARKS
    return kit.Counted("marks", worth, state.scored, frozenset(n for n in state.own.numbers if before[n] < CLOSED))


STATISTICS: Final = marks_statistics(_marked)
