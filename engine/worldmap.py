"""The map of Dart Wars: countries and waters over the beds of a dartboard.

A map lists the beds of each place; neighbours follow from the shared edges of beds.
It covers the 82 beds with inner and outer singles distinguished; a map for 62 beds
gives both singles of a number to one place.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from engine.darts import Position
from engine.geometry import segment_at
from engine.segments import CLOCKWISE, Segment

_RINGS: Final = ("SI", "T", "SO", "D")
"""The rings of a map from the North Pole outwards, by the first letters of their beds."""


@dataclass(frozen=True, slots=True)
class Place:
    """One zone. Actions use `name`, displays show `title`; `beds` are texts of segments.

    `land` is False for water. An island touches only water, links aside; `white` marks a white territory.
    """

    name: str
    title: str
    beds: tuple[str, ...]
    land: bool
    island: bool = False
    white: bool = False


@dataclass(frozen=True)
class WorldMap:
    """A face of places. `links` join two countries over water; `fine` maps distinguish inner and outer singles.

    Not slotted, because of its cached properties. A separate cache would compare
    whole maps at every dart.
    """

    name: str
    title: str
    fine: bool
    places: tuple[Place, ...]
    links: tuple[tuple[str, str], ...]

    def __hash__(self) -> int:
        # Maps with the same name are equal, or copies of each other from storage.
        return hash(self.name)

    def zones_of(self, dart: Segment | Position) -> tuple[str, ...]:
        """The zone of a bed, or of the bed at a position; none for the bulls and a miss."""
        bed = segment_at(dart) if isinstance(dart, Position) else dart
        zone = self.geography.zone_of.get(bed.text)
        return () if zone is None else (zone,)

    def has_zone(self, name: str) -> bool:
        return name in self.geography.place

    @cached_property
    def geography(self) -> "Geography":
        """Neighbours, and the zone of every bed."""
        return _survey(self)

    @cached_property
    def steps(self) -> Mapping[str, Mapping[str, int]]:
        """For each zone, the number of moves to every zone that can be reached from it."""
        return {place.name: _steps_from(place.name, self.geography.ways) for place in self.places}


@dataclass(frozen=True, slots=True)
class Geography:
    """What follows from a map, computed once.

    `borders` are the neighbours by a shared edge, `ways` these and the linked ones, both in the order of the map.
    `corners` are the sets of zones around each point where beds meet.
    """

    place: Mapping[str, Place]
    zone_of: Mapping[str, str]
    borders: Mapping[str, tuple[str, ...]]
    ways: Mapping[str, tuple[str, ...]]
    corners: frozenset[frozenset[str]]

    def meet(self, zones: tuple[str, ...]) -> bool:
        """Whether a dart can be on the border of all these zones: two share an edge, more share a point."""
        if len(zones) == 2:
            return zones[1] in self.borders[zones[0]]
        return any(corner.issuperset(zones) for corner in self.corners)


def _survey(world: WorldMap) -> Geography:
    place = {place.name: place for place in world.places}
    zone_of = {bed: place.name for place in world.places for bed in place.beds}
    for number in CLOCKWISE:
        if world.fine:
            # A plain single is most likely the outer one, which is larger.
            _same(zone_of, f"SO{number}", f"S{number}")
        else:
            _same(zone_of, f"S{number}", f"SI{number}")
            _same(zone_of, f"S{number}", f"SO{number}")
    touching: dict[str, set[str]] = {name: set() for name in place}
    for one, other in _edges():
        here, there = zone_of.get(one), zone_of.get(other)
        if here is not None and there is not None and here != there:
            touching[here].add(there)
            touching[there].add(here)
    borders = _in_order(touching, place)
    for one, other in world.links:
        touching[one].add(other)
        touching[other].add(one)
    corners = frozenset(frozenset(zone_of[bed] for bed in beds if bed in zone_of) for beds in _corners())
    return Geography(place, zone_of, borders, _in_order(touching, place), corners)


def _steps_from(start: str, ways: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    steps, edge = {start: 0}, [start]
    for zone in edge:
        for near in ways[zone]:
            if near not in steps:
                steps[near] = steps[zone] + 1
                edge.append(near)
    return steps


def _same(zone_of: dict[str, str], known: str, other: str) -> None:
    if known in zone_of:
        zone_of[other] = zone_of[known]


def _in_order(touching: Mapping[str, set[str]], place: Mapping[str, Place]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(other for other in place if other in near) for name, near in touching.items()}


def _edges() -> Iterator[tuple[str, str]]:
    """Pairs of beds that share an edge, along a ring and along a sector."""
    for at, number in enumerate(CLOCKWISE):
        after = CLOCKWISE[(at + 1) % 20]
        yield from ((f"{ring}{number}", f"{ring}{after}") for ring in _RINGS)
        yield from ((f"{ring}{number}", f"{outer}{number}") for ring, outer in pairwise(_RINGS))


def _corners() -> Iterator[tuple[str, ...]]:
    """The beds around each point where a wire between numbers crosses one between rings."""
    for at, number in enumerate(CLOCKWISE):
        after = CLOCKWISE[(at + 1) % 20]
        for ring, outer in pairwise(_RINGS):
            yield (f"{ring}{number}", f"{ring}{after}", f"{outer}{number}", f"{outer}{after}")
