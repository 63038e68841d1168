"""A face of overlapping circles round a star, with rings: the zones of Yatzy-Dart.

A zone is named by the numbers of the circles that overlap there, ascending,
and its ring: `6.inner`, `1+2+3.inner`; in the star it is `star`, and `out`
where no circle is. Edges: an inner radius belongs to its ring, the outer one
to the next; a circle includes its edge. Near an edge fractions decide, so
every machine agrees: that is why a circle stands at a multiple of 30 degrees.
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
_BESIDE: Final = 1e-5
"""How far from a crossing of two edges the zones round it are looked for; far finer than any zone is wide."""


@dataclass(frozen=True, slots=True)
class BandRing:
    """A ring out to `to`, in board radii; what lies in it counts up to `times`."""

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
    """What a dart in a zone can give: one of the numbers, up to so many times; or it is in the star."""

    numbers: tuple[int, ...] = ()
    times: int = 0
    star: bool = False


@dataclass(frozen=True)
class Circles:
    """The face, with the beds laid over it: the bulls are its star.

    `sectors` are the circles that each number of the board belongs to, 1 to
    20; `beds` are the rings of singles, doubles and triples. Not slotted, so
    that what follows from the figure is found once and kept with it.
    """

    name: str
    title: str
    star: float
    rings: tuple[BandRing, ...]
    circles: tuple[Circle, ...]
    sectors: tuple[tuple[int, ...], ...]
    beds: tuple[str, str, str]

    def zones_of(self, dart: Segment | Position) -> tuple[str, ...]:
        """The zone of a dart, always one: a position goes by the figure, a bed by the overlay."""
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
        """Every zone that there is in the figure, and what it is worth."""
        times = {ring.name: ring.times for ring in self.rings}
        found: dict[str, Worth] = {STAR: Worth(star=True), OUT: Worth()}
        for zone in sorted({self.zone_at(at) for at in self._beside_every_crossing()} - found.keys()):
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
        """The circles by their numbers, each with its centre."""
        in_order = sorted(self.circles, key=lambda circle: circle.number)
        return tuple((circle, _centre(circle)) for circle in in_order)

    def _beside_every_crossing(self) -> Iterator[Position]:
        """Points in every zone of the figure: each has a corner where two edges cross, or an edge that nothing crosses.

        A grid of points was the other way: slower, and it misses a zone that is smaller than its mesh.
        """
        edges = [((0.0, 0.0), self.star)] + [((0.0, 0.0), ring.to) for ring in self.rings]
        edges += [(centre, circle.radius) for circle, centre in self.centres]
        for i, one in enumerate(edges):
            (x, y), radius = one
            corners = [(x, y + radius), *(at for other in edges[:i] for at in _crossings(one, other))]
            for corner in corners:
                for step in range(24):
                    # The odd share keeps the directions off the tangents, all of which are at round angles.
                    angle = math.tau * (step + 0.37) / 24
                    yield Position(corner[0] + _BESIDE * math.cos(angle), corner[1] + _BESIDE * math.sin(angle))


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
    """Where two circles, each a centre and a radius, cross."""
    ((x, y), r), ((u, v), s) = one, other
    apart = math.hypot(u - x, v - y)
    if apart == 0 or not abs(r - s) <= apart <= r + s:
        return
    along = (apart * apart + r * r - s * s) / (2 * apart)
    aside = math.sqrt(max(0.0, r * r - along * along))
    for sign in (aside, -aside):
        yield x + (along * (u - x) - sign * (v - y)) / apart, y + (along * (v - y) + sign * (u - x)) / apart
