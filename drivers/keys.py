"""Key presses of Linux's input devices to characters: `struct input_event` to UTF-8, by the US layout.

A board that is a keyboard sends positions of keys, and what they type is the
host's affair; the US layout is what keypad firmware is written for. So a
board's table means the same whatever layout the host has.

Wire: two native longs (when it was), type and code of 16 bits, a value of 32:
  1 pressed, 0 released, 2 repeated by the kernel, which is no press of the
  board's and is left out.
Source: linux/input.h, linux/input-event-codes.h.
"""

import struct
from typing import Final

EVENT: Final = struct.Struct("@LLHHi")
"""24 bytes on a 64-bit kernel, 16 on a 32-bit one."""

SYN, KEY, DROPPED, REPORT = 0, 1, 3, 0
PRESSED: Final = 1
SHIFTS: Final = frozenset({42, 54})


def _row(first: int, plain: str, shifted: str) -> dict[int, tuple[str, str]]:
    return {first + n: pair for n, pair in enumerate(zip(plain, shifted, strict=True))}


TYPED: Final = {
    **_row(2, "1234567890-=", "!@#$%^&*()_+"),
    **_row(16, "qwertyuiop[]", "QWERTYUIOP{}"),
    **_row(30, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
    **_row(43, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
    **_row(71, "789-456+1230.", "789-456+1230."),
    55: ("*", "*"),
    57: (" ", " "),
    86: ("<", ">"),
    98: ("/", "/"),
    # Keys that type nothing, as one character each, so that a table can name them. Enter is left out: boards send it
    # after every dart.
    **_row(59, "①②③④⑤⑥⑦⑧⑨⑩", "①②③④⑤⑥⑦⑧⑨⑩"),
    **_row(87, "⑪⑫", "⑪⑫"),
    **{code: (arrow, arrow) for code, arrow in ((103, "↑"), (105, "←"), (106, "→"), (108, "↓"))},
}
"""What each key types, plain and with Shift, by its code."""


class Keys:
    """Bytes of an input device to what they type. Total; keeps less than one event."""

    __slots__ = ("_lost", "_part", "_shifts")

    def __init__(self) -> None:
        self._part = b""
        self._shifts: frozenset[int] = frozenset()
        self._lost = False

    def feed(self, data: bytes) -> str:
        """The characters that these bytes type."""
        data = self._part + data
        whole = len(data) - len(data) % EVENT.size
        self._part = data[whole:]
        return "".join(self._event(*event[2:]) for event in EVENT.iter_unpack(data[:whole]))

    @property
    def pending(self) -> int:
        return len(self._part)

    def _event(self, kind: int, code: int, value: int) -> str:
        if kind == SYN and code == DROPPED:
            # The kernel's buffer ran over: what follows up to the next report is a part of something.
            self._lost, self._shifts = True, frozenset()
        elif kind == SYN and code == REPORT:
            self._lost = False
        elif kind == KEY and not self._lost:
            if code in SHIFTS:
                self._shifts = self._shifts | {code} if value else self._shifts - {code}
            elif value == PRESSED and code in TYPED:
                return TYPED[code][bool(self._shifts)]
        return ""
