"""What every dialect has in common: the values that a decoder gives, and the record that describes a dialect.

A decoder is a total machine over a bounded buffer: any bytes, in any pieces,
at any time, never raise and never grow it; what it cannot read it counts by
reason. Times are handed in, in nanoseconds of a clock that only goes forward.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from engine.darts import Points, Position
from engine.segments import Segment

Reject = Literal["garbage", "overflow", "partial", "unmapped", "checksum", "range", "ghost", "boot"]
"""Why bytes made no contact: the closed list behind a board's counters."""


@dataclass(frozen=True, slots=True)
class Contact:
    """One edge of a contact, or one press of a dialect that knows no release (`closed` is True then).

    `row` and `col` are the dialect's own coordinates; the board file says which bed they are.
    """

    row: int
    col: int
    closed: bool
    at_ns: int


@dataclass(frozen=True, slots=True)
class Landed:
    """A dart of a dialect that names what was hit: no board table is needed."""

    dart: Segment | Position | Points
    at_ns: int


@dataclass(frozen=True, slots=True)
class Signal:
    """What a board says beside darts.

    `button` (with its `name`), `takeout` (the darts are being pulled), `awake`
    (it has started and scans), `stuck` (its own stuck code), `fault`.
    """

    kind: Literal["button", "takeout", "awake", "stuck", "fault"]
    at_ns: int
    name: str = ""


Report = Contact | Landed | Signal


class Decoder(Protocol):
    """Bytes to reports."""

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        """What these bytes complete. `at_ns` is when the last of them arrived."""
        ...

    def reset(self) -> None:
        """The line was lost: what was begun is dropped and counted as `partial`."""
        ...

    @property
    def rejects(self) -> Mapping[Reject, int]:
        """How much was dropped, by reason, since the decoder was made."""
        ...


@dataclass(frozen=True, slots=True)
class Can:
    """What a board of this dialect can tell. A board file may narrow it."""

    ring: bool = True
    """Single, double and triple are told apart."""
    inner_outer: bool = False
    """Inner and outer singles are told apart."""
    position: bool = False
    release: bool = False
    stuck_code: bool = False
    miss: bool = False
    takeout: bool = False
    buttons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Timing:
    """How the firmware repeats itself, in ms. Zero means never."""

    repeat_ms: float = 0.0
    """Period after which a held contact is reported again."""
    jitter_ms: float = 20.0
    """How late, on the host, a repeat can be seen: USB buffers and a busy scheduler."""
    deaf_ms: float = 0.0
    """How long after a report the firmware cannot see a second dart."""
    boot_ms: float = 0.0
    """How long after the port was opened the board is silent or talks nonsense."""


Saying = Literal["throwing", "takeout", "next", "won", "bust", "idle"]
"""What the daemon has to tell a board that listens: what the match waits for, in the board's own words."""


@dataclass(frozen=True, slots=True)
class Driver:
    """One dialect: the record at the end of its file. Every field is written out there, the empty ones too."""

    name: str
    summary: str
    decoder: Callable[[], Decoder]
    can: Can
    timing: Timing
    baud: int
    hello: bytes
    says: Mapping[Saying, bytes] = field(default_factory=dict)
