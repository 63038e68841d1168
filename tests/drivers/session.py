"""A reading with a clock beside it, and what it heard in short words: to tell stories of lines and times."""

from drivers import DRIVERS
from drivers.events import (
    Awake,
    BoardEvent,
    Button,
    DartLanded,
    DoubtfulDart,
    Fault,
    Freed,
    Marked,
    Rejected,
    Stuck,
    TakeOut,
)
from drivers.pipeline import Pipeline
from engine.darts import Points
from tests.drivers.boards import model

MS = 1_000_000

Event = str


def told(heard: tuple[BoardEvent, ...] | list[BoardEvent]) -> list[Event]:
    """What was heard, short."""
    return [_short(h) for h in heard]


def _short(heard: BoardEvent) -> Event:
    match heard:
        case DartLanded(Points(points, beds)):
            return f"{points}:{'/'.join(bed.text for bed in beds)}"
        case DartLanded(dart):
            return str(dart)
        case DoubtfulDart(dart):
            return f"?{dart}"
        case Button(name):
            return f"button {name}"
        case TakeOut():
            return "take-out"
        case Stuck(text):
            return f"stuck {text}"
        case Freed(text):
            return f"freed {text}"
        case Fault(reason):
            return f"fault {reason}"
        case Rejected(reason):
            return f"no {reason}"
        case Awake():
            return "awake"
        case Marked(mark):
            return f"mark {mark}"


class Session:
    """A reading, and a clock in ms that ticks it as the daemon would."""

    def __init__(self, reading: Pipeline) -> None:
        self.reading = reading
        self.events: list[Event] = told(reading.opened(0))

    def at(self, ms: float, data: bytes) -> "Session":
        self.until(ms)
        self.events += told(self.reading.feed(data, round(ms * MS)))
        return self

    def until(self, ms: float) -> "Session":
        while (due := self.reading.due_ns) is not None and due <= ms * MS:
            self.events += told(self.reading.tick(due))
        return self

    def lose(self, ms: float, back: float) -> "Session":
        self.until(ms)
        self.events += told(self.reading.lost(round(ms * MS)))
        self.events += told(self.reading.opened(round(back * MS)))
        return self


def on(name: str) -> Session:
    board = model(name)
    return Session(Pipeline(board, DRIVERS[board.dialect]))
