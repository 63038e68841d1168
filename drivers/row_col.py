"""Dialect `row-col`: `3,7` is the contact of sense line 3 and drive line 7.

Seen on: OpenDarts boards (Arduino Mega; up to 13 drive and 9 sense lines).
Wire: 115200 8N1, lines with CR LF. `OpenDarts` when it starts; `SENSE,DRIVE`
  a contact, from 0; `undo`, `next` buttons, `missb` the miss button, `miss` a
  tilt sensor that felt a dart without a hit.
Timing: after each line 500 ms deaf, then what is still closed is sent again.
  A held contact hides the higher sense lines of its drive line.
Integrity: none but the grammar.
Table: every board is wired its own way; it is learned.
Source: github.com/philharlow/dartboard, and its firmware run in an emulator;
  no physical board.
"""

import re
from typing import Final

from boards.board import Can
from drivers.driver import Contact, Driver, NamedDart, Reject, Report, Signal, Timing
from drivers.lines import lines
from engine.segments import MISS

CELL: Final = re.compile(r"(\d{1,2}),(\d{1,2})")
ROWS: Final = 32
COLS: Final = 32
"""More rows and columns than an Arduino Mega has pins for."""


def parse(line: str, at_ns: int) -> Report | Reject:
    """Returns the contact or the meaning of a line, or why the line is dropped."""
    match line:
        case "OpenDarts":
            return Signal("awake", at_ns)
        case "miss":
            return NamedDart(MISS, at_ns)
        case "missb":
            return Signal("button", at_ns, "miss")
        case "undo" | "next":
            return Signal("button", at_ns, line)
    found = CELL.fullmatch(line)
    if found is None:
        return "garbage"
    row, col = int(found[1]), int(found[2])
    return Contact(row, col, True, at_ns) if row < ROWS and col < COLS else "range"


DRIVER: Final = Driver(
    name="row-col",
    summary="lines like 3,7: sense line and drive line",
    decoder=lines("0123456789,OpenDartsmibudox", parse),
    can=Can(ring=True, inner_outer=True, miss=True, buttons=("next", "undo", "miss")),
    timing=Timing(repeat_ms=500.0, button_ms=500.0, miss_ms=500.0, deaf_ms=500.0, boot_ms=2500.0, hides="line"),
    rows=ROWS,
    cols=COLS,
    baud=115200,
)
