"""Dialect `suffix`: `20x3` is a triple 20.

Seen on: boards with an ATmega32U4 (10 inputs, 9 outputs), over its own USB.
Wire: USB CDC (9600 is asked for and means nothing), lines with LF: `20x3`,
  `20x2`, `20i` and `20o` inner and outer single, `20` a single that is not
  told apart; `Bullseye` outer and `Bullseyex2` inner bull; `_NN` a crossing
  without a bed.
Timing: a line for every closing edge, then the whole board is deaf for
  19.2 ms (150 timer ticks of 128 us). No repeats.
Integrity: USB checks its own packets; beyond that none but the grammar.
Trap: the deaf time outlasts the bounce when a dart lands, not the bounce when
  its contact opens: a dart that presses longer than 19.2 ms can give a second
  line when it releases.
Source: the firmware in public use (TimerOne, 128 us), read and run in an
  emulator; no physical board.
"""

import re
from typing import Final

from boards.board import Can
from drivers.driver import Driver, NamedDart, Reject, Report, Timing
from drivers.lines import lines
from engine.segments import INNER_BULL, OUTER_BULL, SEGMENTS

BED: Final = re.compile(r"(\d{1,2})(i|o|x2|x3|)")
UNMAPPED: Final = re.compile(r"_\d{1,3}")
PREFIX: Final = {"i": "SI", "o": "SO", "": "S", "x2": "D", "x3": "T"}
BULLS: Final = {"Bullseye": OUTER_BULL, "Bullseyex2": INNER_BULL}


def parse(line: str, at_ns: int) -> Report | Reject:
    """Returns the dart of a line, or why the line is dropped."""
    found = BED.fullmatch(line)
    bed = BULLS.get(line) if found is None else SEGMENTS.get(f"{PREFIX[found[2]]}{found[1]}")
    if bed is not None:
        return NamedDart(bed, at_ns)
    if found is not None:
        return "range"
    return "unmapped" if UNMAPPED.fullmatch(line) else "garbage"


DRIVER: Final = Driver(
    name="suffix",
    summary="lines like 20x3, with 20i and 20o",
    decoder=lines("0123456789ioxBulsey_", parse),
    can=Can(ring=True, inner_outer=True),
    timing=Timing(
        # A bounce comes up to 80 ms after the contact opened. The table of thrown darts in docs/boards.md chose them.
        rebound_ms=200.0,
        neighbour_ms=60.0,
        deaf_ms=19.2,
    ),
)
