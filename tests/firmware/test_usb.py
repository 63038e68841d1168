"""The Leonardo on its own USB: it is a serial port to any computer, and its darts come as they do over a line."""

import random
from itertools import pairwise

import pytest

from drivers.driver import Contact
from drivers.oche_matrix import DRIVER, OcheMatrix
from tests.firmware.any_board import MS, Cell
from tests.firmware.avr_parts import LEONARDO, needs_emulator
from tests.firmware.board import Board
from tests.firmware.conftest import Make
from tests.firmware.simavr import MHZ
from tests.firmware.usb import STARTED_MS, Stalled, UsbHost, plugged

pytestmark = needs_emulator
UDINT = 0xE1
"""The register of what happened on the bus, with these bits; the emulator has no bus that could."""
SUSPENDED, WOKEN, RESUMED = 1 << 0, 1 << 4, 1 << 5


class Computer:
    """A host that fetches what is there, a few times in each frame of the bus, and answers as the daemon does."""

    def __init__(self, board: Board) -> None:
        self.board = board
        board.run_ms(STARTED_MS)
        self.usb = plugged(board)
        self.decoder = OcheMatrix()
        self.contacts: list[Contact] = []
        self.fetched: list[int] = []
        self.usb.write(DRIVER.hello)
        self.run_ms(5)

    def run_ms(self, ms: float) -> None:
        for _ in range(round(ms * 4)):
            self.board.run(MS // 4)
            data = self.usb.poll()
            reports = self.decoder.feed(data, self.board.now * 1000 // MHZ)
            self.contacts += [report for report in reports if isinstance(report, Contact)]
            self.fetched += [self.board.now] * (len(self.contacts) - len(self.fetched))
            if answer := self.decoder.answers():
                self.usb.write(answer)

    def throw(self, count: int, rng: random.Random) -> list[Cell]:
        cells = [(rng.randrange(8), rng.randrange(10)) for _ in range(count)]
        for n, cell in enumerate(cells):
            self.board.dart(self.board.now + (1 + n * 25) * MS, cell, 5 * MS)
        return cells

    def heard(self, cells: list[Cell]) -> bool:
        edges = [(contact.row, contact.col, contact.closed) for contact in self.contacts]
        return edges == [(*cell, closed) for cell in cells for closed in (True, False)]


def test_it_is_a_serial_port_with_a_name_of_its_own(make: Make) -> None:
    board = make(LEONARDO)
    board.run_ms(STARTED_MS)
    usb = UsbHost(board)
    device, configuration = usb.enumerate()
    assert device[:8] == bytes([18, 1, 0x00, 0x02, 2, 0, 0, 64])
    assert (int.from_bytes(device[8:10], "little"), int.from_bytes(device[10:12], "little")) == (0x2341, 0x8036)
    # What is in it: each descriptor says how long it is, and they end where it ends.
    kinds, at = [], 0
    while at < len(configuration):
        kinds.append((configuration[at + 1], configuration[at + 2]))
        at += configuration[at]
    assert at == len(configuration) == int.from_bytes(configuration[2:4], "little")
    assert [address for kind, address in kinds if kind == 5] == [0x81, 0x02, 0x83]
    assert [number for kind, number in kinds if kind == 4] == [0, 1]
    assert (usb.string(1), usb.string(2)) == ("oche", "oche-matrix")
    usb.open(57_600)
    assert usb.control_in(0xA1, 0x21, 0, 0, 7) == (57_600).to_bytes(4, "little") + b"\0\0\x08"
    assert usb.control_in(0x80, 8, 0, 0, 1) == b"\1"
    assert usb.control_in(0x80, 0, 0, 0, 2) == b"\0\0"
    board.run_ms(1100)
    assert usb.poll()[17:25].hex() == usb.string(3), "the serial number is the identity of the hello"


def test_what_it_does_not_know_it_refuses_and_goes_on(make: Make) -> None:
    board = make(LEONARDO)
    board.run_ms(STARTED_MS)
    usb = plugged(board)
    for kind, what, value in ((0x80, 6, 0x0600), (0x80, 6, 0x0304), (0xC0, 1, 0)):
        with pytest.raises(Stalled):
            usb.control_in(kind, what, value, 0, 10)
    assert usb.string(2) == "oche-matrix"


def test_the_requests_of_the_standard_are_answered(make: Make) -> None:
    """Chapter 9 of USB 2.0: configurations, interfaces and halted endpoints, and requests for others are refused."""
    board = make(LEONARDO)
    board.run_ms(STARTED_MS)
    usb = plugged(board)
    for interface in (0, 1):
        assert usb.control_in(0x81, 10, 0, interface, 1) == b"\0"
        assert usb.control_in(0x81, 0, 0, interface, 2) == b"\0\0"
        usb.control_out(0x01, 11, 0, interface)
    for endpoint in (0x81, 0x02, 0x83):
        usb.control_out(0x02, 3, 0, endpoint)
        assert usb.control_in(0x82, 0, 0, endpoint, 2) == b"\1\0"
        usb.control_out(0x02, 1, 0, endpoint)
        assert usb.control_in(0x82, 0, 0, endpoint, 2) == b"\0\0"
    assert usb.control_in(0x82, 0, 0, 0, 2) == b"\0\0"
    for kind, what, value, index in (
        (0x00, 9, 2, 0),  # a configuration that it has not
        (0x01, 11, 1, 0),  # a setting that its interface has not
        (0x01, 11, 0, 2),
        (0x02, 3, 0, 0x84),
        (0x02, 3, 1, 0x81),
        (0x00, 3, 1, 0),  # to wake its host
        (0x00, 1, 1, 0),
        (0x00, 3, 2, 0x0100),  # a test mode
        (0x00, 7, 0x0100, 0),  # another descriptor
    ):
        with pytest.raises(Stalled):
            usb.control_out(kind, what, value, index)
    for kind, what, index in ((0x81, 10, 2), (0x82, 0, 0x84), (0x82, 12, 0x81)):
        with pytest.raises(Stalled):
            usb.control_in(kind, what, 0, index, 2)
    usb.control_out(0x00, 9, 0, 0)
    assert usb.control_in(0x80, 8, 0, 0, 1) == b"\0"
    with pytest.raises(Stalled):
        usb.control_in(0x81, 10, 0, 0, 1)
    usb.control_out(0x00, 9, 1, 0)
    assert usb.control_in(0x80, 8, 0, 0, 1) == b"\1"


def test_darts_wait_while_the_bus_is_suspended(make: Make) -> None:
    """The host sleeps: nobody fetches anything, and the part says that the bus is suspended, then that it is not."""
    computer = Computer(make(LEONARDO))
    rng = random.Random(6)
    cells = computer.throw(3, rng)
    computer.run_ms(100)
    assert computer.heard(cells)
    computer.board.avr.flip(UDINT, SUSPENDED)
    cells += computer.throw(50, rng)
    computer.board.run_ms(50 * 25 + 100)
    computer.board.avr.flip(UDINT, WOKEN | RESUMED)
    assert computer.usb.control_in(0x80, 8, 0, 0, 1) == b"\1", "it is set up as before"
    computer.run_ms(1500)
    assert computer.heard(cells)
    cells += computer.throw(2, rng)
    computer.run_ms(80)
    assert computer.heard(cells)


def test_a_host_that_sets_it_up_again_at_any_moment_loses_nothing(make: Make) -> None:
    """Also in the middle of a frame: the ring of what is sent belongs to the program, not to the interrupt."""
    computer = Computer(make(LEONARDO))
    rng = random.Random(4)
    cells: list[Cell] = []
    for _ in range(20):
        cells += computer.throw(2, rng)
        computer.board.run(MS + rng.randrange(26 * MS))
        computer.usb.control_out(0x00, 9, 1, 0)
        computer.decoder.reset()
        computer.usb.write(DRIVER.hello)
        computer.run_ms(70)
    computer.run_ms(1200)
    assert computer.heard(cells)
    assert computer.board.shorts == 0


def test_darts_over_usb(make: Make) -> None:
    computer = Computer(make(LEONARDO))
    cells = computer.throw(60, random.Random(1))
    start = computer.board.now
    computer.run_ms(60 * 25 + 50)
    assert computer.heard(cells)
    assert not computer.decoder.rejects
    closed = [at for at, contact in zip(computer.fetched, computer.contacts, strict=True) if contact.closed]
    late = [(at - start) / MS - (1 + n * 25) for n, at in enumerate(closed)]
    # A scan, and what the host takes between two looks.
    assert max(late) <= 0.8
    assert computer.board.sent == [] or computer.board.sent[-1][1] < start, "nothing goes to the two pins as well"


def test_a_port_that_nobody_reads_loses_nothing(make: Make) -> None:
    computer = Computer(make(LEONARDO))
    cells = computer.throw(40, random.Random(2))
    computer.board.run_ms(40 * 25 + 3000)
    assert computer.contacts == []
    computer.run_ms(1200)
    assert computer.heard(cells)


def test_a_usb_reset_loses_nothing(make: Make) -> None:
    """As at a replug, or when a hub has a bad moment: between any two looks, also in the middle of a frame."""
    computer = Computer(make(LEONARDO))
    rng = random.Random(3)
    cells: list[Cell] = []
    for _ in range(8):
        cells += computer.throw(6, rng)
        computer.run_ms(rng.uniform(20, 110))
        computer.board.run(rng.randrange(MS))
        computer.usb.enumerate()
        computer.usb.open()
        computer.decoder.reset()
        computer.usb.write(DRIVER.hello)
        computer.run_ms(160)
    computer.run_ms(1200)
    assert computer.heard(cells)
    assert all(a.at_ns <= b.at_ns for a, b in pairwise(computer.contacts))


def test_closing_the_port_at_1200_baud_asks_for_the_boot_loader(make: Make) -> None:
    board = make(LEONARDO)
    board.run_ms(STARTED_MS)
    usb = plugged(board)
    usb.control_out(0x21, 0x22, 0, 0)
    board.run_ms(5)
    assert board.avr.peek(0x800) == 0 or board.avr.peek(0x801) == 0, "only at 1200"
    usb.open(1200)
    usb.control_out(0x21, 0x22, 0, 0)
    board.run_ms(5)
    assert (board.avr.peek(0x800), board.avr.peek(0x801)) == (0x77, 0x77)
    assert (board.avr.peek(0xAFE), board.avr.peek(0xAFF)) == (0x77, 0x77)
    cycle = board.now
    board.run_ms(200)
    # The watchdog has bitten: the emulator has no boot loader, and restarts the firmware, which has no host yet.
    assert board.now > cycle
    board.rewire()
    board.run_ms(STARTED_MS)
    assert plugged(board).string(2) == "oche-matrix"
