"""Bluetooth boards with bumble at both ends: found, woken, subscribed, lost and found again, in one process."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from boards.board import Gatt
from daemon.links import bluetooth_radio
from daemon.links.bluetooth import UNWRITTEN, BluetoothLink, open_bluetooth, wanted
from daemon.links.bluetooth_radio import Radio, Seen
from daemon.links.link import Chunk, Disconnected
from daemon.links.supervisor import Arrival, Lost, Opened, supervise
from daemon.system.urls import board_url
from drivers import DRIVERS
from drivers.messages import framed, unframed
from tests.ble_board import Air, BleBoard
from tests.daemon.bumble_central import BumbleCentral
from tests.drivers.boards import model
from tests.rig import LIMIT_SECONDS

ONE, OTHER = "F0:F1:F2:F3:F4:01", "F0:F1:F2:F3:F4:02"


def gatt_of(name: str) -> Gatt:
    gatt = model(name).gatt
    assert gatt is not None
    return gatt


class Room:
    """A radio link with boards, and the daemon's radio."""

    def __init__(self) -> None:
        self.air = Air()
        self.central = BumbleCentral(self.air)
        self.radio = Radio(self.central)
        self._boards: list[BleBoard] = []

    async def board(self, kind: str, name: str, address: str = ONE, battery: int | None = None) -> BleBoard:
        """A board that is switched on."""
        board = BleBoard(self.air, gatt_of(kind), name, address, battery)
        self._boards.append(board)
        await board.power_on()
        return board

    async def close(self) -> None:
        """Switches all boards off."""
        for board in self._boards:
            await board.hide()

    async def open(self, url: str, kind: str) -> BluetoothLink:
        return await open_bluetooth(board_url(url), gatt_of(kind), self.radio)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one test is about the wait for a second board that fits."""
    monkeypatch.setattr(bluetooth_radio, "ALONE_SECONDS", 0.01)


def in_a_room(act: Callable[[Room], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with asyncio.timeout(LIMIT_SECONDS):
            room = Room()
            await room.central.power_on()
            try:
                await act(room)
            finally:
                await room.close()

    asyncio.run(run())


async def read(link: BluetoothLink, count: int) -> list[bytes]:
    """The next notifications."""
    heard: list[bytes] = []
    while len(heard) < count:
        heard += unframed((await link.read()).data)
    return heard


async def refused(attempt: Awaitable[object]) -> Disconnected:
    with pytest.raises(Disconnected) as caught:
        await attempt
    return caught.value


def test_a_unicorn_is_woken_before_it_is_subscribed_and_says_its_battery() -> None:
    async def act(room: Room) -> None:
        board = await room.board("unicorn", "Unicorn Smartboard", battery=80)
        link = await room.open("ble://", "unicorn")
        assert board.log == ["connected", "written", "subscribed"]
        assert board.written == [b"\x03"]
        assert (await link.read()).battery == 80
        await board.say(b"\x14\x03")
        assert await read(link, 1) == [b"\x14\x03"]
        await board.charge(79)
        assert (await link.read()).battery == 79
        link.close()

    in_a_room(act)


def test_every_notification_arrives_once_and_in_order_over_ten_drops() -> None:
    async def act(room: Room) -> None:
        board = await room.board("granboard", "GRANBOARD")
        said = [f"{n % 12}.{n % 7}@".encode() for n in range(200)]
        heard: list[bytes] = []
        news = asyncio.Event()
        states: list[str] = []

        async def arrived(what: Arrival) -> None:
            match what:
                case Chunk(data):
                    heard.extend(unframed(data))
                case Opened():
                    states.append("online")
                case Lost(why):
                    states.append(why.reason)
            news.set()

        async def until(count: int) -> None:
            while len(heard) < count:
                news.clear()
                await news.wait()

        async def opened() -> BluetoothLink:
            return await room.open("ble://GRANBOARD", "granboard")

        keeper = asyncio.create_task(supervise(opened, DRIVERS["granboard"], arrived, lambda _: asyncio.sleep(0)))
        for start in range(0, len(said), 20):
            await board.subscribed.wait()
            for one in said[start : start + 20]:
                await board.say(one)
            await until(start + 20)
            await board.drop()
        await board.subscribed.wait()
        keeper.cancel()
        assert heard == said
        assert states[: 2 * 10] == ["online", "gone"] * 10

    in_a_room(act)


def test_two_boards_share_the_radio_which_never_scans_while_it_connects() -> None:
    """The central fails a test that does both at once."""

    async def act(room: Room) -> None:
        boards = [await room.board("granboard", "GRANBOARD", ONE), await room.board("smartness", "Smartness1", OTHER)]
        links = await asyncio.gather(room.open("ble://", "granboard"), room.open("ble://Smartness1", "smartness"))
        for board, link, message in zip(boards, links, (b"3.4@", b"\x01"), strict=True):
            await board.say(message)
            assert await read(link, 1) == [message]
        for link in links:
            link.close()

    in_a_room(act)


def test_the_scan_goes_on_for_a_board_that_is_still_off() -> None:
    async def act(room: Room) -> None:
        await room.board("granboard", "GRANBOARD", ONE)
        waits = asyncio.create_task(room.open("ble://", "smartness"))
        (await room.open("ble://", "granboard")).close()
        late = await room.board("smartness", "Smartness1", OTHER)
        link = await waits
        await late.say(b"\x14")
        assert await read(link, 1) == [b"\x14"]
        link.close()

    in_a_room(act)


def test_two_that_fit_are_a_tie_and_the_address_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bluetooth_radio, "ALONE_SECONDS", 1.5)

    async def act(room: Room) -> None:
        one = await room.board("granboard", "GRANBOARD", ONE)
        other = await room.board("granboard", "GRANBOARD", OTHER)
        why = await refused(room.open("ble://", "granboard"))
        assert why.reason == "tie"
        assert ONE in str(why) and OTHER in str(why)
        link = await room.open(f"ble://{OTHER.replace(':', '-').lower()}", "granboard")
        assert other.connected.is_set() and not one.connected.is_set()
        link.close()

    in_a_room(act)


def test_a_board_out_of_reach_and_an_adapter_that_is_off_say_so() -> None:
    async def act(room: Room) -> None:
        looked = room.radio.reach(wanted(board_url("ble://GRANBOARD"), None), lambda: None, 0.2)
        assert (await refused(looked)).reason == "missing"
        room.central.refuses = Disconnected("adapter-off", "The Bluetooth adapter is switched off.")
        assert (await refused(room.open("ble://", "granboard"))).reason == "adapter-off"
        room.central.refuses = None
        await room.board("granboard", "GRANBOARD")
        (await room.open("ble://", "granboard")).close()

    in_a_room(act)


def test_a_board_of_another_kind_is_refused_and_let_go() -> None:
    async def act(room: Room) -> None:
        board = await room.board("smartness", "GRANBOARD")
        assert (await refused(room.open("ble://", "granboard"))).reason == "unreachable"
        await board.until(lambda: "gone" in board.log)

    in_a_room(act)


def test_what_is_said_to_a_board_arrives_in_order_and_is_bounded() -> None:
    async def act(room: Room) -> None:
        board = await room.board("granboard", "GRANBOARD")
        link = await room.open("ble://", "granboard")
        frames = [bytes([n]) * 20 for n in range(UNWRITTEN)]
        # The loop has no turn between these: nothing is written yet.
        assert all(link.write(framed(frame)) for frame in frames)
        assert not link.write(framed(b"one too many"))
        await board.until(lambda: len(board.written) == len(frames))
        assert board.written == frames
        assert link.write(framed(b"room again"))
        link.close()

    in_a_room(act)


def test_a_board_without_a_characteristic_to_write_is_never_written_to() -> None:
    async def act(room: Room) -> None:
        board = await room.board("sdb-bt", "SDB-BT")
        link = await room.open("ble://", "sdb-bt")
        for _ in range(100):
            assert link.write(framed(b"anything"))
        await board.say(bytes(10))
        assert await read(link, 1) == [bytes(10)]
        assert board.written == []
        link.close()

    in_a_room(act)


def test_looking_around_changes_nothing() -> None:
    async def act(room: Room) -> None:
        board = await room.board("granboard", "GRANBOARD")
        found: list[Seen] = []
        while not found:
            found = await room.radio.look_around(0.3)
        assert [(seen.name, seen.address) for seen in found] == [("GRANBOARD", ONE)]
        assert board.log == []

    in_a_room(act)
