"""Key presses of Linux input devices to characters: `struct input_event` to text, by the US layout.

A board that is a keyboard sends positions of keys, and the host's layout says
what they type. Keypad firmware is written for the US layout, so that layout is
used whatever the host has.

Wire: two native longs (the time), type and code of 16 bits, a value of 32:
  1 pressed, 0 released, 2 repeated by the kernel, which is left out.
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
    # Keys that type nothing have one character each, so that a table can name them. Enter is left out: boards send it
    # after every dart.
    **_row(59, "①②③④⑤⑥⑦⑧⑨⑩", "①②③④⑤⑥⑦⑧⑨⑩"),
    **_row(87, "⑪⑫", "⑪⑫"),
    **{code: (arrow, arrow) for code, arrow in ((103, "↑"), (105, "←"), (106, "→"), (108, "↓"))},
}
"""What each key types, without and with Shift, by its code."""


class Keys:
    """Decodes bytes of an input device to characters. Takes any bytes; keeps less than one event."""

    __slots__ = ("_lost", "_part", "_shifts")

    def __init__(self) -> None:
        self._part = b""
        self._shifts: frozenset[int] = frozenset()
        self._lost = False

    def feed(self, data: bytes) -> str:
        """Returns the characters that these bytes type."""
        data = self._part + data
        whole = len(data) - len(data) % EVENT.size
        self._part = data[whole:]
        return "".join(self._event(*event[2:]) for event in EVENT.iter_unpack(data[:whole]))

    @property
    def pending(self) -> int:
        return len(self._part)

    def _event(self, kind: int, code: int, value: int) -> str:
        if kind == SYN and code == DROPPED:
            # The kernel's buffer overflowed: events up to the next report are incomplete.
            self._lost, self._shifts = True, frozenset()
        elif kind == SYN and code == REPORT:
            self._lost = False
        elif kind == KEY and not self._lost:
            if code in SHIFTS:
                self._shifts = self._shifts | {code} if value else self._shifts - {code}
            elif value == PRESSED and code in TYPED:
                return TYPED[code][bool(self._shifts)]
        return ""
