"""The Bluetooth stack of the unit tests: bumble in the place of BlueZ, on a radio inside this process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from bumble.core import AdvertisingData
from bumble.device import Advertisement, Device, Peer
from bumble.gatt_client import CharacteristicProxy
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink

from daemon.links.bluetooth_radio import Characteristic, Seen
from daemon.links.bluetooth_radio import Peer as PeerProtocol
from daemon.links.link import Disconnected
from tests.ble_board import controller


class BumbleCentral:
    """Scans and connects. Fails a test that does both at once, as an adapter would fail."""

    def __init__(self, air: LocalLink) -> None:
        host = Host()
        host.controller = controller("central", air)
        self._device = Device(name="central", address=Address("C0:C1:C2:C3:C4:C5"), host=host)
        self.doing: list[str] = []
        """What it does now: `scan` or `connect`, never two of them."""
        self.scans = 0
        self.refuses: Disconnected | None = None
        """Why the adapter cannot be used now."""
        self._names: dict[str, str] = {}
        self._starts = 1

    def restart(self) -> None:
        """Forgets every device, as bluetoothd does when it is restarted: a handle from before is good for nothing."""
        self._starts += 1

    async def power_on(self) -> None:
        await self._device.power_on()

    def scanning(self, saw: Callable[[Seen], None]) -> AbstractAsyncContextManager[None]:
        return self._scanning(saw)

    @asynccontextmanager
    async def _scanning(self, saw: Callable[[Seen], None]) -> AsyncIterator[None]:
        with self._doing("scan"):
            self.scans += 1
            names = self._names
            for connection in self._device.connections.values():
                # BlueZ lists these as well: a daemon that was killed leaves its board connected.
                address = connection.peer_address.to_string(False)
                saw(Seen(address, names.get(address, ""), (), None, (self._starts, connection.peer_address)))

            def heard(found: Advertisement) -> None:
                address = found.address.to_string(False)
                name = found.data.get(AdvertisingData.Type.COMPLETE_LOCAL_NAME)
                if isinstance(name, str):
                    names[address] = name
                saw(Seen(address, names.get(address, ""), (), found.rssi, (self._starts, found.address)))

            self._device.on("advertisement", heard)
            await self._device.start_scanning(filter_duplicates=False)
            try:
                yield
            finally:
                await self._device.stop_scanning()
                self._device.remove_listener("advertisement", heard)

    async def connect(self, seen: Seen, gone: Callable[[], None]) -> PeerProtocol:
        with self._doing("connect"):
            start, address = seen.handle
            if start != self._starts:
                raise Disconnected("unreachable", f"Bluetooth failed: device {seen.address} not found.")
            connection = await self._device.connect(address, timeout=30)
            connection.on("disconnection", lambda _reason: gone())
            peer = Peer(connection)
            await peer.discover_all()  # type: ignore[no-untyped-call]
            return BumblePeer(peer)

    @contextlib.contextmanager
    def _doing(self, what: str):  # type: ignore[no-untyped-def]
        if self.refuses is not None:
            raise self.refuses
        assert not self.doing, f"{what} during {self.doing}"
        self.doing.append(what)
        try:
            yield
        finally:
            self.doing.remove(what)


class BumblePeer:
    """A connected device."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._connected = True
        peer.connection.on("disconnection", self._gone)
        self._characteristics = tuple(
            Characteristic(
                one.uuid.to_hex_str("-").lower() if len(one.uuid.uuid_bytes) == 16 else long(one.uuid.to_hex_str()),
                bool(one.properties & (one.properties.NOTIFY | one.properties.INDICATE)),
                bool(one.properties & one.properties.WRITE_WITHOUT_RESPONSE),
                one,
            )
            for service in peer.services
            for one in service.characteristics
        )

    def _gone(self, _reason: int) -> None:
        self._connected = False

    @property
    def characteristics(self) -> tuple[Characteristic, ...]:
        return self._characteristics

    async def subscribe(self, characteristic: Characteristic, heard: Callable[[bytes], None]) -> None:
        with _failing():
            await _proxy(characteristic).subscribe(heard)

    async def read(self, characteristic: Characteristic) -> bytes:
        with _failing():
            return bytes(await _proxy(characteristic).read_value())

    async def write(self, characteristic: Characteristic, data: bytes) -> None:
        with _failing():
            await _proxy(characteristic).write_value(data, with_response=not characteristic.quiet)

    async def disconnect(self) -> None:
        # BlueZ is another process, and answers some turns of the loop later.
        for _ in range(5):
            await asyncio.sleep(0)
        if self._connected:
            with contextlib.suppress(Exception):
                await self._peer.connection.disconnect()


def long(short: str) -> str:
    """The 128 bits of a short UUID."""
    return f"0000{short.lower()}-0000-1000-8000-00805f9b34fb"


def _proxy(characteristic: Characteristic) -> CharacteristicProxy[bytes]:
    proxy: CharacteristicProxy[bytes] = characteristic.handle
    return proxy


@contextlib.contextmanager
def _failing():  # type: ignore[no-untyped-def]
    try:
        yield
    except Exception as error:
        raise Disconnected("unreachable", f"Bluetooth failed: {error}.") from error
