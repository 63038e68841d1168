"""What was heard of a board: the values that a reading gives."""

from dataclasses import dataclass

from boards.board import Cell
from engine.darts import Points, Position
from engine.segments import Segment


@dataclass(frozen=True, slots=True)
class DartLanded:
    """A dart landed. `contact` is the cell of the board's table, None where the dialect names its beds."""

    dart: Segment | Position | Points
    at_ns: int
    contact: Cell | None = None


@dataclass(frozen=True, slots=True)
class DoubtfulDart:
    """A report that was taken as a repeat and could have been a second dart."""

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
    """A bed that was stuck, or the miss sensor (`MISS`), is well again."""

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
    """What was dropped: bytes once for each reason and piece of input (the counters have the numbers), and a closed
    contact that is on no table, with its cell: that is how a board is learnt."""

    reason: str
    at_ns: int
    contact: Cell | None = None


@dataclass(frozen=True, slots=True)
class Awake:
    """The board said that it has started."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class Marked:
    """How far the board has been heard with what follows: to be put on disk together with it, and given to
    `Reading.resume` by the next process. So a dart that is safe and not yet acknowledged does not come twice."""

    mark: str
    at_ns: int


BoardEvent = Marked | DartLanded | DoubtfulDart | Button | TakeOut | Stuck | Freed | Fault | Rejected | Awake
