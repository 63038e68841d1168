"""Advice in Yatzy-Dart: where to aim with the darts left, and which category to fill.

A category is worth what it scores now, less the average score of a turn played for
it, plus the change in the chance of the bonus. Aims maximise the average worth
after the third dart.
"""

import math
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

from engine.aiming import nearest
from engine.circles import Circles
from engine.games.yatzy_plan import Aims, Plan, aims_at
from engine.games.yatzy_sheet import BONUS, BONUS_FROM, CATEGORIES, UPPER, YATZY, Sheet, best_scores
from engine.games.yatzy_targets import Target, targets

_DARTS: Final = 3

_ADDING: Final = (*UPPER, "chance")
"""Categories in which each dart counts separately."""

_PLANS_KEPT: Final = 2048
"""The number of plans kept, about 30 kB each. Bots fill sheets alike: four of five turns find a plan."""


@dataclass(frozen=True, slots=True)
class _Outlook:
    """The aims of a player; the mean score of a turn for one category alone; its variance for the numbers."""

    aims: Aims
    means: dict[str, float]
    variances: dict[str, float]


def plan(face: Circles, by_position: bool, sheet: Sheet, skill_mm: float) -> Plan:
    """The plan of a turn for a player with this sheet and spread, rounded to 1, 2, … 120 mm."""
    return _plan(face, by_position, nearest(skill_mm), sheet.open, sheet.upper)


@lru_cache(maxsize=_PLANS_KEPT)
def _plan(face: Circles, by_position: bool, skill_mm: int, open_: tuple[str, ...], upper: int) -> Plan:
    """By the open categories and the sum of the numbers, on which alone the plan depends."""
    outlook = _outlook(face, by_position, skill_mm)
    means, variances = outlook.means, outlook.variances
    gains = {}
    for category in open_:
        rest = [c for c in open_ if c in UPPER and c != category]
        mean, spread = sum(means[c] for c in rest), math.sqrt(sum(variances[c] for c in rest))
        gains[category] = partial(_gain, category in UPPER, means[category], upper, mean, spread)
    return Plan(outlook.aims, gains)


def _gain(counts: bool, usual: float, upper: int, mean: float, spread: float, score: int) -> float:
    """The worth of a score in a category whose mean is `usual`; `counts` says whether it counts for the bonus."""
    return score - usual + BONUS * _bonus_chance(upper + score * counts + mean, spread)


def _bonus_chance(mean: float, spread: float) -> float:
    """The chance that the numbers reach the bonus; 0 or 1 if no number is open."""
    short = BONUS_FROM - 0.5 - mean
    return float(short < 0) if spread == 0 else math.erfc(short / spread / math.sqrt(2.0)) / 2


@lru_cache(maxsize=32)
def _outlook(face: Circles, by_position: bool, skill_mm: int) -> _Outlook:
    aims = aims_at(targets(face, by_position, skill_mm))
    means: dict[str, float] = {}
    variances: dict[str, float] = {}
    for category in CATEGORIES:
        if category in _ADDING or category == "yatzy":
            mean, variance = max(_one_dart(target, category) for target in aims.targets)
            means[category], variances[category] = _DARTS * mean, _DARTS * variance
        else:
            means[category] = Plan(aims, {category: float}).value()
    means["yatzy"] = YATZY * (1 - (1 - means["yatzy"] / _DARTS / YATZY) ** _DARTS)
    return _Outlook(aims, means, variances)


def _one_dart(target: Target, category: str) -> tuple[float, float]:
    """The mean and the variance of the score of one dart in a category."""
    at = CATEGORIES.index(category)
    scores = [(best_scores((worth,))[at], odds) for worth, odds in target.odds]
    mean = sum(score * odds for score, odds in scores)
    return mean, sum((score - mean) ** 2 * odds for score, odds in scores)
