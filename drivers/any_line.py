"""Dialect `any-line`: any lines; the board file has a table with each line as it comes.

Seen on: boards that `oche learn` was shown.
Wire: 9600 8N1 unless the board file says otherwise; printable ASCII lines of at
  most 64 bytes that end with CR, LF or both.
Timing: `repeat_ms` of the board file, if it was measured. Without it the same
  line within 120 ms is a contact that bounces.
Integrity: none: lines that are not in the table are dropped and counted.
Table: every board has its own; it is learned.
Source: the grammar is what all boards of lines have in common.
"""

from typing import Final

from boards.board import Can
from boards.grid import LONGEST_LINE, row_of_line
from drivers.driver import Contact, Driver, Timing
from drivers.lines import LineDecoder

PRINTABLE: Final = bytes(range(32, 127)).decode("ascii")


class AnyLine(LineDecoder):
    """Decodes lines to contacts. The row is the line's bytes read as one number; the board's table has its bed."""

    ends = b"\r\n"
    skipped = b""
    longest = LONGEST_LINE

    def __init__(self) -> None:
        super().__init__(PRINTABLE, parse)

    def _foreign(self) -> None:
        # Noise is left out wherever it occurs: what is left of the line is in the table or not.
        self.rejects["garbage"] += 1


def parse(line: str, at_ns: int) -> Contact | None:
    """Returns the contact of a line, or None for a blank line."""
    stripped = line.strip()
    return Contact(row_of_line(stripped), 0, True, at_ns) if stripped else None


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
