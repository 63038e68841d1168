"""Checks the text of a figure of circles (`kind = "circles"` in `boards/faces/`) and makes the engine's value of it.

All mistakes are reported at once, each with its place and key.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from boards.problems import did_you_mean
from engine.circles import BandRing, Circle, Circles
from engine.segments import CLOCKWISE

_KEYS: Final = ("kind", "name", "title", "star", "ring", "circle", "beds", "sectors")
_RING_KEYS: Final = ("name", "to", "times")
_CIRCLE_KEYS: Final = ("number", "angle", "distance", "radius")
_BEDS: Final = ("S", "D", "T")


def circles(table: Mapping[str, Any]) -> Circles | tuple[str, ...]:
    """Returns the face that a parsed file describes, or a message for each mistake."""
    wrong = tuple(_shape(table))
    if wrong:
        return wrong
    face = Circles(
        table["name"],
        table["title"],
        float(table["star"]),
        tuple(BandRing(ring["name"], float(ring["to"]), ring["times"]) for ring in table["ring"]),
        tuple(Circle(c["number"], c["angle"], float(c["distance"]), float(c["radius"])) for c in table["circle"]),
        tuple(tuple(sorted(table["sectors"][str(number)])) for number in range(1, 21)),
        (table["beds"]["S"], table["beds"]["D"], table["beds"]["T"]),
    )
    return tuple(_figure(face)) or face


def _shape(table: Mapping[str, Any]) -> Iterator[str]:
    """Checks keys and types, before anything is compared."""
    yield from _unknown(table, _KEYS, "the face")
    for key in ("name", "title"):
        if not _is_text(table.get(key)):
            yield f"{key} is a text of 1 to 64 characters."
    if not _is_length(table.get("star")):
        yield "star is the radius of the star, more than 0 and at most 1."
    for key, keys in (("ring", _RING_KEYS), ("circle", _CIRCLE_KEYS)):
        entries = table.get(key)
        if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
            yield f"{key} is given once or more, each as a table [[{key}]]."
            continue
        for place, entry in enumerate(entries, 1):
            about = f"{key} {place}"
            yield from _unknown(entry, keys, about)
            yield from _ring(entry, about) if key == "ring" else _circle(entry, about)
    yield from _overlay(table)


def _ring(ring: Mapping[str, Any], about: str) -> Iterator[str]:
    name = ring.get("name")
    # A zone's name is made of numbers, + and the ring after a dot, so a ring has none of these.
    if not isinstance(name, str) or not re.fullmatch("[a-z]{1,20}", name):
        yield f"{about}: name is a word of at most 20 small letters."
    if not _is_length(ring.get("to")):
        yield f"{about}: to is its outer radius, more than 0 and at most 1."
    if not _is_whole(ring.get("times"), 1, 9):
        yield f"{about}: times is a whole number from 1 to 9."


def _circle(circle: Mapping[str, Any], about: str) -> Iterator[str]:
    if not _is_whole(circle.get("number"), 1, 9):
        yield f"{about}: number is a whole number from 1 to 9."
    if not _is_whole(circle.get("angle"), 0, 330) or circle["angle"] % 30:
        yield f"{about}: angle is a multiple of 30 from 0 to 330, so that every machine compares alike."
    for key in ("distance", "radius"):
        if not _is_length(circle.get(key)):
            yield f"{about}: {key} is a length, more than 0 and at most 1."


def _overlay(table: Mapping[str, Any]) -> Iterator[str]:
    beds, sectors = table.get("beds"), table.get("sectors")
    if not isinstance(beds, dict) or not all(isinstance(beds.get(bed), str) for bed in _BEDS):
        yield "beds says the rings of S, D and T."
    if isinstance(beds, dict):
        yield from _unknown(beds, _BEDS, "beds")
    if not isinstance(sectors, dict):
        yield "sectors is a table from the board's 20 numbers to lists of circles."
        return
    yield from _unknown(sectors, tuple(map(str, CLOCKWISE)), "sectors")
    for number in CLOCKWISE:
        numbers = sectors.get(str(number))
        if not isinstance(numbers, list) or not numbers or not all(_is_whole(n, 1, 9) for n in numbers):
            yield f"sectors: {number} is a list of circles, like [5, 6]."


def _figure(face: Circles) -> Iterator[str]:
    """Checks how the parts fit together."""
    rings, numbers = [ring.name for ring in face.rings], [circle.number for circle in face.circles]
    yield from (f"ring: the name {name} is given {rings.count(name)} times." for name in _twice(rings))
    yield from (f"circle: the number {n} is given {numbers.count(n)} times." for n in _twice(numbers))
    radii = (face.star, *(ring.to for ring in face.rings))
    yield from (
        f"{outer} comes after {inner}: radii grow from the star through the rings outwards."
        for inner, outer in pairwise(radii)
        if outer <= inner
    )
    unknown = [ring for ring in face.beds if ring not in rings]
    yield from (f"beds: {ring} is not a ring.{did_you_mean(ring, rings)}" for ring in unknown)
    used = {number for sector in face.sectors for number in sector}
    yield from (f"sectors: there is no circle {n}." for n in sorted(used - set(numbers)))
    yield from (f"sectors: no sector belongs to circle {n}." for n in sorted(set(numbers) - used))
    if not unknown and used <= set(numbers) and radii[0] < radii[1]:
        missing = sorted(set(face.overlay.values()) - face.worth.keys())
        yield from (f"sectors and beds make {zone}, which is nowhere in the figure." for zone in missing)


def _twice(items: Sequence[Any]) -> list[Any]:
    return sorted({item for item in items if items.count(item) > 1})


def _unknown(table: Mapping[str, Any], keys: Sequence[str], about: str) -> Iterator[str]:
    for key in table:
        if key not in keys:
            yield f"{about}: {str(key)[:20]} is not a key here.{did_you_mean(str(key), keys)}"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 64


def _is_length(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
