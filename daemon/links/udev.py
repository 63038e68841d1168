"""The udev rules that a machine needs, made from what board files say of themselves in `[[usb]]`.

A board that is plugged in starts the service if it was stopped, is left alone
by ModemManager, and may be opened by the service's groups. A generic chip is
in no rule, unless its strings name the model: its numbers are on everything.
The syntax is that of udev(7), systemd 252.
"""

from collections.abc import Iterable
from typing import Final

from boards.board import Board
from boards.identity import Fingerprint, is_generic
from daemon.links.serial_ports import IDENTITY
from daemon.system.urls import BoardSpec

HEAD: Final = """\
# Made by oche: which devices are dartboards. Not to be edited; {made} makes it anew.
ACTION=="remove", GOTO="oche_end"
SUBSYSTEM!="usb|tty|hidraw|input", GOTO="oche_end"

"""

TAIL: Final = """
# ModemManager sends commands to whatever looks like a serial port: not to these.
ENV{OCHE_BOARD}=="?*", ENV{ID_MM_DEVICE_IGNORE}="1"
ENV{OCHE_BOARD}=="?*", SUBSYSTEM=="tty", GROUP="dialout", MODE="0660"
ENV{OCHE_BOARD}=="?*", SUBSYSTEM=="input", KERNEL=="event*", GROUP="input", MODE="0660"
ENV{OCHE_BOARD}=="?*", SUBSYSTEM=="hidraw", GROUP="plugdev", MODE="0660"
ENV{OCHE_BOARD}=="?*", SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", GROUP="plugdev", MODE="0660"
# What is plugged in starts the service. Not the parts of it: a service that stops gives an HID board back to the
# kernel, whose hidraw and input devices come anew then, and would start it again.
ENV{OCHE_BOARD}=="?*", SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", TAG+="systemd", ENV{SYSTEMD_WANTS}+="oche.service"

LABEL="oche_end"
"""


def rules(models: Iterable[Board]) -> str:
    """The text of a rules file for these models."""
    marks = [(model, mark) for model in models for mark in model.fingerprints if _says_something(mark)]
    return _file("oche install-service", ((model.name, mark) for model, mark in marks))


def own_rules(boards: Iterable[BoardSpec]) -> str | None:
    """The rules file for boards that the owner named by what they are on USB, `usb://VID:PID/SERIAL`; None: no rules.

    No serial port and no keyboard: nobody may open such a device until it is
    known to be a board.
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


def _says_something(mark: Fingerprint) -> bool:
    return mark.decides or not is_generic(mark.vid, mark.pid)


def _match(mark: Fingerprint) -> str:
    """Keys that one device on the way up must have all of: the USB device itself, whose parts inherit it."""
    wanted = [f'ATTRS{{idVendor}}=="{mark.vid:04x}"', f'ATTRS{{idProduct}}=="{mark.pid:04x}"']
    for name, part in (("product", mark.product), ("manufacturer", mark.manufacturer)):
        if part is not None:
            wanted.append(f'ATTRS{{{name}}}=="*{_any_case(part)}*"')
    if mark.serial is not None:
        wanted.append(f'ATTRS{{serial}}=="{_plain(mark.serial, "*?")}"')
    return ", ".join(wanted)


def _any_case(text: str) -> str:
    """A pattern for this text in any case."""
    return "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in _plain(text))


def _plain(text: str, pattern: str = "") -> str:
    """Without what udev would take for a pattern, or could not carry; `pattern` is what may be one."""
    return "".join(char if char.isascii() and (char.isalnum() or char in " ._-" + pattern) else "?" for char in text)
