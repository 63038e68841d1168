"""The engine's geometry as JSON: what a page needs to draw a board or a face.

Lengths are in radii of the outer double wire, x to the right, y up.
"""

import json
from pathlib import Path
from typing import Any, Final

from engine.circles import Circles
from engine.faces import Face, Faces
from engine.geometry import BOARD_MM, RADII_MM, centre_of, neighbours
from engine.segments import CLOCKWISE, PLAYABLE, SEGMENTS
from engine.worldmap import WorldMap

_LINKS: Final = Path(__file__).with_name("map_links.json")
"""The lines of the maps' links, computed by scripts/map_links.py."""
_MIDDLES: Final = Path(__file__).with_name("zone_middles.json")
"""A point in the middle of each zone of the figures, computed by scripts/zone_middles.py."""


def geometry() -> dict[str, Any]:
    """The dartboard: its radii, and each bed with its middle and its neighbours."""
    beds = {
        bed.text: {
            "points": bed.points,
            "number": bed.number,
            "multiplier": bed.multiplier,
            "at": [round(centre_of(bed).x, 4), round(centre_of(bed).y, 4)],
            "neighbours": [near.text for near in neighbours(bed)],
        }
        for bed in SEGMENTS.values()
    }
    radii = [round(radius / BOARD_MM, 5) for radius in RADII_MM]
    return {"numbers": list(CLOCKWISE), "radii": radii, "playable": [bed.text for bed in PLAYABLE], "beds": beds}


def faces(known: Faces) -> dict[str, dict[str, Any]]:
    """Every face that is a map or a figure, by its name."""
    links, middles = json.loads(_LINKS.read_bytes()), json.loads(_MIDDLES.read_bytes())
    return {name: drawn for name, face in known.items() if (drawn := _face(face, links, middles)) is not None}


def _face(face: Face, links: dict[str, Any], middles: dict[str, Any]) -> dict[str, Any] | None:
    match face:
        case WorldMap():
            return _world(face, links[face.name])
        case Circles():
            return _figure(face, middles[face.name])
        case _:
            return None


def _world(world: WorldMap, links: list[Any]) -> dict[str, Any]:
    """A map: each place with its beds (inner and outer singles apart) and the places reachable from it."""
    beds: dict[str, list[str]] = {place.name: [] for place in world.places}
    for bed, zone in world.geography.zone_of.items():
        if not bed[1:].isdigit() or bed[0] in "TD":
            beds[zone].append(bed)
    places = {
        place.name: {
            "title": place.title,
            "land": place.land,
            "white": place.white,
            "beds": beds[place.name],
            "ways": list(world.geography.ways[place.name]),
        }
        for place in world.places
    }
    return {"kind": "map", "title": world.title, "places": places, "links": links}


def _figure(face: Circles, middles: dict[str, list[float]]) -> dict[str, Any]:
    """A figure of circles: its outlines, a point in the middle of each zone, and the zone of each bed."""
    return {
        "kind": "circles",
        "title": face.title,
        "star": face.star,
        "rings": [{"name": ring.name, "to": ring.to, "times": ring.times} for ring in face.rings],
        "circles": [
            {"number": circle.number, "at": [round(at[0], 4), round(at[1], 4)], "radius": circle.radius}
            for circle, at in face.centres
        ],
        "zones": {
            zone: {"at": middles[zone], "numbers": list(worth.numbers), "times": worth.times}
            for zone, worth in face.worth.items()
            if zone in middles
        },
        "overlay": dict(face.overlay),
    }
