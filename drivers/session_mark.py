"""How far a board with our own firmware has been read, and its counters.

Source: `firmware/PROTOCOL.md`.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

MARK: Final = re.compile(r"([0-9a-f]{16})-([0-9]{1,3})-([0-9]{1,3})(?:-([0-9]{1,10}))?")
"""Marks of older versions have no time."""

COUNTERS: Final = ("board_rejected", "board_resent", "board_full", "board_ghosts")
"""The counters of a heartbeat, in order: frames that could not be read, edges that were sent again, edges that waited
for room in the board's memory, ghosts."""


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
    """A board, one of its epochs, the number of the next edge, and when the last one was, in ticks of the board."""

    identity: bytes
    epoch: int
    expected: int
    ticks: int | None = None

    @property
    def mark(self) -> str:
        """The mark as text, for the journal."""
        when = "" if self.ticks is None else f"-{self.ticks}"
        return f"{self.identity.hex()}-{self.epoch}-{self.expected}{when}"


def read_mark(mark: str) -> SessionMark | None:
    """Returns the session mark of a text; `None` if the text is not one."""
    found = MARK.fullmatch(mark)
    if found is None:
        return None
    ticks = None if found[4] is None else int(found[4]) % (1 << 32)
    return SessionMark(bytes.fromhex(found[1]), int(found[2]) % 256, int(found[3]) % 256, ticks)


def counters_of(data: bytes) -> dict[str, int]:
    """Returns the counters at the end of a heartbeat, as many as it has."""
    words = {name: data[2 * n : 2 * n + 2] for n, name in enumerate(COUNTERS)}
    found = {name: int.from_bytes(word, "little") for name, word in words.items() if len(word) == 2}
    return found | ({"board_resets": data[8]} if len(data) > 8 else {})
