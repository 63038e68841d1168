"""Where a dart landed: a bed, a position, a zone of a face, or points that several beds give."""

import math
from dataclasses import dataclass
from typing import Any

from engine.refusals import Refusal
from engine.segments import SEGMENTS, Segment


@dataclass(frozen=True, slots=True)
class Position:
    """The position of the tip from the centre, in board radii (the outer double wire); x to the right, y up."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone of a face by its name; for a dart on a border, the zones that the border separates."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Points:
    """A dart of a board that reports only points, with the beds that give them."""

    points: int
    candidates: tuple[Segment, ...]


Dart = Segment | Position | Zone | Points


def dart_to_json(dart: Dart) -> Any:
    """The value of `throw` in a match file."""
    match dart:
        case Segment():
            return dart.text
        case Position():
            return {"at": [dart.x, dart.y]}
        case Zone(names):
            return {"zone": names[0] if len(names) == 1 else list(names)}
        case Points():
            return {"points": dart.points, "candidates": [bed.text for bed in dart.candidates]}


def dart_from_json(value: object) -> Dart | Refusal:
    """Reads the value of `throw`. Refusal `bad_value` if it is not a dart."""
    match value:
        case str():
            bed = SEGMENTS.get(value)
            return bed if bed is not None else _bad(f"{value[:20]!r} is not a segment; write T20, SO5, DB or MISS.")
        case {"at": [x, y], **rest} if not rest and _is_coordinate(x) and _is_coordinate(y):
            return Position(float(x), float(y))
        case {"zone": str() as name, **rest} if not rest and 0 < len(name) <= 64:
            return Zone((name,))
        case {"zone": list() as names, **rest} if (
            not rest
            and 2 <= len(names) <= 8
            and all(isinstance(n, str) and 0 < len(n) <= 64 for n in names)
            and len(set(names)) == len(names)
        ):
            return Zone(tuple(names))
        case {"points": int() as points, "candidates": list() as texts, **rest} if (
            not rest and not isinstance(points, bool) and 0 < len(texts) <= len(SEGMENTS)
        ):
            return _points(points, texts)
    return _bad("A throw is a segment, a zone, a position or points with their candidates.")


def _points(points: int, texts: list[object]) -> Points | Refusal:
    beds = tuple(SEGMENTS[text] for text in texts if isinstance(text, str) and text in SEGMENTS)
    if len(beds) != len(texts) or len(set(beds)) != len(beds):
        return _bad("The candidates of points are different segments, like T6, D9 and S18.")
    if any(bed.points != points for bed in beds):
        return _bad(f"Every candidate must be worth the {points} points that the board reported.")
    return Points(points, beds)


def _is_coordinate(value: object) -> bool:
    # The bound keeps squares finite.
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and abs(value) <= 100


def _bad(message: str) -> Refusal:
    return Refusal("bad_value", message)
