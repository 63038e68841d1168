"""Darts of a hand that is known, from random numbers of a seed."""

from collections import Counter
from random import Random

import numpy as np

from engine.darts import Position
from engine.geometry import BOARD_MM, centre_of, segment_at
from engine.segments import SEGMENTS, Segment
from twin.fit import Point, Thrown
from twin.hand import Hand

MIX = ["T20", "T20", "T20", "T20", "T19", "T18", "DB", "T17", "T16", "T15", "D20", "D16", "D8"]
"""What people aim at over an evening of X01 and Cricket."""


def point_of(bed: str) -> Point:
    """The middle of a bed in mm."""
    at = centre_of(SEGMENTS[bed])
    return at.x * BOARD_MM, at.y * BOARD_MM


class Thrower:
    """Throws around an aim."""

    def __init__(self, hand: Hand, seed: int) -> None:
        self._random, self._mean, self._root = Random(seed), hand.mean, np.linalg.cholesky(hand.spread)

    def at(self, aim: Point) -> Segment:
        """The bed of one dart."""
        off = self._root @ np.array([self._random.gauss(), self._random.gauss()]) + self._mean
        return segment_at(Position((aim[0] + off[0]) / BOARD_MM, (aim[1] + off[1]) / BOARD_MM))

    def evening(self, darts: int, aims: list[str] = MIX) -> list[Thrown]:
        """Darts at these beds in turn, each counted."""
        points = [point_of(bed) for bed in aims]
        found = Counter((points[n % len(points)], self.at(points[n % len(points)])) for n in range(darts))
        return [Thrown((aim,), bed, count) for (aim, bed), count in found.items()]
