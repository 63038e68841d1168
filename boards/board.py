"""A board model as a value: its dialect, what each contact means, and how it is recognised.

Made from a file in `boards/models/` by `boards.board_files`; nothing here
reads a file. Coordinates are the dialect's own: row and column of a matrix,
or one number (as a row, in column 0) for a dialect of numbers or characters.
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
    """Where in a USB device's interrupt reports its contacts are. None: the first there is, or all of it."""

    interface: int | None = None
    endpoint: int | None = None
    """Its address, `0x81` and on: the top bit says that the device sends."""
    id: int | None = None
    """The first byte of the reports that count, where a device sends several kinds."""
    first: int = 0
    """The first byte that has contacts; the id is byte 0."""
    length: int | None = None
    """How many bytes have."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Times of this model that differ from its dialect's, in ms; None: as the dialect says. See `drivers.driver`."""

    repeat_ms: float | None = None
    button_ms: float | None = None
    miss_ms: float | None = None
    takeout_ms: float | None = None
    stuck_first_ms: float | None = None
    stuck_ms: float | None = None
    jitter_ms: float | None = None
    rebound_ms: float | None = None
    deaf_ms: float | None = None
    boot_ms: float | None = None

    def changes(self) -> dict[str, Any]:
        """The times that are set, by name."""
        times = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in times.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Can:
    """What a dialect, or a board of it, can tell. A board file narrows what its dialect can."""

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
    buttons: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For a board's status: what it can, by name; what it cannot is left out."""
        told = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: list(can) if isinstance(can, tuple) else can for name, can in told.items() if can}


@dataclass(frozen=True, slots=True)
class Shape:
    """What the checker of board files must know of a dialect: its coordinates, and what it can."""

    rows: int
    """Rows are 0 to `rows - 1`; 0 where the dialect names its beds and needs no table."""
    cols: int
    characters: bool
    """A contact is one character, its code the row, and the table is written with characters."""
    can: Can


@dataclass(frozen=True, slots=True)
class Board:
    """One model of board. `contacts` is empty where the dialect names its beds."""

    name: str
    title: str
    dialect: str
    can: Can = Can()
    contacts: Mapping[Cell, Meaning] = field(default_factory=dict)
    masked: frozenset[Cell] = frozenset()
    """Contacts that are not listened to: a bed that hangs, until it is repaired."""
    pace: Pace = Pace()
    baud: int | None = None
    """Bits a second, where it is not the dialect's."""
    fingerprints: tuple[Fingerprint, ...] = ()
    report: ReportLayout = ReportLayout()
    speech: Speech = field(default_factory=Speech)
    source: str = ""
    """Where the table comes from."""
    verified: bool = False
    """Checked on a physical board, with a recording under `tests/boards/`."""
    learn: bool = False
    """The table is different on every board that was built: `oche learn` makes it."""

    def can_json(self) -> dict[str, Any]:
        """What this model can tell, for a board's status."""
        return self.can.to_json()

    def segments(self) -> tuple[Segment, ...]:
        """The beds of the table, each once, in the order of its contacts."""
        beds = (meaning for meaning in self.contacts.values() if isinstance(meaning, Segment))
        return tuple(dict.fromkeys(beds))

    def buttons(self) -> tuple[str, ...]:
        """The names of the buttons of the table."""
        return tuple(dict.fromkeys(m.name for m in self.contacts.values() if isinstance(m, Press)))

    def marks(self, baud: int) -> Marks:
        """What it can be recognised by; `baud` is its dialect's."""
        return Marks(self.name, self.fingerprints, self.speech, self.baud or baud)
