"""The portable C as a library, compiled for this machine, against the real driver: six functions are all it needs."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.firmware.any_board import MS
from tests.firmware.avr_parts import FIRMWARE
from tests.firmware.every_board import EVERY_BOARD, Test, name_of
from tests.firmware.host import Noise
from tests.firmware.library_board import HAS_COMPILER, LibraryBoard, library
from tests.firmware.measure import START, connected
from tests.firmware.test_line import both_edges_of

pytestmark = pytest.mark.skipif(not HAS_COMPILER, reason="there is no C compiler here: sudo apt install gcc make")

MakeLibrary = Callable[..., LibraryBoard]


@pytest.fixture
def make(images: Path) -> Iterator[MakeLibrary]:
    """Makes a board of the library; neither its part nor its baud rate is looked at."""
    made: list[LibraryBoard] = []

    def one(*_part_and_baud: object) -> LibraryBoard:
        assert not made, "one at a time"
        made.append(LibraryBoard(library(images)))
        return made[0]

    yield one
    for board in made:
        board.end()


@pytest.mark.parametrize("test", EVERY_BOARD, ids=name_of)
def test_what_the_other_boards_do(test: Test, make: MakeLibrary) -> None:
    test(make)


def test_every_contact_and_every_input(make: MakeLibrary) -> None:
    board = make()
    host = connected(board)
    cells = [(row, col) for row in range(8) for col in range(10)]
    for n, cell in enumerate(cells):
        board.dart(START + n * 2 * MS, cell, MS)
    board.run_ms(len(cells) * 2 + 30)
    assert host.darts == cells
    for n in range(6):
        board.press(n, True)
        board.run_ms(3)
        board.press(n, False)
        board.run_ms(20)
    assert host.darts[80:] == [(8, n) for n in range(6)]
    assert not host.decoder.rejects


def test_a_row_is_driven_once_and_let_go_once(make: MakeLibrary) -> None:
    board = make()
    connected(board)
    assert board.misdriven == 0


RATE = st.sampled_from([0.0, 0.001, 0.01, 0.05])
CELL = st.tuples(st.integers(0, 7), st.integers(0, 9))
DART = st.tuples(st.just("dart"), st.lists(CELL, min_size=1, max_size=3))
NOISE = st.tuples(st.just("noise"), st.sampled_from([0.0, 0.001, 0.01, 0.05]))
DEAF = st.tuples(st.just("deaf"), st.booleans())
WAIT = st.tuples(st.just("wait"), st.integers(1, 300))
AWAY = st.tuples(st.just("away"), st.lists(CELL, min_size=1, max_size=20))


@given(course=st.lists(st.one_of(DART, NOISE, DEAF, WAIT, AWAY), max_size=20), seed=st.integers(0, 99))
@settings(max_examples=40)
def test_whatever_the_line_does_each_edge_comes_once_and_in_order(
    course: list[tuple[str, Any]], seed: int, images: Path
) -> None:
    board = LibraryBoard(library(images))
    try:
        host = connected(board)
        host._rng.seed(seed)
        cells, waiting = [], 0
        for what, value in course:
            if what == "noise":
                host.noise = Noise(value, value, value)
            elif what == "deaf":
                host.deaf = value
            elif what == "wait":
                board.run_ms(value)
            else:
                if what == "away":
                    host.away()
                for cell in value:
                    cells.append(cell)
                    board.dart(board.now + MS, cell, 5 * MS)
                    board.run_ms(25)
                if what == "away":
                    host.back()
            waiting += len(value) if what in ("dart", "away") else 0
            if waiting > 40:  # more than the board's memory holds is another test's
                host.noise, host.deaf, waiting = Noise(), False, 0
                board.run_ms(2500)
        host.noise, host.deaf = Noise(), False
        board.run_ms(2500)
        assert both_edges_of(cells, host)
    finally:
        board.end()


def test_the_seam_is_six_functions() -> None:
    """The header that others read declares them, and the code of the library calls no others."""
    header = (FIRMWARE / "library" / "oche.h").read_text(encoding="utf-8")
    provided = header[header.index("what the program provides") :]
    names = re.findall(r"^\w+ (\w+)\(", provided, re.MULTILINE)
    assert names == ["oche_row", "oche_low", "oche_micros", "oche_write", "oche_read", "oche_start"]
    guide = (FIRMWARE / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in guide for name in names)
