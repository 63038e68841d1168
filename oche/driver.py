"""What a dialect from outside imports: the record, the reports, decoders to build on, and the pipeline for its tests.

`docs/boards.md` builds a whole dialect with these names. A package names its driver in the entry-point group
`oche.dialects`.
"""

from boards.board import Board, Can, Cell, Press
from drivers.driver import (
    Answering,
    Contact,
    Decoder,
    Driver,
    NamedDart,
    Reject,
    Report,
    Signal,
    Timing,
)
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
from drivers.lines import LineDecoder, lines
from drivers.pipeline import Pipeline
from drivers.single_bytes import ByteDecoder
from engine.darts import Points, Position
from engine.segments import BULL, CLOCKWISE, INNER_BULL, MISS, OUTER_BULL, PLAYABLE, SEGMENTS, Ring, Segment

__all__ = [
    "BULL",
    "CLOCKWISE",
    "INNER_BULL",
    "MISS",
    "OUTER_BULL",
    "PLAYABLE",
    "SEGMENTS",
    "Answering",
    "Awake",
    "Board",
    "BoardEvent",
    "Button",
    "ByteDecoder",
    "Can",
    "Cell",
    "Contact",
    "DartLanded",
    "Decoder",
    "DoubtfulDart",
    "Driver",
    "Fault",
    "Freed",
    "LineDecoder",
    "Marked",
    "NamedDart",
    "Pipeline",
    "Points",
    "Position",
    "Press",
    "Reject",
    "Rejected",
    "Report",
    "Ring",
    "Segment",
    "Signal",
    "Stuck",
    "TakeOut",
    "Timing",
    "lines",
]
