"""The Bluetooth radio of this machine, which all boards share: one scan for all who look, never while connecting.

A radio that scans while it connects fails at both. So whoever looks for a board joins the one scan; when a board is
found the scan ends, the board is connected, and the scan goes on for the others. Nothing that was found is kept: after
an error BlueZ may have forgotten the device, and it is looked for again.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from daemon.links.link import Disconnected
from daemon.system.error_text import error_text

SCAN_SECONDS: Final = 12.0
"""How long a board is looked for before it counts as out of reach; the next attempt follows soon."""
ASLEEP: Final = (
    "Is it switched on and awake, and is no phone connected to it? A board that is connected elsewhere is not seen."
)
ALONE_SECONDS: Final = 2.0
"""How long the scan goes on after the first device that fits, where there must be only one."""
CLOSE_SECONDS: Final = 10.0
"""How long a connection may take to end before the next is begun all the same."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A device that advertises. `handle` is what the Bluetooth stack needs to connect; it is valid for a short time."""

    address: str
    name: str = ""
    services: tuple[str, ...] = ()
    rssi: int | None = None
    """How strong its signal is, in dBm; -90 is nearly out of reach."""
    handle: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Characteristic:
    """A value of a connected device. `quiet` if it can be written without an answer."""

    uuid: str
    notifies: bool = False
    quiet: bool = False
    handle: Any = field(default=None, compare=False)


class Peer(Protocol):
    """A connected device. Each method raises Disconnected if it fails, for whatever reason."""

    @property
    def characteristics(self) -> tuple[Characteristic, ...]:
        """What the device has, asked for again at every connection."""
        ...

    async def subscribe(self, characteristic: Characteristic, heard: Callable[[bytes], None]) -> None:
        """Calls `heard` for each notification from now on, in order."""
        ...

    async def read(self, characteristic: Characteristic) -> bytes:
        """Returns the value."""
        ...

    async def write(self, characteristic: Characteristic, data: bytes) -> None:
        """Writes a value."""
        ...

    async def disconnect(self) -> None:
        """Ends the connection. Does not raise."""
        ...


class Central(Protocol):
    """The Bluetooth stack. Both methods raise Disconnected if the adapter cannot be used."""

    def scanning(self, saw: Callable[[Seen], None]) -> AbstractAsyncContextManager[None]:
        """Scans inside the block; `saw` is called for each device, again and again."""
        ...

    async def connect(self, seen: Seen, gone: Callable[[], None]) -> Peer:
        """Connects to a device that was just seen. `gone` is called when the connection has ended."""
        ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which device an address means. Unless it is `by_address`, several devices can fit, and then none is taken."""

    text: str
    fits: Callable[[Seen], bool]
    by_address: bool = False


class _Seeker:
    """Someone who looks for a device."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.found: asyncio.Future[Seen] = asyncio.get_running_loop().create_future()
        self._fitting: dict[str, Seen] = {}
        self._timer: asyncio.TimerHandle | None = None

    def saw(self, seen: Seen, settled: Callable[[], None]) -> None:
        """Takes a device of the scan; calls `settled` once it is clear which one it is."""
        if self.found.done() or not self.wanted.fits(seen):
            return
        self._fitting[seen.address] = seen

        def settle() -> None:
            if not self.found.done():
                self._settle()
                settled()

        if self.wanted.by_address:
            settle()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(ALONE_SECONDS, settle)

    def fail(self, why: Disconnected) -> None:
        if not self.found.done():
            self.found.set_exception(why)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.found.cancel()

    def _settle(self) -> None:
        first, *others = self._fitting.values()
        if others:
            devices = " and ".join(f"{seen.name or 'a device'} at {seen.address}" for seen in (first, *others))
            write = f"write ble://{first.address} for the first of them"
            self.fail(Disconnected("tie", f"{self.wanted.text} could be {devices}: {write}."))
        else:
            self.found.set_result(first)


