"""Dialect `unicorn`: the bytes 20 and 3 are a triple 20.

Seen on: Unicorn Smartboard, by the sources; no physical board.
Wire: Bluetooth notifications, each with its length before it. The first byte
  is the number, 25 for the bull; the second the ring: 0 inner single, 1 outer
  single, 2 double, 3 triple. `55 AA` is the button. The row is the ring, the
  column the number. The board reports darts only if 03 was written to it
  before its notifications were subscribed: `wake` in the board file.
Timing: one source saw a bed reported again a few hundred ms later for the same
  dart: within a second it is a doubt.
Integrity: Bluetooth's own, and the length.
Trap: the board does not know how it hangs. Its 15 is whatever number is next to
  its button, and the others follow: `at_button` in the board file.
Trap: with low batteries the button still reports, and darts do not.
Source: github.com/kcapp/smartboard smartboard.js,
  github.com/daneholmberg/CustomUnicornSmartboardApp.
"""

from dataclasses import replace
from typing import Final

from boards.board import Can
from drivers.driver import Contact, Driver, Reject, Report, Signal
from drivers.messages import MessageDecoder, bluetooth

BUTTON: Final = b"\x55\xaa"
ROWS, COLS = 4, 26


class Unicorn(MessageDecoder):
    """Decodes messages of two bytes."""

    def message(self, message: bytes, at_ns: int) -> tuple[Report, ...] | Reject:
        if message == BUTTON:
            return (Signal("button", at_ns, "next"),)
        if len(message) != 2:
            return "garbage"
        number, ring = message
        return (Contact(ring, number, True, at_ns),) if number < COLS and ring < ROWS else "range"


CAN: Final = Can(ring=True, inner_outer=True, battery=True, buttons=("next",))
DRIVER: Final[Driver] = replace(
    bluetooth("unicorn", "Bluetooth: two bytes, number and ring", Unicorn, CAN, (ROWS, COLS), rebound_ms=1000.0),
    turns=True,
)
