"""What a link is: an open way to a board, and bytes with the time of their arrival.

The clock is read here, where bytes arrive, and nowhere else on the way of a
dart. `opening.py` opens them.
"""

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol


class Disconnected(Exception):
    """The board is away: `reason` from a short list, the text for people. `final` where trying again is of no use."""

    def __init__(self, reason: str, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.reason = reason
        self.final = final


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes, when they arrived (ns of a clock that only goes forward), and the time then (ns since 1970, UTC)."""

    data: bytes
    at_ns: int
    wall_ns: int

    @property
    def utc(self) -> str:
        """When the bytes arrived, as ISO 8601 in UTC with milliseconds."""
        at = datetime.fromtimestamp(self.wall_ns / 1e9, UTC)
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Link(Protocol):
    """An open way to a board."""

    async def read(self) -> Chunk:
        """The next bytes; Disconnected when the board has gone."""
        ...

    def write(self, data: bytes) -> bool:
        """Hands bytes to the board. Never waits: False where they were dropped, because it does not take them."""
        ...

    def close(self) -> None:
        """Lets the device go; more than once is as good as once."""
        ...


def chunk(data: bytes) -> Chunk:
    """Bytes that arrived just now."""
    return Chunk(data, time.monotonic_ns(), time.time_ns())
