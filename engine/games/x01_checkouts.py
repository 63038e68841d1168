"""Which beds bring a player in or finish a leg, and the suggested checkout of rules 2.

Published charts differ from each other. This one is a table that `scripts/checkouts`
computes by the rules in `x01_routes.py`.
"""

from functools import cache
from typing import Final, Literal

from engine.games.x01_checkout_table import FIRST_DARTS
from engine.segments import OUTER_BULL, SEGMENTS, Segment

Rule = Literal["open", "double", "master"]
"""Which beds bring a player in, or finish: all; doubles; doubles and triples. The inner bull is a double."""

NO_ROUTE: Final = "-"
"""Marks scores in the table that cannot be finished."""


def fits(bed: Segment, rule: Rule) -> bool:
    """Whether a bed brings a player in, or finishes, under this rule."""
    return bed.multiplier > 0 and (rule == "open" or bed.multiplier == 2 or (rule == "master" and bed.multiplier == 3))


def value(bed: Segment, full_bull: bool) -> int:
    """The points that a bed takes off the score. With `full_bull` the outer bull is worth 50 too."""
    return 50 if full_bull and bed is OUTER_BULL else bed.points


def checkout(left: int, darts: int, out: Rule, full_bull: bool) -> tuple[Segment, ...]:
    """The suggested darts for `left` points with `darts` in hand; empty if they cannot finish."""
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
    """The first dart of every route, by the points left."""
    words = FIRST_DARTS[out, full_bull, darts].split()
    return {left: SEGMENTS[word] for left, word in enumerate(words, 1) if word != NO_ROUTE}
