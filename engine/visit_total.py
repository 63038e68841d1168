"""Darts that make the total of a visit, for a match at a board that nobody reads dart by dart.

The record gets darts, as every visit does: a display, a program or an older version that reads it needs no new
action, and a dart of it can be corrected. An action `visit` of its own was not chosen, because every game, every reader
of match files and all figures would have to know a visit without darts. The price: the beds are a guess. Where several
beds give the points of a dart it says the points alone, so it is in no heat map; a dart of 60 is a triple 20.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from engine.actions import Action, Throw, Undo
from engine.darts import Dart, Points
from engine.match import Match
from engine.play import apply, replayed
from engine.refusals import Refusal
from engine.segments import INNER_BULL, MISS, OUTER_BULL, SEGMENTS, Segment

DARTS: Final = 3
HIGHEST: Final = 180
GAMES_OF_POINTS: Final = frozenset({"x01", "count_up", "high_score"})
"""Games in which a visit is worth the points of its darts, wherever they land."""


IMPOSSIBLE: Final = Refusal(
    "no_such_visit",
    "That is more than is left, leaves what cannot be finished, or needs the beds that were hit: enter its darts. "
    "A bust is 0.",
)


@dataclass(frozen=True, slots=True)
class VisitTotal:
    """The points of a whole visit; of one that finishes the leg also the last `bed` and the number of `darts`."""

    points: int
    bed: Segment | None = None
    darts: int = DARTS


def visit_actions(match: Match, total: VisitTotal) -> tuple[Action, ...] | Refusal:
    """The actions that make the visit, instead of the darts of the turn so far.

    Refusal `no_such_visit` if no darts make the total, if it is a bust, or if it finishes and the bed is missing.
    """
    view = match.view()
    if view.get("playing", view["game"]) not in GAMES_OF_POINTS:
        return _none("This game needs to know the beds; enter the darts.")
    if match.finished:
        return Refusal("finished", "The match is over; undo the last action to change it.")
    begun = _without_darts(match)
    if isinstance(begun, Refusal):
        return begun
    fresh, undone = begun
    if fresh.turn.awaits != "throw":
        return Refusal("not_awaited", f"No visit is possible now; the match waits for: {fresh.turn.awaits}.")
    last = () if total.bed is None else (total.bed,)
    first = _darts(total.points - _worth(last), total.darts - len(last))
    if first is None:
        return _none(f"No {total.darts} darts make {total.points}.")
    throws = tuple(Throw(dart) for dart in (*first, *last))
    after = replayed(fresh, throws)
    if isinstance(after, Refusal) or after.unsure is not None:
        return IMPOSSIBLE
    turn = after.view()["turn"]
    if turn.get("bust") or turn["scored"] != total.points or turn["awaits"] != "next":
        return IMPOSSIBLE
    return (*undone, *throws)


def _without_darts(match: Match) -> tuple[Match, tuple[Undo, ...]] | Refusal:
    """The match at the start of its turn, and the undos that lead there."""
    undone: tuple[Undo, ...] = ()
    while len(match.played) > match.turns[-1].at:
        if match.edits[-1].at < match.turns[-1].at:
            return Refusal("undo_only", "An earlier turn was corrected since; undo, then enter the total.")
        outcome = apply(match, Undo())
        if isinstance(outcome, Refusal):
            return outcome
        match, undone = outcome, (*undone, Undo())
    return match, undone


def _none(message: str) -> Refusal:
    return Refusal("no_such_visit", message)


def _worth(beds: tuple[Segment, ...]) -> int:
    return sum(bed.points for bed in beds)


@cache
def _darts(points: int, number: int) -> tuple[Dart, ...] | None:
    """The likeliest darts for the points, the highest first; None if so many darts cannot make them."""
    if number == 0:
        return () if points == 0 else None
    values = sorted(_EFFORT, reverse=True)
    found = [darts for darts in combinations_with_replacement(values, number) if sum(darts) == points]
    # Of equally likely ones the first: the highest first dart.
    best = min(found, key=lambda darts: sum(_EFFORT[value] for value in darts), default=None)
    return None if best is None else tuple(_dart(value) for value in best)


def _efforts() -> Iterator[tuple[int, int]]:
    """Points of one dart, and how unlikely it is that somebody aimed there in a visit that scores."""
    yield from ((2 * n, 5) for n in range(20, 0, -1))
    yield from ((3 * n, 3) for n in range(1, 21))
    yield from ((INNER_BULL.points, 5), (OUTER_BULL.points, 4), (MISS.points, 3), (57, 2))
    yield from ((n, 1) for n in (*range(1, 21), 60))


_EFFORT: Final = dict(_efforts())


def _dart(points: int) -> Dart:
    """A dart of these points: the bed, if only one gives them."""
    beds = tuple(bed for bed in SEGMENTS.values() if bed.points == points and not bed.text.startswith(("SI", "SO")))
    if len(beds) == 1 and beds[0].text.startswith("S") and not beds[0].is_bull:
        beds = (SEGMENTS[f"SI{points}"], SEGMENTS[f"SO{points}"])
    return beds[0] if len(beds) == 1 else Points(points, beds)
