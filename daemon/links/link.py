"""What a link is: an open way to a board, and bytes with the time of their arrival.

The clock is read here, where bytes arrive, and nowhere else on the way of a
dart. `opening.py` opens them.
"""

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
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
    def time(self) -> datetime:
        """When the bytes arrived, in UTC."""
        # Divided as whole numbers: a float of nanoseconds since 1970 is off by some hundred of them.
        return datetime.fromtimestamp(self.wall_ns // 1_000_000_000, UTC) + timedelta(
            microseconds=self.wall_ns % 1_000_000_000 // 1000
        )

    @property
    def utc(self) -> str:
        """The same as ISO 8601 text with milliseconds."""
        return self.time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


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
