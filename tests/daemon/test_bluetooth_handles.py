"""Devices that BlueZ knows: after its restart none of those from before, and those that are connected already."""

import asyncio

import pytest

from daemon.links import bluetooth_radio
from daemon.links.bluetooth import wanted
from daemon.links.bluetooth_radio import Wanted
from daemon.links.link import Disconnected
from daemon.system.urls import board_url
from tests.daemon.test_bluetooth import ONE, OTHER, Room, gatt_of, in_a_room, quick, read, refused
from tests.rig import LIMIT_SECONDS

__all__ = ["quick"]


def test_a_board_is_found_again_after_a_restart() -> None:
    async def act(room: Room) -> None:
        board = await room.board("granboard", "GRANBOARD")
        link = await room.open("ble://", "granboard")
        room.central.restart()
        await board.drop()
        with pytest.raises(Disconnected, match="ended"):
            await link.read()
        link.close()
        link = await room.open("ble://", "granboard")
        await board.say(b"3.4@")
        assert await read(link, 1) == [b"3.4@"]
        link.close()

    in_a_room(act)


def test_a_handle_from_before_a_restart_fails_once() -> None:
    """Another board is looked for: the scan goes on, and has seen this one before the restart."""

    async def act(room: Room) -> None:
        board = await room.board("granboard", "GRANBOARD")
        seen = asyncio.Event()

        def fits(_device: object) -> bool:
            seen.set()
            return False

        looking = asyncio.create_task(room.radio.reach(Wanted("another board", fits), lambda: None, 600.0))
        await seen.wait()
        room.central.restart()
        await board.hide()
        with pytest.raises(Disconnected, match="not found"):
            await room.open("ble://", "granboard")
        await board.advertise()
        link = await room.open("ble://", "granboard")
        await board.say(b"8.0@")
        assert await read(link, 1) == [b"8.0@"]
        link.close()
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)

    in_a_room(act)


def test_a_board_that_is_connected_is_not_taken_for_a_second_one() -> None:
    async def act(room: Room) -> None:
        await room.board("granboard", "GRANBOARD", ONE)
        link = await room.open(f"ble://{ONE}", "granboard")
        before = room.central.scans
        looking = asyncio.create_task(room.open("ble://", "granboard"))
        # A scan begins with the devices that are connected.
        while room.central.scans == before:  # noqa: ASYNC110
            await asyncio.sleep(0)
        second = await room.board("granboard", "GRANBOARD", OTHER)
        other = await looking
        await second.say(b"8.0@")
        assert await read(other, 1) == [b"8.0@"]
        # Once it is let go it can be found again.
        link.close()
        other.close()
        (await room.open(f"ble://{ONE}", "granboard")).close()

    in_a_room(act)


def test_two_who_look_for_one_board_do_not_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one by address is connected while the other waits whether a second board fits."""
    # However slow the machine is: connecting holds the radio, and the other gets it afterwards.
    monkeypatch.setattr(bluetooth_radio, "ALONE_SECONDS", 0.3)

    async def act(room: Room) -> None:
        await room.board("granboard", "GRANBOARD", ONE)
        anyone = room.radio.reach(wanted(board_url("ble://"), gatt_of("granboard")), lambda: None, LIMIT_SECONDS)
        link, why = await asyncio.gather(room.open(f"ble://{ONE}", "granboard"), refused(anyone))
        assert (why.reason, "is another board" in str(why)) == ("missing", True)
        link.close()

    in_a_room(act)
