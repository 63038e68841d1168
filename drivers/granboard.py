"""Dialect `granboard`: `3.4@` is the contact at column 3 and row 4, a triple 20.

Seen on: GranBoard 132, 3 and 3s by the sources; no physical board.
Wire: Bluetooth notifications of ASCII, each with its length before it. A report
  ends with `@`; several can be in one notification, and one in two. `BTN@` is
  the button, `OUT@` a dart beside the beds, which the 3s is said never to send.
  After the connection the board greets with `GB7;101` or the like, without an
  end: the first report can follow at once.
Timing: no repeat of a held contact is known. The same report comes again
  within 50 ms now and then: within 200 ms it is a doubt.
Integrity: Bluetooth's own; what is no report is dropped and counted.
Writing: 20 bytes set the ring, 16 bytes start an effect (`granboard_lights`).
  Frames of 12 bytes change settings that the board stores, and are never sent.
Source: github.com/Filan-glitch/FlutterGran docs/BOARD_PROTOCOL.md, whose
  authors checked the table with a 132; docs/boards.md has the others.
"""

import re
from dataclasses import replace
from typing import Final

from boards.board import Can
from drivers.driver import Contact, Driver, NamedDart, Reject, Report, Signal
from drivers.granboard_lights import lights
from drivers.lines import LineDecoder
from drivers.messages import bluetooth
from engine.segments import MISS

GREETING: Final = re.compile(r"GB\d;\d{3}")
PLACE: Final = re.compile(r"(\d{1,2})\.(\d)")
ROWS, COLS = 7, 12


class GranBoard(LineDecoder):
    """Decodes reports that end with `@`. The borders of notifications mean nothing here, and are left out."""

    ends = b"@"
    skipped = b""
    longest = 16

    def __init__(self) -> None:
        super().__init__("0123456789.;BGNOTU", parse)
        self._left = 0
        """How many bytes of the notification are still to come."""

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        text = bytearray()
        for byte in data:
            if self._left:
                text.append(byte)
                self._left -= 1
            else:
                self._left = byte
        return super().feed(bytes(text), at_ns)

    def reset(self) -> None:
        if GREETING.fullmatch(self._buffer.decode("ascii")):
            # It has no end of its own: nothing was cut off.
            self._buffer.clear()
        super().reset()
        self._left = 0


def parse(report: str, at_ns: int) -> Report | Reject:
    """Returns what a report says, with or without the greeting before it, or why it is dropped."""
    greeting = GREETING.match(report)
    text = report[greeting.end() :] if greeting else report
    if text == "BTN":
        return Signal("button", at_ns, "next")
    if text == "OUT":
        return NamedDart(MISS, at_ns)
    if (place := PLACE.fullmatch(text)) is None:
        return "garbage"
    col, row = int(place[1]), int(place[2])
    return Contact(row, col, True, at_ns) if row < ROWS and col < COLS else "range"


DRIVER: Final[Driver] = replace(
    bluetooth(
        "granboard",
        "Bluetooth: reports like 3.4@",
        GranBoard,
        Can(ring=True, inner_outer=True, miss=True, buttons=("next",)),
        (ROWS, COLS),
    ),
    says=lights,
)
