"""The tables of the Bluetooth boards, cell by cell, against their sources as the sources have them.

The board files have grids of rows and columns. Here each table is in the source's own order: a line a number, a list of
codes, or a rule.
"""

import pytest

from boards.board import Cell, Meaning, Press
from boards.turned import at_button, turned
from drivers.events import Button, DartLanded
from engine.segments import SEGMENTS
from tests.drivers.bluetooth_boards import notified, sdb_packet
from tests.drivers.boards import RIGS, model

GRANBOARD = """
20 3.6 3.5 3.4 3.3    1 2.6 2.5 2.4 2.3    18 1.6 1.5 1.4 1.2    4 0.6 0.5 0.3 0.1
13 4.5 0.4 0.2 0.0    6 4.4 1.3 1.1 1.0    10 4.3 2.2 2.1 2.0   15 4.2 3.2 3.1 3.0
 2 8.2 9.2 9.0 9.1   17 8.3 10.2 10.0 10.1  3 8.4 7.2 7.0 7.1   19 8.5 6.3 6.0 6.1
 7 8.6 11.4 11.2 11.1 16 11.6 11.5 11.3 11.0 8 6.6 6.5 6.4 6.2  11 7.6 7.5 7.4 7.3
14 10.6 10.5 10.4 10.3 9 9.6 9.5 9.4 9.3   12 5.6 5.5 5.3 5.0    5 4.6 5.4 5.2 5.1
"""
"""Clockwise from the top; of each number the double, the outer single, the triple, the inner single."""

DARTSLIVE_HOME = {
    20: (0x3C, 0x28, 0x50, 0x14),
    1: (0x29, 0x15, 0x3D, 0x01),
    18: (0x3A, 0x26, 0x4E, 0x12),
    4: (0x2C, 0x18, 0x40, 0x04),
    13: (0x35, 0x21, 0x49, 0x0D),
    6: (0x2E, 0x1A, 0x42, 0x06),
    10: (0x32, 0x1E, 0x46, 0x0A),
    15: (0x37, 0x23, 0x4B, 0x0F),
    2: (0x2A, 0x16, 0x3E, 0x02),
    17: (0x39, 0x25, 0x4D, 0x11),
    3: (0x2B, 0x17, 0x3F, 0x03),
    19: (0x3B, 0x27, 0x4F, 0x13),
    7: (0x2F, 0x1B, 0x43, 0x07),
    16: (0x38, 0x24, 0x4C, 0x10),
    8: (0x30, 0x1C, 0x44, 0x08),
    11: (0x33, 0x1F, 0x47, 0x0B),
    14: (0x36, 0x22, 0x4A, 0x0E),
    9: (0x31, 0x1D, 0x45, 0x09),
    12: (0x34, 0x20, 0x48, 0x0C),
    5: (0x2D, 0x19, 0x41, 0x05),
}
"""The codes of each number: double, outer single, triple, inner single."""
RINGS = ("D", "SO", "T", "SI")

SMARTNESS = """
01 15 29 3d 02 16 2a 3e 03 17 2b 3f 04 18 2c 40 05 19 2d 41 06 1a 2e 42 07 1b 2f 43 08 1c 30 44 09 1d 31 45 0a 1e 32 46
0b 1f 33 47 0c 20 34 48 0d 21 35 49 0e 22 36 4a 0f 23 37 4b 10 24 38 4c 11 25 39 4d 12 26 3a 4e 13 27 3b 4f 14 28 3c 50
"""
"""Of each number from 1: outer single, inner single, double, triple."""

CLOCKWISE_FROM_15 = (15, 2, 17, 3, 19, 7, 16, 8, 11, 14, 9, 12, 5, 20, 1, 18, 4, 13, 6, 10)
"""The Unicorn's numbers as its source has them: the places of two numbers are added."""


def heard(name: str, message: bytes) -> str:
    """What one notification of a board is."""
    pipeline = RIGS[name].pipeline()
    events = pipeline.feed(notified(message), 1)
    assert len(events) == 1, (message, events, pipeline.counters)
    match events[0]:
        case DartLanded(dart):
            return str(dart)
        case Button(button):
            return button
        case other:
            raise AssertionError(other)


