"""How far a board with our own firmware has been read, its counters, and its times on the host's clock.

Source: `firmware/PROTOCOL.md`.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

MARK: Final = re.compile(r"([0-9a-f]{16})-([0-9]{1,3})-([0-9]{1,3})")

COUNTERS: Final = ("board_rejected", "board_resent", "board_full", "board_ghosts")
"""The counters of a heartbeat, in order: frames that could not be read, edges that were sent again, edges that waited
for room in the board's memory, ghosts."""

AHEAD: Final = 1 << 18
"""How many ticks an edge can be later than the last known time of the board. Larger differences are in the past."""


class Say(IntEnum):
    """The types of payloads from a board: their first byte."""

    HELLO = 0x01
    HEARTBEAT = 0x02
    CLOSED = 0x10
    OPENED = 0x11
    GHOST = 0x12
    HELD = 0x13


@dataclass(frozen=True, slots=True)
class SessionMark:
    """A board, one of its epochs, and the number of the next edge."""

    identity: bytes
    epoch: int
    expected: int

    @property
    def mark(self) -> str:
        """The mark as text, for the journal."""
        return f"{self.identity.hex()}-{self.epoch}-{self.expected}"


class Clock:
    """The board's time on the host's clock, from its hello and its heartbeats."""

    def __init__(self) -> None:
        self._tick_ns, self._ticks, self._at_ns, self._latest_ns = 0, 0, 0, 0

    def set(self, ticks: bytes, at_ns: int, tick_us: int | None = None) -> None:
        """Sets the board's time at the arrival of a frame; a hello has the length of a tick."""
        self._ticks, self._at_ns = int.from_bytes(ticks, "little"), at_ns
        if tick_us is not None:
            self._tick_ns = tick_us * 1000

    def moment(self, ticks: bytes, at_ns: int) -> int:
        """Returns when an edge was, from the lower 24 bits of its time: not after `at_ns`, not before an earlier edge.

        A delayed heartbeat moves the board's clock; the order of the edges stays.
        """
        since = (int.from_bytes(ticks, "little") - self._ticks) % (1 << 24)
        moment = self._at_ns + (since if since < AHEAD else since - (1 << 24)) * self._tick_ns
        self._latest_ns = max(self._latest_ns, min(moment, at_ns))
        return self._latest_ns


def read_mark(mark: str) -> SessionMark | None:
    """Returns the session mark of a text; `None` if the text is not one."""
    found = MARK.fullmatch(mark)
    return found and SessionMark(bytes.fromhex(found[1]), int(found[2]) % 256, int(found[3]) % 256)


def counters_of(data: bytes) -> dict[str, int]:
    """Returns the counters at the end of a heartbeat, as many as it has."""
    words = {name: data[2 * n : 2 * n + 2] for n, name in enumerate(COUNTERS)}
    found = {name: int.from_bytes(word, "little") for name, word in words.items() if len(word) == 2}
    return found | ({"board_resets": data[8]} if len(data) > 8 else {})
