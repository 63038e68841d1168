"""Checks the text of a map (`kind = "zones"` in `boards/faces/`) and makes the engine's value of it.

All mistakes are said at once, each with the place and the key where it is.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from boards.problems import did_you_mean
from engine.segments import CLOCKWISE
from engine.worldmap import Place, WorldMap

RINGS: Final = {62: ("S", "T", "D"), 82: ("SI", "T", "SO", "D")}
"""The rings of a map by the number of beds that it tells apart. The bulls count as beds and belong to no place."""

_KEYS: Final = ("name", "title", "kind", "beds", "links", "place")
_PLACE_KEYS: Final = ("name", "title", "kind", "segments", "island", "white")


def beds_of(count: int) -> tuple[str, ...]:
    """Returns the beds that a map covers, 62 or 82 with the two bulls that it leaves out."""
    return tuple(f"{ring}{number}" for ring in RINGS[count] for number in CLOCKWISE)


def world_map(table: Mapping[str, Any]) -> WorldMap | tuple[str, ...]:
    """Returns the map that a parsed file describes, or a message for each mistake."""
    wrong = tuple(_shape(table))
    if wrong:
        return wrong
    world = WorldMap(
        table["name"],
        table["title"],
        table["beds"] == 82,
        tuple(_place(place) for place in table["place"]),
        tuple((one, other) for one, other in table["links"]),
    )
    wrong = (*_beds(world, table["beds"]), *_links(world))
    return wrong or tuple(_lie_of_the_land(world)) or world


def _place(place: Mapping[str, Any]) -> Place:
    flags = {flag: place.get(flag, False) for flag in ("island", "white")}
    return Place(place["name"], place["title"], tuple(place["segments"]), place["kind"] == "land", **flags)


def _shape(table: Mapping[str, Any]) -> Iterator[str]:
    """Checks keys and types, before anything is looked up."""
    yield from _unknown(table, _KEYS, "the map")
    # Asked by type first: a list cannot be looked up, and 62.0 is as good as 62 to a dict.
    if type(table.get("beds")) is not int or table["beds"] not in RINGS:
        yield "beds is 62 or 82."
    for key in ("name", "title"):
        if not _is_text(table.get(key)):
            yield f"{key} is a text of 1 to 64 characters."
    links = table.get("links")
    if not isinstance(links, list) or not all(_are_texts(link) and len(link) == 2 for link in links):
        yield "links is a list of pairs of countries."
    places = table.get("place")
    if not isinstance(places, list) or not places or not all(isinstance(place, dict) for place in places):
        yield "place is given once or more, each as a table [[place]]."
        return
    for number, place in enumerate(places, 1):
        about = f"place {number} ({str(place.get('name'))[:20]})"
        yield from _unknown(place, _PLACE_KEYS, about)
        if not all(_is_text(place.get(key)) for key in ("name", "title")):
            yield f"{about}: name and title are texts of 1 to 64 characters."
        if place.get("kind") not in ("land", "sea"):
            yield f"{about}: kind is land or sea."
        if not _are_texts(place.get("segments")) or not place["segments"]:
            yield f"{about}: segments is a list of beds, like ['S20', 'T20']."
        if not all(isinstance(place.get(flag, False), bool) for flag in ("island", "white")):
            yield f"{about}: island and white are true or false."
        elif place.get("kind") == "sea" and (place.get("island") or place.get("white")):
            yield f"{about}: water is neither an island nor a white territory."


def _unknown(table: Mapping[str, Any], keys: Sequence[str], about: str) -> Iterator[str]:
    for key in table:
        if key not in keys:
            yield f"{about}: {key} is not a key here.{did_you_mean(str(key), keys)}"


def _beds(world: WorldMap, count: int) -> Iterator[str]:
    """Checks that every bed except the bulls belongs to one place, and that names are unique."""
    known = beds_of(count)
    used = Counter(bed for place in world.places for bed in place.beds)
    for place in world.places:
        for bed in place.beds:
            if bed not in known:
                yield f"{place.name}: {bed[:20]} is no bed of a map of {count}.{did_you_mean(bed, known)}"
    for bed in known:
        if used[bed] != 1:
            yield f"{bed} belongs to {used[bed] or 'no'} places; each bed belongs to one."
    for name, times in Counter(place.name for place in world.places).items():
        if times > 1:
            yield f"{name} is the name of {times} places."


def _links(world: WorldMap) -> Iterator[str]:
    lands = [place.name for place in world.places if place.land]
    for link in world.links:
        for name in link:
            if name not in lands:
                yield f"links: {name} is no country.{did_you_mean(name, lands)}"
        if link[0] == link[1]:
            yield f"links: {link[0]} is linked with itself."


def _lie_of_the_land(world: WorldMap) -> Iterator[str]:
    """Checks the finished map."""
    land = {place.name: place.land for place in world.places}
    for place in world.places:
        borders, ways = world.geography.borders[place.name], world.geography.ways[place.name]
        if place.land and len(ways) < 2:
            yield f"{place.name} has {len(ways)} way in; a country needs two."
        if place.land and place.island != (not any(land[near] for near in borders)):
            yield f"{place.name} is {'no' if place.island else 'an'} island: its edges touch {', '.join(borders)}."
    apart = land.keys() - world.steps[world.places[0].name].keys()
    if apart:
        yield f"No way leads from {world.places[0].name} to {', '.join(sorted(apart))}."


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 64


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(_is_text(item) for item in value)
