r"""Dialect `virtual`: `+0,1` is a contact that closes, here triple 20.

Seen on: no hardware; it is what `scripts/run`, bots and tests play on.
Wire: lines with LF. `oche-virtual 1` when it starts; `+R,C` a contact closes,
  `-R,C` it opens; `m` a dart that misses the board; `t` the darts are pulled.
  Rows 0 to 19 are the sectors clockwise from 20, columns 0 to 3 inner single,
  triple, outer single and double; row 20 has the outer and the inner bull.
Timing: both edges at once, never repeated. A contact bounces for less than 8 ms;
  the lines have no times of their own, and a busy host sees a gap as up to 40 ms
  longer, so a release counts after 50.
Integrity: none but the grammar, as in most dialects.
Source: this file; `drivers.simulated` is the board that speaks it.
"""

import re
from typing import Final

from boards.board import Can, Cell
from drivers.driver import Contact, Driver, NamedDart, Reject, Report, Signal, Timing
from drivers.lines import lines
from engine.segments import CLOCKWISE, MISS, Ring, Segment

ROWS: Final = 21
COLS: Final = 4
EDGE: Final = re.compile(r"([+-])(\d{1,2}),(\d)")
BANNER: Final = "oche-virtual 1"

_COLUMN: Final = {
    Ring.INNER_SINGLE: 0,
    Ring.TRIPLE: 1,
    Ring.OUTER_SINGLE: 2,
    Ring.DOUBLE: 3,
    Ring.OUTER_BULL: 0,
    Ring.INNER_BULL: 1,
}


def parse(line: str, at_ns: int) -> Report | Reject:
    """Returns the edge of a contact or the meaning of a word."""
    match line:
        case "m":
            return NamedDart(MISS, at_ns)
        case "t":
            return Signal("takeout", at_ns)
        case _ if line == BANNER:
            return Signal("awake", at_ns)
    found = EDGE.fullmatch(line)
    if found is None:
        return "garbage"
    row, col = int(found[2]), int(found[3])
    return Contact(row, col, found[1] == "+", at_ns) if row < ROWS and col < COLS else "range"


def cell_of(bed: Segment) -> Cell:
    """Returns the contact of a bed, which must tell inner and outer singles apart and not be a miss."""
    if bed.is_bull:
        return 20, _COLUMN[bed.ring]
    return CLOCKWISE.index(bed.number), _COLUMN[bed.ring]


DRIVER: Final = Driver(
    name="virtual",
    summary="the virtual board: edges of contacts as lines",
    decoder=lines("0123456789+-,mt" + BANNER, parse),
    can=Can(ring=True, inner_outer=True, release=True, miss=True, takeout=True),
    timing=Timing(rebound_ms=50.0),
    rows=ROWS,
    cols=COLS,
    baud=115200,
)
