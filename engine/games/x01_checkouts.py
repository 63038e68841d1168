"""Which darts finish a leg: the suggestion that a caller makes.

Charts differ from house to house. This one is a table, computed once by the
rules in `x01_routes.py`: the fewest darts, no double that only sets up where a
single or a triple serves, and then the best chance to finish.
"""

from functools import cache
from typing import Final, Literal

from engine.games.x01_checkout_table import FIRST_DARTS
from engine.segments import OUTER_BULL, SEGMENTS, Segment

Rule = Literal["open", "double", "master"]
"""Which beds bring a player in, or finish: all; doubles; doubles and triples. The inner bull is a double."""

NO_ROUTE: Final = "-"
"""Stands in the table for what cannot be finished."""


def fits(bed: Segment, rule: Rule) -> bool:
    """Whether a bed brings in, or finishes, under this rule."""
    return bed.multiplier > 0 and (rule == "open" or bed.multiplier == 2 or (rule == "master" and bed.multiplier == 3))


def value(bed: Segment, full_bull: bool) -> int:
    """What a bed takes off the score. With the full bull the outer bull is worth 50 as well."""
    return 50 if full_bull and bed is OUTER_BULL else bed.points


def checkout(left: int, darts: int, out: Rule, full_bull: bool) -> tuple[Segment, ...]:
    """The suggested darts for what is left with so many darts in hand; empty where there are none."""
    route: list[Segment] = []
    while left > 0:
        bed = _firsts(out, full_bull, darts - len(route)).get(left)
        if bed is None:
            return ()
        route.append(bed)
        left -= value(bed, full_bull)
    return tuple(route)


@cache
def _firsts(out: Rule, full_bull: bool, darts: int) -> dict[int, Segment]:
    """The first dart of every route, by what is left."""
    words = FIRST_DARTS[out, full_bull, darts].split()
    return {left: SEGMENTS[word] for left, word in enumerate(words, 1) if word != NO_ROUTE}
