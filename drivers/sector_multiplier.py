"""Dialect `sector-multiplier`: `20;3` is a triple 20.

Seen on: Arduino boards with the maddarts sketch (10 rows, 7 columns).
Wire: 9600 8N1, `NUMBER;MULTIPLIER` CR LF; bulls `25;1` and `25;2`; `0;1` is a
  miss that a sensor behind the board felt; `NULL` a crossing without a bed.
Timing: one line, then the board is deaf until the contact opens, at least for
  200 ms; it never repeats. A miss takes 500 ms. Opening the port resets it: up
  to 2.5 s deaf.
Integrity: none but the grammar; a line that does not match as a whole is
  dropped.
Trap: a contact held for more than 200 ms that rings as it lets go gives a
  second line. Nothing comes between the two, for the board looks at no other
  contact before: within `rebound_ms` the second is a doubt.
Fault: a miss sensor that is not connected says `0;1` every 500 ms for ever.
Source: github.com/andersrye/maddarts, and its firmware run in an emulator;
  no physical board.
"""

import re
from typing import Final

from boards.board import Can
from drivers.driver import Driver, NamedDart, Reject, Report, Timing
from drivers.lines import lines
from engine.segments import INNER_BULL, MISS, OUTER_BULL, SEGMENTS, Segment

LINE: Final = re.compile(r"(\d{1,2});([0-3])")
PREFIX: Final = {1: "S", 2: "D", 3: "T"}


def parse(line: str, at_ns: int) -> Report | Reject:
    """Two numbers, or `NULL`."""
    found = LINE.fullmatch(line)
    if found is None:
        return "unmapped" if line == "NULL" else "garbage"
    bed = _segment(int(found[1]), int(found[2]))
    return "range" if bed is None else NamedDart(bed, at_ns)


def _segment(number: int, multiplier: int) -> Segment | None:
    if number == 0:
        return MISS
    if number == 25:
        return {1: OUTER_BULL, 2: INNER_BULL}.get(multiplier)
    return SEGMENTS.get(f"{PREFIX.get(multiplier)}{number}")


DRIVER: Final = Driver(
    name="sector-multiplier",
    summary="lines like 20;3",
    decoder=lines("0123456789;NUL", parse),
    can=Can(ring=True, miss=True),
    timing=Timing(
        # Five pauses of 100 ms, in which a lamp blinks, and one look at the matrix.
        miss_ms=500.5,
        # The firmware's own 200 ms outlast any ringing of a contact that was hit. What rings after a longer hold comes
        # when it lets go, just as a second dart does, and nothing is said of the hold: no window knows one from the
        # other. Hardly anybody throws two darts in a row into one bed so soon, and most darts let go by then. One of
        # 20 s would score no ringing, and doubt a quarter of a calm evening's darts; docs/boards.md has the figures.
        rebound_ms=1500.0,
        deaf_ms=200.0,
        boot_ms=2500.0,
        # It waits for the contact that it reported, and looks at no other one meanwhile.
        hides="all",
    ),
)
