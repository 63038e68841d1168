"""What a link is: an open connection to a board, and bytes with the time of their arrival.

The clock is read here, where bytes arrive, and nowhere else on the way of a dart. `opener.py` opens links.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol, runtime_checkable

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Disconnected(Exception):
    """The board is away: a `reason` from a short list and a message for people. `final` if a retry is useless."""

    def __init__(self, reason: str, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.reason = reason
        self.final = final


def _nobody_waits() -> None:
    """Does nothing."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes and when they arrived: in ns of a monotonic clock, and in ns since 1970, UTC."""

    data: bytes
    at_ns: int
    wall_ns: int
    request: str = field(default="", compare=False)
    """The id of the request with which a board sent them, if it has one. The same id again is the same request."""
    done: Callable[[], None] = field(default=_nobody_waits, compare=False, repr=False)
    """To be called once what the bytes report is committed: a board may wait for that."""
    battery: int | None = None
    """How full the board's battery is, 0 to 100, if that is what has arrived; there are no bytes then."""

    @property
    def time(self) -> datetime:
        """When the bytes arrived, in UTC."""
        # Divided as whole numbers: a float of nanoseconds since 1970 is off by some hundred of them.
        return _EPOCH + timedelta(microseconds=self.wall_ns // 1000)


class Link(Protocol):
    """An open connection to a board."""

    async def read(self) -> Chunk:
        """Returns the next bytes. Raises Disconnected when the board is gone."""
        ...

    def write(self, data: bytes) -> bool:
        """Sends bytes without waiting. Returns False if they were dropped because the board does not read."""
        ...

    def close(self) -> None:
        """Releases the device. May be called more than once."""
        ...


@runtime_checkable
class Early(Protocol):
    """What a link has in addition if its board's input counted before the link was there."""

    since: Chunk
    """An empty chunk of the time from which on it counted."""


def utc_text(moment: datetime) -> str:
    """A moment in UTC as ISO 8601 text with milliseconds."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def chunk(data: bytes) -> Chunk:
    """Returns bytes that arrived just now, with the time."""
    return Chunk(data, time.monotonic_ns(), time.time_ns())
