"""A face of overlapping circles round a star, with rings: the zones of Yatzy-Dart.

A zone is named by the numbers of the circles that overlap there, ascending, and
its ring: `6.inner`, `1+2+3.inner`. The star is `star`, the area outside all
circles `out`. The inner edge of a ring belongs to it, the outer edge to the next
ring; a circle includes its edge. Near an edge exact fractions decide, so that
every machine agrees; circles therefore stand at multiples of 30 degrees.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

from engine.darts import Position
from engine.segments import INNER_BULL, MISS, OUTER_BULL, SEGMENTS, Segment

STAR: Final = "star"
OUT: Final = "out"

_HALF, _NONE, _ONE = Fraction(1, 2), Fraction(0), Fraction(1)
_SINES: Final = ((_NONE, _NONE), (_HALF, _NONE), (_NONE, _HALF), (_ONE, _NONE), (_NONE, _HALF), (_HALF, _NONE))
"""Sines of 0, 30, … 150 degrees as a fraction and a fraction of the root of 3."""

_NEAR: Final = 1e-9
_OFFSET: Final = 1e-5
"""The distance from a crossing of two edges at which zones are sampled: far less than the width of any zone."""


@dataclass(frozen=True, slots=True)
class BandRing:
    """A ring out to `to`, in board radii; a dart in it counts up to `times` times."""

    name: str
    to: float
    times: int


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle worth `number`. `angle` is in degrees clockwise from the top, lengths are in board radii."""

    number: int
    angle: int
    distance: float
    radius: float


@dataclass(frozen=True, slots=True)
class Worth:
    """What a dart in a zone can score: one of `numbers`, up to `times` times; `star` for the star."""

    numbers: tuple[int, ...] = ()
    times: int = 0
    star: bool = False


@dataclass(frozen=True)
class Circles:
    """The face, with the beds laid over it: the bulls are its star.

    `sectors` are the circles of each number of the board, 1 to 20; `beds` are the
    rings of singles, doubles and triples. Not slotted, because of its cached
    properties.
    """

    name: str
    title: str
    star: float
    rings: tuple[BandRing, ...]
    circles: tuple[Circle, ...]
    sectors: tuple[tuple[int, ...], ...]
    beds: tuple[str, str, str]

    def zones_of(self, dart: Segment | Position) -> tuple[str, ...]:
        """The zone of a dart, always exactly one: a position by the figure, a bed by the overlay."""
        return (self.zone_at(dart) if isinstance(dart, Position) else self.overlay[dart.text],)

    def has_zone(self, name: str) -> bool:
        return name in self.worth

    @cached_property
    def overlay(self) -> Mapping[str, str]:
        """The zone of every bed, by its text."""
        zones = {MISS.text: OUT, OUTER_BULL.text: STAR, INNER_BULL.text: STAR}
        for text, bed in SEGMENTS.items():
            if text not in zones:
                zones[text] = _name(self.sectors[bed.number - 1], self.beds[bed.multiplier - 1])
        return zones

    @cached_property
    def worth(self) -> Mapping[str, Worth]:
        """Every zone of the figure, with its worth."""
        times = {ring.name: ring.times for ring in self.rings}
        found: dict[str, Worth] = {STAR: Worth(star=True), OUT: Worth()}
        for zone in sorted({self.zone_at(at) for at in self._samples()} - found.keys()):
            numbers, _, ring = zone.partition(".")
            found[zone] = Worth(tuple(int(n) for n in numbers.split("+")), times[ring])
        return found

    def zone_at(self, at: Position) -> str:
        """The zone of the figure at a point."""
        square = at.x * at.x + at.y * at.y
        if _below(square, self.star, at):
            return STAR
        ring = next((ring for ring in self.rings if _below(square, ring.to, at)), None)
        if ring is None:
            return OUT
        numbers = tuple(circle.number for circle, centre in self.centres if _within(at, circle, centre))
        return _name(numbers, ring.name) if numbers else OUT

    @cached_property
    def centres(self) -> tuple[tuple[Circle, tuple[float, float]], ...]:
        """The circles, ascending by number, each with its centre."""
        in_order = sorted(self.circles, key=lambda circle: circle.number)
        return tuple((circle, _centre(circle)) for circle in in_order)

    def _samples(self) -> Iterator[Position]:
        """Points in every zone of the figure: a zone has a corner where two edges cross, or an edge without crossings.

        A grid was not chosen: it is slower and misses zones smaller than its mesh.
        """
        edges = [((0.0, 0.0), self.star)] + [((0.0, 0.0), ring.to) for ring in self.rings]
        edges += [(centre, circle.radius) for circle, centre in self.centres]
        for i, one in enumerate(edges):
            (x, y), radius = one
            corners = [(x, y + radius), *(at for other in edges[:i] for at in _crossings(one, other))]
            for corner in corners:
                for step in range(24):
                    # The offset keeps the directions off the tangents, which are at round angles.
                    angle = math.tau * (step + 0.37) / 24
                    yield Position(corner[0] + _OFFSET * math.cos(angle), corner[1] + _OFFSET * math.sin(angle))


