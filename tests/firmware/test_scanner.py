"""The scanner in virtual time: every contact, contacts that ring, ghosts, and how soon a dart is on the line."""

import random
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers.driver import Contact
from tests.firmware.any_board import MS, Part
from tests.firmware.avr_parts import FIRMWARE, PARTS, UNO, image, needs_emulator
from tests.firmware.conftest import Make
from tests.firmware.measure import START, connected, latencies
from tests.firmware.simavr import MHZ

pytestmark = needs_emulator


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_every_contact_is_where_the_pin_map_says(part: Part, make: Make) -> None:
    board = make(part)
    host = connected(board)
    cells = [(r, c) for r in range(len(part.rows)) for c in range(len(part.cols))]
    for n, cell in enumerate(cells):
        board.dart(START + n * 2 * MS, cell, MS)
    board.run_ms(len(cells) * 2 + 30)
    assert host.darts == cells
    assert [(c.row, c.col) for c in host.contacts if not c.closed] == cells
    assert not host.decoder.rejects
    assert board.shorts == 0


@pytest.mark.parametrize("name", ["atmega2560", "atmega32u4"])
def test_buttons_and_the_miss_sensor(name: str, make: Make) -> None:
    board = make(PARTS[name])
    host = connected(board)
    inputs = range(len(board.part.inputs))
    for n in inputs:
        board.press(n, True)
        board.run_ms(3)
        board.press(n, False)
        board.run_ms(20)
    assert [(c.row, c.col, c.closed) for c in host.contacts] == [(8, n, c) for n in inputs for c in (True, False)]


@pytest.mark.parametrize("seed", range(5))
def test_a_contact_that_rings_is_one_dart(seed: int, make: Make) -> None:
    board, rng = make(), random.Random(seed)
    host = connected(board)
    cells = [(rng.randrange(8), rng.randrange(10)) for _ in range(20)]
    for n, cell in enumerate(cells):
        at = START + n * 40 * MS
        ring = tuple((rng.randrange(20, 1500) * MHZ, rng.randrange(20, 1500) * MHZ) for _ in range(rng.randrange(4)))
        board.dart(at, cell, rng.randrange(3, 10) * MS, ring)
        # It rings when it lets go as well.
        board.dart(at + 23 * MS, cell, 200 * MHZ) if rng.random() < 0.3 else None
    board.run_ms(20 * 40 + 30)
    pressed, opened = host.darts, [(c.row, c.col) for c in host.contacts if not c.closed]
    assert len(pressed) == len(opened)
    assert pressed[0] == cells[0] and set(pressed) == set(cells)


def test_a_second_dart_one_millisecond_later(make: Make) -> None:
    board = make()
    host = connected(board)
    rng = random.Random(1)
    pairs = []
    for n in range(60):
        # Another row and column: two in one line make no ghost either, but a third might.
        first = (rng.randrange(8), rng.randrange(10))
        second = ((first[0] + rng.randrange(1, 8)) % 8, (first[1] + rng.randrange(1, 10)) % 10)
        at = START + n * 30 * MS + rng.randrange(MS)
        board.dart(at, first, 8 * MS)
        board.dart(at + MS, second, 8 * MS)
        pairs += [first, second]
    board.run_ms(60 * 30 + 30)
    assert host.darts == pairs


def test_two_at_once_in_one_row_and_in_one_column(make: Make) -> None:
    board = make()
    host = connected(board)
    for first, second in (((2, 3), (2, 7)), ((1, 4), (6, 4)), ((0, 0), (7, 9))):
        before = len(host.darts)
        for cell in (first, second):
            board.dart(board.now + 500, cell, 5 * MS)
        board.run_ms(30)
        assert set(host.darts[before:]) == {first, second}


def test_a_ghost_is_said_to_be_one(make: Make) -> None:
    board = make()
    host = connected(board)
    board.dart(START, (1, 2), 60 * MS)
    board.dart(START + 2 * MS, (5, 2), 60 * MS)
    for n in range(20):
        # The corner that makes the rectangle, at any phase: of it and its ghost one is the dart.
        board.dart(START + 5 * MS + n * 60 * MS + n * 997, (1, 6), 5 * MS)
        board.dart(START + 62 * MS + n * 60 * MS, (1, 2), 60 * MS)
        board.dart(START + 63 * MS + n * 60 * MS, (5, 2), 60 * MS)
    board.run_ms(20 * 60 + 100)
    assert host.decoder.rejects["ghost"] == 20
    corner = [cell for cell in host.darts if cell in ((1, 6), (5, 6))]
    assert len(corner) == 20


def test_what_stays_closed_without_the_corner_was_a_dart(make: Make) -> None:
    board = make()
    host = connected(board)
    for n, cell in enumerate(((0, 0), (0, 1), (1, 0))):
        board.at(START + n * 2 * MS, lambda cell=cell: board.close(cell))  # type: ignore[misc]
    board.at(START + 10 * MS, lambda: board.close((1, 1)))
    board.run_ms(20)
    assert host.decoder.rejects["ghost"] == 1
    assert len(host.darts) == 3
    # Without one corner the other three still join the same wires; without two nothing else can close it.
    board.open((0, 0))
    board.open((0, 1))
    board.run_ms(30)
    assert host.darts[3:] == [(1, 1)]


def test_what_hangs_at_the_start_is_no_dart(make: Make) -> None:
    board = make()
    board.close((3, 3))
    host = connected(board)
    assert host.darts == []
    [held] = host.contacts
    assert held == Contact(3, 3, True, held.at_ns, held=True, clock_ns=held.clock_ns)
    board.open((3, 3))
    board.dart(START + 30 * MS, (3, 3), 5 * MS)
    board.run_ms(60)
    assert host.darts == [(3, 3)]


@pytest.mark.parametrize(("baud", "median", "most"), [(1_000_000, 0.35, 0.8), (115_200, 1.15, 3.2)])
def test_how_soon_a_dart_is_on_the_line(
    baud: int, median: float, most: float, make: Make, record_property: Callable[[str, object], None]
) -> None:
    board = make(UNO, baud)
    times = latencies(board, 1000)
    for name, value in (("median", statistics.median(times)), ("max", max(times)), ("min", min(times))):
        record_property(f"{name}_ms", round(value, 3))
        print(baud, name, round(value, 3))
    assert statistics.median(times) <= median
    assert max(times) <= most


@pytest.mark.parametrize("variant", ["COLS=8", "NO_WATCHDOG=1", "BAUD=115200", "SETTLE=30"])
def test_the_variants_of_the_readme_build_too(variant: str, tmp_path: Path) -> None:
    command = ["make", "-C", str(FIRMWARE), f"OUT={tmp_path}", variant, f"{tmp_path}/atmega328p.hex"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert variant in (FIRMWARE / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("part", PARTS)
def test_the_image_is_small(part: str, images: Path) -> None:
    elf = image(part, images).with_suffix(".elf")
    sizes = subprocess.run(["avr-size", str(elf)], capture_output=True, text=True, check=True).stdout.split("\n")[1]
    text, data, bss = (int(word) for word in sizes.split()[:3])
    assert text + data <= 8192
    # Of 2048 bytes; the others have more, and more inputs. avr-gcc 14 has 28 bytes more of constants there than 5.4.
    assert data + bss <= (1152 if part == "atmega328p" else 1280)
