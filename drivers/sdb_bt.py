"""Dialect `sdb-bt`: ten bytes with a sequence number and a sum; `0D 00 02` in them is a double 20.

Seen on: SDB-BT (SDBplay), by the source; no physical board.
Wire: Bluetooth notifications, each with its length before it. Four bytes of
  sequence, the lowest first; `05 00`; ring, ones and tens; the sum of these
  three. The row is the ring (0A inner single, 0B triple, 0C outer single, 0D
  double), the column ones and ten times the tens: 140 and 150 are the bulls.
  `00 00 FF` is the button, `00 00 CC` that it is held; `00 00 EE` follows when
  it is let go, and is a dart beside the beds at any other time.
Timing: the source's log has one dart in the bull twice, 125 ms apart and with
  two sequence numbers: within 200 ms the second is a doubt.
Integrity: the sum, and the length. A sequence number that has just been is the
  same report again, and is dropped and counted as `ghost`.
Writing: nothing is written. FFF2 and FFF5 are not understood, and FE59 starts
  an update of the board's firmware.
Source: github.com/gamma/smart-dartboard docs/TECHNICAL.md.
"""

from typing import Final

from boards.board import Can
from drivers.driver import Contact, NamedDart, Reject, Report, Signal
from drivers.messages import MessageDecoder, bluetooth
from engine.segments import MISS

LENGTH: Final = 10
KIND: Final = b"\x05\x00"
PRESSED, HELD, LET_GO = b"\x00\x00\xff", b"\x00\x00\xcc", b"\x00\x00\xee"
FIRST_RING, LAST_RING = 0x0A, 0x0D
LAST_TENS: Final = 15


class SdbBt(MessageDecoder):
    """Decodes messages of ten bytes."""

    def __init__(self) -> None:
        super().__init__()
        self._sequence: int | None = None
        """The number of the last report; `None` after a reconnect, when the board may count from another one."""
        self._pressed = False

    def reset(self) -> None:
        super().reset()
        self._sequence, self._pressed = None, False

    def message(self, message: bytes, at_ns: int) -> tuple[Report, ...] | Reject:
        if len(message) != LENGTH or message[4:6] != KIND:
            return "garbage"
        code = message[6:9]
        if sum(code) & 0xFF != message[9]:
            return "checksum"
        sequence = int.from_bytes(message[:4], "little")
        if sequence == self._sequence:
            return "ghost"
        self._sequence = sequence
        return self._code(code, at_ns)

    def _code(self, code: bytes, at_ns: int) -> tuple[Report, ...] | Reject:
        if code in (PRESSED, HELD):
            self._pressed = True
            return (Signal("button", at_ns, "next"),) if code == PRESSED else ()
        if code == LET_GO:
            # A dart can land while the button is held: only this ends the press.
            was_pressed, self._pressed = self._pressed, False
            return () if was_pressed else (NamedDart(MISS, at_ns),)
        ring, ones, tens = code
        if not (FIRST_RING <= ring <= LAST_RING and ones < 10 and tens <= LAST_TENS):
            return "range"
        return (Contact(ring, ones + 10 * tens, True, at_ns),)


DRIVER: Final = bluetooth(
    "sdb-bt",
    "Bluetooth: ten bytes with a sequence number and a sum",
    SdbBt,
    Can(ring=True, inner_outer=True, miss=True, buttons=("next",)),
    (LAST_RING + 1, 10 * LAST_TENS + 10),
)
