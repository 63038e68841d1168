"""Which plugged-in device is which board: USB numbers nominate a model, the device's own words decide.

Nothing is opened here. A port whose device does not say clearly what it is
is left alone, and a sentence says what its owner can type. What is looked at:
the descriptors that the kernel has read anyway, in /sys.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from serial.tools import list_ports

from boards.board import GENERIC_CHIPS, Board
from daemon.urls import BoardSpec, BoardUrl

BY_ID: Final = Path("/dev/serial/by-id")
UDEV: Final = Path("/run/udev/control")


@dataclass(frozen=True, slots=True)
class Device:
    """A USB device with a serial port, as its descriptors show it; `port` is the name that stays, if it has one."""

    port: str
    vid: int
    pid: int
    product: str = ""
    manufacturer: str = ""
    serial: str = ""

    @property
    def usb(self) -> str:
        return f"{self.vid:04x}:{self.pid:04x}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a device is: a model, or None; and the sentence that says why, and what to type."""

    device: Device
    model: str | None
    sentence: str


def look(by_id: Path = BY_ID, udev: Path = UDEV) -> list[Device]:
    """The USB serial devices that are there now. One that udev has not named yet is left for the next look."""
    found = []
    for port in sorted(list_ports.comports()):
        if port.vid is None or port.pid is None:
            continue
        link = _link(port.device, by_id)
        if link is None and udev.exists():
            continue
        strings = (port.product or "", port.manufacturer or "", port.serial_number or "")
        found.append(Device(link or port.device, port.vid, port.pid, *strings))
    return found


def judge(device: Device, models: Mapping[str, Board]) -> Verdict:
    """The model of a device, if exactly one is named by the device's own words."""
    nominated = [m for m in models.values() if _nominates(m, device)]
    sure = [model for model in nominated if _is_sure(model, device)]
    at = f"MODEL@{device.port}"
    name_it = f'type `oche setup`, or write under [boards] in /etc/oche/oche.toml: lounge = "{at}"'
    if len(sure) == 1 and not sure[0].learn:
        return Verdict(device, sure[0].name, f"{device.port} says that it is {sure[0].name} ({sure[0].title}).")
    if len(sure) == 1:
        what = f"{device.port} is {sure[0].title.lower()}, and each of them is wired its own way"
        return Verdict(device, None, f"{what}: type `oche learn {device.port}`.")
    if sure:
        tie = " and ".join(model.name for model in sure)
        return Verdict(device, None, f"{device.port} could be {tie}: {name_it}, with one of them as MODEL.")
    if nominated:
        could = " or ".join(model.name for model in nominated)
        sentence = f"{device.port} could be {could}, but its numbers ({device.usb}) alone prove nothing: {name_it}."
        return Verdict(device, None, sentence)
    if (device.vid, device.pid) in GENERIC_CHIPS:
        chip = f"{device.port} is a serial chip that is soldered onto everything ({device.usb})"
        return Verdict(device, None, f"{chip}, so it was not opened. If a board hangs on it, {name_it}.")
    words = f" ({device.product})" if device.product else ""
    return Verdict(device, None, f"{device.port}{words} is no board that is known. If it is one, {name_it}.")


def spec_of(verdict: Verdict) -> BoardSpec:
    """How the daemon has a board that said what it is; its name is the same whenever and wherever it is plugged in."""
    assert verdict.model is not None
    tail = re.sub(r"[^a-z0-9]", "", verdict.device.serial.lower())[-6:]
    name = f"{verdict.model[:24]}-{tail}" if tail else verdict.model
    port = verdict.device.port
    return BoardSpec(name, verdict.model, BoardUrl("serial", port, {}, port))


def unclaimed(devices: Iterable[Device], specs: Iterable[BoardSpec]) -> Iterator[Device]:
    """Those whose port no board has."""
    taken = {_real(spec.url.place) for spec in specs if spec.url.scheme == "serial"}
    return (device for device in devices if _real(device.port) not in taken)


def _nominates(model: Board, device: Device) -> bool:
    return model.nominates(device.vid, device.pid, device.product, device.manufacturer)


def _is_sure(model: Board, device: Device) -> bool:
    """Its words were looked at too, not its numbers alone."""
    words = [f for f in model.fingerprints if f.product is not None or f.manufacturer is not None]
    only_words = Board(model.name, model.title, model.dialect, fingerprints=tuple(words))
    return _nominates(only_words, device)


def _link(port: str, by_id: Path) -> str | None:
    try:
        return next((str(link) for link in sorted(by_id.iterdir()) if _real(str(link)) == _real(port)), None)
    except OSError:
        return None


def _real(path: str) -> str:
    return str(Path(path).resolve())
