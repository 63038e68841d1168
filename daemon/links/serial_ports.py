"""What is plugged in: the serial ports that the system lists, as values, and which of them an identity means.

Opens nothing.
"""

import re
from collections.abc import Iterable
from typing import Final

from serial.tools import list_ports

from boards.identity import Port

IDENTITY: Final = re.compile(r"(?P<vid>[0-9a-fA-F]{4}):(?P<pid>[0-9a-fA-F]{4})(/(?P<serial>.+))?")
"""`VID:PID` or `VID:PID/SERIAL`: what a board is, where a path says where it is plugged in."""


class Unsure(Exception):
    """More than one device is what was asked for: none of them is taken."""


def serial_ports() -> tuple[Port, ...]:
    """Every serial port there is, in order of its name."""
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
    """What a device says of itself, as it can be printed: an escape sequence would be the terminal's to obey."""
    return "".join(char if char.isprintable() else "?" for char in text)


def find(place: str, ports: Iterable[Port]) -> str:
    """The path that a URL's place means now: itself, or that of the one device with this identity.

    FileNotFoundError where there is none, Unsure where there are several.
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
