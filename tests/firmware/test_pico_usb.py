"""The Pico's own USB: the requests of the standard, endpoints that are halted, and a computer that sleeps."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.firmware.any_board import Cell
from tests.firmware.host import Host
from tests.firmware.measure import BOOT_MS
from tests.firmware.pico import Emulator, PicoBoard, is_installed, pico_image
from tests.firmware.test_line import both_edges_of, throw

pytestmark = pytest.mark.skipif(
    not is_installed(), reason="the compiler or the emulator for the Pico is missing: scripts/setup test"
)

TO_HOST, FROM_HOST, NOTIFY = 0x82, 0x02, 0x81
CLEAR, SET = 1, 3
DARTS: Final = 6


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    emulator = Emulator()
    yield emulator
    emulator.end()


@pytest.fixture
def board(images: Path, emulator: Emulator) -> PicoBoard:
    board = PicoBoard(emulator, pico_image(images, "BAUD=1000000"))
    board.plug()
    board.run_ms(BOOT_MS)
    return board


def halted(board: PicoBoard, endpoint: int) -> bool:
    answer = board.request(0x82, 0, 0, endpoint, 2)
    assert answer in (b"\0\0", b"\1\0"), answer
    return answer == b"\1\0"


def arrive(board: PicoBoard, cells: list[Cell], host: Host) -> None:
    """Waits for these darts, for as long as the board may take to send again."""
    for _ in range(12):
        board.run_ms(100)
        if both_edges_of(cells, host):
            return
    raise AssertionError(host.contacts)


def test_the_requests_of_the_standard_are_answered(board: PicoBoard) -> None:
    assert board.request(0x80, 8, 0, 0, 1) == b"\1"
    assert board.request(0x80, 0, 0, 0, 2) == b"\0\0"
    for interface in (0, 1):
        assert board.request(0x81, 10, 0, interface, 1) == b"\0"
        assert board.request(0x01, 11, 0, interface) == b""
    for endpoint in (NOTIFY, FROM_HOST, TO_HOST):
        assert board.request(0x02, SET, 0, endpoint) == b""
        assert halted(board, endpoint)
        assert board.request(0x02, CLEAR, 0, endpoint) == b""
        assert not halted(board, endpoint)
    for kind, what, value, index in (
        (0x00, 9, 2, 0),  # a configuration that it has not
        (0x01, 11, 1, 0),  # a setting that its interface has not
        (0x02, SET, 0, 0x84),  # an endpoint that it has not
        (0x02, SET, 1, TO_HOST),
        (0x00, SET, 1, 0),  # to wake its host
        (0x00, SET, 2, 0x0100),  # a test mode
        (0x80, 6, 0x0600, 0),  # a descriptor that it has not
    ):
        assert board.request(kind, what, value, index) is None, (kind, what, value, index)
    assert board.request(0x80, 8, 0, 0, 1) == b"\1", "it goes on"


@pytest.mark.parametrize("endpoint", [TO_HOST, FROM_HOST])
def test_a_halted_endpoint_loses_nothing(endpoint: int, board: PicoBoard) -> None:
    host = Host(board)
    cells = throw(board, 3, random.Random(1))
    board.run_ms(100)
    assert both_edges_of(cells, host)
    assert board.request(0x02, SET, 0, endpoint) == b""
    cells += throw(board, DARTS, random.Random(2))
    board.run_ms(DARTS * 25 + 50)
    assert len(host.darts) < len(cells) or endpoint == FROM_HOST
    assert board.request(0x02, CLEAR, 0, endpoint) == b""
    arrive(board, cells, host)


def test_darts_wait_while_the_computer_sleeps(board: PicoBoard) -> None:
    host = Host(board)
    cells = throw(board, 3, random.Random(3))
    board.run_ms(100)
    assert both_edges_of(cells, host)
    board.sleep(True)
    cells += throw(board, DARTS, random.Random(4))
    board.run_ms(DARTS * 25 + 50)
    assert len(host.darts) <= 3 + 1, "what was on its way when it fell asleep"
    board.sleep(False)
    arrive(board, cells, host)
    cells += throw(board, 2, random.Random(5))
    board.run_ms(100)
    assert both_edges_of(cells, host)
