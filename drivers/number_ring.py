"""Dialect `number-ring`: `20:T` is a triple 20.

Seen on: Arduino boards, several sketches of the same grammar.
Wire: 9600 8N1, `NUMBER:RING` CR LF with rings S, D, T; bulls `25:S` and
  `25:D`; `0:S` a crossing without a bed.
Timing: after each line the sketch waits, about 500 ms, and sends again what is
  still closed. Opening the port resets it: up to 2.5 s deaf.
Integrity: none but the grammar: of `15:T` with its first byte lost, `5:T` is
  left.
Source: the grammar of firmware in public use, run in an emulator; no physical
  board.
"""

import re
from collections.abc import Mapping
from typing import Final

from boards.board import Can
from drivers.contract import Driver, Landed, Reject, Report, Timing
from drivers.lines import Lines
from engine.segments import INNER_BULL, OUTER_BULL, SEGMENTS, Segment

LINE: Final = re.compile(r"(\d{1,2}):([SDT])")


class NumberRing:
    """Lines of a number and a letter."""

    def __init__(self) -> None:
        self._lines = Lines("0123456789:SDT")

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
        found = LINE.fullmatch(line)
        if found is None:
            self._lines.rejected["garbage"] += 1
            return None
        number, ring = int(found[1]), found[2]
        bed = _segment(number, ring)
        if bed is None:
            self._lines.rejected["unmapped" if number == 0 else "range"] += 1
            return None
        return Landed(bed, at_ns)


def _segment(number: int, ring: str) -> Segment | None:
    if number == 25:
        return {"S": OUTER_BULL, "D": INNER_BULL}.get(ring)
    return SEGMENTS.get(f"{ring}{number}")


DRIVER: Final = Driver(
    name="number-ring",
    summary="lines like 20:T",
    decoder=NumberRing,
    can=Can(
        ring=True,
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
        # The pause is 500 ms or so, by the sketch: a little more room than where it is known.
        jitter_ms=60.0,
        rebound_ms=0.0,
        deaf_ms=500.0,
        boot_ms=2500.0,
        hides="nothing",
    ),
    rows=0,
    cols=0,
    characters=False,
    baud=9600,
    hello=b"",
    says={},
)
