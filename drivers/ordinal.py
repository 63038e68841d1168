"""Dialect `ordinal`: one raw byte, 1 to 64, the number of a contact.

Seen on: Pikado interfaces on Löwen matrices (ATmega128; 4 drive lines, 16 bits).
Wire: 19200 8N1, raw: 1 + 16 x drive line + bit. 0xFE and 0xFF are buttons.
  It takes 0x00 (answers 0xFF: alive), 0x04 to 0x08 (number of lines, answers
  0x00), 0x10 (answers the number), 0x11 (answers a NUL-terminated version).
  The answers cannot be told from hits in the same stream, so nothing is ever
  asked.
Timing: 25 scans of 0.2 ms, then the contact that was closed most often is sent,
  then 200 ms deaf: what is still closed is sent again after about 206 ms. If
  several are closed only one is sent. Buttons are debounced. What opens and
  closes again within 300 ms is a doubt: a dart that swings.
Integrity: none at all: every byte from 1 to 64 is a dart.
Source: the Pikado project (developer.berlios.de/projects/pikado), its firmware
  read and run in an emulator; no physical board.
"""

from typing import Final

from boards.board import Can
from drivers.driver import Contact, Driver, Reject, Report, Signal, Timing
from drivers.single_bytes import ByteDecoder

ROWS: Final = 4
COLS: Final = 16
BUTTONS: Final = {0xFE: "next", 0xFF: "undo"}
"""The firmware gives them no meaning; these two actions are the ones that players need most."""


def parse(byte: int, at_ns: int) -> Report | Reject:
    """Returns the contact or the button of a byte."""
    if 1 <= byte <= ROWS * COLS:
        return Contact((byte - 1) // COLS, (byte - 1) % COLS, True, at_ns)
    if byte in BUTTONS:
        return Signal("button", at_ns, BUTTONS[byte])
    return "range"


DRIVER: Final = Driver(
    name="ordinal",
    summary="one raw byte: the number of a contact",
    decoder=lambda: ByteDecoder(parse),
    can=Can(ring=True, buttons=("next", "undo")),
    timing=Timing(repeat_ms=206.0, deaf_ms=200.0, rebound_ms=300.0, hides="all"),
    rows=ROWS,
    cols=COLS,
    baud=19200,
)
