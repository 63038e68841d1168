"""Emulated Bluetooth boards: a GATT server by bumble, on a radio that exists in this process alone.

The other end of the radio is bumble too (`tests/daemon/bumble_central.py`), or the adapter of the virtual machine.
"""

import asyncio
import contextlib
from collections.abc import Callable

from bumble import hci
from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData, PhysicalTransport
from bumble.device import Connection, Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink

from boards.board import Gatt

BATTERY_SERVICE = UUID("0000180f-0000-1000-8000-00805f9b34fb")
BATTERY_LEVEL = UUID("00002a19-0000-1000-8000-00805f9b34fb")

ROOM_FOR_NAME = 11
"""What is left of 31 bytes beside the UUID of a service."""


class Air(LocalLink):
    """A radio link on which each end answers from the address that it was connected to.

    bumble's own answers from the random address always. BlueZ scans from a random address and connects from its public
    one, and would drop every answer.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def send_acl_data(
        self, sender_controller: Controller, destination_address: Address, transport: PhysicalTransport, data: bytes
    ) -> None:
        there = self.find_le_controller(destination_address)
        way = sender_controller.le_connections.get(destination_address)
        if there is not None and way is not None:
            asyncio.get_running_loop().call_soon(there.on_link_acl_data, way.self_address, transport, data)


def controller(name: str, air: LocalLink, **settings: object) -> Controller:
    """A controller on the radio, without the features that BlueZ would use and bumble does not emulate."""
    made = Controller(name, link=air, **settings)  # type: ignore[arg-type]
    made.le_features &= ~(hci.LeFeatureMask.LL_PRIVACY | hci.LeFeatureMask.LE_EXTENDED_ADVERTISING)
    return made


class BleBoard:
    """A board that advertises, is connected to, notifies, and remembers what is written to it."""

    def __init__(
        self, air: LocalLink, gatt: Gatt, name: str, address: str = "F0:F1:F2:F3:F4:F5", battery: int | None = None
    ) -> None:
        self.name, self.address = name, address
        self.written: list[bytes] = []
        self.connected = asyncio.Event()
        self.subscribed = asyncio.Event()
        self.log: list[str] = []
        """In order: `connected`, `written`, `subscribed`, `gone`."""
        self._news = asyncio.Event()
        self._connection: Connection | None = None
        properties = Characteristic.Properties
        self._notify = Characteristic(gatt.notify, properties.READ | properties.NOTIFY, Characteristic.READABLE, b"")
        self._notify.on("subscription", self._subscription)
        characteristics = [self._notify]
        if gatt.write:
            written = CharacteristicValue(write=self._was_written)
            # A board that is woken has a plain characteristic, which is written with an answer.
            kind = properties.WRITE if gatt.wake else properties.WRITE_WITHOUT_RESPONSE
            characteristics.append(Characteristic(gatt.write, kind, Characteristic.WRITEABLE, written))
        host = Host()
        host.controller = controller(name, air)
        self._device = Device(name=name, address=Address(address), host=host)
        self._device.add_service(Service(gatt.service, characteristics))
        self.level: Characteristic[bytes] | None = None
        if battery is not None:
            self.level = Characteristic(
                BATTERY_LEVEL, properties.READ | properties.NOTIFY, Characteristic.READABLE, bytes([battery])
            )
            self._device.add_service(Service(BATTERY_SERVICE, [self.level]))
        # bumble's emulated radio has no scan responses, in which real boards put their names.
        kind_of = AdvertisingData.Type.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS
        parts = [(AdvertisingData.Type.COMPLETE_LOCAL_NAME, name.encode())]
        if len(name) <= ROOM_FOR_NAME:
            parts.append((kind_of, UUID(gatt.service).to_bytes(force_128=True)))
        self._device.advertising_data = bytes(AdvertisingData(parts))
        self._device.on("connection", self._connect)

    async def power_on(self) -> None:
        """Starts, and advertises until somebody connects, again and again."""
        await self._device.power_on()
        await self.advertise()

    async def advertise(self) -> None:
        # Ten times as often as bumble does by default: a scan of the tests waits for it.
        await self._device.start_advertising(
            auto_restart=True, advertising_interval_min=100.0, advertising_interval_max=100.0
        )

    async def hide(self) -> None:
        """Is switched off: ends the connection and advertises no more."""
        await self._device.stop_advertising()
        await self.drop()

    async def drop(self) -> None:
        """Ends the connection."""
        if self._connection is not None:
            with contextlib.suppress(Exception):
                await self._connection.disconnect()

    async def say(self, data: bytes) -> None:
        """Notifies whoever has subscribed."""
        await self._device.notify_subscribers(self._notify, data)

    async def charge(self, percent: int) -> None:
        """Notifies how full the battery is."""
        assert self.level is not None
        await self._device.notify_subscribers(self.level, bytes([percent]))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Waits until something has happened to the board: `holds` is asked after each event."""
        while not holds():
            self._news.clear()
            await self._news.wait()

    def _log(self, event: str) -> None:
        self.log.append(event)
        self._news.set()

    def _connect(self, connection: Connection) -> None:
        self._connection = connection
        self._log("connected")
        self.connected.set()
        connection.on("disconnection", self._disconnect)

    def _disconnect(self, _reason: int) -> None:
        self._connection = None
        self._log("gone")
        self.connected.clear()
        self.subscribed.clear()

    def _subscription(self, _connection: Connection, notifies: bool, _indicates: bool) -> None:
        if notifies:
            self._log("subscribed")
            self.subscribed.set()
        else:
            self.subscribed.clear()

    def _was_written(self, _connection: Connection, value: bytes) -> None:
        self.written.append(bytes(value))
        self._log("written")
