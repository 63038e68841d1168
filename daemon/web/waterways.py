"""How the links of a map are drawn: a line over the water between two countries, round what lands there are."""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from engine.geometry import BOARD_MM, RADII_MM
from engine.segments import CLOCKWISE
from engine.worldmap import Place, WorldMap

Bed = tuple[str, int]
"""A ring by the first letters of its beds, and a sector: 0 at the top, then clockwise."""
Beds = dict[Bed, Place]
"""The place of each bed."""

RINGS: Final = {
    ring: (inner / BOARD_MM, outer / BOARD_MM)
    for ring, (inner, outer) in zip(("SI", "T", "SO", "D"), pairwise(RADII_MM[1:6]), strict=True)
}
"""From where to where a ring goes, in board radii."""
CROWDED: Final = 3.0
"""How much longer a bed counts where another link is drawn already."""
STEPS: Final = 8
"""Points from the middle of one bed to that of the next."""
ASHORE: Final = 2
"""So many of them reach into a country: it is seen where the link ends, and no name is crossed."""


def beds_of(world: WorldMap) -> Beds:
    """The place of each bed of a map."""
    geography = world.geography
    return {
        (ring, sector): geography.place[geography.zone_of[f"{ring}{number}"]]
        for sector, number in enumerate(CLOCKWISE)
        for ring in RINGS
    }


def waterways(world: WorldMap) -> list[list[tuple[float, float]]]:
    """For each link of the map the points of its line: x to the right, y up, in board radii."""
    beds = beds_of(world)
    taken: set[Bed] = set()
    found = []
    for one, other in world.links:
        way = _over_water(one, other, beds, taken)
        taken.update(way[1:-1])
        found.append(_line((one, other), way, beds))
    return found


def _over_water(start: str, end: str, beds: Beds, taken: set[Bed]) -> list[Bed]:
    """The beds of the shortest way from one country to the other that crosses no third one, both ends included.

    The links drawn before are kept clear of: beds in `taken` count as longer.
    Where there is none over edges, as at a corner, the nearest two beds of the countries.
    """
    starts = [bed for bed, place in beds.items() if place.name == start]
    best = {bed: (0.0, [bed]) for bed in starts}
    edge = list(starts)
    for here in edge:
        for near in _beside(here):
            place = beds[near]
            if beds[here].name == end or (place.land and place.name != end):
                continue
            length = best[here][0] + _gap(here, near) * (CROWDED if near in taken else 1.0)
            if near not in best or length < best[near][0] - 1e-9:
                best[near] = (length, [*best[here][1], near])
                edge.append(near)
    ends = [bed for bed, place in beds.items() if place.name == end]
    if ways := [best[bed] for bed in ends if bed in best]:
        return min(ways)[1]
    return list(min(((a, b) for a in starts for b in ends), key=lambda two: _gap(*two)))


def _beside(bed: Bed) -> Iterator[Bed]:
    """The beds that share an edge with this one."""
    rings, (ring, sector) = list(RINGS), bed
    yield from ((ring, (sector + 1) % 20), (ring, (sector - 1) % 20))
    at = rings.index(ring)
    yield from ((rings[other], sector) for other in (at - 1, at + 1) if 0 <= other < len(rings))


def _gap(one: Bed, other: Bed) -> float:
    """From the middle of one bed to that of another, in board radii."""
    return math.dist(*(_point(sum(RINGS[ring]) / 2, sector) for ring, sector in (one, other)))


def _line(pair: tuple[str, str], way: list[Bed], beds: Beds) -> list[tuple[float, float]]:
    first = way[0][1]
    # Sectors as one goes on turning, so that a line over the top does not go all the way round.
    bends = [(_middle(ring), first + (sector - first + 10) % 20 - 10) for ring, sector in way]
    points = [
        (radius + (after - radius) * n / STEPS, sector + (turned - sector) * n / STEPS)
        for (radius, sector), (after, turned) in pairwise(bends)
        for n in range(STEPS + 1)
    ]
    outside = [n for n, at in enumerate(points) if (place := _under(*at, beds)) is None or place.name not in pair]
    begin, end = (outside[0] - ASHORE, outside[-1] + ASHORE) if outside else (len(points) // 3, 2 * len(points) // 3)
    return [_point(*at) for at in points[max(begin, 0) : end + 1]]


def _middle(ring: str) -> float:
    inner, outer = RINGS[ring]
    # Towards the centre a sector is narrow: what is drawn in it stands further out.
    return inner + (outer - inner) * {"SI": 0.88, "SO": 0.55}.get(ring, 0.5)


def _under(radius: float, sector: float, beds: Beds) -> Place | None:
    number = math.floor(sector + 0.5) % 20
    return next((beds[ring, number] for ring, (inner, outer) in RINGS.items() if inner <= radius < outer), None)


def _point(radius: float, sector: float) -> tuple[float, float]:
    angle = sector * math.pi / 10
    return radius * math.sin(angle), radius * math.cos(angle)
