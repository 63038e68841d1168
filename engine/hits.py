"""Hits: darts that landed on a board, from any driver."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.darts import Points, Position
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


def dart_of(payload: Mapping[str, Any]) -> Segment | Position | Points:
    """The dart of the payload of a hit. KeyError, TypeError or ValueError if it is not one."""
    if "points" in payload:
        return Points(payload["points"], tuple(SEGMENTS[bed] for bed in payload["candidates"]))
    if "at" in payload:
        x, y = payload["at"]
        return Position(x, y)
    return SEGMENTS[payload["segment"]]
