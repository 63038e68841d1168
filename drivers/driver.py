"""What every dialect has in common: the values that a decoder returns, and the record that describes a dialect.

A decoder takes any bytes, in any pieces, at any time. It never raises, its
buffer is bounded, and it counts what it drops by reason. Times are handed in,
in nanoseconds of a monotonic clock.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from boards.board import Can, Ring, Shape
from engine.darts import Points, Position
from engine.segments import Segment

Reject = Literal["garbage", "overflow", "partial", "unmapped", "checksum", "range", "ghost", "boot"]
"""Why input was dropped: the closed list of a board's counters."""


@dataclass(frozen=True, slots=True)
class Contact:
    """One edge of a contact, or one press of a dialect that reports no release (`closed` is true then).

    `row` and `col` are the dialect's own coordinates; the board file says which bed they are.
    """

    row: int
    col: int
    closed: bool
    at_ns: int
    held: bool = False
    """It was closed when the board started to scan: a stuck bed, not a dart."""
    mark: str = field(default="", compare=False)
    """How far the board has been read with this edge, if its dialect counts edges: what `Answering.resume` takes."""
    clock_ns: int | None = None
    """When the edge was on the board's own clock; `None` if the board has none. Only differences have a meaning. It
    never decreases; edges whose distance is not known, as across a restart of the board, are an hour apart at least."""


@dataclass(frozen=True, slots=True)
class NamedDart:
    """A dart of a dialect that names what was hit, and needs no board table."""

    dart: Segment | Position | Points
    at_ns: int


@dataclass(frozen=True, slots=True)
class Signal:
    """What a board reports besides darts.

    `button` (with its `name`), `takeout` (the darts are being pulled), `awake`
    (it has started and scans), `stuck` (its own stuck code), `fault` (`name` is
    a word or a sentence).
    """

    kind: Literal["button", "takeout", "awake", "stuck", "fault"]
    at_ns: int
    name: str = ""


Report = Contact | NamedDart | Signal


class Decoder(Protocol):
    """Bytes to reports."""

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        """Returns the reports that these bytes complete. `at_ns` is when the last of them arrived."""
        ...

    def reset(self) -> None:
        """Handles the loss of the line: the incomplete report is dropped and counted as `partial`."""
        ...

    @property
    def rejects(self) -> Mapping[Reject, int]:
        """How often input was dropped, by reason, since the decoder was made."""
        ...

    @property
    def pending(self) -> int:
        """How many bytes are kept for a report that is not complete: at most one line."""
        ...


@runtime_checkable
class Answering(Protocol):
    """What a decoder has in addition if its board expects answers."""

    def answers(self) -> bytes:
        """Returns what must be written to the board, once. Called when the events of what was fed are committed: until
        then the board keeps what could still be lost."""
        ...

    @property
    def counters(self) -> Mapping[str, int]:
        """What the board itself has counted, as last reported; the names begin with `board_`."""
        ...

    @property
    def heard_ns(self) -> int:
        """When the last valid frame arrived; 0 before the first. Such a board sends something each second."""
        ...

    @property
    def fault(self) -> str:
        """Why no input of the board counts now, in a sentence; empty if all is well."""
        ...

    def resume(self, mark: str) -> None:
        """Continues after the edge with this mark, which an earlier process committed. Called before `feed`; a mark
        that cannot be read, or is of another board, is ignored. A board's own clock then counts from that edge, which
        was at 0."""
        ...


@runtime_checkable
class Settling(Protocol):
    """What a decoder has in addition if its board can be told how long its columns take to rise."""

    def settle(self, settle_us: int) -> None:
        """Sets the time, in us: the board is told after each of its hellos."""
        ...


@runtime_checkable
class Lighting(Protocol):
    """What a decoder has in addition if its board can be told which lights are connected to it."""

    def light(self, ring: Ring) -> None:
        """Sets the lights: the board is told after each of its hellos."""
        ...


Hides = Literal["nothing", "line", "all"]
"""Which other contacts are not reported, or cannot be told apart, while a contact is closed: none, those of its drive
line (`col`), or all."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How the firmware repeats reports, in ms. Zero means never.

    Almost every firmware waits after each line that it sends, deaf to
    everything, and then scans again: what is still closed is sent again. So
    `repeat_ms`, `button_ms` and `miss_ms` are both deaf times and repeat periods.
    """

    repeat_ms: float = 0.0
    """From one report of a held bed to the next, if nothing else was sent between."""
    button_ms: float = 0.0
    """The same for a button."""
    miss_ms: float = 0.0
    """The same for a miss."""
    takeout_ms: float = 0.0
    """The same for the sensor that sees the darts being pulled."""
    stuck_first_ms: float = 0.0
    """From a bed's report to the first stuck code, if the firmware has one."""
    stuck_ms: float = 0.0
    """From one stuck code to the next."""
    jitter_ms: float = 40.0
    """How late a repeat can arrive at the host: an FTDI chip keeps bytes for 16 ms, a busy host adds its own delay."""
    rebound_ms: float = 0.0
    """How long a contact that opened can bounce and be reported as if it were another dart."""
    neighbour_ms: float = 0.0
    """How soon after a bed one next to it can close that the same dart touches."""
    deaf_ms: float = 0.0
    """How long after a report the firmware cannot see a second dart."""
    boot_ms: float = 0.0
    """How long after the port was opened the board is silent or sends noise."""
    hides: Hides = "nothing"


Saying = Literal["throwing", "takeout", "next", "won", "bust", "idle"]
"""What a match waits for, as the daemon tells a board that has a lamp or a mode for it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a board with lamps or lights is told about the match on it."""

    saying: Saying
    targets: tuple[int | str, ...] = ()
    """What scores now: numbers, beds, or `bull`, as in the published state."""
    landed: Segment | None = None
    """The dart that has just landed; `None` when the match has moved on without one."""


Says = Callable[[Moment], bytes]
"""Returns what is written to a board in a moment; empty if it is told nothing."""


@dataclass(frozen=True, slots=True)
class Driver:
    """One dialect: the record at the end of its file."""

    name: str
    summary: str
    decoder: Callable[[], Decoder]
    can: Can
    timing: Timing
    rows: int = 0
    """Rows are 0 to `rows - 1`; 0 if the dialect names its beds and needs no table."""
    cols: int = 0
    characters: bool = False
    """A contact is one character, its code the row."""
    baud: int = 9600
    """The usual speed of its serial ports; a board file or an address can set another."""
    hello: bytes = b""
    """Written when the port was opened, and again after `boot_ms`: a board that was reset by the opening receives only
    the second one. Empty if a board needs none."""
    says: Mapping[Saying, bytes] | Says = field(default_factory=dict)
    """What is written to the board when a match waits for each of these. A function for a board that shows more: it
    is also called for each dart that lands."""
    turns: bool = False
    """The board counts its numbers from a fixed place, and can hang in any of twenty ways: `at_button`."""

    def words(self, moment: Moment) -> bytes:
        """Returns what is written to the board in a moment."""
        return self.says(moment) if callable(self.says) else self.says.get(moment.saying, b"")

    @property
    def shape(self) -> Shape:
        """What the checker of board files must know of the dialect."""
        return Shape(self.rows, self.cols, self.characters, self.can, self.turns)
