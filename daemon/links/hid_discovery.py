"""USB devices that have no serial port and could be boards: keyboards, HID devices and those of a maker's own kind.

What the kernel has read of them is in /sys; nothing is opened. A keyboard on
the desk is one of them: which of them is a board, only its owner knows.
"""

from pathlib import Path
from typing import Final
from urllib.parse import quote

from boards.identity import Port
from daemon.links.serial_ports import words

DEVICES: Final = Path("/sys/bus/usb/devices")
KEYBOARDS: Final = Path("/dev/input/by-id")
INPUT: Final = Path("/dev/input")

HID, OWN_KIND = "03", "ff"
KEYBOARD, MOUSE = ("03", "01", "01"), ("03", "01", "02")
"""Class, subclass and protocol of an interface; HID specification 1.11, 4.1 to 4.3, and USB's list of classes."""
READABLE: Final = ("usbhid", "usbfs", "")
"""Drivers that may be moved aside, or none: what another has is a network card, a sound card, a serial port."""


def devices_without_port(devices: Path = DEVICES, by_id: Path = KEYBOARDS) -> tuple[Port, ...]:
    """Those that are plugged in now, each with the address that `oche` reads it at, in the order of their sockets."""
    found = []
    for device in sorted(devices.glob("*")):
        faces = [face for face in sorted(device.glob(f"{device.name}:*")) if _could_be(face)]
        # A keyboard with knobs, or a receiver of both, is a keyboard; a mouse is nothing to throw at.
        typing = [face for face in faces if _kind(face) == KEYBOARD]
        if faces and not _has_port(device):
            found.append(_port(device, next((_keyboard(face, by_id) for face in typing), None)))
    return tuple(found)


def _port(device: Path, keyboard: str | None) -> Port:
    vid, pid, serial = (_read(device / name) for name in ("idVendor", "idProduct", "serial"))
    address = keyboard or f"usb://{vid}:{pid}" + (f"/{quote(serial, safe='')}" if serial else "")
    product, manufacturer = (_read(device / name) for name in ("product", "manufacturer"))
    return Port(address, int(vid, 16), int(pid, 16), words(product), words(manufacturer), words(serial), device.name)


def _could_be(face: Path) -> bool:
    """It sends interrupts, and nobody has it who does something else with it."""
    kind = _kind(face)
    driver = (face / "driver").resolve().name if (face / "driver").exists() else ""
    if kind[0] not in (HID, OWN_KIND) or kind == MOUSE or driver not in READABLE:
        return False
    points = [(_read(point / "type"), _read(point / "direction")) for point in face.glob("ep_*")]
    return ("Interrupt", "in") in points


def _kind(face: Path) -> tuple[str, str, str]:
    kind, sub, protocol = (_read(face / f"bInterface{name}") for name in ("Class", "SubClass", "Protocol"))
    return kind, sub, protocol


def _has_port(device: Path) -> bool:
    return any(device.glob("*/ttyUSB*")) or any(device.glob("*/tty/tty*"))


def _keyboard(face: Path, by_id: Path) -> str | None:
    """Where its keys are typed, by the name that stays; None where the kernel's driver has not got it now."""
    event = next((path.name for path in sorted(face.glob("*/input/input*/event*"))), None)
    if event is None:
        return None
    links = sorted(by_id.glob("*-event-kbd")) if by_id.is_dir() else []
    link = next((link for link in links if link.resolve().name == event), INPUT / event)
    return f"keyboard://{quote(str(link))}"


def _read(file: Path) -> str:
    """What stands in a file of the kernel's; nothing where it is not there, or its device has just gone."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
