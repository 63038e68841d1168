"""When to look for a board again: at once when udev reports a device, every half second where udev cannot.

Bluetooth boards are looked for by scanning, which takes seconds by itself; their pauses are random and grow.

udev reports local devices only, and only while its daemon runs. Network boards, ports that another program has open,
and containers without udev are polled.
"""

import asyncio
import contextlib
import random
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


CALM_SCAN_SECONDS: Final = 2.0
"""Longest pause after a scan in which a board was not in reach. A scan that follows at once would keep Wi-Fi on the
same chip slow for as long as the board is off; a longer pause would let a board that is switched on wait."""
LONGEST_BACKOFF_SECONDS: Final = 8.0
"""Longest pause after other failures of Bluetooth, which begin with half a second."""


class Backoff:
    """Pauses of random length between attempts to reach a Bluetooth board, so that two boards do not keep step."""

    def __init__(self) -> None:
        self._failures = 0

    def seconds(self, reason: str) -> float:
        """Returns how long to wait after an attempt that ended so, or after the connection was lost (`gone`)."""
        if reason in PLUGGED:
            self._failures = 0
            return random.uniform(0.1, 0.5 if reason == "gone" else CALM_SCAN_SECONDS)
        self._failures += 1
        longest = min(POLL_SECONDS * 2 ** min(self._failures, 10), LONGEST_BACKOFF_SECONDS)
        return random.uniform(longest / 2, longest)

    async def wait(self, gone: Disconnected) -> None:
        """Waits that long."""
        await asyncio.sleep(self.seconds(gone.reason))


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
        if url.scheme == "ble":
            return Backoff().wait
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
