"""The end of a program that has opened Bluetooth boards: no board stays connected, and no task is cut off."""

import asyncio
import logging
import sys
from types import ModuleType

import pytest

from daemon.links import bluetooth_radio, bluez
from daemon.links.bluetooth import open_bluetooth
from daemon.links.link_loop import run_with_links
from daemon.system.urls import board_url
from tests.ble_board import BleBoard
from tests.daemon.test_bluetooth import ONE, Room, gatt_of
from tests.rig import LIMIT_SECONDS


@pytest.mark.parametrize("how", ["returns", "is stopped", "fails"])
def test_the_board_is_let_go_before_the_program_ends(
    how: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bluetooth_radio, "ALONE_SECONDS", 0.01)
    boards: list[BleBoard] = []

    async def program() -> None:
        async with asyncio.timeout(LIMIT_SECONDS):
            room = Room()
            await room.central.power_on()
            monkeypatch.setattr(bluez, "BlueZ", lambda: room.central)
            boards.append(await room.board("granboard", "GRANBOARD", ONE))
            link = await open_bluetooth(board_url("ble://"), gatt_of("granboard"))
            try:
                assert boards[0].log == ["connected", "subscribed"]
                if how == "is stopped":
                    raise asyncio.CancelledError
                if how == "fails":
                    raise ValueError(how)
            finally:
                link.close()

    def run() -> None:
        with caplog.at_level(logging.DEBUG, "asyncio"):
            run_with_links(program())

    if how == "returns":
        run()
    else:
        with pytest.raises((asyncio.CancelledError, ValueError)):
            run()
    assert boards[0].log == ["connected", "subscribed", "gone"]
    assert "destroyed" not in caplog.text


def test_a_program_that_opens_no_board_ends_at_once() -> None:
    assert run_with_links(done()) == "done"


def test_a_program_that_ends_while_bleak_is_imported_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The import takes a second on a Raspberry Pi, in a thread, and the module is there before its functions are."""
    monkeypatch.setitem(sys.modules, bluez.__name__, ModuleType(bluez.__name__))
    assert run_with_links(done()) == "done"


async def done() -> str:
    return "done"
