"""The firmware on a Raspberry Pi Pico: what the other boards are tested with, its flash, and its USB."""

import random
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers.frames import payload_of
from tests.firmware.any_board import MS
from tests.firmware.board import RISE_US
from tests.firmware.every_board import EVERY_BOARD, name_of
from tests.firmware.host import Host
from tests.firmware.measure import BOOT_MS, START, connected, latencies
from tests.firmware.pico import PICO, Emulator, PicoBoard, is_installed, pico_image
from tests.firmware.test_line import both_edges_of, heartbeats, throw
from tests.firmware.test_line import test_the_reset_pin_loses_nothing as the_reset_pin_loses_nothing

pytestmark = pytest.mark.skipif(
    not is_installed(), reason="the compiler or the emulator for the Pico is missing: scripts/setup test"
)

MakePico = Callable[..., PicoBoard]


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    emulator = Emulator()
    yield emulator
    emulator.end()


@pytest.fixture
def make(images: Path, emulator: Emulator) -> MakePico:
    """Makes a Pico: `make(part, baud, rise_us, options)`, with options of the build.

    The part is not looked at: tests of the other boards name theirs.
    """

    def one(_part: object = None, baud: int = 1_000_000, rise_us: float = RISE_US, *options: str) -> PicoBoard:
        return PicoBoard(emulator, pico_image(images, f"BAUD={baud}", *options), rise_us)

    return one


@pytest.mark.parametrize("test", [*EVERY_BOARD, the_reset_pin_loses_nothing], ids=name_of)
def test_what_the_other_boards_do(test: Callable[[MakePico], None], make: MakePico) -> None:
    test(make)


@pytest.mark.parametrize("columns", [10, 16])
def test_every_contact_is_where_the_pin_map_says(columns: int, make: MakePico) -> None:
    board = make(None, 1_000_000, RISE_US, f"COLS={columns}")
    host = connected(board)
    cells = [(row, col) for row in range(8) for col in range(columns)]
    for n, cell in enumerate(cells):
        board.dart(START + n * 2 * MS, cell, MS)
    board.run_ms(len(cells) * 2 + 30)
    assert host.darts == cells
    assert [(c.row, c.col) for c in host.contacts if not c.closed] == cells
    assert not host.decoder.rejects
    assert board.shorts == 0


def test_buttons_and_the_miss_sensor(make: MakePico) -> None:
    board = make()
    host = connected(board)
    inputs = range(len(PICO.inputs))
    for n in inputs:
        board.press(n, True)
        board.run_ms(3)
        board.press(n, False)
        board.run_ms(20)
    assert [(c.row, c.col, c.closed) for c in host.contacts] == [(8, n, c) for n in inputs for c in (True, False)]


def test_how_soon_a_dart_is_on_the_line(make: MakePico, record_property: Callable[[str, object], None]) -> None:
    """In cycles of the chip's 125 MHz, from the contact to the end of the last byte: 37,500 are 0.3 ms."""
    cycles = [round(ms * 125_000) for ms in latencies(make(), 200)]
    median, most = statistics.median(cycles), max(cycles)
    record_property("cycles", f"{min(cycles)} / {median:.0f} / {most}")
    assert median <= 37_500
    assert most <= 75_000


@pytest.mark.parametrize("rise_us", [25, 100])
def test_the_rise_of_slow_columns_is_measured(rise_us: float, make: MakePico) -> None:
    board = make(rise_us=rise_us)
    host = connected(board)
    cells = throw(board, 8, random.Random(15))
    board.run_ms(8 * 25 + 1100)
    assert both_edges_of(cells, host)
    assert not host.decoder.rejects
    assert rise_us <= heartbeats(board)[-1][17] <= rise_us * 1.25 + 3


def test_the_watchdog_ends_what_hangs_and_nothing_is_lost(make: MakePico) -> None:
    board = make()
    host = connected(board)
    host.away()
    cells = throw(board, 5, random.Random(13))
    board.run_ms(200)
    board.hang()
    board.run_ms(300)
    host.back()
    cells += throw(board, 5, random.Random(14))
    board.run_ms(1300)
    assert both_edges_of(cells, host)
    assert heartbeats(board)[-1][16] == 1


def test_the_epoch_survives_the_power(make: MakePico) -> None:
    board = make()
    epochs = []
    for _ in range(4):
        board.run_ms(BOOT_MS)
        host = Host(board)
        board.run_ms(5)
        epochs.append(hello_of(board)[9])
        board.heard = lambda _byte, _cycle: None
        del host
        board.sent.clear()
        board.cut_power()
    assert epochs == [0, 1, 2, 3]


def test_its_identity_is_the_number_of_its_flash_chip(make: MakePico) -> None:
    board = make()
    board.run_ms(BOOT_MS)
    assert hello_of(board)[16:24].hex() == "e660583883112233"


def test_a_computer_finds_it_on_its_usb(make: MakePico) -> None:
    board = make()
    board.plug()
    board.run_ms(BOOT_MS)
    host = Host(board)
    board.run_ms(20)
    assert not host.faults
    cells = throw(board, 20, random.Random(3))
    board.run_ms(20 * 25 + 20)
    assert both_edges_of(cells, host)
    assert not host.decoder.rejects


def test_a_port_at_1200_baud_that_closes_starts_the_boot_loader(make: MakePico) -> None:
    board = make()
    board.plug()
    board.run_ms(BOOT_MS)
    assert board.drive == ""
    board.touch()
    board.run_ms(10)
    assert board.drive == "RPI-RP2"


def hello_of(board: PicoBoard) -> bytes:
    """The newest hello."""
    frames = bytes(byte for byte, _ in board.sent).split(b"\0")
    payloads = (payload_of(coded) for coded in frames if coded)
    return [payload for payload in payloads if isinstance(payload, bytes) and payload[0] == 1][-1]
