"""A board model as a value: its dialect, what each contact means, and how it is recognised.

`boards.board_files` makes it from the text of a file in `boards/models/`. Coordinates are the dialect's own: row and
column of a matrix, or one number (as a row, in column 0) for a dialect of numbers or characters.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from boards.identity import Fingerprint, Marks, Speech
from engine.segments import Segment


@dataclass(frozen=True, slots=True)
class Press:
    """A contact that is a button. The daemon knows `next`, `undo`, `bounce` and `miss`; other names are published."""

    name: str


Word = Literal["stuck", "takeout"]
"""`stuck`: the firmware's own code for a contact that stays closed. `takeout`: the darts are being pulled."""

Meaning = Segment | Press | Word

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ReportLayout:
    """Where the contacts are in a USB device's interrupt reports. `None` means the first one, or all of it."""

    interface: int | None = None
    endpoint: int | None = None
    """Its address, from `0x81`: the top bit says that the device sends."""
    id: int | None = None
    """The first byte of the reports that count, if a device sends several kinds."""
    first: int = 0
    """The first byte that has contacts; the id is byte 0."""
    length: int | None = None
    """How many bytes have contacts."""


@dataclass(frozen=True, slots=True)
class Gatt:
    """How a Bluetooth board is found and read. UUIDs are in lower case and have 36 characters."""

    names: tuple[str, ...] = ()
    """Patterns with `*` of the name that it advertises; small and capital letters are the same."""
    service: str = ""
    """The service that it advertises; empty if that is not known."""
    notify: str = ""
    """The characteristic that notifies darts; empty for each that notifies."""
    write: str = ""
    """The characteristic that is written to; empty if the board must not be written to."""
    wake: bytes = b""
    """What is written before its notifications are subscribed."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Times of this model that differ from its dialect's, in ms; `None` means no difference. See `drivers.driver`."""

    repeat_ms: float | None = None
    button_ms: float | None = None
    miss_ms: float | None = None
    takeout_ms: float | None = None
    stuck_first_ms: float | None = None
    stuck_ms: float | None = None
    jitter_ms: float | None = None
    rebound_ms: float | None = None
    neighbour_ms: float | None = None
    deaf_ms: float | None = None
    boot_ms: float | None = None

    def changes(self) -> dict[str, Any]:
        """Returns the times that are set, by name."""
        times = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in times.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Can:
    """What a dialect, or a board of it, can report. A board file can narrow this."""

    ring: bool = True
    """Single, double and triple are told apart."""
    inner_outer: bool = False
    """Inner and outer singles are told apart."""
    position: bool = False
    release: bool = False
    """A contact that opens is reported too."""
    stuck_code: bool = False
    """The firmware itself says that a contact stays closed."""
    miss: bool = False
    takeout: bool = False
    battery: bool = False
    """How full its battery is."""
    buttons: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Returns what it can report, by name, for a board's status. What it cannot report is left out."""
        told = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: list(can) if isinstance(can, tuple) else can for name, can in told.items() if can}


@dataclass(frozen=True, slots=True)
class Shape:
    """What the checker of board files must know of a dialect: its coordinates, and what it can."""

    rows: int
    """Rows are 0 to `rows - 1`; 0 if the dialect names its beds and needs no table."""
    cols: int
    characters: bool
    """A contact is one character, its code the row, and the table is written with characters."""
    can: Can
    turns: bool = False
    """The numbers of the table follow from the one that is next to the board's button."""


@dataclass(frozen=True, slots=True)
class Ring:
    """The lights that are connected to a board with our firmware. `leds` is 0 without a ring, 240 at most."""

    leds: int = 0
    first: int = 0
    """The LED at which the 20 begins, counted from 0."""
    clockwise: bool = True
    """Whether the LEDs follow each other clockwise, as seen by the player."""
    lamp: bool = False
    """Whether a plain LED is on its own pin."""


@dataclass(frozen=True, slots=True)
class Board:
    """One model of board. `contacts` is empty if the dialect names its beds."""

    name: str
    title: str
    dialect: str
    can: Can = Can()
    contacts: Mapping[Cell, Meaning] = field(default_factory=dict)
    masked: frozenset[Cell] = frozenset()
    """Contacts that are ignored: a stuck bed, until it is repaired."""
    pace: Pace = Pace()
    at_button: int | None = None
    """The number next to the button of a board that does not know how it hangs; the table is turned already."""
    settle_us: int | None = None
    """How long a column of the matrix takes to rise, if the board is to be told."""
    ring: Ring | None = None
    """The board's lights, if it is to be told of them."""
    baud: int | None = None
    """Bits per second, if it is not the dialect's."""
    fingerprints: tuple[Fingerprint, ...] = ()
    report: ReportLayout = ReportLayout()
    gatt: Gatt | None = None
    """`None` if it is not a Bluetooth board."""
    speech: Speech = field(default_factory=Speech)
    source: str = ""
    """Where the table comes from."""
    verified: bool = False
    """Checked on a physical board, with a recording under `tests/boards/`."""
    learn: bool = False
    """Every board of this model has its own table, which `oche learn` makes."""

    def can_json(self) -> dict[str, Any]:
        """Returns what this model can report, for a board's status."""
        return self.can.to_json()

    def segments(self) -> tuple[Segment, ...]:
        """Returns the beds of the table, each once, in the order of its contacts."""
        beds = (meaning for meaning in self.contacts.values() if isinstance(meaning, Segment))
        return tuple(dict.fromkeys(beds))

    def buttons(self) -> tuple[str, ...]:
        """Returns the names of the buttons of the table."""
        return tuple(dict.fromkeys(m.name for m in self.contacts.values() if isinstance(m, Press)))

    def marks(self, baud: int) -> Marks:
        """Returns what it can be recognised by; `baud` is its dialect's."""
        return Marks(self.name, self.fingerprints, self.speech, self.baud or baud)
