"""When to look for a board again: at once when udev says that something came, every half second where it says nothing.

udev tells of devices of the machine alone, and only where its daemon runs; a
network board, a port that another program has, or a container without udev is
looked for by time.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

from daemon.links.discovery import UDEV
from daemon.links.link import Disconnected
from daemon.system.urls import BoardUrl

POLL_SECONDS: Final = 0.5
"""Not growing: a board that is plugged in again is wanted at once, and a look at a missing path costs nothing."""

CALM_SECONDS: Final = 10.0
"""Where udev tells, a look all the same, should a message have been lost."""

TOLD: Final = ("missing", "gone")
"""The reasons that end with a device being plugged in."""


class Hotplug:
    """Wakes whoever waits for a device when one was plugged in."""

    def __init__(self, monitor: Any | None) -> None:
        self._monitor = monitor
        self._came = asyncio.Event()
        if monitor is not None:
            monitor.start()
            asyncio.get_running_loop().add_reader(monitor.fileno(), self._readable)

    def close(self) -> None:
        """Listens to udev no more."""
        if self._monitor is not None:
            asyncio.get_running_loop().remove_reader(self._monitor.fileno())

    def pause(self, url: BoardUrl) -> Callable[[Disconnected], Awaitable[None]]:
        """What to do between two looks for the board at this address."""
        told = self._monitor is not None and _is_local(url)

        async def wait(gone: Disconnected) -> None:
            if not told or gone.reason not in TOLD:
                await asyncio.sleep(POLL_SECONDS)
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CALM_SECONDS):
                    await self._came.wait()

        return wait

    def _readable(self) -> None:
        while self._monitor is not None and (device := self._monitor.poll(timeout=0)) is not None:
            if device.action in ("add", "change", "bind"):
                self._came.set()
                self._came = asyncio.Event()


def udev_monitor() -> Any | None:
    """udev's messages of devices that boards can be; None where there is no udev to tell."""
    if not UDEV.exists():
        return None
    try:
        import pyudev

        monitor = pyudev.Monitor.from_netlink(pyudev.Context())
        for subsystem in ("tty", "usb", "input"):
            monitor.filter_by(subsystem)
    except (ImportError, OSError):
        return None
    return monitor


def _is_local(url: BoardUrl) -> bool:
    if url.scheme in ("usb", "keyboard"):
        return True
    return url.scheme == "serial" and (url.place.startswith("/dev/") or not url.place.startswith("/"))
