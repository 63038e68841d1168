"""The contacts of a board as darts close them: they ring and stay closed. Times are in ms of the board's own clock."""

import random
from bisect import bisect_right
from dataclasses import dataclass, field

Cell = tuple[int, int]


@dataclass(frozen=True)
class Thrown:
    """One dart: when it closes its contact and for how long; `rings` are the moments of its openings and closings."""

    number: int
    cell: Cell
    at: float
    hold: float
    rings: tuple[tuple[float, float], ...]
    """The spans in which the contact is closed, one after the other."""


def thrown(number: int, cell: Cell, at: float, hold: float, rng: random.Random, bounce: bool = True) -> Thrown:
    """A dart whose contact bounces for at most 3 ms when it closes and 3 ms when it opens."""
    spans: list[tuple[float, float]] = []
    start = at
    if bounce and hold > 4:
        for _ in range(rng.randrange(4)):
            length, gap = rng.uniform(0.05, 0.4), rng.uniform(0.05, 0.4)
            spans.append((start, start + length))
            start += length + gap
    end = at + hold
    spans.append((start, end))
    if bounce and hold > 4:
        for _ in range(rng.randrange(4)):
            gap, length = rng.uniform(0.05, 0.4), rng.uniform(0.05, 0.4)
            spans.append((end + gap, end + gap + length))
            end += gap + length
    return Thrown(number, cell, at, hold, tuple(spans))


@dataclass
class Contacts:
    """Which contacts are closed when. Darts of one cell do not overlap."""

    darts: list[Thrown]
    _spans: dict[Cell, list[tuple[float, float, int]]] = field(default_factory=dict)
    _edges: list[float] = field(default_factory=list)
    _changes: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        for dart in self.darts:
            self._spans.setdefault(dart.cell, []).extend((a, b, dart.number) for a, b in dart.rings)
        for spans in self._spans.values():
            spans.sort()
        self._edges = sorted(a for spans in self._spans.values() for a, _, _ in spans)
        self._changes = sorted(t for spans in self._spans.values() for a, b, _ in spans for t in (a, b))

    @property
    def cells(self) -> list[Cell]:
        return sorted(self._spans)

    def dart_on(self, cell: Cell, at: float) -> int | None:
        """The dart that keeps this contact closed now."""
        spans = self._spans.get(cell, [])
        index = bisect_right(spans, (at, float("inf"), 0)) - 1
        return spans[index][2] if index >= 0 and spans[index][1] > at else None

    def closes_within(self, cell: Cell, start: float, end: float) -> bool:
        """Whether this contact is closed at some time between."""
        spans = self._spans.get(cell, [])
        index = bisect_right(spans, (end, float("inf"), 0)) - 1
        return index >= 0 and spans[index][1] > start

    def any_closed(self, at: float) -> bool:
        return any(self.dart_on(cell, at) is not None for cell in self._spans)

    def next_closing(self, at: float) -> float | None:
        index = bisect_right(self._edges, at)
        return self._edges[index] if index < len(self._edges) else None

    def opens(self, cell: Cell, at: float) -> float:
        """When this contact, closed now, opens."""
        spans = self._spans[cell]
        return spans[bisect_right(spans, (at, float("inf"), 0)) - 1][1]

    def change_seen(self, at: float, look: float) -> float | None:
        """The next look, of one every `look` ms after now, that can see another picture than now."""
        index = bisect_right(self._changes, at)
        if index == len(self._changes):
            return None
        return at + max(1, -(-(self._changes[index] - at) // look)) * look

    def looks(self, at: float, look: float) -> float | None:
        """The next look of a firmware that looks every `look` ms, from now on, that can see anything closed."""
        if self.any_closed(at):
            return at
        closing = self.next_closing(at)
        if closing is None:
            return None
        return at + max(1, -(-(closing - at) // look)) * look


def session(rng: random.Random, cells: list[Cell], count: int, bounce: bool = True) -> list[Thrown]:
    """Darts of an evening: short and long presses, second darts in a bed from 20 ms on, stuck beds, others between."""
    darts: list[Thrown] = []
    free: dict[Cell, float] = {}
    at = 50.0
    cell = rng.choice(cells)
    for number in range(count):
        if rng.random() > 0.35:
            cell = rng.choice(cells)
        at += rng.choice(
            [rng.uniform(20, 120), rng.uniform(120, 1500), rng.uniform(500, 3000), rng.uniform(2000, 9000)]
        )
        at = max(at, free.get(cell, 0.0) + 20.0)
        kind = rng.random()
        hold = (
            rng.uniform(0.5, 60) if kind < 0.7 else rng.uniform(60, 5000) if kind < 0.97 else rng.uniform(5000, 20000)
        )
        darts.append(thrown(number, cell, at, hold, rng, bounce))
        free[cell] = darts[-1].rings[-1][1]
    return darts
