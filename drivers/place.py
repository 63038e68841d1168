"""How far a board of our own firmware has been heard, and what it has counted.

Source: `firmware/PROTOCOL.md`.
"""

import re
from dataclasses import dataclass
from typing import Final

MARK: Final = re.compile(r"([0-9a-f]{16})-([0-9]{1,3})-([0-9]{1,3})")

COUNTERS: Final = ("board_rejected", "board_resent", "board_full", "board_ghosts")
"""The words of a heartbeat, in order: frames that could not be read, edges that were sent again, edges that waited for
room in the board's memory, ghosts."""


@dataclass(frozen=True, slots=True)
class Place:
    """A board, one of its epochs, and the number of the edge that is waited for."""

    identity: bytes
    epoch: int
    expected: int

    @property
    def mark(self) -> str:
        """As text, for the journal."""
        return f"{self.identity.hex()}-{self.epoch}-{self.expected}"


def place_of(mark: str) -> Place | None:
    """The place that a mark tells; None for any other text."""
    found = MARK.fullmatch(mark)
    return found and Place(bytes.fromhex(found[1]), int(found[2]) % 256, int(found[3]) % 256)


def counted(data: bytes) -> dict[str, int]:
    """The counters at the end of a heartbeat, as far as it has them."""
    words = {name: data[2 * n : 2 * n + 2] for n, name in enumerate(COUNTERS)}
    found = {name: int.from_bytes(word, "little") for name, word in words.items() if len(word) == 2}
    return found | ({"board_resets": data[8]} if len(data) > 8 else {})
