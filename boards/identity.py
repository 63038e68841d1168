"""Recognises a board by what its device reports on USB and sends, and by the marks in the board files.

Pure: a port and the models in, a `Recognition` out. VID:PID only nominates a model; something unique decides. Nothing
here opens or writes: `hello` is for a port that the user has named.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final, Literal, get_args

GENERIC_CHIPS: Final = frozenset(
    {
        *((0x1A86, pid) for pid in (0x5523, 0x55D4, 0x7522, 0x7523)),
        *((0x10C4, pid) for pid in (0xEA60, 0xEA70)),
        *((0x0403, pid) for pid in (0x6001, 0x6010, 0x6011, 0x6014, 0x6015)),
        *((0x067B, pid) for pid in (0x2303, 0x23A3, 0x23C3)),
    }
)
"""USB serial chips that many kinds of devices have (CH340, CP210x, FTDI, PL2303): their ids tell nothing."""

GENERIC_VENDORS: Final = frozenset({0x2341, 0x2A03})
"""Arduino's own vendor ids: they do not tell what the board was programmed to be."""

CHIP_STRINGS: Final = (
    "arduino uno",
    "arduino nano every",
    "arduino mega 2560",
    "arduino leonardo",
    "arduino micro",
    "ft232r usb uart",
    "ft231x usb uart",
    "usb serial",
    "usb2.0-serial",
    "usb2.0-ser!",
    "usb single serial",
    "usb <-> serial",
    "cp2102 usb to uart bridge controller",
    "cp2102n usb to uart bridge controller",
    "cp2104 usb to uart bridge controller",
    "usb-serial controller",
)
"""The product strings of such chips from the factory, in lower case."""


def is_generic(vid: int, pid: int) -> bool:
    """Whether these ids belong to a chip that many kinds of devices have."""
    return (vid, pid) in GENERIC_CHIPS or vid in GENERIC_VENDORS


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a device of a model reports before it is opened.

    `product` and `manufacturer` are parts of the device's own strings,
    compared without case; `serial` is a pattern with `*` for its serial
    number. `None` is not compared.
    """

    vid: int
    pid: int
    product: str | None = None
    manufacturer: str | None = None
    serial: str | None = None

    @property
    def decides(self) -> bool:
        """Whether it names something that only this model has; other models share ids and a maker's name."""
        if self.serial is not None:
            return True
        own = self.product is not None and not any(self.product.lower() in text for text in CHIP_STRINGS)
        return own if is_generic(self.vid, self.pid) else self.product is not None


@dataclass(frozen=True, slots=True)
class Speech:
    """What a board of a model sends: lines without their ends, in which `#` stands for a number of one to three digits.

    `names` are the lines by which a board identifies itself, at its start or
    after `hello`; `lines` are what its darts look like.
    """

    hello: bytes = b""
    names: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Port:
    """A device as the system lists it, unopened. `path` is where it is plugged in, like `1-1.4`."""

    device: str
    vid: int | None = None
    pid: int | None = None
    product: str = ""
    manufacturer: str = ""
    serial: str = ""
    path: str = ""

    @property
    def ids(self) -> str:
        """`1a86:7523`, or empty if it is not a USB device."""
        return "" if self.vid is None or self.pid is None else f"{self.vid:04x}:{self.pid:04x}"


@dataclass(frozen=True, slots=True)
class Marks:
    """What a model can be recognised by."""

    model: str
    fingerprints: tuple[Fingerprint, ...]
    speech: Speech
    baud: int
    """Bits per second; 0 if it is not a serial board."""


