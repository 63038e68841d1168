"""Dialect `row-col`: `3,7` is the contact of sense line 3 and drive line 7.

Seen on: OpenDarts boards (Arduino Mega; up to 13 drive and 9 sense lines).
Wire: 115200 8N1, lines with CR LF. `OpenDarts` when it starts; `SENSE,DRIVE`
  a contact, from 0; `undo`, `next` buttons, `missb` the miss button, `miss` a
  tilt sensor that felt a dart without a hit.
Timing: after each line 500 ms deaf, then what is still closed is sent again.
  A held contact hides the higher sense lines of its drive line.
Integrity: none but the grammar.
Table: every board is wired its own way; it is learnt.
Source: github.com/philharlow/dartboard, and its firmware run in an emulator;
  no physical board.
"""

import re
from collections.abc import Mapping
from typing import Final

from boards.board import Can
from drivers.contract import Contact, Driver, Landed, Reject, Report, Signal, Timing
from drivers.lines import Lines
from engine.segments import MISS

CELL: Final = re.compile(r"(\d{1,2}),(\d{1,2})")
ROWS: Final = 32
COLS: Final = 32
"""An Arduino Mega has no more pins to share between the two."""


class RowCol:
    """Lines of two coordinates, and words."""

    def __init__(self) -> None:
        self._lines = Lines("0123456789,OpenDartsmibudox")

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        reports = (self._report(line, at_ns) for line in self._lines.take(data))
        return tuple(report for report in reports if report is not None)

    def reset(self) -> None:
        self._lines.reset()

    @property
    def rejects(self) -> Mapping[Reject, int]:
        return self._lines.rejects

    @property
    def pending(self) -> int:
        return self._lines.pending

    def _report(self, line: str, at_ns: int) -> Report | None:
        match line:
            case "OpenDarts":
                return Signal("awake", at_ns)
            case "miss":
                return Landed(MISS, at_ns)
            case "missb":
                return Signal("button", at_ns, "miss")
            case "undo" | "next":
                return Signal("button", at_ns, line)
        found = CELL.fullmatch(line)
        if found is None:
            self._lines.rejected["garbage"] += 1
            return None
        row, col = int(found[1]), int(found[2])
        if row >= ROWS or col >= COLS:
            self._lines.rejected["range"] += 1
            return None
        return Contact(row, col, True, at_ns)


DRIVER: Final = Driver(
    name="row-col",
    summary="lines like 3,7: sense line and drive line",
    decoder=RowCol,
    can=Can(
        ring=True,
        inner_outer=True,
        position=False,
        release=False,
        stuck_code=False,
        miss=True,
        takeout=False,
        buttons=("next", "undo", "miss"),
    ),
    timing=Timing(
        repeat_ms=500.0,
        button_ms=500.0,
        miss_ms=500.0,
        takeout_ms=0.0,
        stuck_first_ms=0.0,
        stuck_ms=0.0,
        jitter_ms=40.0,
        rebound_ms=0.0,
        deaf_ms=500.0,
        boot_ms=2500.0,
        hides="line",
    ),
    rows=ROWS,
    cols=COLS,
    characters=False,
    baud=115200,
    hello=b"",
    says={},
)
