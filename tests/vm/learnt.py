"""Boards without a serial port, as their owner has learnt them: the board files, and what a bed of each sends.

The 62 beds in their order are bits of a report, codes in it, or keys.
"""

import string
from pathlib import Path
from typing import Final

from engine.segments import PLAYABLE

ORDER: Final = {bed.text: n for n, bed in enumerate(PLAYABLE)}
TYPED: Final = string.ascii_lowercase + string.ascii_uppercase + "1234567890"
KEY_A, KEY_1, LEFT_SHIFT = 0x04, 0x1E, 0x02
"""Codes of keys and the bit of a modifier; HID usage tables 1.12, section 10, and HID 1.11, 8.3."""
FIRST_CODE: Final = 4
"""Lower ones are no keys, but a keyboard's complaints."""


def bits(bed: str) -> bytes:
    return (1 << ORDER[bed]).to_bytes(8, "little")


def codes(bed: str) -> bytes:
    """As a keyboard's boot report: its first two bytes are something else."""
    return bytes([0, 0, FIRST_CODE + ORDER[bed]])


def key(bed: str) -> bytes:
    character = TYPED[ORDER[bed]]
    if character.isdecimal():
        return bytes([0, 0, KEY_1 + string.digits.index(character) - 1 + 10 * (character == "0")])
    return bytes([LEFT_SHIFT * character.isupper(), 0, KEY_A + string.ascii_lowercase.index(character.lower())])


def board_files(folder: Path) -> list[Path]:
    tables = {
        "bits": ("usb-bits", "contacts", [f"0,{n}" for n in range(len(PLAYABLE))]),
        "codes": ("usb-codes", "contacts", [f"{FIRST_CODE + n},0" for n in range(len(PLAYABLE))]),
        "keys": ("keyboard", "keys", list(TYPED)),
    }
    made = []
    for name, (dialect, table, contacts) in tables.items():
        lines = [f'name = "{name}"', f'title = "Learnt"\ndialect = "{dialect}"\nsource = "a test"', f"[{table}]"]
        lines += [f'"{contact}" = "{bed.text}"' for contact, bed in zip(contacts, PLAYABLE, strict=True)]
        if name == "codes":
            lines += ["[report]", "first = 2"]
        made.append(folder / f"{name}.toml")
        made[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return made