Weight = Literal["matched", "nominated", "no"]
WEIGHTS: Final[tuple[Weight, ...]] = get_args(Weight)
"""The weights, the best one first."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """How well a model fits a port, and why."""

    model: str
    weight: Weight
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recognition:
    """The one model that matched a port, or `None`, and a message that says why and what to do."""

    port: Port
    model: str | None
    message: str
    candidates: tuple[Candidate, ...]


def recognise(port: Port, models: Iterable[Marks], heard: bytes | None = None) -> Recognition:
    """Returns which model a port is. `heard` is what it sent after it was opened; `None` if it was not opened."""
    marks = sorted(models, key=lambda mark: mark.model)
    candidates = tuple(_weigh(port, mark, heard) for mark in marks if mark.fingerprints or heard is not None)
    matched = [candidate.model for candidate in candidates if candidate.weight == "matched"]
    nominated = [candidate.model for candidate in candidates if candidate.weight == "nominated"]
    if len(matched) == 1:
        return Recognition(port, matched[0], f"This is {matched[0]}.", candidates)
    say = f"oche listen MODEL@{port.device}"
    if matched:
        message = f"A tie: {_and(matched)} match alike, so none is taken. Say which: {say}"
    elif nominated:
        verb = "fits, but nothing" if len(nominated) == 1 else "fit, and nothing"
        message = f"{_and(nominated)} {verb} that only one model has was found. If you know it: {say}"
    elif port.vid is not None and port.pid is not None and is_generic(port.vid, port.pid):
        message = (
            f"{port.ids} is a chip that many devices have: it tells nothing about the board. Name the model: {say}"
        )
    else:
        message = f"No model is known by this. If it is a board, name the model: {say}"
    return Recognition(port, None, message, candidates)


def _weigh(port: Port, mark: Marks, heard: bytes | None) -> Candidate:
    shown = [_shown(port, one) for one in mark.fingerprints]
    weight, reasons = min(shown, key=lambda one: WEIGHTS.index(one[0]), default=("no", ()))
    if heard is not None:
        said, why = _said(mark.speech, heard)
        reasons = (*reasons, why)
        weight = min(weight, said, key=WEIGHTS.index)
    return Candidate(mark.model, weight, reasons)


def _shown(port: Port, mark: Fingerprint) -> tuple[Weight, tuple[str, ...]]:
    ids = f"{mark.vid:04x}:{mark.pid:04x}"
    if (port.vid, port.pid) != (mark.vid, mark.pid):
        return "no", (f"it is {ids}, this is {port.ids or 'not a USB device'}",)
    reasons = [f"{ids} fits" + (", but many devices have this chip" if is_generic(mark.vid, mark.pid) else "")]
    for key, part, text, fits in (
        ("product", mark.product, port.product, _holds(mark.product, port.product)),
        ("manufacturer", mark.manufacturer, port.manufacturer, _holds(mark.manufacturer, port.manufacturer)),
        ("serial", mark.serial, port.serial, mark.serial is None or fnmatchcase(port.serial, mark.serial)),
    ):
        if part is not None and not fits:
            return "no", (*reasons, f"its {key} must be {part!r}, this has {text!r}")
        if part is not None:
            reasons.append(f"{key} {text!r} fits {part!r}")
    if mark.decides:
        return "matched", tuple(reasons)
    if is_generic(mark.vid, mark.pid):
        return "no", tuple(reasons)
    return "nominated", (*reasons, "others can have these numbers too")


def _said(speech: Speech, heard: bytes) -> tuple[Weight, str]:
    """Weighs lines. More than half must fit: opening a port resets most boards, and their first bytes are noise."""
    if not speech.names and not speech.lines:
        return "no", "its file does not say what it sounds like"
    lines = [line.strip("\r\x00\xff") for line in heard.decode("latin-1").split("\n")[:-1]]
    lines = [line for line in lines if line]
    name = next((line for line in lines if any(_like(pattern, line) for pattern in speech.names)), None)
    if name is not None:
        return "matched", f"it said {name[:40]!r}, which is its name"
    if not lines:
        return "no", "no whole line was heard; press a bed while it listens"
    fitting = sum(any(_like(pattern, line) for pattern in speech.lines) for line in lines)
    about = f"{fitting} of {len(lines)} lines are like {' or '.join(speech.lines) or 'its name'}"
    return ("nominated" if 2 * fitting > len(lines) else "no"), about


def _like(pattern: str, line: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\#", r"\d{1,3}"), line, re.ASCII) is not None


def _holds(part: str | None, text: str) -> bool:
    return part is None or part.lower() in text.lower()


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