class Radio:
    """Finds and connects devices, one at a time."""

    def __init__(self, central: Central) -> None:
        self._central = central
        self._busy = asyncio.Lock()
        """Held while scanning, and while connecting."""
        self._seekers: list[_Seeker] = []
        self._scan: asyncio.Task[None] | None = None
        self._seen: dict[str, Seen] = {}
        """What the present scan has seen, for those who join it."""
        self._news = asyncio.Event()
        """Ends the present scan."""
        self._closing: set[asyncio.Task[None]] = set()
        self._held: dict[Peer, str] = {}
        """The addresses of the devices that are connected here, until they are released. BlueZ reports them as well."""

    async def reach(self, wanted: Wanted, gone: Callable[[], None], seconds: float = SCAN_SECONDS) -> Peer:
        """Looks for a device and connects to it. Raises Disconnected: `missing`, `tie`, or what the stack says."""
        await self.closed()  # BlueZ would take the old connection for the new one.
        seeker = _Seeker(wanted)
        self._seekers.append(seeker)
        for seen in self._seen.values():
            seeker.saw(seen, self._news.set)
        self._look()
        try:
            try:
                async with asyncio.timeout(seconds):
                    found = await seeker.found
            except TimeoutError as error:
                raise Disconnected("missing", f"{wanted.text} is not in reach. {ASLEEP}") from error
            async with self._busy:
                if found.address in self._held.values():
                    raise Disconnected("missing", f"{wanted.text} is not in reach: {found.address} is another board.")
                peer = await self._central.connect(found, gone)
                self._held[peer] = found.address
                return peer
        finally:
            self._seekers.remove(seeker)
            seeker.stop()
            self._news.set()
            self._look()

    async def look_around(self, seconds: float) -> list[Seen]:
        """Returns the devices that advertise now, the nearest first."""
        seen: dict[str, Seen] = {}

        def saw(device: Seen) -> None:
            # The name often comes with a second packet.
            before = seen.get(device.address)
            seen[device.address] = device if device.name or before is None else before

        async with self._busy, self._central.scanning(saw):
            await asyncio.sleep(seconds)
        return sorted(seen.values(), key=lambda device: -999 if device.rssi is None else device.rssi, reverse=True)

    def release(self, peer: Peer) -> None:
        """Ends a connection, in the background."""
        self._held.pop(peer, None)
        task = asyncio.get_running_loop().create_task(peer.disconnect())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def closed(self) -> None:
        """Waits until every released connection has ended, `CLOSE_SECONDS` at most."""
        if self._closing:
            await asyncio.wait(self._closing, timeout=CLOSE_SECONDS)

    def _look(self) -> None:
        """Starts the scan if somebody looks for a device, and nobody is about to connect to one."""
        idle = self._scan is None or self._scan.done()
        if idle and self._seekers and not any(seeker.found.done() for seeker in self._seekers):
            self._scan = asyncio.get_running_loop().create_task(self._scan_once())
            self._scan.add_done_callback(lambda _: self._look())

    async def _scan_once(self) -> None:
        """Scans until a device was found, or somebody has looked long enough: the adapter may have gone meanwhile."""
        try:
            async with self._busy:
                self._news.clear()
                self._seen.clear()
                async with self._central.scanning(self._saw):
                    await self._news.wait()
        except Disconnected as why:
            self._fail(why)
        except Exception as error:
            # Whatever the stack raises: a scan that ends without a word would begin again at once.
            self._fail(Disconnected("unreachable", f"Bluetooth failed: {error_text(error)}."))
        finally:
            # Handles are valid while the scan goes on: BlueZ forgets devices that nobody uses.
            self._seen.clear()

    def _fail(self, why: Disconnected) -> None:
        for seeker in self._seekers:
            seeker.fail(why)

    def _saw(self, seen: Seen) -> None:
        if seen.address in self._held.values():
            return
        self._seen[seen.address] = seen
        for seeker in self._seekers:
            seeker.saw(seen, self._news.set)
