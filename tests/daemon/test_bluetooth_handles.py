"""A restarted bluetoothd knows none of the devices that were found before: they are found again."""

import asyncio

import pytest

from daemon.links.bluetooth_radio import Wanted
from daemon.links.link import Disconnected
from tests.daemon.test_bluetooth import Room, in_a_room, quick, read

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
