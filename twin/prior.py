"""What is known of a hand before its first dart: hands are roundish, and miss by less than they scatter.

An assumption, as wide as people are: of three hands one has axes that differ by more than 40 %, or a tilt of more than
0.3, or misses on average by more than a quarter of its spread. Nothing is assumed about the spread itself. It counts
as much as some 25 darts do, so it steadies a hand of 30 darts and is lost in one of 1,000.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from twin.bed_integrals import Floats

RATIO: Final = 0.35
"""Standard deviation of the logarithm of the axes' ratio."""
TILT: Final = 0.3
MISS: Final = 0.25
"""Standard deviation of the average miss in each direction, as a share of the spread."""


@dataclass(frozen=True, slots=True)
class Prior:
    """The prior of a hand whose spread is about `round_mm`. Its peak is the round hand that does not miss."""

    round_mm: float

    def logarithm(self, mean: Floats, spread: Floats) -> float:
        """The logarithm of the density, 0 at its peak."""
        off = self._off(mean, spread)
        return float(-0.5 * off @ off)

    def slope(self, mean: Floats, spread: Floats) -> tuple[Floats, Floats]:
        """Its slope in the mean (2) and the covariance (xx, xy, yy), and its information about them."""
        xx, yy = spread[0, 0], spread[1, 1]
        tilt = spread[0, 1] / np.sqrt(xx * yy)
        jacobian = np.zeros((4, 5))
        jacobian[0, 0] = jacobian[1, 1] = 1 / (MISS * self.round_mm)
        jacobian[2, 2:] = np.array([-0.5 / xx, 0.0, 0.5 / yy]) / RATIO
        jacobian[3, 2:] = np.array([-0.5 * tilt / xx, 1 / np.sqrt(xx * yy), -0.5 * tilt / yy]) / TILT
        return -jacobian.T @ self._off(mean, spread), jacobian.T @ jacobian

    def _off(self, mean: Floats, spread: Floats) -> Floats:
        xx, yy = spread[0, 0], spread[1, 1]
        ratio, tilt = 0.5 * np.log(yy / xx), spread[0, 1] / np.sqrt(xx * yy)
        return np.array([*(mean / (MISS * self.round_mm)), ratio / RATIO, tilt / TILT])
