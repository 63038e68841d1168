"""Dialect `suffix`: `20x3` is a triple 20.

Seen on: boards with an ATmega32U4 (10 inputs, 9 outputs), over its own USB.
Wire: USB CDC (9600 is asked for and means nothing), lines with LF: `20x3`,
  `20x2`, `20i` and `20o` inner and outer single, `20` a single that is not
  told apart; `Bullseye` outer and `Bullseyex2` inner bull; `_NN` a crossing
  without a bed.
Timing: a line for every closing edge, then the whole board is deaf for
  19.2 ms (150 timer ticks of 128 us). No repeats.
Integrity: USB checks its own packets; beyond that none but the grammar.
Trap: the deaf time outlasts the ringing when a dart lands, not the ringing
  when its contact opens: a dart that presses longer than 19.2 ms can give a
  second line as it lets go.
Source: the firmware in public use (TimerOne, 128 us), read and run in an
  emulator; no physical board.
"""

import re
from collections.abc import Mapping
from typing import Final

from boards.board import Can
from drivers.contract import Driver, Landed, Reject, Report, Timing
from drivers.lines import Lines
from engine.segments import INNER_BULL, OUTER_BULL, SEGMENTS, Segment

BED: Final = re.compile(r"(\d{1,2})(i|o|x2|x3|)")
UNMAPPED: Final = re.compile(r"_\d{1,3}")
PREFIX: Final = {"i": "SI", "o": "SO", "": "S", "x2": "D", "x3": "T"}
BULLS: Final = {"Bullseye": OUTER_BULL, "Bullseyex2": INNER_BULL}


class Suffix:
    """Lines of a number and what follows it."""

    def __init__(self) -> None:
        self._lines = Lines("0123456789ioxBulsey_")

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
        bed = BULLS.get(line) or _segment(line)
        if bed is None:
            self._lines.rejected[_why(line)] += 1
            return None
        return Landed(bed, at_ns)


def _segment(line: str) -> Segment | None:
    found = BED.fullmatch(line)
    return None if found is None else SEGMENTS.get(f"{PREFIX[found[2]]}{found[1]}")


def _why(line: str) -> Reject:
    if UNMAPPED.fullmatch(line):
        return "unmapped"
    return "range" if BED.fullmatch(line) else "garbage"


DRIVER: Final = Driver(
    name="suffix",
    summary="lines like 20x3, with 20i and 20o",
    decoder=Suffix,
    can=Can(
        ring=True,
        inner_outer=True,
        position=False,
        release=False,
        stuck_code=False,
        miss=False,
        takeout=False,
        buttons=(),
    ),
    timing=Timing(
        repeat_ms=0.0,
        button_ms=0.0,
        miss_ms=0.0,
        takeout_ms=0.0,
        stuck_first_ms=0.0,
        stuck_ms=0.0,
        jitter_ms=40.0,
        # Contacts were seen to ring for 80 ms after they open; nobody throws two darts into one bed within 120.
        rebound_ms=120.0,
        deaf_ms=19.2,
        boot_ms=0.0,
        hides="nothing",
    ),
    rows=0,
    cols=0,
    characters=False,
    baud=9600,
    hello=b"",
    says={},
)
