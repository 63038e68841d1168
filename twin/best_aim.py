"""The best point of the whole board to aim at, not the best of a list of beds."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import numpy as np

from engine.segments import Segment
from twin.bed_integrals import COLUMN, SEEN, Floats, shares
from twin.fit import Point
from twin.hand import Hand

REACH_MM: Final = 130.0
"""How far from the centre an aim is looked for: nobody gains by aiming further out than the doubles for points."""
FIRST_STEP_MM: Final = 8.0
LAST_STEP_MM: Final = 0.5
KEPT: Final = 6
"""How many of the best points of the coarse grid are looked at closely: worth has several peaks."""


def best_aim(hand: Hand, value: Callable[[Segment], float]) -> tuple[Point, float]:
    """The point in mm where a dart of this hand is worth most on average, and that worth.

    `value` is asked for the 82 beds and the miss.
    """
    worth = np.zeros(len(SEEN))
    worth[[COLUMN[bed] for bed in SEEN[:83]]] = [value(bed) for bed in SEEN[:83]]
    average = partial(_average, hand, worth)
    coarse = sorted(((average(point), point) for point in _grid(FIRST_STEP_MM)), reverse=True)
    found, where = max(_climb(average, start, most) for most, start in coarse[:KEPT])
    return where, found


def _average(hand: Hand, worth: Floats, point: Point) -> float:
    return float(shares(point, hand.mean, hand.spread) @ worth)


def _grid(step_mm: float) -> Iterator[Point]:
    steps = np.arange(-REACH_MM, REACH_MM + step_mm / 2, step_mm)
    for x in steps:
        for y in steps:
            if math.hypot(x, y) <= REACH_MM:
                yield float(x), float(y)


def _climb(average: Callable[[Point], float], start: Point, most: float) -> tuple[float, Point]:
    """The top of the hill around a point, by steps that become smaller."""
    step, at = FIRST_STEP_MM / 2, start
    while step >= LAST_STEP_MM:
        around = [(at[0] + dx * step, at[1] + dy * step) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        inside = [point for point in around if math.hypot(*point) <= REACH_MM]
        better, there = max((average(point), point) for point in inside)
        if better > most:
            most, at = better, there
        else:
            step /= 2
    return most, at
