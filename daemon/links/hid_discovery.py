"""USB devices without a serial port that could be boards: keyboards, other HID devices and vendor-specific ones.

Opens nothing: the kernel has read the descriptors already, in /sys. An ordinary keyboard is among them; only the owner
knows which of them is a board.
"""

from pathlib import Path
from typing import Final
from urllib.parse import quote

from boards.identity import Port
from daemon.links.serial_ports import words

DEVICES: Final = Path("/sys/bus/usb/devices")
KEYBOARDS: Final = Path("/dev/input/by-id")
INPUT: Final = Path("/dev/input")

HID, VENDOR_SPECIFIC = "03", "ff"
KEYBOARD, MOUSE = ("03", "01", "01"), ("03", "01", "02")
"""Class, subclass and protocol of an interface; HID specification 1.11, 4.1 to 4.3, and USB's list of classes."""
READABLE: Final = ("usbhid", "usbfs", "")
"""Kernel drivers that may be detached, or none. Devices with others are network cards, sound cards, serial ports."""


def devices_without_port(devices: Path = DEVICES, by_id: Path = KEYBOARDS) -> tuple[Port, ...]:
    """Returns the devices that are plugged in, in the order of their sockets, each with the address to read it at."""
    found = []
    for device in sorted(devices.glob("*")):
        interfaces = [path for path in sorted(device.glob(f"{device.name}:*")) if _could_be(path)]
        # A keyboard with knobs, or a receiver for keyboard and mouse, is a keyboard; a mouse is not a board.
        keyboards = [path for path in interfaces if _kind(path) == KEYBOARD]
        if interfaces and not _has_port(device):
            found.append(_port(device, next((_keyboard(path, by_id) for path in keyboards), None)))
    return tuple(found)


def _port(device: Path, keyboard: str | None) -> Port:
    vid, pid, serial = (_read(device / name) for name in ("idVendor", "idProduct", "serial"))
    address = keyboard or f"usb://{vid}:{pid}" + (f"/{quote(serial, safe='')}" if serial else "")
    product, manufacturer = (_read(device / name) for name in ("product", "manufacturer"))
    return Port(address, int(vid, 16), int(pid, 16), words(product), words(manufacturer), words(serial), device.name)


def _could_be(interface: Path) -> bool:
    """Whether an interface sends interrupts and no other kind of kernel driver has it."""
    kind = _kind(interface)
    driver = (interface / "driver").resolve().name if (interface / "driver").exists() else ""
    if kind[0] not in (HID, VENDOR_SPECIFIC) or kind == MOUSE or driver not in READABLE:
        return False
    points = [(_read(point / "type"), _read(point / "direction")) for point in interface.glob("ep_*")]
    return ("Interrupt", "in") in points


def _kind(interface: Path) -> tuple[str, str, str]:
    kind, sub, protocol = (_read(interface / f"bInterface{name}") for name in ("Class", "SubClass", "Protocol"))
    return kind, sub, protocol


def _has_port(device: Path) -> bool:
    return any(device.glob("*/ttyUSB*")) or any(device.glob("*/tty/tty*"))


def _keyboard(interface: Path, by_id: Path) -> str | None:
    """Returns the address of the input device, by its permanent name; `None` if the kernel's driver is detached."""
    event = next((path.name for path in sorted(interface.glob("*/input/input*/event*"))), None)
    if event is None:
        return None
    links = sorted(by_id.glob("*-event-kbd")) if by_id.is_dir() else []
    link = next((link for link in links if link.resolve().name == event), INPUT / event)
    return f"keyboard://{quote(str(link))}"


def _read(file: Path) -> str:
    """Returns the content of a kernel file; an empty text if it is missing or its device has just gone."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
