"""How a player's darts scatter around the point that they aim at."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.aiming import BEDS
from engine.segments import Segment
from twin.bed_integrals import COLUMN, Floats, shares

FINEST_MM: Final = 2.0
"""The smallest spread. Below it every dart is in the bed that was aimed at, and tells nothing more."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A gaussian. Millimetres on a board whose double wire has a radius of 170 mm; x to the right, y up."""

    x_mm: float
    """Standard deviation across."""
    y_mm: float
    """Standard deviation up and down."""
    tilt: float = 0.0
    """Correlation of x and y, -1 to 1: positive if darts that land to the right land high."""
    right_mm: float = 0.0
    """By how much darts land to the right of the aim on average."""
    up_mm: float = 0.0
    """By how much they land above it."""

    @property
    def mean(self) -> Floats:
        """The average miss in mm."""
        return np.array([self.right_mm, self.up_mm])

    @property
    def spread(self) -> Floats:
        """The covariance in mm²."""
        both = self.tilt * self.x_mm * self.y_mm
        return np.array([[self.x_mm**2, both], [both, self.y_mm**2]])

    @property
    def skill_mm(self) -> float:
        """The spread of a round hand that is as good: the root of the mean square of the axes."""
        return math.sqrt((self.x_mm**2 + self.y_mm**2) / 2)


def hand_of(mean: Floats, spread: Floats) -> Hand:
    """The hand with this average miss and covariance, its axes at least FINEST_MM long."""
    x, y = (max(FINEST_MM, math.sqrt(max(0.0, spread[k, k]))) for k in (0, 1))
    return Hand(x, y, float(np.clip(spread[0, 1] / (x * y), -0.98, 0.98)), float(mean[0]), float(mean[1]))


def chances(hand: Hand, aim: tuple[float, float]) -> dict[Segment, float]:
    """The chance of each bed and of the miss for darts aimed at a point in mm. Singles are inner or outer."""
    found = shares(aim, hand.mean, hand.spread)
    return {bed: float(found[COLUMN[bed]]) for bed in BEDS}