def _name(numbers: tuple[int, ...], ring: str) -> str:
    return "+".join(str(number) for number in sorted(numbers)) + "." + ring


def _below(square: float, radius: float, at: Position) -> bool:
    """Whether a point, `square` its squared distance from the middle, is nearer to it than `radius`."""
    if abs(square - radius * radius) > _NEAR:
        return square < radius * radius
    x, y, edge = (Fraction(repr(value)) for value in (at.x, at.y, radius))
    return x * x + y * y < edge * edge


def _within(at: Position, circle: Circle, centre: tuple[float, float]) -> bool:
    """Whether a point is in a circle or on its edge."""
    square = (at.x - centre[0]) ** 2 + (at.y - centre[1]) ** 2
    if abs(square - circle.radius**2) > _NEAR:
        return square < circle.radius**2
    x, y, distance, radius = (Fraction(repr(value)) for value in (at.x, at.y, circle.distance, circle.radius))
    sine, cosine = _sine(circle.angle), _sine(circle.angle + 90)
    # Squared distance less squared radius, as a + b times the root of 3.
    a = x * x + y * y + distance * distance - radius * radius - 2 * distance * (x * sine[0] + y * cosine[0])
    b = -2 * distance * (x * sine[1] + y * cosine[1])
    return _is_not_positive(a, b)


def _is_not_positive(a: Fraction, b: Fraction) -> bool:
    """Whether a + b times the root of 3 is at most 0."""
    if a <= 0 and b <= 0:
        return True
    if a >= 0 and b >= 0:
        return False
    return a * a <= 3 * b * b if b < 0 else 3 * b * b <= a * a


def _sine(degrees: int) -> tuple[Fraction, Fraction]:
    rational, root = _SINES[degrees % 180 // 30]
    return (rational, root) if degrees % 360 < 180 else (-rational, -root)


def _centre(circle: Circle) -> tuple[float, float]:
    (a, b), (c, d) = _sine(circle.angle), _sine(circle.angle + 90)
    return (
        circle.distance * (float(a) + float(b) * math.sqrt(3.0)),
        circle.distance * (float(c) + float(d) * math.sqrt(3.0)),
    )


def _crossings(
    one: tuple[tuple[float, float], float], other: tuple[tuple[float, float], float]
) -> Iterator[tuple[float, float]]:
    """The points where two circles, each a centre and a radius, cross."""
    ((x, y), r), ((u, v), s) = one, other
    apart = math.hypot(u - x, v - y)
    if apart == 0 or not abs(r - s) <= apart <= r + s:
        return
    along = (apart * apart + r * r - s * s) / (2 * apart)
    aside = math.sqrt(max(0.0, r * r - along * along))
    for sign in (aside, -aside):
        yield x + (along * (u - x) - sign * (v - y)) / apart, y + (along * (v - y) + sign * (u - x)) / apart
