"""The search over one turn of Yatzy-Dart, by dynamic programming.

It works backwards, from the worth of every three darts to that of two, then one.
The worths of darts are numbered from 0, and tables are indexed by these numbers.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from operator import itemgetter
from typing import Any

from engine.circles import Worth
from engine.game import Aim
from engine.games.yatzy_sheet import CATEGORIES, best_scores
from engine.games.yatzy_targets import Target

Gain = Callable[[int], float]
"""A function from a score to its worth in one category."""

Odds = tuple[list[int], list[float]]
"""The numbers of the worths that a dart can have, and their chances, which add up to 1."""


@dataclass(frozen=True, slots=True)
class Aims:
    """The targets of a player, and `worths`, the worths of their darts by number.

    `odds` are those of each target. `leading` are the odds of the targets that no other target dominates: they give
    the same worth of a turn, sooner. `ways` are the combinations of darts.
    """

    targets: tuple[Target, ...]
    worths: tuple[Worth, ...]
    odds: list[Odds]
    leading: list[Odds]
    ways: "Ways"


@dataclass(frozen=True, slots=True)
class Ways:
    """The combinations of two and of three darts, each numbered from 0, and their scores.

    `twos[a][b]` is the number of the pair of the worths `a` and `b`, `threes[two][c]` of that pair and `c`.
    `different[category]` has the distinct scores, `scores[category]` for every three darts the place of theirs there.
    """

    twos: list[list[int]]
    threes: list[list[int]]
    scores: list[tuple[int, ...]]
    different: list[tuple[int, ...]]


def aims_at(targets: tuple[Target, ...]) -> Aims:
    """The aims of a player with these targets."""
    worths = tuple(dict.fromkeys(worth for target in targets for worth, _ in target.odds))
    number = {worth: k for k, worth in enumerate(worths)}
    odds = [([number[worth] for worth, _ in t.odds], [chance for _, chance in t.odds]) for t in targets]
    leading = list(range(len(targets)))
    for at, target in enumerate(targets):
        if any(_dominates(targets[other], target) for other in leading if other != at):
            leading.remove(at)
    return Aims(targets, worths, odds, [odds[at] for at in leading], _ways(worths))


def _dominates(other: Target, one: Target) -> bool:
    """Whether `other` dominates `one`: it is worth at least as much, whatever is open.

    It does if the chances of `one` can be moved to worths of `other` that are at least as good. Each chance is moved
    to the least of those. This may miss a domination, but never finds a false one.
    """
    left = dict(other.odds)
    for worth, odds in sorted(one.odds, key=lambda chance: _much(chance[0]), reverse=True):
        for better in sorted((w for w in left if _gives(w, worth)), key=_much):
            moved = min(odds, left[better])
            left[better] -= moved
            odds -= moved
        if odds > 1e-9:
            return False
    return True


def _gives(other: Worth, one: Worth) -> bool:
    """Whether a dart of the worth `other` can score whatever one of the worth `one` can."""
    return other.star >= one.star and other.times >= one.times and set(other.numbers) >= set(one.numbers)


def _much(worth: Worth) -> tuple[int, int]:
    return worth.times, len(worth.numbers)


@lru_cache(maxsize=4)
def _ways(worths: tuple[Worth, ...]) -> Ways:
    """All combinations of darts of these worths: about 2 MB, the same for most spreads."""
    numbers = range(len(worths))
    twos = {two: i for i, two in enumerate(combinations_with_replacement(numbers, 2))}
    threes = {three: i for i, three in enumerate(combinations_with_replacement(numbers, 3))}
    columns = list(zip(*(best_scores(tuple(worths[k] for k in three)) for three in threes), strict=True))
    different = [tuple(sorted(set(column))) for column in columns]
    place = [{score: k for k, score in enumerate(scores)} for scores in different]
    return Ways(
        [[twos[min(a, b), max(a, b)] for b in numbers] for a in numbers],
        [[threes[a, b, c] for k in numbers for a, b, c in [sorted((*two, k))]] for two in twos],
        [tuple(map(places.__getitem__, column)) for places, column in zip(place, columns, strict=True)],
        different,
    )


class Plan:
    """The best play of one turn, with given open categories and spread.

    `gains` are those of the open categories. The aim of the first dart takes longest; its result is kept.
    """

    def __init__(self, aims: Aims, gains: Mapping[str, Gain]) -> None:
        self._aims = aims
        self._gains = {CATEGORIES.index(category): gain for category, gain in gains.items()}
        self._twos: Sequence[float] = ()
        """The worth of the turn after two darts, by the number of their pair; empty until `_ones` is known."""

    def aim(self, darts: tuple[Worth, ...]) -> Aim:
        """The aim after these darts, at most two."""
        # All targets, not only the leading ones: the first of equals is named.
        averages = [average for (average,) in _averages(self._aims.odds, [self._after(*map(self._number, darts))])]
        top = max(averages)
        # The margin makes sums that differ only in their last digits equal.
        at = next(i for i, average in enumerate(averages) if average >= top - 1e-9)
        target = self._aims.targets[at]
        return Aim(target.at.x, target.at.y, target.name, averages[at], target.chance)

    def category(self, darts: tuple[Worth, ...]) -> str:
        """The category to fill with these darts; the first of equals."""
        scores = best_scores(darts)
        return CATEGORIES[max(self._gains, key=lambda at: self._gains[at](scores[at]))]

    def value(self) -> float:
        """The worth of the turn before its first dart."""
        return self._tops([self._ones])[0]

    def _number(self, worth: Worth) -> int:
        """The number of a worth; a worth that no target gives has the number of the one most like it."""
        worths = self._aims.worths

        def likeness(k: int) -> tuple[bool, int, bool]:
            other = worths[k]
            return other.star == worth.star, len(set(other.numbers) & set(worth.numbers)), other.times == worth.times

        return worths.index(worth) if worth in worths else max(range(len(worths)), key=likeness)

    def _after(self, *darts: int) -> Sequence[float]:
        """The worth of the turn after the next dart, by the number of that dart."""
        ways = self._aims.ways
        match darts:
            case ():
                return self._ones
            case (first,) if self._twos:
                return _those(ways.twos[first], self._twos)
            case (first,):
                return self._tops([self._after(first, second) for second in range(len(ways.twos))])
            case _:
                first, second = darts
                threes = ways.threes[ways.twos[first][second]]
                return self._threes([_those(threes, scores) for scores in ways.scores])

    @cached_property
    def _ones(self) -> Sequence[float]:
        """The worth of the turn after one dart, by its number. Also fills in `_twos`."""
        ways, ends = self._aims.ways, self._threes(self._aims.ways.scores)
        after = [_those(threes, ends) for threes in ways.threes]
        # Late in a match most pairs of darts have equal rows, which are computed once.
        different = list(dict.fromkeys(after))
        tops = dict(zip(different, self._tops(different), strict=True))
        self._twos = array("d", [tops[row] for row in after])
        return self._tops([self._after(first) for first in range(len(ways.twos))])

    def _threes(self, scores: Sequence[Sequence[int]]) -> list[float]:
        """The worth of three darts in the best category, for all `scores`, as in `Ways`."""
        return list(map(max, zip(*(_those(scores[at], worth) for at, worth in self._worth.items()), strict=True)))

    @cached_property
    def _worth(self) -> dict[int, tuple[float, ...]]:
        """The worth of each of the distinct scores, by category."""
        return {at: tuple(map(gain, self._aims.ways.different[at])) for at, gain in self._gains.items()}

    def _tops(self, after: Sequence[Sequence[float]]) -> list[float]:
        """The average worth with the best aim for each row of `after`, worths of the turn by the number of the dart."""
        return list(map(max, zip(*_averages(self._aims.leading, after), strict=True)))


def _those(places: Sequence[int], values: Sequence[Any]) -> tuple[Any, ...]:
    """The values at these places; three times as quick as a comprehension."""
    return itemgetter(*places)(values) if len(places) > 1 else (values[places[0]],)


def _averages(aims: Sequence[Odds], after: Sequence[Sequence[float]]) -> list[list[float]]:
    """The average worth with each aim, one value for each row of `after` (see `Plan._tops`)."""
    columns = list(zip(*after, strict=True))
    averages = []
    for numbers, odds in aims:
        total = [0.0] * len(after)
        # Most of the time of a plan is spent here. Three terms at once are quicker than one, and than `sum` of a row.
        terms = [(columns[k], chance) for k, chance in zip(numbers, odds, strict=True)]
        while len(terms) >= 3:
            (first, a), (second, b), (third, c), *terms = terms
            total = [t + a * x + b * y + c * z for t, x, y, z in zip(total, first, second, third, strict=True)]
        for column, a in terms:
            total = [t + a * x for t, x in zip(total, column, strict=True)]
        averages.append(total)
    return averages
