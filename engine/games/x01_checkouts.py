"""Which darts finish a leg: the suggestion that a caller makes.

Charts differ from house to house, so the table here is computed, by rules that
a player can check: the fewest darts; of these the fewest difficult beds
(triples, bulls, and doubles before the last dart); then the last dart that
comes first in `_LAST`; then the first dart that comes first in `_FIRST`.
"""

from functools import cache
from typing import Final, Literal

from engine.segments import INNER_BULL, OUTER_BULL, PLAYABLE, SEGMENTS, Segment

Rule = Literal["open", "double", "master"]
"""Which beds bring a player in, or finish: all; doubles; doubles and triples. The inner bull is a double."""


def fits(bed: Segment, rule: Rule) -> bool:
    """Whether a bed brings in, or finishes, under this rule."""
    return bed.multiplier > 0 and (rule == "open" or bed.multiplier == 2 or (rule == "master" and bed.multiplier == 3))


def value(bed: Segment, full_bull: bool) -> int:
    """What a bed takes off the score. With the full bull the outer bull is worth 50 as well."""
    return 50 if full_bull and bed is OUTER_BULL else bed.points


# Even doubles that can be halved again after a miss inside come first, odd ones last.
_DOUBLES: Final = (20, 16, 18, 12, 8, 10, 14, 4, 6, 2, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1)
_SINGLES: Final = tuple(SEGMENTS[f"S{n}"] for n in range(20, 0, -1))
_TRIPLES: Final = tuple(SEGMENTS[f"T{n}"] for n in range(20, 0, -1))
_LAST: Final = (*(SEGMENTS[f"D{n}"] for n in _DOUBLES), *_SINGLES, *_TRIPLES, OUTER_BULL, INNER_BULL)
_FIRST: Final = (*_TRIPLES, OUTER_BULL, INNER_BULL, *_SINGLES, *(SEGMENTS[f"D{n}"] for n in _DOUBLES))


def checkout(left: int, darts: int, out: Rule, full_bull: bool) -> tuple[Segment, ...]:
    """The suggested darts for what is left with so many darts in hand; empty where there are none."""
    routes = (_route(left, count, out, full_bull) for count in range(1, darts + 1))
    return next((route for route in routes if route), ())


@cache
def _route(left: int, count: int, out: Rule, full_bull: bool) -> tuple[Segment, ...]:
    """The least difficult way to finish with just so many darts: the best first dart before the best of the rest."""
    if left <= 0 or left > 60 * count:
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
    # A single is easy to end on, a double is what one ends on; a triple or a bull is neither.
    hard += last.multiplier == 3 or last.is_bull
    return hard, _LAST.index(last), tuple(_FIRST.index(bed) for bed in before)
