"""A pipeline with a clock, and its events as short texts, for tests of lines and times."""

from drivers import DRIVERS, events
from drivers.pipeline import Pipeline
from engine.darts import Points
from tests.drivers.boards import model

MS = 1_000_000

Event = str


def told(heard: tuple[events.BoardEvent, ...] | list[events.BoardEvent]) -> list[Event]:
    """The events as short texts."""
    return [_short(h) for h in heard]


def _short(heard: events.BoardEvent) -> Event:
    match heard:
        case events.DartLanded(Points(points, beds)):
            return f"{points}:{'/'.join(bed.text for bed in beds)}"
        case events.DartLanded(dart):
            return str(dart)
        case events.DoubtfulDart(dart):
            return f"?{dart}"
        case events.Button(name):
            return f"button {name}"
        case events.TakeOut():
            return "take-out"
        case events.Stuck(text):
            return f"stuck {text}"
        case events.Freed(text):
            return f"freed {text}"
        case events.Fault(reason):
            return f"fault {reason}"
        case events.Rejected(reason):
            return f"no {reason}"
        case events.Awake():
            return "awake"
        case events.Marked(mark):
            return f"mark {mark}"


class Session:
    """A pipeline, and a clock in ms that calls its `tick` as the daemon does."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.events: list[Event] = told(pipeline.opened(0))

    def at(self, ms: float, data: bytes) -> "Session":
        self.until(ms)
        self.events += told(self.pipeline.feed(data, round(ms * MS)))
        return self

    def until(self, ms: float) -> "Session":
        while (due := self.pipeline.due_ns) is not None and due <= ms * MS:
            self.events += told(self.pipeline.tick(due))
        return self

    def lose(self, ms: float, back: float) -> "Session":
        self.until(ms)
        self.events += told(self.pipeline.lost(round(ms * MS)))
        self.events += told(self.pipeline.opened(round(back * MS)))
        return self


def on(name: str) -> Session:
    board = model(name)
    return Session(Pipeline(board, DRIVERS[board.dialect]))
