"""Boards that are USB devices, over a pyusb backend of our own: found, taken, read, given back, found again."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.board import Board, ReportLayout
from daemon.links.link import Disconnected
from daemon.links.supervisor import Arrival, Lost, Opened, supervise
from daemon.links.unread import FULL
from daemon.links.usb_device import UsbLink, cut, open_usb
from daemon.system.urls import UsageError, board_url
from drivers import DRIVERS
from drivers.events import BoardEvent, DartLanded, Stuck
from drivers.pipeline import Pipeline
from drivers.usb_report import UsbReports, bits
from engine.segments import PLAYABLE, SEGMENTS
from tests.daemon.usb_devices import Bus, Device
from tests.rig import LIMIT_SECONDS

MS = 1_000_000
URL = "usb://1209:0b0a/G-17"


def board(dialect: str) -> Board:
    cells = [(0, n) for n in range(62)] if dialect == "usb-bits" else [(n + 4, 0) for n in range(62)]
    return Board("mine", "", dialect, DRIVERS[dialect].can, dict(zip(cells, PLAYABLE, strict=True)))


def bit(*numbers: int) -> bytes:
    return sum(1 << n for n in numbers).to_bytes(8, "little")


async def take(bus: Bus, url: str = URL, layout: ReportLayout | None = None) -> UsbLink:
    return await open_usb(board_url(url), layout or ReportLayout(), bus)


def heard(dialect: str, chunks: list[bytes]) -> list[BoardEvent]:
    pipeline = Pipeline(board(dialect), DRIVERS[dialect])
    said: list[BoardEvent] = list(pipeline.opened(0))
    for n, data in enumerate(chunks):
        said += pipeline.feed(data, n * 100 * MS)
    return said


async def pieces(link: UsbLink, count: int) -> list[bytes]:
    return [(await link.read()).data for _ in range(count)]


async def settled(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT_SECONDS):
        # A thread of the link changes it, which no event of the loop tells.
        while not done():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


@pytest.mark.parametrize(
    ("dialect", "reports"),
    [
        ("usb-bits", [bit(0), bit(), bit(3), bit(3, 7), bit()]),
        ("usb-codes", [b"\0\0\x04", b"", b"\0\0\x07", b"\0\0\x0b\x07", b""]),
    ],
)
def test_reports_are_darts(dialect: str, reports: list[bytes]) -> None:
    device = Device(0x1209, 0x0B0A, "G-17")

    async def session() -> list[bytes]:
        link = await take(Bus(device))
        for report in reports:
            device.say(report)
        got = await pieces(link, len(reports))
        link.close()
        await settled(lambda: device.kernel_driver)
        return got

    said = heard(dialect, asyncio.run(session()))
    assert [h.dart for h in said if isinstance(h, DartLanded)] == [PLAYABLE[0], PLAYABLE[3], PLAYABLE[7]]
    assert device.detached == 1 and device.kernel_driver and not device.claimed, "taken, and given back"


def test_what_a_killed_daemon_has_left_without_a_driver_has_one_again() -> None:
    left = Device(0x1209, 0x0B0A, "G-17", kernel_driver=False)

    async def session() -> None:
        (await take(Bus(left))).close()
        await settled(lambda: left.kernel_driver)

    asyncio.run(session())
    assert not left.claimed and left.detached == 0


ENDS = """
import asyncio, atexit
from tests.daemon.test_usb import Bus, Device, take

device = Device(0x1209, 0x0B0A, "G-17")
atexit.register(lambda: print(device.detached, device.kernel_driver))

async def session():
    (await take(Bus(device))).close()

