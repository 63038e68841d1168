"""Dialect `sector-multiplier`: `20;3` is a triple 20.

Seen on: Arduino boards with the maddarts sketch (10 rows, 7 columns).
Wire: 9600 8N1, `NUMBER;MULTIPLIER` CR LF; bulls `25;1` and `25;2`; `0;1` is a
  miss that a sensor behind the board felt; `NULL` a crossing without a bed.
Timing: one line, then the board is deaf until the contact opens, at least for
  200 ms; it never repeats. A miss takes 500 ms. Opening the port resets it: up
  to 2.5 s deaf.
Integrity: none but the grammar; a line that does not match as a whole is
  dropped.
Trap: a contact held for more than 200 ms that bounces when it opens gives a
  second line. No line comes between the two, because the board scans no other
  contact meanwhile: within `rebound_ms` the second is a doubt.
Fault: a miss sensor that is not connected sends `0;1` every 500 ms.
Source: github.com/andersrye/maddarts, and its firmware run in an emulator;
  no physical board.
"""

import re
from typing import Final

from boards.board import Can
from drivers.driver import Driver, NamedDart, Reject, Report, Timing
from drivers.lines import BEDS, lines
from engine.segments import MISS

LINE: Final = re.compile(r"(\d{1,2});([0-3])")
RINGS: Final = "-SDT"
"""The ring of each multiplier; none has 0."""


def parse(line: str, at_ns: int) -> Report | Reject:
    """Returns the dart of a line, or why the line is dropped."""
    found = LINE.fullmatch(line)
    if found is None:
        return "unmapped" if line == "NULL" else "garbage"
    number, multiplier = int(found[1]), int(found[2])
    bed = BEDS.get(f"{RINGS[multiplier]}{number}") if number else MISS
    return "range" if bed is None else NamedDart(bed, at_ns)


DRIVER: Final = Driver(
    name="sector-multiplier",
    summary="lines like 20;3",
    decoder=lines("0123456789;NUL", parse),
    can=Can(ring=True, miss=True),
    timing=Timing(
        # Five pauses of 100 ms, in which a lamp blinks, and one look at the matrix.
        miss_ms=500.5,
        # The firmware's 200 ms outlast the bounce of a hit. A contact that was held longer and bounces when it opens
        # sends the same as a second dart, and no window can tell the two apart. Few players hit one bed twice in a row
        # within 1.5 s, and most contacts open by then. A window of 20 s would score no bounce, but doubt a quarter of
        # a calm evening's darts; docs/boards.md has the figures.
        rebound_ms=1500.0,
        deaf_ms=200.0,
        boot_ms=2500.0,
        # It waits until the reported contact opens, and scans no other one meanwhile.
        hides="all",
    ),
)
