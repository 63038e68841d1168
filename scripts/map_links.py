#!/usr/bin/env python3
"""Computes the lines of a map's links, from one country to the other around all others, for the pages and the pictures.

Run it with .venv/bin/python after a change of a map: `scripts/map_links.py` writes daemon/web/map_links.json.
"""

import json
import math
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from boards.face_files import face_from_toml  # noqa: E402
from engine.geometry import BOARD_MM, RADII_MM  # noqa: E402
from engine.segments import CLOCKWISE  # noqa: E402
from engine.worldmap import Place, WorldMap  # noqa: E402

FILE: Final = ROOT / "daemon" / "web" / "map_links.json"
Line = list[tuple[float, float]]
"""Points: x to the right, y up, in board radii."""

Bed = tuple[str, int]
"""The prefix of a ring's beds, and a sector: 0 at the top, then clockwise."""
Beds = dict[Bed, Place]
"""The place of each bed."""

RINGS: Final = {
    ring: (inner / BOARD_MM, outer / BOARD_MM)
    for ring, (inner, outer) in zip(("SI", "T", "SO", "D"), pairwise(RADII_MM[1:6]), strict=True)
}
"""The inner and outer radius of each ring, in board radii."""
USED_FACTOR: Final = 3.0
"""How much longer a bed counts if another link already crosses it."""
STEPS: Final = 8
"""Steps from the middle of one bed to that of the next."""
ASHORE: Final = 2
"""How many of these steps a line reaches into each country: enough to see where it ends, without crossing a name."""


def beds_of(world: WorldMap) -> Beds:
    """The place of each bed of a map."""
    geography = world.geography
    return {
        (ring, sector): geography.place[geography.zone_of[f"{ring}{number}"]]
        for sector, number in enumerate(CLOCKWISE)
        for ring in RINGS
    }


def links(world: WorldMap) -> list[Line]:
    """The line of each link of a map, rounded to four digits."""
    beds = beds_of(world)
    used: set[Bed] = set()
    found = []
    for one, other in world.links:
        path = _shortest_path(one, other, beds, used)
        used.update(path[1:-1])
        found.append([(round(x, 4), round(y, 4)) for x, y in _line((one, other), path, beds)])
    return found


def _shortest_path(start: str, end: str, beds: Beds, used: set[Bed]) -> list[Bed]:
    """The beds of the shortest path from one country to the other that crosses no third one, both ends included.

    Beds in `used` count as longer, which keeps links apart. If no path leads over edges, as at a corner: the nearest
    two beds of the countries.
    """
    starts = [bed for bed, place in beds.items() if place.name == start]
    best = {bed: (0.0, [bed]) for bed in starts}
    edge = list(starts)
    for here in edge:
        for near in _adjacent(here):
            place = beds[near]
            if beds[here].name == end or (place.land and place.name != end):
                continue
            length = best[here][0] + _gap(here, near) * (USED_FACTOR if near in used else 1.0)
            if near not in best or length < best[near][0] - 1e-9:
                best[near] = (length, [*best[here][1], near])
                edge.append(near)
    ends = [bed for bed, place in beds.items() if place.name == end]
    if paths := [best[bed] for bed in ends if bed in best]:
        return min(paths)[1]
    return list(min(((a, b) for a in starts for b in ends), key=lambda two: _gap(*two)))


def _adjacent(bed: Bed) -> Iterator[Bed]:
    """The beds that share an edge with this one."""
    rings, (ring, sector) = list(RINGS), bed
    yield from ((ring, (sector + 1) % 20), (ring, (sector - 1) % 20))
    at = rings.index(ring)
    yield from ((rings[other], sector) for other in (at - 1, at + 1) if 0 <= other < len(rings))


def _gap(one: Bed, other: Bed) -> float:
    """The distance between the middles of two beds, in board radii."""
    return math.dist(*(_point(sum(RINGS[ring]) / 2, sector) for ring, sector in (one, other)))


def _line(pair: tuple[str, str], path: list[Bed], beds: Beds) -> Line:
    first = path[0][1]
    # Sectors are continuous along the path, so that a line across the top does not run around the whole board.
    bends = [(_middle(ring), first + (sector - first + 10) % 20 - 10) for ring, sector in path]
    points = [
        (radius + (after - radius) * n / STEPS, sector + (turned - sector) * n / STEPS)
        for (radius, sector), (after, turned) in pairwise(bends)
        for n in range(STEPS + 1)
    ]
    outside = [n for n, at in enumerate(points) if (place := _place_at(*at, beds)) is None or place.name not in pair]
    begin, end = (outside[0] - ASHORE, outside[-1] + ASHORE) if outside else (len(points) // 3, 2 * len(points) // 3)
    return [_point(*at) for at in points[max(begin, 0) : end + 1]]


def _middle(ring: str) -> float:
    inner, outer = RINGS[ring]
    # Near the centre a sector is narrow: the line runs further out.
    return inner + (outer - inner) * {"SI": 0.88, "SO": 0.55}.get(ring, 0.5)


def _place_at(radius: float, sector: float, beds: Beds) -> Place | None:
    number = math.floor(sector + 0.5) % 20
    return next((beds[ring, number] for ring, (inner, outer) in RINGS.items() if inner <= radius < outer), None)


def _point(radius: float, sector: float) -> tuple[float, float]:
    angle = sector * math.pi / 10
    return radius * math.sin(angle), radius * math.cos(angle)


def map_links() -> dict[str, list[Line]]:
    """The lines of every map's links, by the name of the map."""
    found = [
        face_from_toml(path.read_text("utf-8"), path.name) for path in sorted((ROOT / "boards/faces").glob("*.toml"))
    ]
    return {world.name: links(world) for world in found if isinstance(world, WorldMap)}


if __name__ == "__main__":
    FILE.write_text(json.dumps(map_links()) + "\n")
