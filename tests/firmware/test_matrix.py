"""The whole matrix: each contact with each other one, every rectangle, all at once; and what the board counts of it."""

import random
from itertools import combinations, product

import pytest

from drivers.frames import frame, payload_of
from drivers.oche_matrix import Say
from tests.firmware.board import MS, PARTS, UNO, Board, Cell, needs_emulator
from tests.firmware.conftest import Make
from tests.firmware.host import Host, Noise
from tests.firmware.measure import connected

pytestmark = needs_emulator
CELLS = [(row, col) for row in range(8) for col in range(10)]
QUICK_RELEASE = frame(b"\x83\x01\x01\x00")
"""A release is believed after 1 ms: three thousand pairs shall not take a minute."""


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
        board.run(3 * MS + 37)
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
