"""The AVR parts of the boards under test: their pins, and their firmware."""

import subprocess
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.firmware.any_board import Part
from tests.firmware.simavr import library

FIRMWARE: Final = Path(__file__).parents[2] / "firmware"


def pins(text: str) -> tuple[tuple[str, int], ...]:
    """Pins as their ports and bits: `D2 B0`."""
    return tuple((pin[0], int(pin[1:])) for pin in text.split())


UNO = Part("atmega328p", "0", pins("D2 D3 D4 D5 D6 D7 B0 B1"), pins("B2 B3 B4 B5 C0 C1 C2 C3 C4 C5"), ())
MEGA = Part(
    "atmega2560",
    "0",
    pins("A0 A1 A2 A3 A4 A5 A6 A7"),
    pins("C0 C1 C2 C3 C4 C5 C6 C7 L0 L1 L2 L3 L4 L5 L6 L7"),
    pins("K0 K1 K2 K3 K4 K5 K6 K7"),
)
LEONARDO = Part(
    "atmega32u4", "1", pins("D0 D1 D4 D6 D7 C6 E6 C7"), pins("B4 B5 B6 B7 F0 F1 F4 F5 F6 F7"), pins("B1 B2 B3")
)
PARTS = {part.name: part for part in (UNO, MEGA, LEONARDO)}


@cache
def image(part: str, folder: Path, baud: int = 1_000_000, settle_us: int = 10) -> Path:
    """Builds it, without warnings, or fails."""
    out = folder / f"firmware-{baud}-{settle_us}"
    done = subprocess.run(
        ["make", "-C", str(FIRMWARE), f"OUT={out}", f"BAUD={baud}", f"SETTLE={settle_us}", str(out / f"{part}.hex")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "warning" not in done.stderr, done.stdout + done.stderr
    return out / f"{part}.hex"


needs_emulator = pytest.mark.skipif(library() is None, reason="the emulator is missing: scripts/setup test installs it")
