"""Bytes to lines, for every dialect that speaks in lines: a bounded buffer that never raises.

A line ends with LF, CR before it is dropped. A partial line lives until its
end, an overflow or a reconnect, never until a time: at 9600 baud a line takes
7 ms and comes in pieces.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from drivers.contract import Reject

LONGEST: Final = 64
"""Bytes of the longest line that is kept. The longest of the known dialects has 27."""


class Lines:
    """Collects bytes and gives whole lines as text; counts what it drops.

    Characters that no line of the dialect has are skipped where a line begins:
    a reset spits some before the first good line, without a line end of their
    own. Inside a line they spoil it, for `1?5` could be 15 or 5.
    """

    __slots__ = ("_alphabet", "_line", "_skipping", "_spoilt", "rejected")

    def __init__(self, alphabet: str) -> None:
        self._alphabet = frozenset(alphabet.encode("ascii"))
        self._line = bytearray()
        self._skipping = False
        self._spoilt = False
        self.rejected: Counter[Reject] = Counter()

    @property
    def rejects(self) -> Mapping[Reject, int]:
        return self.rejected

    @property
    def pending(self) -> int:
        return len(self._line)

    def take(self, data: bytes) -> list[str]:
        """The lines that these bytes complete, without their ends, the empty ones left out."""
        lines: list[str] = []
        for byte in data:
            if byte == 0x0A:
                self._end(lines)
            elif byte in self._alphabet:
                self._add(byte)
            elif byte != 0x0D:
                self._foreign()
        return lines

    def reset(self) -> None:
        """Drops the line that was begun, and counts it."""
        if self._line or self._spoilt or self._skipping:
            self.rejected["partial"] += 1
        self._clear()

    def _end(self, lines: list[str]) -> None:
        if self._spoilt and not self._skipping:
            self.rejected["garbage"] += 1
        elif self._line and not self._skipping:
            lines.append(self._line.decode("ascii"))
        self._clear()

    def _add(self, byte: int) -> None:
        if self._skipping or self._spoilt:
            return
        if len(self._line) == LONGEST:
            # Counted once for the whole line, however long it gets.
            self.rejected["overflow"] += 1
            self._skipping = True
            self._line.clear()
            return
        self._line.append(byte)

    def _foreign(self) -> None:
        if self._line and not self._spoilt:
            self._spoilt = True
            self._line.clear()
        elif not self._line and not self._spoilt and not self._skipping:
            self.rejected["garbage"] += 1

    def _clear(self) -> None:
        self._line.clear()
        self._skipping = self._spoilt = False
