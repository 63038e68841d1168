"""The whole matrix: each contact with each other one, every rectangle, all at once; and what the board counts of it."""

import math
import random
import subprocess
from itertools import combinations, product
from pathlib import Path

import pytest

from drivers.frames import frame, payload_of
from drivers.session_mark import Say
from tests.firmware.any_board import MS, Cell
from tests.firmware.avr_parts import PARTS, UNO, image, needs_emulator
from tests.firmware.board import Board
from tests.firmware.conftest import Make
from tests.firmware.host import Host, Noise
from tests.firmware.measure import connected

pytestmark = needs_emulator
CELLS = [(row, col) for row in range(8) for col in range(10)]
QUICK_RELEASE = frame(b"\x83\x01\x01\x00")
"""A release counts after 1 ms, so that 3,000 pairs do not take a minute."""


def quick(board: Board) -> Host:
    host = connected(board)
    board.say(QUICK_RELEASE)
    board.run_ms(2)
    return host


def frames(board: Board) -> list[bytes]:
    """All that the board has sent, before any noise: with its types and everything that was sent again."""
    coded = bytes(byte for byte, _ in board.sent).split(b"\0")
    return [payload for payload in map(payload_of, filter(None, coded)) if isinstance(payload, bytes)]


def counters(board: Board) -> dict[str, int]:
    """The newest heartbeat's."""
    board.run_ms(1100)
    beat = [payload for payload in frames(board) if payload[0] == Say.HEARTBEAT][-1]
    words = [int.from_bytes(beat[n : n + 2], "little") for n in (8, 10, 12, 14)]
    return dict(zip(("rejected", "resent", "full", "ghosts"), words, strict=True)) | {"resets": beat[16]}


