"""Dialect `single-char`: one character for each contact, without a line end.

Seen on: Arduino keypad sketches for pyDarts and its relatives.
Wire: 9600 8N1, one byte a dart, Latin-1; the map is the board's own, and
  `% § " * ? & @` occur in it.
Timing: nothing until the contact opens, then one character. A contact that
  bounces 80 ms after that gives a second one.
Integrity: none at all: every byte of the map is a dart. CR and LF are skipped.
Table: every board has its own; it is learned.
Source: the grammar of firmware in public use, run in an emulator; no physical
  board.
"""

from typing import Final

from boards.board import Can
from drivers.driver import Contact, Driver, Timing
from drivers.single_bytes import ByteDecoder

DRIVER: Final = Driver(
    name="single-char",
    summary="one character a dart, when its contact opens",
    decoder=lambda: ByteDecoder(lambda byte, at_ns: Contact(byte, 0, True, at_ns), skip=b"\r\n"),
    can=Can(ring=True, inner_outer=True),
    timing=Timing(
        # A bounce comes up to 80 ms after the release; with the host's jitter twice, 120 is the least that is safe. The
        # table of thrown darts in docs/boards.md chose the times.
        rebound_ms=200.0,
        neighbour_ms=60.0,
        boot_ms=2500.0,
    ),
    rows=256,
    cols=1,
    characters=True,
)
