"""A board that comes back is looked for at once where udev tells, and by time where it does not."""

import asyncio
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from daemon.links import hotplug
from daemon.links.hotplug import Hotplug
from daemon.links.link import Disconnected
from daemon.system.urls import board_url
from tests.rig import LIMIT_SECONDS

MISSING = Disconnected("missing", "")


class Monitor:
    """udev's messages, by hand, on a real file that becomes readable."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)

    def start(self) -> None:
        pass

    def fileno(self) -> int:
        return self._read

    def tell(self, action: str) -> None:
        os.write(self._write, action.encode() + b"\n")

    def poll(self, timeout: int) -> SimpleNamespace | None:
        assert timeout == 0
        line = b""
        while not line.endswith(b"\n"):
            try:
                line += os.read(self._read, 1)
            except BlockingIOError:
                return None
        return SimpleNamespace(action=line.decode().strip())

    def close(self) -> None:
        os.close(self._read)
        os.close(self._write)


@pytest.mark.parametrize(
    "url", ["/dev/ttyUSB0", "serial://1a86:7523/A", "usb://1209:0b0a", "keyboard:///dev/input/by-id/usb-x-event-kbd"]
)
def test_udev_wakes_those_who_wait(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hotplug, "CALM_SECONDS", 1e6)
    monitor = Monitor()

    async def session() -> list[bool]:
        plug = Hotplug(monitor)
        waiting = [asyncio.ensure_future(plug.pause(board_url(url))(MISSING)) for _ in range(2)]
        await asyncio.sleep(0)
        monitor.tell("remove")
        monitor.tell("remove")
        for _ in range(20):
            await asyncio.sleep(0)
        before = any(w.done() for w in waiting)
        monitor.tell("add")
        async with asyncio.timeout(LIMIT_SECONDS):
            await asyncio.gather(*waiting)
        plug.close()
        return [before, all(w.done() for w in waiting)]

    assert asyncio.run(session()) == [False, True]
    monitor.close()


@pytest.mark.parametrize(
    ("url", "reason"), [("tcp://127.0.0.1:5", "unreachable"), ("/tmp/x", "missing"), ("/dev/ttyUSB0", "busy")]
)
def test_what_udev_does_not_tell_is_looked_for_by_time(url: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hotplug, "POLL_SECONDS", 0.0)
    monkeypatch.setattr(hotplug, "CALM_SECONDS", 1e6)
    monitor = Monitor()

    async def session() -> None:
        plug = Hotplug(monitor)
        async with asyncio.timeout(LIMIT_SECONDS):
            await plug.pause(board_url(url))(Disconnected(reason, ""))
        plug.close()

    asyncio.run(session())
    monitor.close()


def test_without_udev_it_is_by_time_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(hotplug, "UDEV", tmp_path / "none")
    monkeypatch.setattr(hotplug, "POLL_SECONDS", 0.0)
    assert hotplug.udev_monitor() is None

    async def session() -> None:
        async with asyncio.timeout(LIMIT_SECONDS):
            await Hotplug(None).pause(board_url("/dev/ttyUSB0"))(MISSING)

    asyncio.run(session())
