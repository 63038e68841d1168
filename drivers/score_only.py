"""Dialect `score-only`: `60` is a dart worth 60 points; the ring is lost.

Seen on: Arduino boards that add up for themselves.
Wire: 9600 8N1, `POINTS` CR LF; `255` a crossing without a bed; `0` a miss or
  nothing, by the sketch: it is not taken as a dart.
Timing: after each line 500 ms deaf, then what is still closed is sent again.
  Two beds of the same points look like one.
Integrity: none but the grammar: of `18` with its first byte lost, `8` is left.
Source: the grammar of firmware in public use, run in an emulator; no physical
  board.
"""

import re
from collections.abc import Mapping
from typing import Final

from boards.board import Can
from drivers.contract import Driver, Landed, Reject, Report, Timing
from drivers.lines import Lines
from engine.darts import Points
from engine.segments import PLAYABLE, Segment

LINE: Final = re.compile(r"\d{1,3}")


class ScoreOnly:
    """Lines of points."""

    def __init__(self) -> None:
        self._lines = Lines("0123456789")

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
        if LINE.fullmatch(line) is None:
            self._lines.rejected["garbage"] += 1
            return None
        points = int(line)
        beds = beds_worth(points)
        if not beds:
            self._lines.rejected["unmapped" if points in (0, 255) else "range"] += 1
            return None
        return Landed(Points(points, beds), at_ns)


def beds_worth(points: int) -> tuple[Segment, ...]:
    """The beds that give these points, triples first: where a player who scores most often aims."""
    return tuple(sorted((bed for bed in PLAYABLE if bed.points == points), key=lambda bed: -bed.multiplier))


DRIVER: Final = Driver(
    name="score-only",
    summary="lines of points like 60",
    decoder=ScoreOnly,
    can=Can(
        ring=False,
        inner_outer=False,
        position=False,
        release=False,
        stuck_code=False,
        miss=False,
        takeout=False,
        buttons=(),
    ),
    timing=Timing(
        repeat_ms=500.0,
        button_ms=0.0,
        miss_ms=0.0,
        takeout_ms=0.0,
        stuck_first_ms=0.0,
        stuck_ms=0.0,
        jitter_ms=40.0,
        rebound_ms=0.0,
        deaf_ms=500.0,
        boot_ms=2500.0,
        # Two beds of the same points are one to the host: that a line came twice says nothing of the others.
        hides="all",
    ),
    rows=0,
    cols=0,
    characters=False,
    baud=9600,
    hello=b"",
    says={},
)
