"""BlueZ behind the radio of `bluetooth_radio.py`: the only file that knows bleak.

bleak and dbus-fast take a second to import on a Raspberry Pi, so nothing imports this before a Bluetooth board is
opened. Packages for 32-bit machines come without them.
"""

import asyncio
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from daemon.links.bluetooth_radio import Characteristic, Peer, Radio, Seen
from daemon.links.link import Disconnected
from daemon.system.error_text import error_text

try:
    from bleak import BleakClient, BleakScanner
    from bleak.backends.device import BLEDevice
    from bleak.exc import BleakBluetoothNotAvailableError, BleakBluetoothNotAvailableReason, BleakDBusError, BleakError
    from dbus_fast import BusType, Message, MessageType, unpack_variants
    from dbus_fast.aio import MessageBus
except ImportError as error:
    raise Disconnected(
        "no-bluetooth", "Bluetooth boards need the Python packages bleak and dbus-fast: docs/bluetooth.md says more."
    ) from error

CONNECT_SECONDS: Final = 30.0
ANSWER_SECONDS: Final = 15.0
"""How long one question to a connected device may take."""

NO_SERVICE: Final = "There is no Bluetooth service here: sudo apt install bluez; sudo systemctl start bluetooth"
NO_ADAPTER: Final = "There is no Bluetooth adapter: plug one in. `oche doctor` says what it sees."
OFF: Final = "The Bluetooth adapter is switched off: sudo rfkill unblock bluetooth; bluetoothctl power on"
DENIED: Final = (
    "BlueZ refuses this user: its policy is in /etc/dbus-1/system.d/bluetooth.conf. `oche doctor` says more."
)

_radios: "weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Radio]" = weakref.WeakKeyDictionary()


def shared_radio() -> Radio:
    """Returns the one radio of this process."""
    loop = asyncio.get_running_loop()
    if loop not in _radios:
        _radios[loop] = Radio(BlueZ())
    return _radios[loop]


async def close_radio() -> None:
    """Waits until the connections that were released are closed, if this event loop has a radio."""
    if (radio := _radios.get(asyncio.get_running_loop())) is not None:
        await radio.closed()


@dataclass(frozen=True, slots=True)
class Adapter:
    """A Bluetooth adapter, like `hci0`."""

    name: str
    powered: bool


class BlueZ:
    """The system's Bluetooth stack, over D-Bus."""

    def scanning(self, saw: Callable[[Seen], None]) -> AbstractAsyncContextManager[None]:
        return _scanning(saw)

    async def connect(self, seen: Seen, gone: Callable[[], None]) -> Peer:
        with translated():
            client = BleakClient(seen.handle, disconnected_callback=lambda _: gone(), timeout=CONNECT_SECONDS)
            await client.connect()
            return BlueZPeer(client)


class BlueZPeer:
    """A connected device."""

    def __init__(self, client: BleakClient) -> None:
        self._client = client
        self._characteristics = tuple(
            Characteristic(
                one.uuid.lower(),
                bool({"notify", "indicate"} & set(one.properties)),
                "write-without-response" in one.properties,
                one,
            )
            for one in client.services.characteristics.values()
        )

    @property
    def characteristics(self) -> tuple[Characteristic, ...]:
        return self._characteristics

    async def subscribe(self, characteristic: Characteristic, heard: Callable[[bytes], None]) -> None:
        with translated():
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._client.start_notify(characteristic.handle, lambda _, data: heard(bytes(data)))

    async def read(self, characteristic: Characteristic) -> bytes:
        with translated():
            async with asyncio.timeout(ANSWER_SECONDS):
                return bytes(await self._client.read_gatt_char(characteristic.handle))

    async def write(self, characteristic: Characteristic, data: bytes) -> None:
        with translated():
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._client.write_gatt_char(characteristic.handle, data, response=not characteristic.quiet)

    async def disconnect(self) -> None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._client.disconnect()
        except (BleakError, OSError, EOFError, TimeoutError):
            return  # BlueZ, or the adapter, has gone before.


@asynccontextmanager
async def _scanning(saw: Callable[[Seen], None]) -> AsyncIterator[None]:
    def heard(device: Any, advertised: Any) -> None:
        name = advertised.local_name or device.name or ""
        saw(Seen(device.address, name, tuple(advertised.service_uuids), advertised.rssi, device))

    with translated():
        scanner = BleakScanner(heard)
        for seen in await _connected():
            saw(seen)
        await scanner.start()
    try:
        yield
    finally:
        with translated():
            await scanner.stop()


async def _connected() -> list[Seen]:
    """Returns the devices that are connected already: a daemon that was killed leaves its board so, and a connected
    board does not advertise."""
    found = []
    for path, about in (await _objects("org.bluez.Device1")).items():
        if about.get("Connected") and "Address" in about:
            name = about.get("Name", "")
            device = BLEDevice(about["Address"], name, {"path": path, "props": about})
            found.append(Seen(about["Address"], name, tuple(about.get("UUIDs", ())), None, device))
    return found


async def adapters() -> list[Adapter]:
    """Returns the adapters that BlueZ has. Raises Disconnected if it does not run, or does not talk to this user."""
    with translated():
        found = await _objects("org.bluez.Adapter1")
    return [Adapter(path.rpartition("/")[2], bool(about.get("Powered"))) for path, about in sorted(found.items())]


async def _objects(interface: str) -> dict[str, dict[str, Any]]:
    """Returns the properties of all objects of BlueZ with an interface, by path."""
    bus = MessageBus(bus_type=BusType.SYSTEM)
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await bus.connect()
            asked = Message(
                destination="org.bluez",
                path="/",
                interface="org.freedesktop.DBus.ObjectManager",
                member="GetManagedObjects",
            )
            reply = await bus.call(asked)
    finally:
        bus.disconnect()
    if reply is None or reply.message_type is MessageType.ERROR:
        raise BleakDBusError("" if reply is None else reply.error_name or "", [] if reply is None else reply.body)
    objects: dict[str, dict[str, Any]] = unpack_variants(reply.body[0])
    return {path: about[interface] for path, about in objects.items() if interface in about}


@contextmanager
def translated() -> Iterator[None]:
    """Turns every error of the Bluetooth stack into Disconnected, with what to do."""
    try:
        yield
    except BleakBluetoothNotAvailableError as error:
        off = error.reason is BleakBluetoothNotAvailableReason.POWERED_OFF
        raise Disconnected("adapter-off" if off else "no-adapter", OFF if off else NO_ADAPTER) from error
    except BleakDBusError as error:
        raise _of_dbus(error) from error
    except (FileNotFoundError, ConnectionError, EOFError) as error:
        raise Disconnected("no-bluetooth", NO_SERVICE) from error
    except TimeoutError as error:
        raise Disconnected("unreachable", "The board does not answer over Bluetooth: is it near enough?") from error
    except (BleakError, OSError) as error:
        raise Disconnected("unreachable", f"Bluetooth failed: {error_text(error)}.") from error


def _of_dbus(error: BleakDBusError) -> Disconnected:
    match error.dbus_error.removeprefix("org.freedesktop.DBus.Error.").removeprefix("org.bluez.Error."):
        case "ServiceUnknown" | "NameHasNoOwner":
            return Disconnected("no-bluetooth", NO_SERVICE)
        case "AccessDenied" | "NotAuthorized" | "NotPermitted":
            return Disconnected("no-rights", DENIED)
        case "NotReady":
            return Disconnected("adapter-off", OFF)
        case _:
            return Disconnected("unreachable", f"Bluetooth failed: {error_text(error)}.")
