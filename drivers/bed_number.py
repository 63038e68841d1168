"""Dialects `dartslive-home` and `smartness`: one number for each bed, counted through the rings.

Seen on: DARTSLIVE Home; Smartness Turbo Charger 4.0 and Sunflex Smart Tec
  (`Smartness1`), by the sources; no physical board.
Wire: Bluetooth notifications, each with its length before it. The row is the
  ring, the column the number of the bed: number 1 of row 0 is sent as 1, of
  row 1 as 21, and so on; the bulls, buttons and other codes continue after 80.
  `dartslive-home`: five bytes, the number is the third; 0 is a dart beside the
  beds. The first byte is A1 in one project and A2 in another.
  `smartness`: the number alone.
Timing: not known. The same bed within 200 ms, and one next to it within 100 ms,
  is a doubt.
Integrity: Bluetooth's own, and the length.
Trap: the twentieth number of a ring belongs to it, not to the next one.
Source: github.com/kato83/dartslive-home-ble, github.com/GittiMcHub/online-dart.
"""

from collections.abc import Callable
from typing import Final

from boards.board import Can
from drivers.driver import Contact, Driver, NamedDart, Reject, Report
from drivers.messages import MessageDecoder, bluetooth
from engine.segments import MISS

ROWS, COLS = 6, 21
LAST: Final = (ROWS - 1) * (COLS - 1) + COLS - 1
"""The highest number."""


class BedNumbers(MessageDecoder):
    """Decodes messages from which `number` takes the bed's number, None if a message has another shape."""

    def __init__(self, number: Callable[[bytes], int | None], *, zero_misses: bool) -> None:
        super().__init__()
        self._number, self._zero_misses = number, zero_misses

    def message(self, message: bytes, at_ns: int) -> tuple[Report, ...] | Reject:
        number = self._number(message)
        if number is None:
            return "garbage"
        if number == 0 and self._zero_misses:
            return (NamedDart(MISS, at_ns),)
        if not 0 < number <= LAST:
            return "range"
        row, col = divmod(number - 1, COLS - 1)
        return (Contact(row, col + 1, True, at_ns),)


def third(message: bytes) -> int | None:
    """Returns the third of five bytes."""
    return message[2] if len(message) == 5 else None


def only(message: bytes) -> int | None:
    """Returns the one byte of a message."""
    return message[0] if len(message) == 1 else None


def _driver(name: str, summary: str, number: Callable[[bytes], int | None], *, miss: bool) -> Driver:
    can = Can(ring=True, inner_outer=True, miss=miss)
    return bluetooth(name, summary, lambda: BedNumbers(number, zero_misses=miss), can, (ROWS, COLS))


DARTSLIVE_HOME: Final = _driver("dartslive-home", "Bluetooth: a bed's number in five bytes", third, miss=True)
SMARTNESS: Final = _driver("smartness", "Bluetooth: a bed's number in one byte", only, miss=False)
