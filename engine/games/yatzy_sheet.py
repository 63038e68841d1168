"""The score sheet of Yatzy-Dart, and the best score of three darts in each category.

A dart counts as one of the numbers of its zone, from 0 times to as often as its
ring allows. The best of all ways to count the darts is taken for each category
separately.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from engine.circles import Worth

UPPER: Final = ("aces", "twos", "threes", "fours", "fives", "sixes")
CATEGORIES: Final = (
    *UPPER,
    "pair",
    "two_pairs",
    "three_of_a_kind",
    "villa",
    "single_straight",
    "double_straight",
    "triple_straight",
    "yatzy",
    "chance",
)
"""Every category, in the order of the sheet."""

YATZY: Final = 50
BONUS: Final = 50
BONUS_FROM: Final = 101
"""The sum of the six numbers that earns the bonus."""

_STRAIGHTS: Final = ((1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 6))


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet of a player: the points of each category in the order of CATEGORIES, None if it is open."""

    points: tuple[int | None, ...] = (None,) * len(CATEGORIES)
    given: int = 0
    """The points of a handicap."""

    @property
    def open(self) -> tuple[str, ...]:
        """The categories that can still be chosen."""
        return tuple(name for name, points in zip(CATEGORIES, self.points, strict=True) if points is None)

    @property
    def filled(self) -> dict[str, int]:
        """The points of the filled categories."""
        return {name: points for name, points in zip(CATEGORIES, self.points, strict=True) if points is not None}

    @property
    def upper(self) -> int:
        """The sum of the six numbers, without the bonus."""
        return sum(points or 0 for points in self.points[: len(UPPER)])

    @property
    def bonus(self) -> int:
        return BONUS if self.upper >= BONUS_FROM else 0

    @property
    def total(self) -> int:
        return sum(points or 0 for points in self.points) + self.bonus + self.given

    def with_score(self, category: str, points: int) -> "Sheet":
        """The sheet with one more category filled."""
        at = CATEGORIES.index(category)
        return Sheet((*self.points[:at], points, *self.points[at + 1 :]), self.given)


def best_scores(darts: tuple[Worth, ...]) -> tuple[int, ...]:
    """The best score of at most three darts in each category, in the order of CATEGORIES."""
    # The order of the darts does not matter.
    return _best_scores(tuple(sorted(darts, key=_order)))


def _order(dart: Worth) -> tuple[tuple[int, ...], int, bool]:
    return dart.numbers, dart.times, dart.star


@lru_cache(maxsize=1 << 15)
def _best_scores(darts: tuple[Worth, ...]) -> tuple[int, ...]:
    choices = [tuple((number, dart.times) for number in dart.numbers) or ((0, 0),) for dart in darts]
    best = [0] * len(CATEGORIES)
    for taken in product(*choices):
        best = list(map(max, best, _scores(taken)))
    best[CATEGORIES.index("yatzy")] = YATZY if any(dart.star for dart in darts) else 0
    return tuple(best)


def _scores(taken: tuple[tuple[int, int], ...]) -> list[int]:
    """The scores if each dart counts as one number, at most as often as given; number 0 is no number."""
    counts = [0] * 7
    for number, times in taken:
        counts[number] += times
    upper = [number * counts[number] for number in range(1, 7)]
    pairs = [number for number in range(6, 0, -1) if counts[number] >= 2]
    threes = [number for number in range(6, 0, -1) if counts[number] >= 3]
    # Three different numbers need one dart each.
    straights = [
        max((times * sum(run) for run in _STRAIGHTS if all(counts[n] >= times for n in run)), default=0)
        for times in (1, 2, 3)
    ]
    return [
        *upper,
        2 * sum(pairs[:1]),
        2 * sum(pairs[:2]) if len(pairs) > 1 else 0,
        3 * sum(threes[:1]),
        3 * sum(threes[:2]) if len(threes) > 1 else 0,
        *straights,
        0,
        sum(upper),
    ]
