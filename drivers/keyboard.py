"""Dialect `keyboard`: the characters of `single-char`, typed by a board that is a USB keyboard.

Seen on: boards built from keyboard encoders and ATmega32U4 keypad sketches.
Wire: USB HID. The link turns each key press into one character, UTF-8, and leaves
  out the kernel's own repeats.
Timing: a key is sent again every 500 scans while its contact is closed, which
  is about 500 ms; a board file sets `repeat_ms` where it was measured.
Integrity: USB checks its own packets. Control characters are dropped.
Table: every board has its own; it is learned.
Source: the grammar of firmware in public use; no physical board.
"""

import codecs
from collections import Counter
from typing import Final

from boards.board import Can
from drivers.driver import Contact, Driver, Reject, Report, Timing

REPLACED: Final = "\ufffd"
"""What the codec returns for bytes that are not UTF-8."""


class Keyboard:
    """Decodes characters to contacts. The code point is the row; the board's table has its bed."""

    def __init__(self) -> None:
        self._codec = codecs.getincrementaldecoder("utf-8")("replace")
        self.rejects: Counter[Reject] = Counter()

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        typed = self._codec.decode(data)
        known = [character for character in typed if character != REPLACED and character.isprintable()]
        if len(known) < len(typed):
            self.rejects["garbage"] += len(typed) - len(known)
        return tuple(Contact(ord(character), 0, True, at_ns) for character in known)

    def reset(self) -> None:
        if self.pending:
            self.rejects["partial"] += 1
        self._codec.reset()

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
