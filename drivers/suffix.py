"""Dialect `suffix`: `20x3` or `20X3` is a triple 20.

Seen on: boards with an ATmega32U4 (10 inputs, 9 outputs), over its own USB;
  with a capital X, on boards with an Arduino or a Pico.
Wire: USB CDC (9600 is asked for and means nothing), lines with LF: `20x3`,
  `20x2`, `20i` and `20o` inner and outer single, `20` a single that is not
  told apart; `Bullseye` outer and `Bullseyex2` inner bull; `_NN` a crossing
  without a bed.
  With a capital: 115200 8N1 or USB CDC, lines with CR LF or LF: `20X1` a
  single, `20X2`, `20X3`, `25X1` and `25X2` the bulls; `0X1` to `0X3` a
  crossing without a bed; `F0` a button. An Arduino greets with a coloured
  `Dartboard OK!`.
Timing: a line for every closing edge, then the whole board is deaf for
  19.2 ms (150 timer ticks of 128 us). No repeats.
  With a capital: 100 ms after the contact closed, or when it opens if that is
  later; the board is deaf until then.
Integrity: USB checks its own packets; beyond that none but the grammar.
Trap: the deaf time outlasts the bounce when a dart lands, not the bounce when
  its contact opens: a dart that presses longer than 19.2 ms can give a second
  line when it releases. With a capital that line comes 100 ms and more after
  the first, within the 200 ms in which this dialect takes it for a repeat.
Source: the firmware in public use (TimerOne, 128 us), read and run in an
  emulator; github.com/betonniere/dartboard, read; no physical board.
"""

import re
from typing import Final

from boards.board import Can
from drivers.driver import Driver, NamedDart, Reject, Report, Signal, Timing
from drivers.lines import BEDS, lines
from engine.segments import INNER_BULL, OUTER_BULL, SEGMENTS

BED: Final = re.compile(r"(\d{1,2})(i|o|x2|x3|)")
CAPITAL: Final = re.compile(r"(\d{1,2})X([1-3])")
RINGS: Final = {"1": "S", "2": "D", "3": "T"}
UNMAPPED: Final = re.compile(r"_\d{1,3}|0X[1-3]")
BUTTON: Final = "F0"
"""The only function key that the firmware has; in its own program it ends the turn."""
PREFIX: Final = {"i": "SI", "o": "SO", "": "S", "x2": "D", "x3": "T"}
BULLS: Final = {"Bullseye": OUTER_BULL, "Bullseyex2": INNER_BULL}


def parse(line: str, at_ns: int) -> Report | Reject:
    """Returns the dart of a line, or why the line is dropped."""
    if line == BUTTON:
        return Signal("button", at_ns, "next")
    if UNMAPPED.fullmatch(line):
        return "unmapped"
    if found := BED.fullmatch(line):
        bed = SEGMENTS.get(f"{PREFIX[found[2]]}{found[1]}")
    elif found := CAPITAL.fullmatch(line):
        bed = BEDS.get(f"{RINGS[found[2]]}{found[1]}")
    elif (bed := BULLS.get(line)) is None:
        return "garbage"
    return "range" if bed is None else NamedDart(bed, at_ns)


DRIVER: Final = Driver(
    name="suffix",
    summary="lines like 20x3 or 20X3, with 20i and 20o",
    decoder=lines("0123456789ioxXFBulsey_", parse),
    can=Can(ring=True, inner_outer=True, buttons=("next",)),
    timing=Timing(
        # A bounce comes up to 80 ms after the contact opened. The table of thrown darts in docs/boards.md chose them.
        rebound_ms=200.0,
        neighbour_ms=60.0,
        deaf_ms=19.2,
    ),
)
