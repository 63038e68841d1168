"""Hits: darts that landed on a board, from any driver."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.darts import Points, Position
from engine.geometry import segment_at
from engine.segments import SEGMENTS, Segment


@dataclass(frozen=True, slots=True)
class Hit:
    """One dart. `seq` grows by one with every hit of the board and is never reused; `time` is UTC, ISO 8601."""

    board: str
    seq: int
    dart: Segment | Position | Points
    time: str
    source: dict[str, Any]

    @property
    def id(self) -> str:
        """The id of the hit, the same however often it is sent."""
        return f"{self.board}-{self.seq}"

    def to_json(self) -> dict[str, Any]:
        """The payload of the hit topic and of `oche listen --json`."""
        return {"id": self.id, "seq": self.seq} | _landed(self.dart) | {"time": self.time, "source": self.source}


def _landed(dart: Segment | Position | Points) -> dict[str, Any]:
    match dart:
        case Segment():
            return {"segment": dart.text}
        case Position():
            return {"segment": segment_at(dart).text, "at": [dart.x, dart.y]}
        case Points():
            return {"points": dart.points, "candidates": [bed.text for bed in dart.candidates]}


def dart_of(payload: Mapping[str, Any]) -> Segment | Position | Points:
    """The dart of a payload of `Hit.to_json`. KeyError, TypeError or ValueError if it is not one."""
    if "points" in payload:
        return Points(payload["points"], tuple(SEGMENTS[bed] for bed in payload["candidates"]))
    if "at" in payload:
        x, y = payload["at"]
        return Position(x, y)
    return SEGMENTS[payload["segment"]]
