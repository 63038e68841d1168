"""Which plugged-in device is which board: USB ids nominate a model, the device's own strings decide.

Opens nothing: the kernel has read the descriptors already, in /sys. A device that does not clearly identify itself is
left alone, and a message says what its owner can type.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from boards.board import Board
from boards.identity import Port, is_generic, recognise
from daemon.links.serial_ports import serial_ports
from daemon.system.catalogue import dialects
from daemon.system.urls import BoardSpec, BoardUrl

BY_ID: Final = Path("/dev/serial/by-id")
UDEV: Final = Path("/run/udev/control")
"""Exists only while udev's daemon runs."""


@dataclass(frozen=True, slots=True)
class JudgedDevice:
    """The model of a device, or `None`, and a message that says why and what to type."""

    device: Port
    model: str | None
    message: str
    learn: bool = False
    """The device is known, and each board of its kind must be learned."""


def look(by_id: Path = BY_ID, udev: Path = UDEV) -> list[Port]:
    """Returns the USB serial devices that are plugged in, by their permanent name if they have one.

    A device that udev has not named yet is left out until the next call.
    """
    found = []
    for port in serial_ports():
        link = _link(port.device, by_id)
        if port.vid is not None and (link is not None or not udev.exists()):
            found.append(replace(port, device=link or port.device))
    return found


def words_of(device: Port) -> str:
    """Returns the strings of a device, or its USB ids."""
    return " ".join(filter(None, (device.manufacturer, device.product, device.serial))) or device.ids


def judge(device: Port, models: Mapping[str, Board]) -> JudgedDevice:
    """Returns the model of a device, if its own strings name exactly one."""
    known = recognise(device, [m.marks(dialects()[m.dialect].baud) for m in models.values()])
    name_it = f'type `oche setup`, or write under [boards] in /etc/oche/oche.toml: lounge = "MODEL@{device.device}"'
    matched = [c.model for c in known.candidates if c.weight == "matched"]
    nominated = [c.model for c in known.candidates if c.weight == "nominated"]
    if known.model is not None and models[known.model].learn:
        what = f"{device.device} is {models[known.model].title.lower()}, and each of them is wired its own way"
        return JudgedDevice(device, None, f"{what}: type `oche learn {device.device}`.", learn=True)
    if known.model is not None:
        title = models[known.model].title
        return JudgedDevice(device, known.model, f"{device.device} says that it is {known.model} ({title}).")
    if matched:
        tie = " and ".join(matched)
        return JudgedDevice(device, None, f"{device.device} could be {tie}: {name_it}, with one of them as MODEL.")
    if nominated:
        could = " or ".join(nominated)
        message = f"{device.device} could be {could}, but its numbers ({device.ids}) alone prove nothing: {name_it}."
        return JudgedDevice(device, None, message)
    if device.vid is not None and device.pid is not None and is_generic(device.vid, device.pid):
        chip = f"{device.device} is a chip that is soldered onto everything ({device.ids})"
        return JudgedDevice(device, None, f"{chip}, so it was not opened. If a board hangs on it, {name_it}.")
    words = f" ({device.product})" if device.product else ""
    return JudgedDevice(device, None, f"{device.device}{words} is not a known board. If it is one, {name_it}.")


def spec_of(judged: JudgedDevice) -> BoardSpec:
    """Returns how the daemon names a recognised board: the same name whenever and wherever it is plugged in."""
    assert judged.model is not None
    tail = re.sub(r"[^a-z0-9]", "", judged.device.serial.lower())[-6:]
    name = f"{judged.model[:24]}-{tail}" if tail else judged.model
    port = judged.device.device
    return BoardSpec(name, judged.model, BoardUrl("serial", port, {}, port))


def unclaimed(devices: Iterable[Port], specs: Iterable[BoardSpec]) -> Iterator[Port]:
    """Returns the devices whose port no board uses."""
    taken = {_real(spec.url.place) for spec in specs if spec.url.scheme == "serial"}
    return (device for device in devices if _real(device.device) not in taken)


def _link(port: str, by_id: Path) -> str | None:
    try:
        return next((str(link) for link in sorted(by_id.iterdir()) if _real(str(link)) == _real(port)), None)
    except OSError:
        return None


def _real(path: str) -> str:
    return str(Path(path).resolve())
