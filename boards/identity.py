"""Which board is this? What a device shows and says, held against the marks in the board files.

Pure: a port and the models in, a verdict out. VID:PID only nominates;
something unique decides. Nothing here opens or writes: `hello` is for a port
that the user has named.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final, Literal

GENERIC_CHIPS: Final = frozenset(
    {
        *((0x1A86, pid) for pid in (0x5523, 0x55D4, 0x7522, 0x7523)),
        *((0x10C4, pid) for pid in (0xEA60, 0xEA70)),
        *((0x0403, pid) for pid in (0x6001, 0x6010, 0x6011, 0x6014, 0x6015)),
        *((0x067B, pid) for pid in (0x2303, 0x23A3, 0x23C3)),
    }
)
"""USB serial chips that are soldered onto everything (CH340, CP210x, FTDI, PL2303): their numbers say nothing."""

GENERIC_VENDORS: Final = frozenset({0x2341, 0x2A03})
"""Arduino's own numbers: what the board was programmed to be, they do not say."""

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
"""What such chips call themselves when they leave the factory."""


def is_generic(vid: int, pid: int) -> bool:
    """Whether these numbers are on a chip that anything can hang on."""
    return (vid, pid) in GENERIC_CHIPS or vid in GENERIC_VENDORS


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a device of a model shows before it is opened.

    `product` and `manufacturer` are parts of the device's own strings,
    compared without case; `serial` is a pattern with `*` for its serial
    number. None: not looked at.
    """

    vid: int
    pid: int
    product: str | None = None
    manufacturer: str | None = None
    serial: str | None = None

    @property
    def decides(self) -> bool:
        """It names something that only this model has; numbers and a maker's name are shared."""
        if self.serial is not None:
            return True
        own = self.product is not None and not any(self.product.lower() in text for text in CHIP_STRINGS)
        return own if is_generic(self.vid, self.pid) else self.product is not None


@dataclass(frozen=True, slots=True)
class Speech:
    """What a board of a model says: lines without their ends, in which `#` stands for a number of one to three digits.

    `names` are the lines by which a board says who it is, at its start or when
    it has had `hello`; `lines` are what its darts look like.
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
        """`1a86:7523`, or nothing where it is no USB device."""
        return "" if self.vid is None or self.pid is None else f"{self.vid:04x}:{self.pid:04x}"


@dataclass(frozen=True, slots=True)
class Marks:
    """What a model can be recognised by."""

    model: str
    fingerprints: tuple[Fingerprint, ...]
    speech: Speech
    baud: int
    """Bits a second at which it speaks; 0 where it is no serial board."""


Weight = Literal["matched", "nominated", "no"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model that was weighed: how well it fits, and why."""

    model: str
    weight: Weight
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a port is: the one model that matched, or None and the sentence that says why and what to do."""

    port: Port
    model: str | None
    message: str
    candidates: tuple[Candidate, ...]


def recognise(port: Port, models: Iterable[Marks], heard: bytes | None = None) -> Verdict:
    """The verdict on a port. `heard` is what it said after the user had it opened; None: it was not opened."""
    marks = sorted(models, key=lambda mark: mark.model)
    candidates = tuple(_weigh(port, mark, heard) for mark in marks if mark.fingerprints or heard is not None)
    matched = [candidate.model for candidate in candidates if candidate.weight == "matched"]
    nominated = [candidate.model for candidate in candidates if candidate.weight == "nominated"]
    if len(matched) == 1:
        return Verdict(port, matched[0], f"This is {matched[0]}.", candidates)
    say = f"oche listen MODEL@{port.device}"
    if matched:
        message = f"A tie: {_and(matched)} match alike, so none is taken. Say which: {say}"
    elif nominated:
        verb = "fits, but nothing" if len(nominated) == 1 else "fit, and nothing"
        message = f"{_and(nominated)} {verb} that only one model has was found. If you know it: {say}"
    elif port.vid is not None and port.pid is not None and is_generic(port.vid, port.pid):
        message = f"{port.ids} is on everything: it says nothing of the board behind it. Name the model: {say}"
    else:
        message = f"No model is known by this. If it is a board, name the model: {say}"
    return Verdict(port, None, message, candidates)


def _weigh(port: Port, mark: Marks, heard: bytes | None) -> Candidate:
    shown = [_shown(port, one) for one in mark.fingerprints]
    weight: Weight = "no"
    reasons: tuple[str, ...] = ()
    for wanted in ("matched", "nominated", "no"):
        found = next((why for kind, why in shown if kind == wanted), None)
        if found is not None:
            weight, reasons = (
                ("matched" if wanted == "matched" else "nominated" if wanted == "nominated" else "no"),
                found,
            )
            break
    if heard is not None:
        said, why = _said(mark.speech, heard)
        reasons = (*reasons, why)
        weight = "matched" if "matched" in (weight, said) else "nominated" if "nominated" in (weight, said) else "no"
    return Candidate(mark.model, weight, reasons)


def _shown(port: Port, mark: Fingerprint) -> tuple[Weight, tuple[str, ...]]:
    ids = f"{mark.vid:04x}:{mark.pid:04x}"
    if (port.vid, port.pid) != (mark.vid, mark.pid):
        return "no", (f"it is {ids}, this is {port.ids or 'no USB device'}",)
    reasons = [f"{ids} fits" + (", but it is a chip that is on everything" if is_generic(mark.vid, mark.pid) else "")]
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
    """More than half of the lines must fit: opening a port resets most boards, and their first bytes are noise."""
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
