"""Where to aim in Cricket: what a mark is worth to this player now, averaged over where the dart may land.

The worth is a rule of thumb, not a search: a mark that closes is worth more on
a high number, and more where an opponent has closed it already; a mark that scores
is worth more than its points to one who is behind, and a part of them to one who leads.
"""

from functools import lru_cache
from typing import Final

from engine.aiming import aim_at, best, nearest, spots
from engine.game import Aim
from engine.segments import Segment

CLOSED: Final = 3

_AHEAD: Final = 0.3
_BEHIND: Final = 1.5
"""How many times its points a scoring mark is worth to a player who leads, and to one who is behind."""

Standing = tuple[int, tuple[int, ...]]
"""One player's points, and marks on each of the numbers."""


def aim_at_marks(
    skill_mm: float, mode: str, numbers: tuple[int, ...], mine: Standing, others: tuple[Standing, ...]
) -> Aim:
    """The aim for the next dart; `value` is the marks that will count, on average."""
    return _aim(nearest(skill_mm), mode, numbers, mine, others)


@lru_cache(4096)
def _aim(skill: int, mode: str, numbers: tuple[int, ...], mine: Standing, others: tuple[Standing, ...]) -> Aim:
    worths = {number: _worths(mode, number, at, mine, others) for at, number in enumerate(numbers)}

    def split(bed: Segment) -> tuple[int, int]:
        """The marks of a bed that close, and those that score."""
        if bed.number not in worths:
            return 0, 0
        closing = min(CLOSED - mine[1][numbers.index(bed.number)], bed.multiplier)
        return closing, (bed.multiplier - closing) if worths[bed.number][1] else 0

    def worth(bed: Segment) -> float:
        close, score = worths.get(bed.number, (0.0, 0.0))
        closing, scoring = split(bed)
        return closing * close + scoring * score

    spot, _ = best(spots(skill), worth)
    return aim_at(spot, sum(odds * sum(split(bed)) for bed, odds in spot.odds.items()))


def _worths(mode: str, number: int, at: int, mine: Standing, others: tuple[Standing, ...]) -> tuple[float, float]:
    """What a mark that closes this number is worth, and one that scores on it."""
    still_open = sum(marks[at] < CLOSED for _, marks in others)
    close = 10.0 + number / 2 + 5.0 * (still_open < len(others))
    if mode == "no-score" or not still_open:
        return close, 0.0
    if mode == "cut-throat":
        behind = mine[0] > min(score for score, _ in others)
        share = still_open / len(others)
    else:
        behind = mine[0] < max(score for score, _ in others)
        share = 1.0
    return close, number * share * (_BEHIND if behind else _AHEAD)
