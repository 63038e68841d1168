"""A logistic curve through played matches: the chance of a side along a line of handicaps."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log1p, sqrt
from typing import Final

PRIOR: Final = 0.5
"""Matches of each side that a handicap has beforehand: nobody is certain to win after a few."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance of the first side, and its standard error: 0 if it is computed."""

    first: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve: the logit is `height + slope * (at - centre)`; `errors` are the variances of height and slope
    and their covariance."""

    centre: float
    height: float
    slope: float
    errors: tuple[float, float, float]

    def logit(self, at: float) -> float:
        return self.height + self.slope * (at - self.centre)

    def at(self, logit: float) -> float:
        """Where the curve has a logit; far away where it is flat."""
        return self.centre + (logit - self.height) / self.slope if self.slope else self.centre

    def chance(self, at: float) -> Chance:
        chance, beside = _logistic(self.logit(at)), at - self.centre
        of_height, of_slope, both = self.errors
        variance = of_height + 2 * beside * both + beside**2 * of_slope
        return Chance(chance, chance * (1 - chance) * sqrt(max(variance, 0.0)))


def fit(points: Sequence[tuple[int, int, float]], centre: float) -> Curve:
    """Fits the most likely curve to (place on the line, matches, wins of the first side), by Newton's method.

    Each place has PRIOR wins and losses more, so that no curve is infinitely steep.
    """
    scale = max((abs(at - centre) for at, _, _ in points), default=1.0) or 1.0
    seen = [((at - centre) / scale, matches + 2 * PRIOR, wins + PRIOR) for at, matches, wins in points]
    height = slope = 0.0
    likely = _log_likelihood(seen, height, slope)
    while True:
        # The gradient, and the information: minus the second derivatives.
        by_height = by_slope = of_both = 0.0
        of_height = of_slope = 1e-9
        for x, matches, wins in seen:
            chance = _logistic(height + slope * x)
            excess, weight = wins - matches * chance, matches * chance * (1 - chance)
            by_height, by_slope = by_height + excess, by_slope + excess * x
            of_height, of_slope, of_both = of_height + weight, of_slope + weight * x * x, of_both + weight * x
        determinant = of_height * of_slope - of_both**2
        variances = (of_slope / determinant, of_height / determinant, -of_both / determinant)
        up = variances[0] * by_height + variances[2] * by_slope
        steeper = variances[2] * by_height + variances[1] * by_slope
        # The likelihood has one peak: a step that goes beyond it is made shorter.
        part = 1.0
        while (new := _log_likelihood(seen, height + part * up, slope + part * steeper)) < likely and part > 1e-6:
            part /= 2
        if new - likely < 1e-9 * len(seen):
            errors = (variances[0], variances[1] / scale**2, variances[2] / scale)
            return Curve(centre, height, slope / scale, errors)
        height, slope, likely = height + part * up, slope + part * steeper, new


def _log_likelihood(seen: Sequence[tuple[float, float, float]], height: float, slope: float) -> float:
    logits = (max(min(height + slope * x, 500.0), -500.0) for x, _, _ in seen)
    return sum(
        wins * logit - matches * log1p(exp(logit)) for logit, (_, matches, wins) in zip(logits, seen, strict=True)
    )


def _logistic(logit: float) -> float:
    return 1 / (1 + exp(-min(max(logit, -30.0), 30.0)))
