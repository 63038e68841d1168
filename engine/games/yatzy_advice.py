"""What to do in Yatzy-Dart: where to aim with the darts that are left, and which category to fill.

A category is worth what it scores now, less what it could bring in a turn of
its own, and with what the score does for the bonus. Darts are aimed at what
that is worth after the third one, on average over everything they can hit.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from operator import itemgetter, mul
from typing import Final

from engine.circles import Circles, Worth
from engine.game import Aim
from engine.games.yatzy_sheet import BONUS, BONUS_FROM, CATEGORIES, UPPER, YATZY, Sheet, best_scores
from engine.games.yatzy_targets import Target, targets

_DARTS: Final = 3
_SCORES: Final = range(_DARTS * 6 * 9 + 1)
"""What a category can bring on any face: its circles go to 6, its rings to nine times."""

_ADDING: Final = (*UPPER, "chance")
"""Categories in which every dart counts by itself."""

Gain = tuple[float, ...]
"""What each score of a category is worth, from 0 on."""


class Plan:
    """The play of one turn: sheet and spread are settled, what the darts hit is not.

    What was found out for one dart is kept for the next, so the first one costs most.
    """

    def __init__(self, aims: tuple[Target, ...], gains: Mapping[str, Gain]) -> None:
        self._aims = aims
        self._gains = [(CATEGORIES.index(category), gain) for category, gain in gains.items()]
        self._worths = tuple(dict.fromkeys(worth for aim in aims for worth, _ in aim.odds))
        place = {worth: k for k, worth in enumerate(self._worths)}
        self._odds = [(_picker([place[w] for w, _ in a.odds]), (0.0, *(odds for _, odds in a.odds))) for a in aims]
        self._ids, self._scores = _triples(self._worths)
        self._known: dict[tuple[int, ...], float] = {}
        # Late in a match most pairs of darts promise the same, so what was worked out for one holds for them all.
        self._tops: dict[tuple[float, ...], float] = {}

    def aim(self, darts: tuple[Worth, ...]) -> Aim:
        """Where to aim after these darts, at most two."""
        value, target = self._best(tuple(sorted(map(self._place, darts))))
        return Aim(target.at.x, target.at.y, target.name, value, target.chance)

    def category(self, darts: tuple[Worth, ...]) -> str:
        """The category to fill with these darts; the first of equals."""
        scores = best_scores(darts)
        at, _ = max(self._gains, key=lambda category: category[1][scores[category[0]]])
        return CATEGORIES[at]

    def value(self) -> float:
        """What the turn is worth before its first dart."""
        return self._value(())

    @cached_property
    def _ends(self) -> list[float]:
        """What every three worths are worth, in the best category."""
        columns = [map(gain.__getitem__, self._scores[at]) for at, gain in self._gains]
        return list(map(max, *columns)) if len(columns) > 1 else list(columns[0])

    def _place(self, worth: Worth) -> int:
        """The worth as a number; one that no aim brings counts as the one most like it."""

        def likeness(k: int) -> tuple[bool, int, bool]:
            other = self._worths[k]
            return other.star == worth.star, len(set(other.numbers) & set(worth.numbers)), other.times == worth.times

        return self._worths.index(worth) if worth in self._worths else max(range(len(self._worths)), key=likeness)

    def _value(self, darts: tuple[int, ...]) -> float:
        known = self._known.get(darts)
        if known is None:
            after = self._after(darts)
            known = self._tops.get(after)
            if known is None:
                known = self._tops[after] = max(self._averages(after))
            self._known[darts] = known
        return known

    def _best(self, darts: tuple[int, ...]) -> tuple[float, Target]:
        averages = self._averages(self._after(darts))
        top = max(averages)
        # The margin keeps the first of equals, whatever the last digits say.
        at = next(i for i, average in enumerate(averages) if average >= top - 1e-9)
        return averages[at], self._aims[at]

    def _after(self, darts: tuple[int, ...]) -> tuple[float, ...]:
        """What the turn is worth after the next dart, for each worth that this can have."""
        count = len(self._worths)
        if len(darts) == _DARTS - 1:
            row = (darts[0] * count + darts[1]) * count
            return tuple(map(self._ends.__getitem__, self._ids[row : row + count]))
        return tuple(self._value(tuple(sorted((*darts, k)))) for k in range(count))

    def _averages(self, after: tuple[float, ...]) -> list[float]:
        """What the turn is worth on average, for every aim of the next dart."""
        return [sum(map(mul, odds, pick(after))) for pick, odds in self._odds]


@lru_cache(maxsize=32)
def plan(face: Circles, by_position: bool, sheet: Sheet, skill_mm: float) -> Plan:
    """The play of a turn for one with this sheet and this spread."""
    aims = targets(face, by_position, skill_mm)
    means, variances = _outlook(aims)
    open_ = sheet.open
    gains = {}
    for category in open_:
        rest = [c for c in open_ if c in UPPER and c != category]
        mean, spread = sum(means[c] for c in rest), math.sqrt(sum(variances[c] for c in rest))
        counts = category in UPPER
        gains[category] = tuple(
            score - means[category] + BONUS * _bonus_chance(sheet.upper + score * counts + mean, spread)
            for score in _SCORES
        )
    return Plan(aims, gains)


def _bonus_chance(mean: float, spread: float) -> float:
    """The chance that the numbers reach the bonus; where nothing is open any more, they have or have not."""
    short = BONUS_FROM - 0.5 - mean
    return float(short < 0) if spread == 0 else math.erfc(short / spread / math.sqrt(2.0)) / 2


@lru_cache(maxsize=32)
def _outlook(aims: tuple[Target, ...]) -> tuple[dict[str, float], dict[str, float]]:
    """What a turn played for one category alone brings on average, and the variance of that for the numbers."""
    means: dict[str, float] = {}
    variances: dict[str, float] = {}
    for category in CATEGORIES:
        if category in _ADDING or category == "yatzy":
            mean, variance = max(_one_dart(aim, category) for aim in aims)
            means[category], variances[category] = _DARTS * mean, _DARTS * variance
        else:
            means[category] = Plan(aims, {category: tuple(map(float, _SCORES))}).value()
    means["yatzy"] = YATZY * (1 - (1 - means["yatzy"] / _DARTS / YATZY) ** _DARTS)
    return means, variances


def _one_dart(aim: Target, category: str) -> tuple[float, float]:
    """What one dart brings in a category, on average, and its variance."""
    at = CATEGORIES.index(category)
    scores = [(best_scores((worth,))[at], odds) for worth, odds in aim.odds]
    mean = sum(score * odds for score, odds in scores)
    return mean, sum((score - mean) ** 2 * odds for score, odds in scores)


@lru_cache(maxsize=4)
def _triples(worths: tuple[Worth, ...]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Which of all the threes any three places are, one list for place after place; and each category's scores."""
    count = range(len(worths))
    number = {three: i for i, three in enumerate(combinations_with_replacement(count, _DARTS))}
    scores = [best_scores(tuple(worths[k] for k in three)) for three in number]
    ids = [number[a, b, c] for three in product(count, repeat=_DARTS) for a, b, c in [sorted(three)]]
    return ids, list(zip(*scores, strict=True))


def _picker(places: Sequence[int]) -> Callable[[Sequence[float]], Sequence[float]]:
    """Takes these places of a list; the first one twice, for a single place would not come as a sequence."""
    return itemgetter(places[0], *places)
