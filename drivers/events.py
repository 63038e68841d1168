"""The events of a board: what the pipeline returns."""

from dataclasses import dataclass

from boards.board import Cell
from engine.darts import Points, Position
from engine.segments import Segment


@dataclass(frozen=True, slots=True)
class DartLanded:
    """A dart landed. `contact` is the cell of the board's table, `None` if the dialect names its beds."""

    dart: Segment | Position | Points
    at_ns: int
    contact: Cell | None = None


@dataclass(frozen=True, slots=True)
class DoubtfulDart:
    """A report that was taken for a repeat and could have been a second dart."""

    dart: Segment | Position | Points
    at_ns: int


@dataclass(frozen=True, slots=True)
class Button:
    """A button was pressed."""

    name: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class TakeOut:
    """The darts are being pulled."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class Stuck:
    """A bed stays closed: `text` is its segment, `button NAME`, a cell `3,7` of no bed, or `?`."""

    text: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class Freed:
    """A bed that was stuck has opened, or the miss sensor (`MISS`) counts again."""

    text: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Something is wrong with the board's wiring."""

    reason: str
    message: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class Rejected:
    """Input was dropped: bytes, with one event for each reason and piece of input (the counters have the numbers), or a
    closed contact that is not in the table, with its cell."""

    reason: str
    at_ns: int
    contact: Cell | None = None


@dataclass(frozen=True, slots=True)
class Awake:
    """The board reported that it has started."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class Marked:
    """How far the board has been read with the event that follows. To be committed together with it and given to
    `Pipeline.resume` by the next process: a dart that is committed but not acknowledged is then not counted twice."""

    mark: str
    at_ns: int


BoardEvent = Marked | DartLanded | DoubtfulDart | Button | TakeOut | Stuck | Freed | Fault | Rejected | Awake
