"""The serial ports that the system lists, and which of them an identity names. Opens nothing."""

import re
from collections.abc import Iterable
from typing import Final

from serial.tools import list_ports

from boards.identity import Port

IDENTITY: Final = re.compile(r"(?P<vid>[0-9a-fA-F]{4}):(?P<pid>[0-9a-fA-F]{4})(/(?P<serial>.+))?")
"""`VID:PID` or `VID:PID/SERIAL`: which device it is, where a path says where it is plugged in."""


class Unsure(Exception):
    """More than one device fits: none of them is opened."""


def serial_ports() -> tuple[Port, ...]:
    """Returns every serial port, in order of their names."""
    return tuple(
        Port(
            port.device,
            port.vid,
            port.pid,
            words(port.product or ""),
            words(port.manufacturer or ""),
            words(port.serial_number or ""),
            port.location or "",
        )
        for port in sorted(list_ports.comports())
    )


def words(text: str) -> str:
    """Returns a device's text with `?` for what cannot be printed: a terminal would obey escape sequences."""
    return "".join(char if char.isprintable() else "?" for char in text)


def find(place: str, ports: Iterable[Port]) -> str:
    """Returns the path of a URL's place: itself, or the path of the one device with this identity.

    Raises FileNotFoundError if no device has it, Unsure if several have it.
    """
    wanted = IDENTITY.fullmatch(place)
    if wanted is None:
        return place
    ids = f"{wanted['vid']}:{wanted['pid']}".lower()
    found = [p for p in ports if p.ids == ids and wanted["serial"] in (None, p.serial)]
    if not found:
        raise FileNotFoundError(place)
    if len(found) > 1:
        where = " and ".join(f"{port.device} (serial {port.serial or 'none'})" for port in found)
        raise Unsure(
            f"{place} is {where}; write which, as VID:PID/SERIAL or, where they share it, "
            "with their path under /dev/serial/by-path."
        )
    return found[0].device