def granboard() -> dict[bytes, str]:
    fields = GRANBOARD.split()
    codes = {b"8.0@": "SB", b"4.0@": "DB", b"BTN@": "next", b"OUT@": "MISS"}
    for number, *places in zip(*(fields[n::5] for n in range(5)), strict=True):
        codes |= {f"{place}@".encode(): ring + number for ring, place in zip(RINGS, places, strict=True)}
    return codes


def dartslive_home() -> dict[bytes, str]:
    codes = {0x51: "SB", 0x52: "DB", 0x54: "next", 0x00: "MISS"}
    for number, places in DARTSLIVE_HOME.items():
        codes |= {code: f"{ring}{number}" for ring, code in zip(RINGS, places, strict=True)}
    return {bytes([first, 3, code, 0, 0]): bed for code, bed in codes.items() for first in (0xA1, 0xA2)}


def smartness() -> dict[bytes, str]:
    codes = [int(text, 16) for text in SMARTNESS.split()]
    beds = [f"{ring}{number}" for number in range(1, 21) for ring in ("SO", "SI", "D", "T")]
    return {bytes([code]): bed for code, bed in zip(codes, beds, strict=True)} | {
        b"\x51": "SB",
        b"\x52": "DB",
        b"\x65": "next",
    }


def unicorn() -> dict[bytes, str]:
    codes = {b"\x19\x00": "SB", b"\x19\x02": "DB", b"\x55\xaa": "next"}
    for reported in range(1, 21):
        place = CLOCKWISE_FROM_15.index(reported) + CLOCKWISE_FROM_15.index(20)
        number = CLOCKWISE_FROM_15[place % 20]
        codes |= {bytes([reported, ring]): f"{name}{number}" for ring, name in enumerate(("SI", "SO", "D", "T"))}
    return codes


def sdb_bt() -> dict[bytes, str]:
    codes = {b"\x0c\x00\x0e": "SB", b"\x0d\x00\x0f": "DB", b"\x00\x00\xff": "next", b"\x00\x00\xee": "MISS"}
    for ring, name in ((0x0A, "SI"), (0x0B, "T"), (0x0C, "SO"), (0x0D, "D")):
        codes |= {bytes([ring, number % 10, number // 10]): f"{name}{number}" for number in range(1, 21)}
    return {sdb_packet(code)[1:]: bed for code, bed in codes.items()}


SOURCES = {
    "granboard": granboard(),
    "dartslive-home": dartslive_home(),
    "smartness": smartness(),
    "unicorn": unicorn(),
    "sdb-bt": sdb_bt(),
}


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_every_code_of_the_source_is_its_bed(name: str) -> None:
    source = SOURCES[name]
    beds = {bed for bed in source.values() if bed in SEGMENTS and bed != "MISS"}
    assert len(beds) == 82
    assert {message: heard(name, message) for message in source} == source


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_the_table_has_no_more_than_the_source(name: str) -> None:
    meanings = list(model(name).contacts.values())
    assert len(meanings) == len(set(meanings))
    named = {meaning.name if isinstance(meaning, Press) else str(meaning) for meaning in meanings}
    assert named <= set(SOURCES[name].values())


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_nobody_has_confirmed_it_on_a_board(name: str) -> None:
    board = model(name)
    assert not board.verified
    assert "not confirmed on hardware" in board.title
    assert board.gatt is not None and board.gatt.notify


def test_the_four_twenties_belong_to_their_own_rings() -> None:
    codes = {0x14: "SI20", 0x28: "SO20", 0x3C: "D20", 0x50: "T20"}
    assert {code: heard("dartslive-home", bytes([0xA1, 3, code, 0, 0])) for code in codes} == codes


@pytest.mark.parametrize("number", range(1, 21))
def test_one_press_says_how_a_unicorn_hangs(number: int) -> None:
    upright: dict[Cell, Meaning] = {(0, n): SEGMENTS[f"SI{n}"] for n in range(1, 21)}
    upright[0, 25] = SEGMENTS["SB"]
    table = turned(upright, number)
    assert table[0, 15] == SEGMENTS[f"SI{number}"]
    assert table[0, 25] == SEGMENTS["SB"]
    assert sorted(map(str, table.values())) == sorted(map(str, upright.values()))
    for (_, reported), meaning in table.items():
        if reported != 25:
            assert at_button(reported, int(str(meaning)[2:])) == number


def test_a_unicorn_with_fifteen_at_its_button_is_upright() -> None:
    contacts = dict(model("unicorn").contacts)
    assert turned(turned(contacts, 15), 15) == contacts
