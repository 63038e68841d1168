"""The link to a Bluetooth board: its notifications, each with its length before it, and what is written to it.

A notification is a message, and its borders mean something: see `drivers/messages.py`. The radio of the machine, which
all links share, is in `bluetooth_radio.py`; BlueZ is behind it, in `bluez.py`.
"""

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Final

from boards.board import Gatt
from daemon.links.bluetooth_radio import Characteristic, Peer, Radio, Seen, Wanted
from daemon.links.link import Chunk, Disconnected, chunk
from daemon.links.unread import Unread
from daemon.system.urls import BoardUrl, UsageError
from drivers.messages import framed, unframed

log = logging.getLogger(__name__)

ADDRESS: Final = re.compile(r"[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}")
BATTERY_LEVEL: Final = "00002a19-0000-1000-8000-00805f9b34fb"
"""One byte, 0 to 100. Assigned numbers of the Bluetooth SIG."""

UNWRITTEN: Final = 32
"""How many messages may wait to be written. Beyond these, all are dropped until the board has taken them."""


class BluetoothLink:
    """A connected board whose notifications are subscribed."""

    def __init__(self, gatt: Gatt) -> None:
        self._gatt = gatt
        self._full = False
        self._unread = Unread(self._pause, self._resume)
        self._unwritten: deque[bytes] = deque()
        self._wrote = asyncio.Event()
        self._radio: Radio | None = None
        self._peer: Peer | None = None
        self._writer: asyncio.Task[None] | None = None

    async def start(self, radio: Radio, peer: Peer) -> None:
        """Wakes the board and subscribes what it notifies. Raises Disconnected if it is not the board expected."""
        self._radio, self._peer = radio, peer
        notifying = [c for c in peer.characteristics if c.notifies and c.uuid != BATTERY_LEVEL]
        if self._gatt.notify:
            notifying = [c for c in notifying if c.uuid == self._gatt.notify]
        if not notifying:
            raise Disconnected("unreachable", "The device in reach notifies nothing that is known: is its model right?")
        if self._gatt.wake:
            # Before the notifications: a Unicorn that is woken afterwards reports its button alone.
            await peer.write(self._writes(peer), self._gatt.wake)
        for characteristic in notifying:
            await peer.subscribe(characteristic, self._heard)
        await self._battery(peer)
        if self._gatt.write:
            self._writer = asyncio.create_task(self._write(peer, self._writes(peer)))

    def gone(self) -> None:
        """Ends the link: the connection is lost."""
        self._unread.end(Disconnected("gone", "The Bluetooth connection to the board ended."))

    async def read(self) -> Chunk:
        return await self._unread.get()

    def write(self, data: bytes) -> bool:
        """Sends messages, each with its length before it. A board that is not to be written to takes all of them."""
        messages = unframed(data)
        if not self._gatt.write or not messages:
            return True
        if len(self._unwritten) + len(messages) > UNWRITTEN:
            return False
        self._unwritten.extend(messages)
        self._wrote.set()
        return True

    def close(self) -> None:
        if self._writer is not None:
            self._writer.cancel()
        if self._radio is not None and self._peer is not None:
            self._radio.release(self._peer)
            self._radio = None

    def _heard(self, data: bytes) -> None:
        if not self._full:
            self._unread.put(chunk(framed(data)))

    def _charged(self, data: bytes) -> None:
        if len(data) == 1 and data[0] <= 100:
            self._unread.put(replace(chunk(b""), battery=data[0]))

    async def _battery(self, peer: Peer) -> None:
        """Reads how full the battery is, and subscribes to it. A board that does not answer has none."""
        level = next((c for c in peer.characteristics if c.uuid == BATTERY_LEVEL), None)
        if level is None:
            return
        try:
            if level.notifies:
                await peer.subscribe(level, self._charged)
            self._charged(await peer.read(level))
        except Disconnected as why:
            log.info("the battery of a board cannot be read: %s", why)

    async def _write(self, peer: Peer, characteristic: Characteristic) -> None:
        while True:
            await self._wrote.wait()
            self._wrote.clear()
            while self._unwritten:
                try:
                    await peer.write(characteristic, self._unwritten[0])
                except Disconnected as why:
                    # A lost connection is reported by itself. A board may also refuse what it does not know.
                    log.info("a board did not take a message: %s", why)
                self._unwritten.popleft()

    def _writes(self, peer: Peer) -> Characteristic:
        found = next((c for c in peer.characteristics if c.uuid == self._gatt.write), None)
        if found is None:
            raise Disconnected("unreachable", "The device in reach cannot be written to: is its model right?")
        return found

    def _pause(self) -> None:
        # A notification cannot be made to wait. 1,000 that nobody has read are no darts.
        self._full = True

    def _resume(self) -> None:
        self._full = False


def wanted(url: BoardUrl, gatt: Gatt | None) -> Wanted:
    """Returns which device an address means. UsageError if it could mean any."""
    if ADDRESS.fullmatch(url.place):
        address = url.place.upper().replace("-", ":")
        return Wanted(url.text, lambda seen: seen.address.upper() == address, by_address=True)
    if url.place:
        return Wanted(url.text, lambda seen: seen.name == url.place)
    if gatt is None or not (gatt.names or gatt.service):
        raise UsageError(f"{url.text!r} could be any device: write ble://NAME or ble://AA:BB:CC:DD:EE:FF.")
    return Wanted(url.text, lambda seen: fits(seen, gatt))


def fits(seen: Seen, gatt: Gatt) -> bool:
    """Whether a device advertises itself as a board of this kind. A name decides: many devices share a service."""
    if gatt.names:
        return any(fnmatchcase(seen.name.lower(), pattern.lower()) for pattern in gatt.names)
    return gatt.service in seen.services


def _bluez() -> Callable[[], Radio]:
    from daemon.links.bluez import shared_radio

    return shared_radio


async def open_bluetooth(url: BoardUrl, gatt: Gatt | None, radio: Radio | None = None) -> BluetoothLink:
    """Finds, connects and subscribes a board. Raises Disconnected if it is not in reach or cannot be used."""
    if radio is None:
        # In a thread: the import takes a second on a Raspberry Pi, and other boards must not wait for it.
        radio = (await asyncio.to_thread(_bluez))()
    link = BluetoothLink(gatt or Gatt())
    peer = await radio.reach(wanted(url, gatt), link.gone)
    try:
        await link.start(radio, peer)
    except BaseException:
        link.close()
        raise
    return link
