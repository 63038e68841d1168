"""Which Bluetooth devices in reach are boards: by the names and services that they advertise. Connects to none."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from boards.board import Board
from boards.identity import Port
from daemon.links import bluetooth
from daemon.links.bluetooth import fits
from daemon.links.bluetooth_radio import Seen
from daemon.links.discovery import JudgedDevice


@dataclass(frozen=True, slots=True)
class Found:
    """A device in reach, and the models that it could be: the names of those whose name or service fits."""

    seen: Seen
    models: tuple[str, ...]
    by_name: bool
    """Its name says so; else it only advertises a service that such boards have."""

    @property
    def url(self) -> str:
        """The address to configure."""
        return f"ble://{self.seen.address}"


def identify(seen: Seen, boards: Iterable[Board]) -> Found:
    """Returns which models a device could be."""
    known = [(board.name, board.gatt) for board in boards if board.gatt is not None]
    named = tuple(name for name, gatt in known if gatt.names and fits(seen, gatt))
    if named:
        return Found(seen, named, by_name=True)
    return Found(seen, tuple(name for name, gatt in known if gatt.service in seen.services), by_name=False)


async def scan(seconds: float, boards: Iterable[Board]) -> list[Found]:
    """Returns the devices in reach, boards first. Raises Disconnected if Bluetooth cannot be used."""
    radio = await bluetooth.shared_radio()
    known = list(boards)
    found = [identify(seen, known) for seen in await radio.look_around(seconds)]
    return sorted(found, key=lambda one: (not one.by_name, not one.models))


async def boards_in_reach(seconds: float, boards: Iterable[Board]) -> tuple[JudgedDevice, ...]:
    """Returns the boards in reach as devices to choose from. A device with the service of several models has none."""
    return tuple(
        JudgedDevice(Port(one.url, product=one.seen.name), one.models[0] if one.by_name else None, one.url)
        for one in await scan(seconds, boards)
        if one.models
    )


def scan_now(seconds: float, boards: Iterable[Board]) -> list[Found]:
    """The same for a command that runs no event loop."""
    return asyncio.run(scan(seconds, boards))
