"""Dialect `packed-nibble`: one raw byte, the drive line in the upper half, the sense line in the lower.

Seen on: `pidart` and `raspuino` boards (Arduino Mega, 7 drive, 12 sense lines).
Wire: 115200 8N1, raw: 0x09 is drive line 0, sense line 9. Every byte can be a
  hit, 0x00, 0x03, 0x04, 0x0A, 0x11, 0x13 and 0x1A among them: a tty that is
  not raw eats those.
  `pidart` also has 0x80 to 0x86 for buttons, and 0x70, its stuck code.
Timing: `raspuino` waits 750 ms, deaf, and sends again what is still closed.
  `pidart` sends a contact once, 0x70 250 ms later if it is still closed, then
  every 400 ms; it sees nothing else until it opens, and 250 ms longer.
  Buttons of `pidart` are sent again every 250 ms.
Integrity: none at all: every byte of the map is a dart.
Source: github.com/danielfett/pidart, github.com/SaMeHub/RaspuinoDart, and both
  firmwares run in an emulator; no physical board.
"""

from typing import Final

from boards.board import Can
from drivers.driver import Contact, Driver, Timing
from drivers.single_bytes import ByteDecoder

DRIVER: Final = Driver(
    name="packed-nibble",
    summary="one raw byte: drive line and sense line",
    decoder=lambda: ByteDecoder(lambda byte, at_ns: Contact(byte >> 4, byte & 0x0F, True, at_ns)),
    can=Can(ring=True, inner_outer=True),
    timing=Timing(
        # Those of `raspuino`, the simpler of the two; the board file of `pidart` has its own.
        repeat_ms=750.5,
        deaf_ms=750.0,
        boot_ms=2500.0,
    ),
    rows=16,
    cols=16,
    baud=115200,
)