def test_each_pair(make: Make) -> None:
    """The second comes half a millisecond after the first: both are darts, in their order, and there is no third."""
    board = make()
    host = quick(board)
    wanted: list[Cell] = []
    for one, other in combinations(CELLS, 2):
        board.dart(board.now + 100, one, 3 * MS // 2)
        board.dart(board.now + MS // 2, other, MS)
        wanted += [one, other]
        # It is open for 1 ms after a look, counted in quarters, before it can close again.
        board.run(3 * MS + MS // 4 + 37)
    board.run_ms(5)
    assert len(wanted) == 2 * 3160
    assert host.darts == wanted
    assert sum(not contact.closed for contact in host.contacts) == len(wanted)
    assert not host.decoder.rejects and board.shorts == 0


def test_every_rectangle_with_three_corners_closed(make: Make) -> None:
    """Each of 1,260 rectangles, with a corner missing that differs from one to the next: that corner is a ghost."""
    board = make()
    host = quick(board)
    wanted: list[Cell] = []
    ghosts: list[Cell] = []
    rectangles = list(product(combinations(range(8), 2), combinations(range(10), 2)))
    for n, ((top, bottom), (left, right)) in enumerate(rectangles):
        corners = [(top, left), (top, right), (bottom, left), (bottom, right)]
        ghosts.append(corners.pop(n % 4))
        for late, cell in enumerate(corners):
            board.dart(board.now + 100 + late * MS // 2, cell, 4 * MS // 2 - late * MS // 2)
        wanted += corners
        board.run(4 * MS + 37)
    board.run_ms(5)
    assert len(rectangles) == 1260
    # The third may come in the same look as the ghost: of the two one is the dart, and no wire says which.
    said = [divmod(payload[2], 16) for payload in frames(board) if payload[0] == Say.GHOST]
    assert len(host.darts) == len(wanted) and len(said) == len(ghosts)
    for n, ghost in enumerate(ghosts):
        three = host.darts[3 * n : 3 * n + 3]
        assert three[:2] == wanted[3 * n : 3 * n + 2]
        assert {three[2], said[n]} == {wanted[3 * n + 2], ghost}
    assert host.decoder.rejects["ghost"] == 1260
    assert counters(board)["ghosts"] == 1260


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_all_contacts_at_once(part: object, make: Make) -> None:
    board = make(part)
    host = connected(board)
    rows, cols = len(board.part.rows), len(board.part.cols)
    cells = [(row, col) for row in range(rows) for col in range(cols)]

    def all_of_them(close: bool) -> None:
        board.closed = set(cells) if close else set()
        board._net()

    board.at(board.now + MS, lambda: all_of_them(True))
    board.run_ms(60)
    # One row and one column are what joins them all: the rest could be ghosts, and is said to be.
    assert len(host.darts) == rows + cols - 1
    assert host.decoder.rejects["ghost"] == rows * cols - len(host.darts)
    board.at(board.now + MS, lambda: all_of_them(False))
    board.run_ms(60)
    opened = [payload[2] for payload in frames(board) if payload[0] == Say.OPENED]
    assert sorted({divmod(contact, 16) for contact in opened}) == cells
    board.dart(board.now + MS, (rows - 1, cols - 1), 5 * MS)
    board.run_ms(30)
    assert host.darts[-1] == (rows - 1, cols - 1) and len(host.darts) == rows + cols
    assert counters(board)["ghosts"] == host.decoder.rejects["ghost"]


def test_all_that_hang_at_power_on_are_held_and_none_is_a_dart(make: Make) -> None:
    board = make()
    for cell in ((0, 0), (3, 4), (7, 9)):
        board.close(cell)
    host = connected(board)
    board.run_ms(50)
    assert host.darts == []
    assert [(c.row, c.col) for c in host.contacts if c.held] == [(0, 0), (3, 4), (7, 9)]


def sent_again(board: Board) -> int:
    edges = [payload[1:6] for payload in frames(board) if payload[0] >= Say.CLOSED]
    return len(edges) - len(set(edges))


def test_the_boards_counters_are_the_rigs(make: Make) -> None:
    """A bad line, a host that is gone, a full memory, resets: what the board counted is what was seen from outside."""
    board = make(UNO, 115_200)
    host, rng = connected(board), random.Random(21)
    host.noise = Noise(0.01, 0.01, 0.01)
    for n in range(60):
        board.dart(board.now + (1 + n * 25) * MS, rng.choice(CELLS), 5 * MS)
    board.run_ms(60 * 25 + 20)
    host.noise = Noise()
    board.run_ms(1500)
    before = counters(board)
    assert before["resent"] == sent_again(board) > 0
    for _ in range(7):
        board.say(frame(b"\x84\x01").replace(b"\x84", b"\x94"))
    assert counters(board) == before | {"rejected": before["rejected"] + 7}
    host.away()
    for n in range(70):
        board.dart(board.now + (1 + n * 25) * MS, CELLS[n], 5 * MS)
    board.run_ms(70 * 25 + 50)
    host.back()
    board.run_ms(300)
    after = counters(board)
    assert after["resent"] == sent_again(board)
    assert (after["full"], after["ghosts"], after["resets"]) == (1, 0, 0)
    for _ in range(3):
        board.reset()
        board.run_ms(50)
    assert counters(board) == {"rejected": 0, "resent": 0, "full": 0, "ghosts": 0, "resets": 3}


@pytest.mark.parametrize(("contact_ohm", "leak_ohm"), [(8_000, math.inf), (0, 80_000), (8_000, 80_000)])
def test_worn_contacts_and_damp_foils(contact_ohm: float, leak_ohm: float, make: Make) -> None:
    board = make()
    host = connected(board)
    board.contact_ohm, board.leak_ohm = contact_ohm, leak_ohm
    for n, cell in enumerate(CELLS):
        board.dart(board.now + (1 + n * 3) * MS, cell, MS)
    board.run_ms(80 * 3 + 30)
    assert host.darts == CELLS


def test_what_is_too_worn_or_too_damp_shows_as_what_it_is(make: Make) -> None:
    """A contact that does not conduct is no dart; a leak makes a whole column of one. Neither touches another bed."""
    board = make()
    host = connected(board)
    board.contact_ohm = 20_000
    board.dart(board.now + MS, (2, 3), 5 * MS)
    board.run_ms(30)
    assert host.darts == []
    board.contact_ohm, board.leak_ohm = 0, 20_000
    board.dart(board.now + MS, (2, 3), 5 * MS)
    board.run_ms(30)
    assert sorted(host.darts) == [(row, 3) for row in range(8)]
    board.leak_ohm = math.inf
    board.dart(board.now + MS, (2, 3), 5 * MS)
    board.run_ms(30)
    assert host.darts[8:] == [(2, 3)]


@pytest.mark.parametrize("seed", range(24))
def test_a_brown_out_keeps_all_or_nothing(seed: int, make: Make) -> None:
    """The supply dips and the part resets with a bit wrong here and there: what waited is whole, or it is not told."""
    board, rng = make(), random.Random(seed)
    host = connected(board)
    host.away()
    cells = [rng.choice(CELLS) for _ in range(50)]
    board.say(QUICK_RELEASE)
    for n, cell in enumerate(cells):
        board.dart(board.now + (2 + n * 6) * MS, cell, 2 * MS)
    board.run_ms(50 * 6 + 30)
    # One bit in this many.
    board.avr.decay(1 / (20_000, 5_000, 1_000, 20)[seed % 4], rng)
    board.reset()
    host.back()
    board.run_ms(1300)
    more = [rng.choice(CELLS) for _ in range(3)]
    for n, cell in enumerate(more):
        board.dart(board.now + (1 + n * 25) * MS, cell, 5 * MS)
    board.run_ms(200)
    edges = [(contact.row, contact.col, contact.closed) for contact in host.contacts]
    told = [(*cell, closed) for cell in (*cells, *more) for closed in (True, False)]
    assert edges in (told, told[100:])


def test_one_wrong_bit_in_an_edge_that_waits_is_seen(make: Make, images: Path) -> None:
    """Each of its bits in turn, the ones that say what kind it is among them."""
    symbols = subprocess.run(
        ["avr-nm", str(image(UNO.name, images).with_suffix(".elf"))], capture_output=True, text=True, check=True
    )
    place = next(int(line[:8], 16) & 0xFFFF for line in symbols.stdout.splitlines() if line.endswith(" edges"))
    for bit in range(40):
        board = make()
        host = connected(board)
        host.away()
        board.dart(board.now + MS, (2, 3), 2 * MS)
        board.run_ms(30)
        board.avr.flip(place + bit // 8, 1 << bit % 8)
        board.reset()
        host.back()
        board.run_ms(150)
        assert host.contacts == [], bit
