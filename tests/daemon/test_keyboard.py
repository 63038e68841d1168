"""A board that is a keyboard: its events as bytes of a real fifo; only the grab itself is stood in for.

No input device can be made here without the kernel's uinput: the grab on a
real one is for the tests in a virtual machine.
"""

import asyncio
import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.links.keyboard import EVIOCGRAB, KeyboardLink
from daemon.links.link import Disconnected, Link
from daemon.links.opener import open_link
from daemon.links.unread import FULL
from daemon.system.urls import board_url
from drivers.events import DartLanded
from drivers.keys import EVENT, TYPED, Keys
from engine.segments import Segment
from tests.drivers.boards import wired

A, B, FIVE, SHIFT, ENTER, F1 = 30, 48, 6, 42, 28, 59
REPORT = EVENT.pack(0, 0, 0, 0, 0)
DROPPED = EVENT.pack(0, 0, 0, 3, 0)


def key(code: int, value: int) -> bytes:
    return EVENT.pack(1_700_000_000, 5, 4, 4, 0x70000 + code) + EVENT.pack(1_700_000_000, 5, 1, code, value) + REPORT


def press(code: int) -> bytes:
    return key(code, 1) + key(code, 0)


@pytest.mark.parametrize(
    ("data", "typed"),
    [
        (press(A) + press(B), "ab"),
        (key(A, 1) + key(A, 2) * 40 + key(A, 0), "a"),
        (key(SHIFT, 1) + press(FIVE) + key(SHIFT, 0) + press(FIVE), "%5"),
        (key(SHIFT, 1) + key(54, 1) + key(SHIFT, 0) + press(A) + key(54, 0) + press(A), "Aa"),
        (press(ENTER) + press(F1) + press(103), "①↑"),
        (press(500), ""),
        (press(71) + press(82), "70"),
        (key(SHIFT, 1) + DROPPED + key(A, 1) + press(B), "b"),
    ],
)
def test_what_keys_type(data: bytes, typed: str) -> None:
    assert Keys().feed(data) == typed
    one = Keys()
    assert "".join(one.feed(data[n : n + 1]) for n in range(len(data))) == typed
    assert one.pending == 0


def test_every_key_is_one_printable_character() -> None:
    assert all(len(c) == 1 and c.isprintable() for pair in TYPED.values() for c in pair)
    digits = [TYPED[code][0] for code in (2, 3, 11, 16, 25, 44, 53)]
    assert digits == ["1", "2", "0", "q", "p", "z", "/"]


@given(st.lists(st.binary(max_size=60), max_size=10))
def test_any_bytes_in_any_pieces(pieces: list[bytes]) -> None:
    whole, split = Keys(), Keys()
    assert whole.feed(b"".join(pieces)) == "".join(split.feed(piece) for piece in pieces)
    assert split.pending == whole.pending < EVENT.size


@pytest.fixture
def grabs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The kernel's answer to the grab, stood in for: a fifo is no input device."""
    asked: list[int] = []

    def ioctl(_fd: int, request: int, argument: int) -> int:
        assert request == EVIOCGRAB
        asked.append(argument)
        return 0

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    return asked


@pytest.fixture
def fifo(tmp_path: Path) -> Iterator[tuple[str, int]]:
    path = tmp_path / "usb-Darts-event-kbd"
    os.mkfifo(path)
    keep = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    yield str(path), keep
    os.close(keep)


def test_darts_come_through_the_link(grabs: list[int], fifo: tuple[str, int]) -> None:
    path, ours = fifo
    board = wired("keyboard", [(ord(c), 0) for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456%*?"])

    async def session() -> list[str]:
        from drivers import DRIVERS
        from drivers.pipeline import Pipeline

        link = await open_link(board_url(f"keyboard://{path}"), 0)
        pipeline = Pipeline(board, DRIVERS["keyboard"])
        heard = list(pipeline.opened(0))
        for n, data in enumerate((press(A)[:30], press(A)[30:], key(SHIFT, 1) + press(FIVE), key(B, 2), press(ENTER))):
            os.write(ours, data)
            if n in (1, 2):
                heard += pipeline.feed((await link.read()).data, n * 2_000_000_000)
        link.close()
        return [h.dart.text for h in heard if isinstance(h, DartLanded) and isinstance(h.dart, Segment)]

    a, percent = board.contacts[(ord("a"), 0)], board.contacts[(ord("%"), 0)]
    assert isinstance(a, Segment) and isinstance(percent, Segment)
    assert asyncio.run(session()) == [a.text, percent.text]
    assert grabs == [1]


def test_a_device_that_is_not_a_keyboard_is_refused(fifo: tuple[str, int], tmp_path: Path) -> None:
    async def opened(path: str) -> Link:
        return await open_link(board_url(f"keyboard://{path}"), 0)

    with pytest.raises(Disconnected) as no_keyboard:
        asyncio.run(opened(fifo[0]))
    assert no_keyboard.value.reason == "unreachable" and "-event-kbd" in str(no_keyboard.value)
    with pytest.raises(Disconnected) as missing:
        asyncio.run(opened(str(tmp_path / "none")))
    assert missing.value.reason == "missing"


def test_one_that_another_program_has(monkeypatch: pytest.MonkeyPatch, fifo: tuple[str, int]) -> None:
    def busy(*_: object) -> int:
        raise OSError(errno.EBUSY, "busy")

    monkeypatch.setattr(fcntl, "ioctl", busy)

    async def opened() -> None:
        KeyboardLink(board_url(f"keyboard://{fifo[0]}"))

    with pytest.raises(Disconnected) as taken:
        asyncio.run(opened())
    assert taken.value.reason == "busy"


def test_one_that_is_pulled(grabs: list[int], tmp_path: Path) -> None:
    path = tmp_path / "pulled"
    os.mkfifo(path)

    async def session() -> str:
        link = await open_link(board_url(f"keyboard://{path}"), 0)
        writer = os.open(path, os.O_WRONLY)
        os.write(writer, press(A)[:20])
        os.close(writer)
        with pytest.raises(Disconnected) as gone:
            await link.read()
        link.close()
        return gone.value.reason

    assert asyncio.run(session()) == "gone"
    assert grabs == [1]


def test_a_keyboard_that_is_faster_than_its_reader_waits(grabs: list[int], fifo: tuple[str, int]) -> None:
    """What is not read yet has a bound; nothing of it is lost or changes its place."""
    path, ours = fifo
    words = "".join(TYPED[code][0] for code in (A, B, FIVE)) * (2 * FULL)

    async def session() -> str:
        link = await open_link(board_url(f"keyboard://{path}"), 0)
        written, read, most = 0, "", 0
        codes = [press(code) for code in (A, B, FIVE)] * (2 * FULL)
        while len(read) < len(words):
            # As much as the pipe takes, in pieces as a keyboard sends them.
            while written < len(codes):
                try:
                    os.write(ours, codes[written])
                except BlockingIOError:
                    break
                written += 1
                await asyncio.sleep(0)
            most = max(most, link._unread.count)  # type: ignore[attr-defined]
            read += (await link.read()).data.decode()
        link.close()
        assert FULL // 2 < most <= FULL + 1
        return read

    assert asyncio.run(session()) == words
