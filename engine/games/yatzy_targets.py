"""Targets on a face of circles: points to aim at, and the chance of each zone for a spread.

For a board that reports beds the chances are those of its beds. For one that reports
positions the figure is cut into small squares: the mass of the gaussian over a square
is exact, and a square on a line counts for the zone of its centre.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.aiming import nearest, spots
from engine.circles import OUT, Circles, Worth
from engine.darts import Position
from engine.geometry import BOARD_MM

_SIDE: Final = 1 / 40
"""The side of a square in board radii: 4 mm, less than the spread of most players."""

_RARE: Final = 0.004
"""Smaller chances are left out: with them most of the search would be over events that hardly happen."""


@dataclass(frozen=True, slots=True)
class Target:
    """A point to aim at, in board radii, the name of what is there, and the chance of each worth, adding up to 1.

    `chance` is the chance to hit the zone aimed at.
    """

    at: Position
    name: str
    chance: float
    odds: tuple[tuple[Worth, float], ...]


def targets(face: Circles, by_position: bool, skill_mm: float) -> tuple[Target, ...]:
    """One target for every zone that can be aimed at. The spread is rounded to 1, 2, … 120 mm."""
    return _targets(face, by_position, nearest(skill_mm))


@lru_cache(maxsize=16)
def _targets(face: Circles, by_position: bool, skill_mm: int) -> tuple[Target, ...]:
    best: dict[str, tuple[float, Target]] = {}
    for at, name, zones in _figure(face, skill_mm) if by_position else _beds(face, skill_mm):
        kept = {zone: odds for zone, odds in zones.items() if odds >= _RARE}
        total = sum(kept.values())
        odds = tuple((face.worth[zone], share / total) for zone, share in kept.items())
        for zone, chance in kept.items():
            # The margin makes chances that differ only in their last digits equal.
            if zone != OUT and (zone not in best or chance > best[zone][0] + 1e-9):
                best[zone] = (chance, Target(at, name, zones[face.zone_at(at) if by_position else zone], odds))
    return tuple(target for _, target in best.values())


def _beds(face: Circles, skill_mm: int) -> Iterator[tuple[Position, str, dict[str, float]]]:
    for spot in spots(skill_mm):
        zones: dict[str, float] = {}
        for bed, odds in spot.odds.items():
            zone = face.overlay[bed.text]
            zones[zone] = zones.get(zone, 0.0) + odds
        yield spot.at, spot.target.text, zones


def _figure(face: Circles, skill_mm: int) -> Iterator[tuple[Position, str, dict[str, float]]]:
    edge = math.ceil(1 / _SIDE)
    middles = [(i + 0.5) * _SIDE for i in range(-edge, edge)]
    squares = {(x, y): face.zone_at(Position(x, y)) for x in middles for y in middles}
    by_zone: dict[str, list[tuple[float, float]]] = {}
    for at, zone in squares.items():
        by_zone.setdefault(zone, []).append(at)
    sigma = skill_mm / BOARD_MM
    for zone, inside in by_zone.items():
        if zone == OUT:
            continue
        middle = (sum(x for x, _ in inside) / len(inside), sum(y for _, y in inside) / len(inside))
        x, y = min(inside, key=lambda at: math.dist(at, middle))
        across, along = _masses(middles, x, sigma), _masses(middles, y, sigma)
        zones = {OUT: 1.0 - sum(across.values()) * sum(along.values())}
        for i, share in across.items():
            for j, other in along.items():
                here = squares[i, j]
                zones[here] = zones.get(here, 0.0) + share * other
        yield Position(x, y), zone, zones


def _masses(middles: list[float], centre: float, sigma: float) -> dict[float, float]:
    """The mass of a gaussian over each interval of the grid, by its middle; small masses are left out."""
    scale = sigma * math.sqrt(2.0)
    shares = {
        middle: (math.erf((middle + _SIDE / 2 - centre) / scale) - math.erf((middle - _SIDE / 2 - centre) / scale)) / 2
        for middle in middles
    }
    return {middle: share for middle, share in shares.items() if share > 1e-6}
