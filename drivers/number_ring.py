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
from typing import Final

from boards.board import Can
from drivers.driver import Driver, NamedDart, Reject, Report, Timing
from drivers.lines import BEDS, lines

LINE: Final = re.compile(r"(\d{1,2}):([SDT])")


def parse(line: str, at_ns: int) -> Report | Reject:
    """Returns the dart of a line, or why the line is dropped."""
    found = LINE.fullmatch(line)
    if found is None:
        return "garbage"
    number, ring = int(found[1]), found[2]
    bed = BEDS.get(f"{ring}{number}")
    if bed is None:
        return "unmapped" if number == 0 else "range"
    return NamedDart(bed, at_ns)


DRIVER: Final = Driver(
    name="number-ring",
    summary="lines like 20:T",
    decoder=lines("0123456789:SDT", parse),
    can=Can(ring=True),
    timing=Timing(
        repeat_ms=500.0,
        # The pause is about 500 ms and depends on the sketch: more jitter than with a known pause.
        jitter_ms=60.0,
        deaf_ms=500.0,
        boot_ms=2500.0,
    ),
)
