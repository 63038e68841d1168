"""The checkouts of rules 1: the fewest darts, then the fewest difficult beds.

Difficult are triples, bulls, and doubles before the last dart. Among equal routes
the last dart decides by its place in `_LAST`, then the first dart by its place in `_FIRST`.
Match files of rules 1 show these routes, so this code must not change.
"""

from functools import cache
from typing import Final

from engine.games.x01_checkouts import Rule, fits, value
from engine.segments import INNER_BULL, OUTER_BULL, PLAYABLE, SEGMENTS, Segment

# Even doubles come first: a miss inside them leaves another double.
_DOUBLES: Final = tuple(
    SEGMENTS[f"D{n}"] for n in (20, 16, 18, 12, 8, 10, 14, 4, 6, 2, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1)
)
_SINGLES: Final = tuple(SEGMENTS[f"S{n}"] for n in range(20, 0, -1))
_TRIPLES: Final = tuple(SEGMENTS[f"T{n}"] for n in range(20, 0, -1))
_LAST: Final = (*_DOUBLES, *_SINGLES, *_TRIPLES, OUTER_BULL, INNER_BULL)
_FIRST: Final = (*_TRIPLES, OUTER_BULL, INNER_BULL, *_SINGLES, *_DOUBLES)


def easy_checkout(left: int, darts: int, out: Rule, full_bull: bool) -> tuple[Segment, ...]:
    """The suggested darts for `left` points with `darts` in hand; empty if they cannot finish."""
    routes = (_route(left, count, out, full_bull) for count in range(1, darts + 1))
    return next((route for route in routes if route), ())


@cache
def _route(left: int, count: int, out: Rule, full_bull: bool) -> tuple[Segment, ...]:
    """The least difficult route of exactly `count` darts: the best first dart before the best of the rest."""
    if not 0 < left <= 60 * count:
        return ()
    routes: list[tuple[Segment, ...]]
    if count == 1:
        routes = [(bed,) for bed in PLAYABLE if fits(bed, out) and value(bed, full_bull) == left]
    else:
        rests = ((bed, _route(left - value(bed, full_bull), count - 1, out, full_bull)) for bed in PLAYABLE)
        routes = [(bed, *rest) for bed, rest in rests if rest]
    return min(routes, key=_difficulty, default=())


def _difficulty(route: tuple[Segment, ...]) -> tuple[int, int, tuple[int, ...]]:
    *before, last = route
    hard = sum(bed.multiplier > 1 or bed.is_bull for bed in before)
    # A single or a double is an easy last dart; a triple or a bull is not.
    hard += last.multiplier == 3 or last.is_bull
    return hard, _LAST.index(last), tuple(_FIRST.index(bed) for bed in before)
