"""The udev rules that a machine needs, made from the `[[usb]]` tables of board files.

A board that is plugged in starts the service if it was stopped, is ignored by ModemManager, and may be opened by the
service's groups. A generic chip is in a rule only if its strings name the model: many devices share its ids. The syntax
is that of udev(7), systemd 252.
"""

from collections.abc import Iterable
from typing import Final

from boards.board import Board
from boards.identity import Fingerprint, is_generic
from daemon.links.serial_ports import IDENTITY
from daemon.system.urls import BoardSpec

HEAD: Final = """\
# Made by oche: which devices are dartboards. Do not edit; {made} writes it again.
ACTION=="remove", GOTO="oche_end"
SUBSYSTEM!="usb|tty|hidraw|input", GOTO="oche_end"

"""

TAIL: Final = """
# ModemManager sends commands to every serial port: not to these.
ENV{OCHE_BOARD}=="?*", ENV{ID_MM_DEVICE_IGNORE}="1"
ENV{OCHE_BOARD}=="?*", SUBSYSTEM=="tty", GROUP="dialout", MODE="0660"
ENV{OCHE_BOARD}=="?*", SUBSYSTEM=="input", KERNEL=="event*", GROUP="input", MODE="0660"
ENV{OCHE_BOARD}=="?*", SUBSYSTEM=="hidraw", GROUP="plugdev", MODE="0660"
ENV{OCHE_BOARD}=="?*", SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", GROUP="plugdev", MODE="0660"
# A board that is plugged in starts the service. Its hidraw and input devices do not: they appear again when a service
# that stops gives the board back to the kernel, and would start it again.
ENV{OCHE_BOARD}=="?*", SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", TAG+="systemd", ENV{SYSTEMD_WANTS}+="oche.service"

LABEL="oche_end"
"""


def rules(models: Iterable[Board]) -> str:
    """Returns the text of a rules file for these models."""
    marks = [(model, mark) for model in models for mark in model.fingerprints if _is_specific(mark)]
    return _file("oche install-service", ((model.name, mark) for model, mark in marks))


def own_rules(boards: Iterable[BoardSpec]) -> str | None:
    """Returns the rules file for boards that the configuration names by `usb://VID:PID/SERIAL`; `None` without any.

    Serial ports and keyboards need none: only such a device can be opened by nobody until a rule names it.
    """
    named = [(board.name, IDENTITY.fullmatch(board.url.place)) for board in boards if board.url.scheme == "usb"]
    marks = [
        (name, Fingerprint(int(found["vid"], 16), int(found["pid"], 16), serial=found["serial"]))
        for name, found in named
        if found is not None
    ]
    return _file("oche setup", marks) if marks else None


def _file(made: str, marks: Iterable[tuple[str, Fingerprint]]) -> str:
    lines = (f'{_match(mark)}, ENV{{OCHE_BOARD}}="{name}"\n' for name, mark in marks)
    return HEAD.replace("{made}", made) + "".join(lines) + TAIL


def _is_specific(mark: Fingerprint) -> bool:
    return mark.decides or not is_generic(mark.vid, mark.pid)


def _match(mark: Fingerprint) -> str:
    """Returns keys that the USB device itself must match; its interfaces inherit the match."""
    wanted = [f'ATTRS{{idVendor}}=="{mark.vid:04x}"', f'ATTRS{{idProduct}}=="{mark.pid:04x}"']
    for name, part in (("product", mark.product), ("manufacturer", mark.manufacturer)):
        if part is not None:
            wanted.append(f'ATTRS{{{name}}}=="*{_any_case(part)}*"')
    if mark.serial is not None:
        wanted.append(f'ATTRS{{serial}}=="{_plain(mark.serial, "*?")}"')
    return ", ".join(wanted)


def _any_case(text: str) -> str:
    """Returns a pattern for this text in any case."""
    return "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in _plain(text))


def _plain(text: str, pattern: str = "") -> str:
    """Returns the text with `?` for characters that are patterns or that udev cannot store; `pattern` is kept."""
    return "".join(char if char.isascii() and (char.isalnum() or char in " ._-" + pattern) else "?" for char in text)
