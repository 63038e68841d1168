"""Dialect `keyboard`: the characters of `single-char`, typed by a board that is a USB keyboard.

Seen on: boards built from keyboard encoders and ATmega32U4 keypad sketches.
Wire: USB HID. The link turns key presses into characters, UTF-8, one for each
  press; what the kernel repeats by itself it leaves out.
Timing: a key is sent again every 500 scans while its contact is closed, which
  is about 500 ms; a board file sets `repeat_ms` where it was measured.
Integrity: USB checks its own packets. Control characters are dropped.
Table: every board has its own; it is learnt.
Source: the grammar of firmware in public use; no physical board.
"""

import codecs
from collections import Counter
from collections.abc import Mapping
from typing import Final

from boards.board import Can
from drivers.driver import Contact, Driver, Reject, Report, Timing

REPLACED: Final = "\ufffd"
"""What the codec gives for bytes that are no UTF-8."""


class Keyboard:
    """Characters. The code point is the row; which bed it is the board's table says."""

    def __init__(self) -> None:
        self._codec = codecs.getincrementaldecoder("utf-8")("replace")
        self._rejects: Counter[Reject] = Counter()

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        reports = []
        for character in self._codec.decode(data):
            if character == REPLACED or not character.isprintable():
                self._rejects["garbage"] += 1
            else:
                reports.append(Contact(ord(character), 0, True, at_ns))
        return tuple(reports)

    def reset(self) -> None:
        if self.pending:
            self._rejects["partial"] += 1
        self._codec.reset()

    @property
    def rejects(self) -> Mapping[Reject, int]:
        return self._rejects

    @property
    def pending(self) -> int:
        return len(self._codec.getstate()[0])


DRIVER: Final = Driver(
    name="keyboard",
    summary="a USB keyboard that types one character a dart",
    decoder=Keyboard,
    can=Can(ring=True, inner_outer=True),
    timing=Timing(repeat_ms=500.0, button_ms=500.0, miss_ms=500.0, deaf_ms=500.0),
    rows=0x110000,
    cols=1,
    characters=True,
    baud=0,
)
