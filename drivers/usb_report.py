"""Dialects `usb-bits` and `usb-codes`: the interrupt reports of a USB device without a serial port.

Seen on: boards on keyboard encoders, joystick encoders and ATmega32U4 sketches
  with an HID descriptor of their own.
Wire: the link passes each report as its length in one byte, then its bytes. The
  board file's `[report]` says which part of the device's own report that is. A
  length of zero says that the next report is the state when the device was
  opened.
  `usb-bits`: each bit is a contact, set while it is closed; row 0, the column
  is the number of the bit from the lowest of the first byte.
  `usb-codes`: each byte other than zero is the code of a closed contact, as in
  a keyboard's boot report; the code is the row, column 0.
Timing: a report holds the state of all contacts, so both edges are known. The
  firmware debounces by itself. A bed that opens for less than 150 ms, and one
  that closes within 60 ms of its neighbour, is a doubt: a dart that swings.
Integrity: USB checks its own packets.
Table: every board has its own; it is learned.
Source: USB HID specification 1.11, appendix B; no physical board.
"""

from collections.abc import Callable
from typing import Final

from boards.board import Can, Cell
from drivers.driver import Contact, Driver, Reject, Report, Timing
from drivers.messages import MessageDecoder

LONGEST: Final = 64
"""Bytes of the longest report that is decoded: what a full-speed device can send at once. Longer ones are dropped."""


def bits(report: bytes) -> frozenset[Cell]:
    """Returns the contacts whose bits are set."""
    return frozenset((0, n * 8 + bit) for n, byte in enumerate(report) for bit in range(8) if byte >> bit & 1)


def codes(report: bytes) -> frozenset[Cell]:
    """Returns the contacts whose codes are in the report. A keyboard's 1 means that too many are closed to tell."""
    return frozenset((code, 0) for code in report if code > 1)


class UsbReports(MessageDecoder):
    """Decodes reports to edges. A report without a change gives none."""

    def __init__(self, closed_in: Callable[[bytes], frozenset[Cell]]) -> None:
        super().__init__()
        self._closed_in = closed_in
        self._closed: frozenset[Cell] = frozenset()
        """What was closed in the last report. `reset` keeps it: a contact that is closed before and after the device
        was away is the same dart."""
        self._held = False

    def reset(self) -> None:
        super().reset()
        self._held = False

    def empty(self) -> None:
        """Notes that the next report is the state when the device was opened."""
        self._held = True

    def message(self, message: bytes, at_ns: int) -> list[Report] | Reject:
        if len(message) > LONGEST:
            return "overflow"
        before, self._closed = self._closed, self._closed_in(message)
        held, self._held = self._held, False
        opened = [Contact(row, col, False, at_ns) for row, col in sorted(before - self._closed)]
        return [*opened, *(Contact(row, col, True, at_ns, held) for row, col in sorted(self._closed - before))]


def _driver(name: str, summary: str, closed: Callable[[bytes], frozenset[Cell]], rows: int, cols: int) -> Driver:
    return Driver(
        name=name,
        summary=summary,
        decoder=lambda: UsbReports(closed),
        can=Can(ring=True, inner_outer=True, release=True),
        timing=Timing(jitter_ms=10.0, rebound_ms=150.0, neighbour_ms=60.0),
        rows=rows,
        cols=cols,
        baud=0,
    )


BITS: Final = _driver("usb-bits", "USB reports in which each bit is a contact", bits, 1, LONGEST * 8)
CODES: Final = _driver("usb-codes", "USB reports that list the codes of closed contacts", codes, 256, 1)
