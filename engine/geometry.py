"""The dartboard in millimetres: which bed a point is in, and where a bed lies.

The inner edge of a ring belongs to it, the outer edge to the next ring; a wire
between two sectors belongs to the clockwise one. Distances are compared as squares,
and near an edge as exact fractions, so that every machine agrees.
"""

import math
from fractions import Fraction
from functools import cache
from typing import Final

from engine.darts import Position
from engine.segments import CLOCKWISE, INNER_BULL, MISS, OUTER_BULL, SEGMENTS, Ring, Segment, plain

BOARD_MM: Final = 170.0
"""Radius of the outer double wire: one unit of a Position. Source: World Darts Federation playing rules."""

RADII_MM: Final = (6.35, 15.9, 99.0, 107.0, 162.0, 170.0)
"""Outer radii of inner bull, outer bull, inner single, triple, outer single and double."""

_RINGS: Final = tuple(Ring(n) for n in range(6))
_SQUARES: Final = tuple((r / BOARD_MM) ** 2 for r in RADII_MM)
_EXACT: Final = tuple((Fraction(str(r)) / Fraction(str(BOARD_MM))) ** 2 for r in RADII_MM)
_PREFIX: Final = {Ring.INNER_SINGLE: "SI", Ring.TRIPLE: "T", Ring.OUTER_SINGLE: "SO", Ring.DOUBLE: "D"}
_NEAR: Final = 1e-9


def squared_distance(at: Position) -> Fraction:
    """Exact squared distance from the centre, in board radii."""
    return Fraction(repr(at.x)) ** 2 + Fraction(repr(at.y)) ** 2


def segment_at(at: Position) -> Segment:
    """The bed at a point; inner and outer singles are distinguished."""
    ring = _ring_at(at)
    if ring is Ring.MISS:
        return MISS
    if ring is Ring.INNER_BULL:
        return INNER_BULL
    if ring is Ring.OUTER_BULL:
        return OUTER_BULL
    return SEGMENTS[f"{_PREFIX[ring]}{CLOCKWISE[_sector_at(at)]}"]


def _ring_at(at: Position) -> Ring:
    square = at.x * at.x + at.y * at.y
    for ring, edge, exact in zip(_RINGS, _SQUARES, _EXACT, strict=True):
        if abs(square - edge) < _NEAR:
            if squared_distance(at) < exact:
                return ring
        elif square < edge:
            return ring
    return Ring.MISS


def _sector_at(at: Position) -> int:
    turn = (math.degrees(math.atan2(at.x, at.y)) + 9.0) / 18.0
    sector = math.floor(turn)
    nearest = round(turn)
    # Only the wires at 45 degrees contain points with exact coordinates.
    if abs(turn - nearest) < _NEAR and abs(at.x) == abs(at.y):
        sector = nearest
    return sector % 20


def angle_of(number: int) -> float:
    """The middle of a number's sector, in degrees clockwise from the top."""
    return CLOCKWISE.index(number) * 18.0


@cache
def centre_of(bed: Segment) -> Position:
    """The centre of a bed, where to aim to hit it. A miss is outside the double."""
    if bed.ring is Ring.INNER_BULL:
        return Position(0.0, 0.0)
    if bed.ring is Ring.MISS:
        return Position(0.0, 1.2)
    if bed.ring is Ring.OUTER_BULL:
        return _polar((RADII_MM[0] + RADII_MM[1]) / 2, 0.0)
    radius = (RADII_MM[bed.ring - 1] + RADII_MM[bed.ring]) / 2
    return _polar(radius, angle_of(bed.number))


def _polar(radius_mm: float, degrees: float) -> Position:
    angle = math.radians(degrees)
    return Position(radius_mm / BOARD_MM * math.sin(angle), radius_mm / BOARD_MM * math.cos(angle))


@cache
def neighbours(bed: Segment) -> tuple[Segment, ...]:
    """The beds that share an edge with this one, then those that share a corner.

    Inner and outer singles are distinguished only if `bed` is one of them.
    """
    if bed.ring is Ring.MISS:
        return tuple(SEGMENTS[f"D{number}"] for number in CLOCKWISE)
    fine = bed.text.startswith(("SI", "SO"))
    found = _edges(bed) + _corners(bed)
    beds = found if fine else tuple(plain(b) for b in found)
    return tuple(dict.fromkeys(b for b in beds if b != bed))


def _edges(bed: Segment) -> tuple[Segment, ...]:
    if bed.ring is Ring.INNER_BULL:
        return (OUTER_BULL,)
    if bed.ring is Ring.OUTER_BULL:
        return (INNER_BULL, *(SEGMENTS[f"SI{number}"] for number in CLOCKWISE))
    inner, outer = (Ring.INNER_SINGLE, Ring.OUTER_SINGLE) if bed.text.startswith("S") else (bed.ring, bed.ring)
    if bed.text.startswith(("SI", "SO")):
        inner = outer = bed.ring
    here = (*_radial(Ring(inner - 1), bed.number), *_radial(Ring(outer + 1), bed.number))
    if inner is not outer:
        here += (SEGMENTS[f"T{bed.number}"],)
    return here + _sideways(bed)


def _corners(bed: Segment) -> tuple[Segment, ...]:
    if bed.is_bull:
        return ()
    return tuple(
        dict.fromkeys(
            c
            for side in _sideways(bed)
            for ring in (side.ring - 1, side.ring + 1)
            for c in _radial(Ring(ring), side.number)
        )
    )


def _sideways(bed: Segment) -> tuple[Segment, ...]:
    prefix = bed.text.removesuffix(str(bed.number))
    index = CLOCKWISE.index(bed.number)
    return tuple(SEGMENTS[f"{prefix}{CLOCKWISE[(index + step) % 20]}"] for step in (-1, 1))


def _radial(ring: Ring, number: int) -> tuple[Segment, ...]:
    match ring:
        case Ring.INNER_BULL:
            return (INNER_BULL,)
        case Ring.OUTER_BULL:
            return (OUTER_BULL,)
        case Ring.MISS:
            return (MISS,)
        case _:
            return (SEGMENTS[f"{_PREFIX[ring]}{number}"],)
