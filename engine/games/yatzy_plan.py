"""The look ahead over one turn of Yatzy-Dart: what each aim makes of the darts that are left.

It is worked out backwards, by dynamic programming: from what every three
darts are worth to what two are, then one. Worths are numbered, so that a row
of values needs no names.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from operator import mul

from engine.circles import Worth
from engine.game import Aim
from engine.games.yatzy_sheet import CATEGORIES, best_scores
from engine.games.yatzy_targets import Target

Gain = Callable[[int], float]
"""What a score is worth in one category."""


@dataclass(frozen=True, slots=True)
class Aims:
    """All that one player can aim at, and `worths`, what his darts can be worth, by their numbers.

    For each of the `targets`, `odds` has the numbers of the worths that the dart can have, and their chances.
    `ways` are those of three darts.
    """

    targets: tuple[Target, ...]
    worths: tuple[Worth, ...]
    odds: list[tuple[list[int], list[float]]]
    ways: "Ways"


@dataclass(frozen=True, slots=True)
class Ways:
    """All that two darts and three can be worth together, in any order, each numbered from 0; and their scores.

    `twos[a][b]` is the number of the worths `a` and `b` together, `threes[two][c]` of those two and `c`.
    `scores[category]` has the score of every three, `different[category]` each of these scores once.
    """

    twos: list[list[int]]
    threes: list[list[int]]
    scores: list[tuple[int, ...]]
    different: list[frozenset[int]]


def aims(targets: tuple[Target, ...]) -> Aims:
    """What a player who can aim at these can do."""
    worths = tuple(dict.fromkeys(worth for target in targets for worth, _ in target.odds))
    number = {worth: k for k, worth in enumerate(worths)}
    odds = [([number[worth] for worth, _ in t.odds], [chance for _, chance in t.odds]) for t in targets]
    return Aims(targets, worths, odds, _ways(worths))


@lru_cache(maxsize=4)
def _ways(worths: tuple[Worth, ...]) -> Ways:
    """Some 2 MB, and the same for most spreads."""
    numbers = range(len(worths))
    twos = {two: i for i, two in enumerate(combinations_with_replacement(numbers, 2))}
    threes = {three: i for i, three in enumerate(combinations_with_replacement(numbers, 3))}
    scores = list(zip(*(best_scores(tuple(worths[k] for k in three)) for three in threes), strict=True))
    return Ways(
        [[twos[min(a, b), max(a, b)] for b in numbers] for a in numbers],
        [[threes[a, b, c] for k in numbers for a, b, c in [sorted((*two, k))]] for two in twos],
        scores,
        [frozenset(column) for column in scores],
    )


class Plan:
    """The play of one turn: what is open and the spread are settled, what the darts hit is not.

    `gains` are those of the open categories. The aim for the first dart costs most, and that only once.
    """

    def __init__(self, aims: Aims, gains: Mapping[str, Gain]) -> None:
        self._aims = aims
        self._gains = {CATEGORIES.index(category): gain for category, gain in gains.items()}

    def aim(self, darts: tuple[Worth, ...]) -> Aim:
        """Where to aim after these darts, at most two."""
        averages = [average for (average,) in self._averages([self._after(*map(self._number, darts))])]
        top = max(averages)
        # The margin keeps the first of equals, whatever the last digits say.
        at = next(i for i, average in enumerate(averages) if average >= top - 1e-9)
        target = self._aims.targets[at]
        return Aim(target.at.x, target.at.y, target.name, averages[at], target.chance)

    def category(self, darts: tuple[Worth, ...]) -> str:
        """The category to fill with these darts; the first of equals."""
        scores = best_scores(darts)
        return CATEGORIES[max(self._gains, key=lambda at: self._gains[at](scores[at]))]

    def value(self) -> float:
        """What the turn is worth before its first dart."""
        return self._tops([self._ones])[0]

    def _number(self, worth: Worth) -> int:
        """The number of a worth; one that no aim brings counts as the one most like it."""
        worths = self._aims.worths

        def likeness(k: int) -> tuple[bool, int, bool]:
            other = worths[k]
            return other.star == worth.star, len(set(other.numbers) & set(worth.numbers)), other.times == worth.times

        return worths.index(worth) if worth in worths else max(range(len(worths)), key=likeness)

    def _after(self, *darts: int) -> Sequence[float]:
        """What the turn is worth after the next dart, for each worth that this can have."""
        if not darts:
            return self._ones
        ways = self._aims.ways
        twos = ways.twos[darts[0]]
        if len(darts) == 1:
            return [self._twos[two] for two in twos]
        threes = ways.threes[twos[darts[1]]]
        return self._threes([[scores[three] for three in threes] for scores in ways.scores])

    @cached_property
    def _ones(self) -> Sequence[float]:
        """What the turn is worth after one dart, for each worth of it."""
        return self._tops([[self._twos[two] for two in twos] for twos in self._aims.ways.twos])

    @cached_property
    def _twos(self) -> Sequence[float]:
        """What the turn is worth after two darts, for each two."""
        ends = self._threes(self._aims.ways.scores)
        after = [tuple([ends[three] for three in threes]) for threes in self._aims.ways.threes]
        # Late in a match most pairs of darts promise the same, so what is worked out for one holds for them all.
        different = list(dict.fromkeys(after))
        tops = dict(zip(different, self._tops(different), strict=True))
        return array("d", map(tops.__getitem__, after))

    def _threes(self, scores: Sequence[Sequence[int]]) -> list[float]:
        """What threes of darts are worth in the best category; `scores` are theirs, category by category."""
        columns = [map(worth.__getitem__, scores[at]) for at, worth in self._worth.items()]
        return list(map(max, zip(*columns, strict=True)))

    @cached_property
    def _worth(self) -> dict[int, dict[int, float]]:
        """What each score that there is in a category is worth."""
        different = self._aims.ways.different
        return {at: {score: gain(score) for score in different[at]} for at, gain in self._gains.items()}

    def _tops(self, after: Sequence[Sequence[float]]) -> list[float]:
        """What the best aim makes of a dart, for each of `after`: what every worth of that dart leads to."""
        return list(map(max, zip(*self._averages(after), strict=True)))

    def _averages(self, after: Sequence[Sequence[float]]) -> list[list[float]]:
        """What each aim makes of a dart on average, a list as long as `after` for each; `after` as in `_tops`."""
        columns = list(zip(*after, strict=True))
        return [
            [sum(map(mul, odds, hit)) for hit in zip(*(columns[k] for k in numbers), strict=True)]
            for numbers, odds in self._aims.odds
        ]
