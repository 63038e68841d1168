"""The start of the firmware: behind boot loaders that leave pins driven, with columns at 0 V that rise slowly."""

from pathlib import Path
from typing import Final

import pytest

from drivers.oche_matrix import DRIVER
from tests.firmware.any_board import MS, Part
from tests.firmware.avr_parts import MEGA, PARTS, UNO, needs_emulator
from tests.firmware.board import Board
from tests.firmware.conftest import Make
from tests.firmware.host import Host
from tests.firmware.measure import connected

pytestmark = needs_emulator

BOOT_LOADERS: Final = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")
"""Of Debian's package arduino-core-avr, for our parts. Its Optiboot is 20 bytes longer than the flash."""
BLUETOOTH: Final = "bt/ATmegaBOOT_168_atmega328_bt.hex"
"""Of the Arduino BT. Debian 12 has it, Debian 13 does not."""
SHIPPED: Final = {
    "atmega/ATmegaBOOT_168_atmega328.hex": UNO,
    "atmega/ATmegaBOOT_168_atmega328_notp.hex": UNO,
    "atmega/ATmegaBOOT_168_atmega328_pro_8MHz.hex": UNO,
    BLUETOOTH: UNO,
    "stk500v2/stk500boot_v2_mega2560.hex": MEGA,
}
LONGEST_BOOT_MS: Final = 12_000


def every_contact(board: Board, host: Host) -> list[tuple[int, int]]:
    """Presses each contact in turn. Returns those that were reported."""
    cells = [(r, c) for r in range(len(board.part.rows)) for c in range(len(board.part.cols))]
    before = len(host.darts)
    for n, cell in enumerate(cells):
        board.dart(board.now + (1 + n * 3) * MS, cell, 2 * MS)
    board.run_ms(len(cells) * 3 + 30)
    assert host.darts[before:] == cells
    return cells


@pytest.mark.skipif(not BOOT_LOADERS.is_dir(), reason="arduino-core-avr is missing: scripts/setup test installs it")
@pytest.mark.parametrize("name", SHIPPED)
def test_every_pin_works_behind_every_boot_loader(name: str, make: Make) -> None:
    """An old Nano's leaves pin 13 driven, and none of them resets the part before it jumps."""
    if name == BLUETOOTH and not (BOOT_LOADERS / name).is_file():
        pytest.skip("this arduino-core-avr has no boot loader of the Arduino BT")
    board = make(SHIPPED[name], boot_loader=BOOT_LOADERS / name)
    for opening in range(2):
        started = len(board.sent)
        host = Host(board)
        for _ in range(LONGEST_BOOT_MS // 100):
            board.run_ms(100)
            if host.decoder.size != (0, 0, 0):
                break
        assert len(board.sent) > started and host.contacts == [], opening
        board.shorts = 0
        every_contact(board, host)
        assert board.shorts == 0
        # The next program opens the port, which pulls the reset pin.
        board.reset()


@pytest.mark.parametrize("rise_us", [1, 12, 30, 50, 100])
@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_columns_that_begin_at_0_volt_are_no_hits(part: Part, rise_us: float, make: Make) -> None:
    board = make(part, rise_us=rise_us)
    host = connected(board)
    assert host.contacts == []
    for _ in range(3):
        board.reset()
        host.back()
        board.run_ms(200)
    assert host.contacts == [] and not host.decoder.rejects and board.shorts == 0


@pytest.mark.parametrize("rise_us", [1, 12, 30, 50, 100])
def test_slow_columns_play_without_a_ghost(rise_us: float, make: Make) -> None:
    board = make(rise_us=rise_us)
    host = connected(board)
    every_contact(board, host)
    assert not host.decoder.rejects


@pytest.mark.parametrize("rise_us", [1, 10, 40, 100])
def test_the_rise_is_measured_at_the_start_and_at_each_hello(rise_us: int, make: Make) -> None:
    board = make(rise_us=rise_us)
    host = connected(board)
    board.run_ms(1100)
    assert max(10, rise_us) <= host.decoder.settled_us <= max(13, rise_us * 1.2 + 3)
    # Other foils: the next host makes the board measure again.
    board.rise_us = 70
    host.greet()
    board.run_ms(1100)
    assert 70 <= host.decoder.settled_us <= 90
    assert host.contacts == []


def test_a_settling_time_that_a_host_gave_stays_until_the_next_reset(make: Make) -> None:
    board = make()
    host = connected(board)
    host.decoder.settle(55)
    host.greet()
    board.run_ms(1100)
    assert host.decoder.settled_us == 55
    board.say(DRIVER.hello)
    board.run_ms(1100)
    assert host.decoder.settled_us == 55
    host.decoder.settle(0)
    board.reset()
    host.back()
    board.run_ms(1300)
    assert host.decoder.settled_us < 20
