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

Odds = tuple[list[int], list[float]]
"""What a dart can be worth, by number, and the chance of each; these add up to 1."""


@dataclass(frozen=True, slots=True)
class Aims:
    """All that one player can aim at, and `worths`, what his darts can be worth, by their numbers.

    For each of the `targets`, `odds` has the numbers of the worths that the dart can have, and their chances.
    `leading` are the odds without those to which others are never second: they show what a turn is worth as well,
    sooner. `ways` are those of three darts.
    """

    targets: tuple[Target, ...]
    worths: tuple[Worth, ...]
    odds: list[Odds]
    leading: list[Odds]
    ways: "Ways"


@dataclass(frozen=True, slots=True)
class Ways:
    """All that two darts and three can be worth together, in any order, each numbered from 0; and their scores.

    `twos[a][b]` is the number of the worths `a` and `b` together, `threes[two][c]` of those two and `c`.
    `scores[category]` has the score of every three, `different[category]` each of these scores once.
    """

    twos: list[list[int]]
    threes: list[list[int]]
    scores: dict[int, tuple[int, ...]]
    different: dict[int, frozenset[int]]


def aims_at(targets: tuple[Target, ...]) -> Aims:
    """What a player who can aim at these can do."""
    worths = tuple(dict.fromkeys(worth for target in targets for worth, _ in target.odds))
    number = {worth: k for k, worth in enumerate(worths)}
    odds = [([number[worth] for worth, _ in t.odds], [chance for _, chance in t.odds]) for t in targets]
    leading = list(range(len(targets)))
    for at, target in enumerate(targets):
        if any(_is_as_good(targets[other], target) for other in leading if other != at):
            leading.remove(at)
    return Aims(targets, worths, odds, [odds[at] for at in leading], _ways(worths))


def _is_as_good(other: Target, one: Target) -> bool:
    """Whether `other` is surely worth as much as `one` or more, whatever is open.

    It is where the chances of `one` can be moved to worths of `other` that give the same or more. Here each goes to
    the least of those: another way might be found where this finds none, and no aim is left out that leads.
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
    """Whether a dart that is worth `other` can be taken for one that is worth `one`."""
    return other.star >= one.star and other.times >= one.times and set(other.numbers) >= set(one.numbers)


def _much(worth: Worth) -> tuple[int, int]:
    return worth.times, len(worth.numbers)


@lru_cache(maxsize=4)
def _ways(worths: tuple[Worth, ...]) -> Ways:
    """Some 2 MB, and the same for most spreads."""
    numbers = range(len(worths))
    twos = {two: i for i, two in enumerate(combinations_with_replacement(numbers, 2))}
    threes = {three: i for i, three in enumerate(combinations_with_replacement(numbers, 3))}
    columns = zip(*(best_scores(tuple(worths[k] for k in three)) for three in threes), strict=True)
    scores = dict(enumerate(columns))
    return Ways(
        [[twos[min(a, b), max(a, b)] for b in numbers] for a in numbers],
        [[threes[a, b, c] for k in numbers for a, b, c in [sorted((*two, k))]] for two in twos],
        scores,
        {at: frozenset(column) for at, column in scores.items()},
    )


class Plan:
    """The play of one turn: what is open and the spread are settled, what the darts hit is not.

    `gains` are those of the open categories. The aim for the first dart costs most, and that only once.
    """

    def __init__(self, aims: Aims, gains: Mapping[str, Gain]) -> None:
        self._aims = aims
        self._gains = {CATEGORIES.index(category): gain for category, gain in gains.items()}
        self._twos: dict[int, Sequence[float]] = {}
        """What the turn is worth after two darts, for the worth of the first, then of the second."""

    def aim(self, darts: tuple[Worth, ...]) -> Aim:
        """Where to aim after these darts, at most two."""
        # All aims, not the leading ones alone: the first of equals is named.
        averages = [average for (average,) in _averages(self._aims.odds, [self._after(*map(self._number, darts))])]
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
        ways, first = self._aims.ways, darts[0]
        if len(darts) == 1:
            if first not in self._twos:
                self._twos[first] = self._tops([self._after(first, second) for second in range(len(ways.twos))])
            return self._twos[first]
        threes = ways.threes[ways.twos[first][darts[1]]]
        return self._threes({at: [ways.scores[at][three] for three in threes] for at in self._gains})

    @cached_property
    def _ones(self) -> Sequence[float]:
        """What the turn is worth after one dart, for each worth of it; what it is after two is found on the way."""
        ways, ends = self._aims.ways, self._threes(self._aims.ways.scores)
        after = [tuple([ends[three] for three in threes]) for threes in ways.threes]
        # Late in a match most pairs of darts promise the same, so what is worked out for one holds for them all.
        different = list(dict.fromkeys(after))
        tops = dict(zip(different, self._tops(different), strict=True))
        values = [tops[row] for row in after]
        self._twos = {first: array("d", [values[two] for two in twos]) for first, twos in enumerate(ways.twos)}
        return self._tops(list(self._twos.values()))

    def _threes(self, scores: Mapping[int, Sequence[int]]) -> list[float]:
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
        return list(map(max, zip(*_averages(self._aims.leading, after), strict=True)))


def _averages(aims: Sequence[Odds], after: Sequence[Sequence[float]]) -> list[list[float]]:
    """What each aim makes of a dart on average, a list as long as `after` for each; `after` as in `Plan._tops`."""
    columns = list(zip(*after, strict=True))
    return [
        [sum(map(mul, odds, hit)) for hit in zip(*(columns[k] for k in numbers), strict=True)] for numbers, odds in aims
    ]