asyncio.run(session())
"""


def test_a_process_that_ends_has_given_it_back() -> None:
    said = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True, check=True)
    assert said.stdout == "1 True\n"


def test_what_is_closed_at_the_opening_is_named_and_never_scores() -> None:
    device = Device(0x1209, 0x0B0A, "G-17", held=bit(5))

    async def session() -> list[bytes]:
        link = await take(Bus(device))
        got = await pieces(link, 1)
        device.say(bit(5, 6))
        got += await pieces(link, 1)
        link.close()
        return got

    said = heard("usb-bits", asyncio.run(session()))
    assert [type(h) for h in said] == [Stuck, DartLanded]
    assert said[0].text == PLAYABLE[5].text  # type: ignore[union-attr]
    assert said[1].dart is PLAYABLE[6]  # type: ignore[union-attr]


@pytest.mark.parametrize("number", [5, 19, 32, 75])
def test_it_goes_and_is_found_again(number: int) -> None:
    """EIO, ENODEV, EPIPE and EOVERFLOW all mean that it has gone; the darts go on when it is back."""
    first = Device(0x1209, 0x0B0A, "G-17")
    again = Device(0x1209, 0x0B0A, "G-17")
    bus = Bus(Device(0x1209, 0x0B0A, "G-18"), first)
    seen: list[Arrival] = []

    async def open_now() -> UsbLink:
        return await take_or_missing(bus)

    async def arrived(what: Arrival) -> None:
        seen.append(what)

    async def session() -> None:
        keeper = asyncio.create_task(supervise(open_now, DRIVERS["usb-bits"], arrived, lambda _gone: asyncio.sleep(0)))
        await settled(lambda: any(isinstance(s, Opened) for s in seen))
        bus.unplug(first, number)
        await settled(lambda: any(isinstance(s, Lost) and s.why.reason == "missing" for s in seen))
        bus.devices.append(again)
        await settled(lambda: sum(isinstance(s, Opened) for s in seen) == 2)
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)
        await settled(lambda: again.kernel_driver)

    asyncio.run(session())
    assert next(s.why.reason for s in seen if isinstance(s, Lost)) == "gone"


async def take_or_missing(bus: Bus) -> UsbLink:
    try:
        return await take(bus)
    except FileNotFoundError as error:
        raise Disconnected("missing", "not there") from error


def refused(made: Callable[[], Awaitable[object]]) -> BaseException:
    async def attempt() -> None:
        await made()

    with pytest.raises((Disconnected, UsageError, OSError)) as error:
        asyncio.run(attempt())
    return error.value


def test_two_alike_are_a_tie() -> None:
    twins = Bus(Device(0x1209, 0x0B0A, "G-17"), Device(0x1209, 0x0B0A, "G-18"))
    error = refused(lambda: take(twins, "usb://1209:0b0a"))
    assert isinstance(error, Disconnected) and error.reason == "tie" and "G-17 and G-18" in str(error)
    assert not any(device.detached for device in twins.devices), "neither was touched"


def test_what_cannot_be_had_is_said() -> None:
    assert isinstance(refused(lambda: take(Bus())), FileNotFoundError)
    assert isinstance(refused(lambda: take(Bus(), "usb://darts")), UsageError)
    locked = Device(0x1209, 0x0B0A, "G-17", forbidden=True)
    assert isinstance(refused(lambda: take(Bus(locked), "usb://1209:0b0a")), PermissionError)
    taken = Device(0x1209, 0x0B0A, "G-17", kernel_driver=False, claimed=True)
    error = refused(lambda: take(Bus(taken)))
    assert isinstance(error, Disconnected) and error.reason == "busy"
    other = refused(lambda: take(Bus(Device(0x1209, 0x0B0A, "G-17")), layout=ReportLayout(endpoint=0x82)))
    assert isinstance(other, Disconnected) and other.reason == "unreachable"


def test_a_driver_that_was_moved_aside_is_given_back_when_the_device_is_busy() -> None:
    device = Device(0x1209, 0x0B0A, "G-17")

    class Busy(Bus):
        def claim_interface(self, dev_handle: Device, intf: int) -> None:
            dev_handle.claimed = False
            import usb.core

            raise usb.core.USBError("Resource busy", None, 16)

    error = refused(lambda: take(Busy(device)))
    assert isinstance(error, Disconnected) and device.kernel_driver


def test_the_layout_says_which_bytes_have_contacts() -> None:
    layout = ReportLayout(id=2, first=1, length=2)
    assert cut(b"\x02\x01\x80\xff", layout) == b"\x01\x80" and cut(b"\x01\x01\x80", layout) is None
    assert bits(b"\x01\x80") == {(0, 0), (0, 15)}


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=5))
def test_reports_split_anywhere(data: bytes, cuts: list[int]) -> None:
    whole, split = UsbReports(bits), UsbReports(bits)
    edges = [0, *sorted(c % (len(data) + 1) for c in cuts), len(data)]
    expected = whole.feed(data, 1)
    assert expected == tuple(r for a, b in pairwise(edges) for r in split.feed(data[a:b], 1))
    assert whole.pending == split.pending


def test_a_dart_that_holds_its_contact_over_a_reconnect_is_not_scored_again() -> None:
    pipeline = Pipeline(board("usb-bits"), DRIVERS["usb-bits"])
    said = [*pipeline.opened(0), *pipeline.feed(b"\x08" + bit(0), 100 * MS), *pipeline.lost(200 * MS)]
    said += [*pipeline.opened(700 * MS), *pipeline.feed(b"\0" + b"\x08" + bit(0), 710 * MS)]
    said += [*pipeline.feed(b"\x08" + bit(0, 1), 2000 * MS)]
    assert [h.dart for h in said if isinstance(h, DartLanded)] == [SEGMENTS[PLAYABLE[0].text], PLAYABLE[1]]


def test_a_device_that_is_faster_than_its_reader_waits() -> None:
    """Reports that nobody has read yet have a bound; the rest stays in the device, in its order."""
    device = Device(0x1209, 0x0B0A, "G-17")
    count = 3 * FULL

    async def session() -> list[bytes]:
        link = await take(Bus(device))
        for n in range(count):
            device.say(n.to_bytes(4, "little"))
        await settled(lambda: link._unread.count > FULL)
        # The one more is the report that was asked for last.
        assert device.reports.qsize() >= count - FULL - 2, "it is asked for no more than may wait"
        got = await pieces(link, count)
        link.close()
        return got

    assert [int.from_bytes(data[1:5], "little") for data in asyncio.run(session())] == list(range(count))


def test_a_device_that_waits_is_given_back_when_it_is_closed() -> None:
    device = Device(0x1209, 0x0B0A, "G-17")

    async def session() -> None:
        link = await take(Bus(device))
        for n in range(3 * FULL):
            device.say(n.to_bytes(4, "little"))
        await settled(lambda: link._unread.count > FULL)
        link.close()
        await settled(lambda: device.kernel_driver)

    asyncio.run(session())
