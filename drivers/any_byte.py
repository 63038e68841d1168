"""Dialect `any-byte`: any single bytes; the board file has a table with each byte as the character of its number.

Seen on: boards that `oche learn` was shown.
Wire: 9600 8N1 unless the board file says otherwise. Every byte can be a hit,
  0x0A and 0x0D too: that is the difference to `single-char`.
Timing: `repeat_ms` of the board file, if it was measured. Without it the same
  byte within 120 ms is a contact that bounces.
Integrity: none: bytes that are not in the table are dropped and counted.
Table: every board has its own; it is learned.
Source: the grammar is what all boards of bytes have in common.
"""

from typing import Final

from boards.board import Can
from drivers.driver import Contact, Driver, Timing
from drivers.single_bytes import ByteDecoder

DRIVER: Final = Driver(
    name="any-byte",
    summary="any bytes, by a table that was learnt",
    decoder=lambda: ByteDecoder(lambda byte, at_ns: Contact(byte, 0, True, at_ns)),
    can=Can(ring=True, inner_outer=True),
    timing=Timing(rebound_ms=120.0, boot_ms=2500.0, hides="nothing"),
    rows=256,
    cols=1,
    characters=True,
)
