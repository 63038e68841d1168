"""Integrals of a gaussian over the beds of the board: the share of each bed, and where in it the darts are.

Each bed is a part of a ring, so a fixed set of Gauss-Legendre points in radius and angle fits its edges exactly. A
square grid was not chosen: a cell across a wire belongs to two beds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.aiming import BEDS
from engine.geometry import RADII_MM
from engine.segments import CLOCKWISE, INNER_BULL, MISS, OUTER_BULL, SEGMENTS, Segment

Floats = NDArray[np.float64]

SEEN: Final[tuple[Segment, ...]] = (*BEDS, *(SEGMENTS[f"S{number}"] for number in CLOCKWISE))
"""What a board can say of a dart: the 82 beds, the miss, and singles that may be inner or outer."""

COLUMN: Final = {bed: index for index, bed in enumerate(SEEN)}
"""The column of a bed in every array here."""

MOMENTS: Final = 6
"""Share, and the integrals of x, y, xx, xy and yy, from the point that is aimed at."""

_FINEST_MM, _COARSEST_MM = 4.0, 16.0
"""Widths of a panel of three points: at most the smaller standard deviation, across which a gaussian is smooth."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)


@dataclass(frozen=True, slots=True)
class Points:
    """Points in the beds in mm, the area in mm² that each stands for, and the first point of each bed."""

    x: Floats
    y: Floats
    area: Floats
    first: NDArray[np.intp]
    columns: tuple[int, ...]
    """The column of each bed, in the order of `first`."""


@cache
def points(widest_mm: float) -> Points:
    """The points of all beds on the board, in panels of at most this width."""
    found: list[tuple[Floats, Floats, Floats]] = []
    columns: list[int] = []
    inner = 0.0
    for ring, outer in enumerate(RADII_MM):
        for bed, middle, width in _parts(ring):
            r, across = _panels(inner, outer, widest_mm)
            angle, along = _panels_of_angle(middle, width, outer, widest_mm)
            radius, turn = np.meshgrid(r, angle, indexing="ij")
            area = np.outer(across * r, along)
            found.append(((radius * np.sin(turn)).ravel(), (radius * np.cos(turn)).ravel(), area.ravel()))
            columns.append(COLUMN[bed])
        inner = outer
    lengths = [len(x) for x, _, _ in found]
    x, y, area = (np.concatenate([part[k] for part in found]) for k in range(3))
    return Points(x, y, area, np.concatenate(([0], np.cumsum(lengths[:-1]))), tuple(columns))


def _parts(ring: int) -> Iterator[tuple[Segment, float, float]]:
    """The beds of a ring: the middle and the width of each in radians."""
    if ring < 2:
        yield (INNER_BULL, OUTER_BULL)[ring], 0.0, 2 * np.pi
        return
    prefix = ("SI", "T", "SO", "D")[ring - 2]
    for sector, number in enumerate(CLOCKWISE):
        yield SEGMENTS[f"{prefix}{number}"], sector * np.pi / 10, np.pi / 10


def _panels(low: float, high: float, widest_mm: float) -> tuple[Floats, Floats]:
    count = int(np.ceil((high - low) / widest_mm))
    half = (high - low) / count / 2
    middles = low + (2 * np.arange(count) + 1) * half
    return (middles[:, None] + half * _NODES).ravel(), np.tile(half * _WEIGHTS, count)


def _panels_of_angle(middle: float, width: float, radius: float, widest_mm: float) -> tuple[Floats, Floats]:
    at, weight = _panels(0.0, width * radius, widest_mm)
    return middle - width / 2 + at / radius, weight / radius


def moments(aim: tuple[float, float], mean: Floats, spread: Floats) -> Floats:
    """What darts aimed at a point in mm do: a row for each of SEEN, with the columns of MOMENTS.

    `mean` is by how many mm they miss on average, `spread` their covariance in mm².
    """
    at = _fine_enough(spread)
    x, y = at.x - aim[0], at.y - aim[1]
    density = _density(x - mean[0], y - mean[1], at, spread)
    found = np.zeros((len(SEEN), MOMENTS))
    values = density * np.stack((np.ones_like(x), x, y, x * x, x * y, y * y))
    found[list(at.columns)] = np.add.reduceat(values, at.first, axis=1).T
    xx, xy, yy = spread[0, 0], spread[0, 1], spread[1, 1]
    whole = np.array([1.0, *mean, xx + mean[0] ** 2, xy + mean[0] * mean[1], yy + mean[1] ** 2])
    missed = whole - found.sum(axis=0)
    # What rounding leaves is no chance to miss.
    found[COLUMN[MISS]] = missed if missed[0] > 1e-9 else 0.0
    return _with_plain_singles(found)


def shares(aim: tuple[float, float], mean: Floats, spread: Floats) -> Floats:
    """The first column of `moments` alone."""
    at = _fine_enough(spread)
    found = np.zeros(len(SEEN))
    density = _density(at.x - aim[0] - mean[0], at.y - aim[1] - mean[1], at, spread)
    found[list(at.columns)] = np.add.reduceat(density, at.first)
    found[COLUMN[MISS]] = max(0.0, 1 - found.sum())
    return _with_plain_singles(found)


def _fine_enough(spread: Floats) -> Points:
    narrow = float(np.sqrt(max(np.linalg.eigvalsh(spread)[0], _FINEST_MM**2)))
    return points(min(2.0 ** np.floor(np.log2(narrow)), _COARSEST_MM))


def _density(x: Floats, y: Floats, at: Points, spread: Floats) -> Floats:
    inverse = np.linalg.inv(spread)
    power = inverse[0, 0] * x * x + 2 * inverse[0, 1] * x * y + inverse[1, 1] * y * y
    found: Floats = at.area * np.exp(-0.5 * power) / (2 * np.pi * np.sqrt(np.linalg.det(spread)))
    return found


def _with_plain_singles(found: Floats) -> Floats:
    for number in CLOCKWISE:
        inner, outer = COLUMN[SEGMENTS[f"SI{number}"]], COLUMN[SEGMENTS[f"SO{number}"]]
        found[COLUMN[SEGMENTS[f"S{number}"]]] = found[inner] + found[outer]
    return found


STRAY_MM: Final = 225.0
"""Radius of the whole board with its surround."""


@cache
def stray() -> Floats:
    """The chance of each of SEEN for a dart that may be anywhere on the board or its surround. Not to be changed."""
    at = points(_COARSEST_MM)
    found = np.zeros(len(SEEN))
    found[list(at.columns)] = np.add.reduceat(at.area, at.first)
    found /= np.pi * STRAY_MM**2
    found[COLUMN[MISS]] = 1 - found.sum()
    return _with_plain_singles(found)
