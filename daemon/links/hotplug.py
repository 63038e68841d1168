"""When to look for a board again: at once when udev reports a device, every half second where udev cannot.

udev reports local devices only, and only while its daemon runs. Network boards, ports that another program has open,
and containers without udev are polled.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

from daemon.links.discovery import UDEV
from daemon.links.link import Disconnected
from daemon.system.urls import BoardUrl

POLL_SECONDS: Final = 0.5
"""Seconds between two attempts. No backoff: a board must be back at once, and a missing path costs nothing."""

CALM_SECONDS: Final = 10.0
"""Seconds between two attempts where udev reports devices, in case a message was lost."""

PLUGGED: Final = ("missing", "gone")
"""Reasons of `Disconnected` that end when a device is plugged in."""


class Hotplug:
    """Wakes those who wait for a device when one is plugged in."""

    def __init__(self, monitor: Any | None) -> None:
        self._monitor = monitor
        self._came = asyncio.Event()
        if monitor is not None:
            monitor.start()
            asyncio.get_running_loop().add_reader(monitor.fileno(), self._readable)

    def close(self) -> None:
        """Stops reading from udev."""
        if self._monitor is not None:
            asyncio.get_running_loop().remove_reader(self._monitor.fileno())

    def pause(self, url: BoardUrl) -> Callable[[Disconnected], Awaitable[None]]:
        """Returns what to wait for between two attempts to open the board at this address."""
        has_udev = self._monitor is not None and _is_local(url)

        async def wait(gone: Disconnected) -> None:
            if not has_udev or gone.reason not in PLUGGED:
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
    """Returns a monitor of devices that can be boards; `None` without udev."""
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
