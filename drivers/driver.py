"""What every dialect has in common: the values that a decoder gives, and the record that describes a dialect.

A decoder is a total machine over a bounded buffer: any bytes, in any pieces,
at any time, never raise and never grow it; what it cannot read it counts by
reason. Times are handed in, in nanoseconds of a clock that only goes forward.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from boards.board import Can, Shape
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
    held: bool = False
    """It was closed when the board began to look: a bed that hangs, not a dart."""
    mark: str = field(default="", compare=False)
    """How far the board had been heard with this edge, where its dialect counts: what `Answering.resume` takes."""


@dataclass(frozen=True, slots=True)
class NamedDart:
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


Report = Contact | NamedDart | Signal


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

    @property
    def pending(self) -> int:
        """How many bytes are kept for a report that is not complete: never more than a line."""
        ...


@runtime_checkable
class Answering(Protocol):
    """A decoder of a dialect whose board must be answered. The others lack this, and need not know of it."""

    def answers(self) -> bytes:
        """What is to be written to the board, once: taken when what was fed is on disk, so that a board which waits
        for an acknowledgement keeps what could still be lost."""
        ...

    @property
    def counters(self) -> Mapping[str, int]:
        """What the board itself has counted, as it said last; the names begin with `board_`."""
        ...

    @property
    def heard_ns(self) -> int:
        """When the last frame that could be read arrived: such a board says something each second. 0: never."""
        ...

    @property
    def fault(self) -> str:
        """Why nothing the board says is believed now, in a sentence; empty where all is well."""
        ...

    def resume(self, mark: str) -> None:
        """Goes on behind the edge with this mark, which a former process has put on disk. Before anything is fed; a
        mark that makes no sense, or is of another board, is passed over."""
        ...


Hides = Literal["nothing", "line", "all"]
"""Which other contacts a closed contact keeps from being reported, or from being told apart: none, those of its drive
line (`col`), or all."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How the firmware repeats itself, in ms. Zero means never.

    Almost every firmware waits after each line that it sends, deaf to
    everything, and then goes on scanning: what is still closed is sent again.
    So the three `…_ms` of lines are both its deaf time and its repeat period.
    """

    repeat_ms: float = 0.0
    """From one report of a held bed to the next, where nothing else was sent between."""
    button_ms: float = 0.0
    """The same for a button."""
    miss_ms: float = 0.0
    """The same for a miss."""
    takeout_ms: float = 0.0
    """The same for the sensor that sees the darts being pulled."""
    stuck_first_ms: float = 0.0
    """From a bed's report to the first stuck code, where the firmware has one."""
    stuck_ms: float = 0.0
    """From one stuck code to the next."""
    jitter_ms: float = 40.0
    """How late, on the host, a repeat can be seen: an FTDI chip keeps bytes for 16 ms, a busy host adds its own."""
    rebound_ms: float = 0.0
    """How long a contact that opened can touch again and be reported as if it were another dart."""
    deaf_ms: float = 0.0
    """How long after a report the firmware cannot see a second dart."""
    boot_ms: float = 0.0
    """How long after the port was opened the board is silent or talks nonsense."""
    hides: Hides = "nothing"


Saying = Literal["throwing", "takeout", "next", "won", "bust", "idle"]
"""What the daemon has to tell a board that listens: what the match waits for, in the board's own words."""


@dataclass(frozen=True, slots=True)
class Driver:
    """One dialect: the record at the end of its file. What a record leaves out is zero, empty or False."""

    name: str
    summary: str
    decoder: Callable[[], Decoder]
    can: Can
    timing: Timing
    rows: int = 0
    """Rows are 0 to `rows - 1`; 0 where the dialect names its beds and needs no table."""
    cols: int = 0
    characters: bool = False
    """A contact is one character, its code the row."""
    baud: int = 9600
    """The usual speed of its serial ports; a board file or an address can say another."""
    hello: bytes = b""
    """Written when the port was opened, and again when `boot_ms` are over: a board that was reset by the opening
    hears only the second. Empty where a board needs none."""
    says: Mapping[Saying, bytes] = field(default_factory=dict)
    """What is written to the board when a match waits for each of these."""

    @property
    def shape(self) -> Shape:
        """What the checker of board files must know."""
        return Shape(self.rows, self.cols, self.characters, self.can)
