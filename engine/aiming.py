"""Where to aim when darts spread: the chance of every bed for a choice of points on the board.

A player's spread is gaussian with the same standard deviation in x and in y,
`skill_mm`. The chances are integrals over the real beds, computed by quadrature
and so the same every time. The board is the same from each sector, so each ring
of points is integrated once and rotated 20 times.

Simulated throws were not chosen: they are slow, and noise decides ties.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter, mul
from typing import Final

from engine.darts import Position
from engine.game import Aim
from engine.geometry import BOARD_MM, RADII_MM, centre_of, segment_at
from engine.segments import CLOCKWISE, INNER_BULL, MISS, OUTER_BULL, SEGMENTS, Segment, plain

FINEST_MM: Final = 1
COARSEST_MM: Final = 120
"""The least and the greatest skill in mm: the best player ever, and one who barely hits the board."""

_SECTOR: Final = math.tau / 20
_REACH: Final = 20.0
"""Points where the density is below exp(-20) of its peak are left out."""

_NEGLIGIBLE: Final = 1e-7

_SKILLS_KEPT: Final = 24
"""How many skills keep their odds, up to 1 MB each: enough for a match of 16 different bots."""

# Gauss-Legendre on -1 to 1 with five nodes, from its closed form.
_INNER, _OUTER = math.sqrt(5 - 2 * math.sqrt(10 / 7)) / 3, math.sqrt(5 + 2 * math.sqrt(10 / 7)) / 3
_HEAVY, _LIGHT = (322 + 13 * math.sqrt(70)) / 900, (322 - 13 * math.sqrt(70)) / 900
_NODES: Final = ((-_OUTER, _LIGHT), (-_INNER, _HEAVY), (0.0, 128 / 225), (_INNER, _HEAVY), (_OUTER, _LIGHT))


@dataclass(frozen=True, slots=True)
class Spot:
    """A point that can be aimed at, in board radii, the bed there, and the chance of each bed, adding up to 1.

    `target` is one of the 62 beds or an inner single. `odds` distinguishes inner and outer singles.
    `chance` is the chance of the target, 0 to 1: for `S20` of any single 20.
    """

    at: Position
    target: Segment
    odds: Mapping[Segment, float]
    chance: float
    of_odds: Callable[[tuple[float, ...]], tuple[float, ...]] = field(repr=False, compare=False)
    """Of a value for each of `BEDS`, those of the beds of `odds` in their order. Finding them by bed takes longer."""


def spots(skill_mm: float) -> tuple[Spot, ...]:
    """The points worth aiming at for this standard deviation in mm, rounded to 1, 2, … 120.

    In order: the centres of the bulls and of the other 60 beds, the centres of the inner singles,
    and points on the wires between two numbers, for games where both count.
    """
    return _spots(nearest(skill_mm))


def spots_at(places: tuple[tuple[float, float], ...], skill_mm: float) -> tuple[Spot, ...]:
    """The points at these places: mm from the centre, and sectors clockwise from the middle of 20."""
    return tuple(_spot_at(radius, sectors, nearest(skill_mm)) for radius, sectors in places)


def _spot_at(radius: float, sectors: float, skill_mm: int) -> Spot:
    sector, angle = math.floor(sectors), sectors * _SECTOR
    at = Position(radius / BOARD_MM * math.sin(angle), radius / BOARD_MM * math.cos(angle))
    return _spot(at, plain(segment_at(at)), _turned(_kept_shares(radius, sectors - sector, skill_mm), sector))


def nearest(skill_mm: float) -> int:
    """The skill rounded to one that has odds: whole mm, 1 to 120."""
    return min(max(round(skill_mm), FINEST_MM), COARSEST_MM)


def best(among: tuple[Spot, ...], value: Callable[[Segment], float]) -> tuple[Spot, float]:
    """The spot with the highest average value, and that average; the first of equals."""
    return best_of(among, tuple(map(value, BEDS)))


def best_of(among: tuple[Spot, ...], worths: tuple[float, ...]) -> tuple[Spot, float]:
    """The same as `best`, by the worth of each of `BEDS`."""
    averages = [sum(map(mul, spot.odds.values(), spot.of_odds(worths))) for spot in among]
    # Sums that are equal by symmetry differ in their last digits; the margin keeps these from choosing.
    top = max(averages)
    index = next(i for i, average in enumerate(averages) if average >= top - 1e-9 * max(1.0, abs(top)))
    return among[index], averages[index]


def aim(skill_mm: float, value: Callable[[Segment], float]) -> Aim:
    """The aim that is worth most on average for a player of this skill.

    `value` gives the worth of a bed. It is called with the 82 beds and the miss, never with a plain single.
    """
    return aim_at(*best(spots(skill_mm), value))


def aim_at(spot: Spot, value: float) -> Aim:
    """The advice to aim at this spot, worth `value` on average."""
    return Aim(spot.at.x, spot.at.y, spot.target.text, value, spot.chance)


BEDS: Final = tuple(s for s in SEGMENTS.values() if plain(s) is not s or s.multiplier != 1 or s.is_bull)
"""The beds that a point can be in: 82 and the miss, without the plain singles."""

_PLACE: Final = {bed: place for place, bed in enumerate(BEDS)}


@lru_cache(_SKILLS_KEPT)
def _spots(skill_mm: int) -> tuple[Spot, ...]:
    bulls = tuple(_spot(centre_of(bed), bed, _turned(_shares(_radius(bed), 0.0, skill_mm), 0)) for bed in _BULLS)
    return bulls + tuple(spot for prefix, off in _ASIDE for spot in _round_the_board(prefix, off, skill_mm))


_BULLS: Final = (INNER_BULL, OUTER_BULL)
_ASIDE: Final = (("T", 0.0), ("S", 0.0), ("D", 0.0), ("SI", 0.0), ("T", 0.5), ("S", 0.5))
"""Rings of points to aim at: the bed, and how many sectors clockwise from its middle."""


def _round_the_board(prefix: str, off: float, skill_mm: int) -> Iterator[Spot]:
    radius = _radius(SEGMENTS[f"{prefix}20"])
    shares = _shares(radius, off, skill_mm)
    for sector, number in enumerate(CLOCKWISE):
        bed, odds = SEGMENTS[f"{prefix}{number}"], _turned(shares, sector)
        if not off:
            yield _spot(centre_of(bed), bed, odds)
            continue
        angle = (sector + off) * _SECTOR
        at = Position(radius / BOARD_MM * math.sin(angle), radius / BOARD_MM * math.cos(angle))
        # A point on a wire belongs to either side by its last digit; the odds are the same on both sides.
        under = segment_at(Position(at.x * 0.999, at.y * 0.999))
        yield _spot(at, plain(under), odds)


def _radius(bed: Segment) -> float:
    at = centre_of(bed)
    return math.hypot(at.x, at.y) * BOARD_MM


def _spot(at: Position, target: Segment, odds: dict[Segment, float]) -> Spot:
    total = sum(odds.values())
    shares = {bed: share / total for bed, share in odds.items()}
    chance = sum(share for bed, share in shares.items() if target in (bed, plain(bed)))
    return Spot(at, target, shares, chance, itemgetter(*map(_PLACE.__getitem__, shares)))


def _turned(shares: tuple[tuple[float, ...], ...], sector: int) -> dict[Segment, float]:
    """The chance of each bed, with the board rotated by `sector` sectors."""
    odds = {INNER_BULL: sum(shares[0]), OUTER_BULL: sum(shares[1])}
    for prefix, ring in zip(("SI", "T", "SO", "D"), shares[2:], strict=True):
        for k, share in enumerate(ring):
            odds[SEGMENTS[f"{prefix}{CLOCKWISE[(sector + k) % 20]}"]] = share
    odds = {bed: share for bed, share in odds.items() if share > _NEGLIGIBLE}
    odds[MISS] = max(0.0, 1.0 - sum(odds.values()))
    return odds


@lru_cache(_SKILLS_KEPT * 100)
def _kept_shares(aim_mm: float, off: float, sigma: int) -> tuple[tuple[float, ...], ...]:
    return _shares(aim_mm, off, sigma)


def _shares(aim_mm: float, off: float, sigma: int) -> tuple[tuple[float, ...], ...]:
    """The chance of each ring and sector for an aim `aim_mm` from the centre, `off` sectors past the middle of 0."""
    rings = []
    inner = 0.0
    for outer in RADII_MM:
        sums = [0.0] * 20
        low, high = max(inner, aim_mm - 6.5 * sigma), min(outer, aim_mm + 6.5 * sigma)
        for r, width in _panels(low, high, 2.0 * sigma):
            for k, share in _arc(r, aim_mm, off, sigma):
                sums[k] += share * width
        rings.append(tuple(sums))
        inner = outer
    return tuple(rings)


def _arc(r: float, aim_mm: float, off: float, sigma: int) -> Iterator[tuple[int, float]]:
    """The density at distance `r` from the centre, integrated over each sector."""
    square = 2.0 * sigma * sigma
    apart, both = (r - aim_mm) ** 2 / square, 2.0 * r * aim_mm / square
    if apart > _REACH:
        return
    # 1 - cos of the widest angle that counts.
    reach = (_REACH - apart) / both if both else 2.0
    widest = math.acos(1.0 - reach) if reach < 2.0 else math.pi
    panel = 2.0 * sigma / math.sqrt(r * aim_mm) if aim_mm else math.tau
    scale = r / (math.pi * square)
    for k in range(-10, 11):
        low, high = max((k - 0.5 - off) * _SECTOR, -widest), min((k + 0.5 - off) * _SECTOR, widest)
        if low < high:
            total = sum(
                width * math.exp(-apart - both * (1.0 - math.cos(angle))) for angle, width in _panels(low, high, panel)
            )
            yield k % 20, scale * total


def _panels(low: float, high: float, widest: float) -> Iterator[tuple[float, float]]:
    """Quadrature points between the limits and their weights, in panels of at most `widest`."""
    if low >= high:
        return
    count = math.ceil((high - low) / widest)
    half = (high - low) / count / 2.0
    for panel in range(count):
        middle = low + (2 * panel + 1) * half
        for node, weight in _NODES:
            yield middle + node * half, weight * half
