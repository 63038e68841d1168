"""Dialect `any-line`: whatever a board says in lines; its table has each line as it comes.

Seen on: boards that `oche learn` was shown.
Wire: 9600 8N1 unless the board file says otherwise; printable lines that end
  with CR, LF or both, of 64 bytes at most, ASCII.
Timing: as the board file says, where it was measured: `repeat_ms`. Without it
  the same line within 120 ms is a contact that rings.
Integrity: none: what is not in the table is dropped and counted.
Table: every board has its own; it is learnt.
Source: the grammar is what all boards of lines have in common.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from boards.board import Can
from boards.grid import LONGEST_LINE, row_of_line
from drivers.driver import Contact, Driver, Reject, Report, Timing


class AnyLine:
    """Lines. What a line's bytes are as one number is the row; the board's table says which bed it is."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._skipping = False
        self._rejects: Counter[Reject] = Counter()

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        reports: list[Report] = []
        for byte in data:
            if byte in b"\r\n":
                line = self._line.decode("ascii").strip()
                if line and not self._skipping:
                    reports.append(Contact(row_of_line(line), 0, True, at_ns))
                self._line.clear()
                self._skipping = False
            elif not 32 <= byte < 127:
                # Noise at a line's start has no end of its own; inside a line it is left out, as the table will tell.
                self._rejects["garbage"] += 1
            elif len(self._line) == LONGEST_LINE:
                self._rejects["overflow"] += not self._skipping
                self._skipping = True
            else:
                self._line.append(byte)
        return tuple(reports)

    def reset(self) -> None:
        if self._line:
            self._rejects["partial"] += 1
        self._line.clear()
        self._skipping = False

    @property
    def rejects(self) -> Mapping[Reject, int]:
        return self._rejects

    @property
    def pending(self) -> int:
        return len(self._line)


DRIVER: Final = Driver(
    name="any-line",
    summary="any lines, by a table that was learnt",
    decoder=AnyLine,
    can=Can(ring=True, inner_outer=True),
    timing=Timing(rebound_ms=120.0, boot_ms=2500.0, hides="nothing"),
    rows=1 << (8 * LONGEST_LINE),
    cols=1,
    characters=True,
)
