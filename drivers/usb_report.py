"""Dialects `usb-bits` and `usb-codes`: the interrupt reports of a board that is a USB device and no serial port.

Seen on: boards on keyboard encoders, joystick encoders and ATmega32U4 sketches
with an HID descriptor of their own.
Wire: the link gives each report as its length in one byte and its bytes; which
  part of the device's own report that is, the board file's `[report]` says.
  A length of zero says that the next one is the picture at the opening.
  `usb-bits`: each bit is a contact, set while it is closed; row 0, the column
  is the number of the bit from the lowest of the first byte.
  `usb-codes`: each byte that is not zero is the code of a contact that is
  closed, as in a keyboard's boot report; the code is the row, column 0.
Timing: a report tells the whole picture, so both edges are known. What the
  firmware debounces is its own affair; 20 ms cover what it does not.
Integrity: USB checks its own packets.
Table: every board has its own; it is learnt.
Source: USB HID specification 1.11, appendix B; no physical board.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from boards.board import Can, Cell
from drivers.driver import Contact, Driver, Reject, Report, Timing

LONGEST: Final = 64
"""Bytes of the longest report that is looked at: what a full-speed device can send at once."""


def bits(report: bytes) -> frozenset[Cell]:
    """The contacts whose bits are set."""
    return frozenset((0, n * 8 + bit) for n, byte in enumerate(report) for bit in range(8) if byte >> bit & 1)


def codes(report: bytes) -> frozenset[Cell]:
    """The contacts whose codes are in the report. A keyboard's 1 means that too many are closed to tell."""
    return frozenset((code, 0) for code in report if code > 1)


class UsbReports:
    """Framed reports to edges. A report that tells nothing new is no event."""

    def __init__(self, closed: Callable[[bytes], frozenset[Cell]]) -> None:
        self._picture = closed
        self._closed: frozenset[Cell] = frozenset()
        self._begun = bytearray()
        self._held = False
        self._rejects: Counter[Reject] = Counter()

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        reports: list[Report] = []
        for byte in data:
            self._begun.append(byte)
            if not self._begun[0]:
                self._held = True
                self._begun.clear()
            elif len(self._begun) > self._begun[0]:
                reports += self._edges(bytes(self._begun[1:]), at_ns)
                self._begun.clear()
        return tuple(reports)

    def reset(self) -> None:
        """The device went away. What it held is remembered: a dart that still holds when it is back is no new one."""
        if self._begun:
            self._rejects["partial"] += 1
        self._begun.clear()
        self._held = False

    @property
    def rejects(self) -> Mapping[Reject, int]:
        return self._rejects

    @property
    def pending(self) -> int:
        return len(self._begun)

    def _edges(self, report: bytes, at_ns: int) -> list[Report]:
        if len(report) > LONGEST:
            self._rejects["overflow"] += 1
            return []
        before, self._closed = self._closed, self._picture(report)
        held, self._held = self._held, False
        gone = [Contact(row, col, False, at_ns) for row, col in sorted(before - self._closed)]
        return [*gone, *(Contact(row, col, True, at_ns, held) for row, col in sorted(self._closed - before))]


def _driver(name: str, summary: str, closed: Callable[[bytes], frozenset[Cell]], rows: int, cols: int) -> Driver:
    return Driver(
        name=name,
        summary=summary,
        decoder=lambda: UsbReports(closed),
        can=Can(ring=True, inner_outer=True, release=True),
        timing=Timing(jitter_ms=10.0, rebound_ms=20.0),
        rows=rows,
        cols=cols,
        baud=0,
    )


BITS: Final = _driver("usb-bits", "USB reports in which each bit is a contact", bits, 1, LONGEST * 8)
CODES: Final = _driver("usb-codes", "USB reports that list the codes of closed contacts", codes, 256, 1)
