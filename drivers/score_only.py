"""Dialect `score-only`: `60` is a dart worth 60 points; the ring is lost.

Seen on: Arduino boards that count points themselves.
Wire: 9600 8N1, `POINTS` CR LF; `255` a crossing without a bed; `0` a miss or
  nothing, depending on the sketch: it is not taken as a dart.
Timing: after each line 500 ms deaf, then what is still closed is sent again.
  Two beds of the same points look like one.
Integrity: none but the grammar: of `18` with its first byte lost, `8` is left.
Source: the grammar of firmware in public use, run in an emulator; no physical
  board.
"""

import re
from typing import Final

from boards.board import Can
from drivers.driver import Driver, NamedDart, Reject, Report, Timing
from drivers.lines import lines
from engine.darts import Points
from engine.segments import PLAYABLE, Segment

LINE: Final = re.compile(r"\d{1,3}")


def parse(line: str, at_ns: int) -> Report | Reject:
    """Returns the points of a line, or why the line is dropped."""
    if LINE.fullmatch(line) is None:
        return "garbage"
    points = int(line)
    beds = beds_worth(points)
    if not beds:
        return "unmapped" if points in (0, 255) else "range"
    return NamedDart(Points(points, beds), at_ns)


def beds_worth(points: int) -> tuple[Segment, ...]:
    """Returns the beds that are worth these points, triples first: players aim at those most often."""
    return tuple(sorted((bed for bed in PLAYABLE if bed.points == points), key=lambda bed: -bed.multiplier))


DRIVER: Final = Driver(
    name="score-only",
    summary="lines of points like 60",
    decoder=lines("0123456789", parse),
    can=Can(ring=False),
    timing=Timing(
        repeat_ms=500.0,
        deaf_ms=500.0,
        boot_ms=2500.0,
        # Beds of the same points look alike to the host: a repeated line tells nothing about the others.
        hides="all",
    ),
)
