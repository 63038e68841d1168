"""A hit: a dart landed on a board. All drivers meet here."""

from dataclasses import dataclass
from typing import Any

from engine.darts import Points, Position
from engine.geometry import segment_at
from engine.segments import Segment


@dataclass(frozen=True, slots=True)
class Hit:
    """One dart. `seq` grows by one with every hit of the board and is never used again; `time` is UTC, ISO 8601."""

    board: str
    seq: int
    dart: Segment | Position | Points
    time: str
    source: dict[str, Any]

    @property
    def id(self) -> str:
        return f"{self.board}-{self.seq}"

    def to_json(self) -> dict[str, Any]:
        """The payload of the hit topic, and a line of `oche listen --json`."""
        return {"id": self.id, "seq": self.seq} | _landed(self.dart) | {"time": self.time, "source": self.source}


def _landed(dart: Segment | Position | Points) -> dict[str, Any]:
    match dart:
        case Segment():
            return {"segment": dart.text}
        case Position():
            return {"segment": segment_at(dart).text, "at": [dart.x, dart.y]}
        case Points():
            return {"points": dart.points, "candidates": [bed.text for bed in dart.candidates]}
