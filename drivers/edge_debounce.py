"""Debouncing for firmware that reports both edges: eager press, deferred release, per contact.

A dart counts when it lands, a contact that bounces is one closure, and a
second dart in the same bed counts as soon as the first contact is taken as open.

How long a contact was open is judged by the board's own clock, if it has one. Only what no report tells goes by the
host's: that a contact is stuck, and that it is open for good.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from drivers.debounce import MOST, MS, STUCK_NS, Verdict, Verdicts
from drivers.driver import Timing

RING_NS: Final = 10 * MS
"""The longest bounce: a contact that closes again within this time is certainly in the same closure. A board with a
clock has waited for it itself: whatever it reports to close again is a doubt."""

FIRST_LOOK_NS: Final = 50 * MS
"""How long a board that starts takes to report what is closed already: one scan and one line for each of 62 beds."""


@dataclass(slots=True)
class _Touch:
    """A contact that is closed, or opened less than `rebound_ms` ago."""

    first_ns: int
    clock_ns: int | None = None
    """When it closed, on the board's own clock; `None` if the board has none."""
    closed: bool = True
    opened_ns: int = 0
    opened_clock_ns: int = 0
    """When it opened, on the clock by which it is judged."""
    over: bool = False
    """It is open for good by the host's clock. Late reports may still say that it closed at once, by the board's."""
    ghost: bool = False
    stuck: bool = False


class EdgeDebounce:
    """The contacts of a board that reports both edges. A key is a cell."""

    def __init__(self, timing: Timing) -> None:
        self._rebound = round(timing.rebound_ms * MS)
        self._touches: dict[Hashable, _Touch] = {}
        self._boot = round(timing.boot_ms * MS)
        self._open_until = self._awake_until = -1
        self._held_over: frozenset[Hashable] = frozenset()

    def close(self, key: Hashable, at_ns: int, clock_ns: int | None = None) -> Verdicts:
        """Handles a contact that closed; `clock_ns` is when, on the board's own clock."""
        said = self.tick(at_ns)
        judged_ns = at_ns if clock_ns is None else clock_ns
        self._forget(judged_ns)
        touch = self._touches.get(key)
        if touch is not None and not touch.closed and judged_ns - touch.opened_clock_ns >= self._rebound:
            said += self._end(key, touch, at_ns)
            touch = None
        if touch is not None:
            return said + self._again(key, touch, at_ns, clock_ns)
        verdict = Verdict("dart", key, at_ns, clock_ns)
        if len(self._touches) >= MOST:
            return (*said, replace(verdict, kind="repeat"))
        touch = self._touches[key] = _Touch(at_ns, clock_ns)
        if key in self._held_over and at_ns <= max(self._open_until, self._awake_until):
            # Closed when the line was lost and closed now: the same dart, across a reconnect.
            return (*said, replace(verdict, kind="repeat"))
        if at_ns <= self._awake_until:
            # Closed before the board started to scan: stuck, never a dart.
            touch.stuck = True
            return (*said, replace(verdict, kind="stuck"))
        if self._is_ghost(key):
            touch.ghost = True
            return (*said, replace(verdict, kind="ghost"))
        return (*said, verdict)

    def hangs(self, key: Hashable, at_ns: int) -> Verdicts:
        """Handles a contact that was closed when the board started to scan: stuck, never a dart."""
        said = self.tick(at_ns)
        touch = self._touches.get(key)
        if touch.over if touch is not None else len(self._touches) < MOST:
            self._touches[key] = _Touch(at_ns, stuck=True)
            said += (Verdict("stuck", key, at_ns),)
        return said

    def open(self, key: Hashable, at_ns: int, clock_ns: int | None = None) -> Verdicts:
        """Handles a contact that opened. `tick` takes it as open when it stays so."""
        said = self.tick(at_ns)
        # The dart that held it across a reconnect is gone: the next closure is another.
        self._held_over -= {key}
        touch = self._touches.get(key)
        if touch is None and clock_ns is not None and len(self._touches) < MOST:
            # It closed before the line was lost, or for an earlier process.
            touch = self._touches[key] = _Touch(at_ns, clock_ns)
        if touch is not None:
            touch.closed, touch.over, touch.opened_ns = False, False, at_ns
            touch.opened_clock_ns = at_ns if clock_ns is None else clock_ns
        return said

    def tick(self, at_ns: int) -> Verdicts:
        """Returns what is due by `at_ns`: contacts that are open again, and contacts that are stuck."""
        said: Verdicts = ()
        for key, touch in list(self._touches.items()):
            if not touch.closed and not touch.over and at_ns - touch.opened_ns >= self._rebound:
                said += self._end(key, touch, at_ns)
            elif touch.closed and not touch.stuck and not touch.ghost and at_ns - touch.first_ns >= STUCK_NS:
                touch.stuck = True
                said += (Verdict("stuck", key, at_ns),)
        return said

    def resume(self, keys: Sequence[Hashable]) -> None:
        """Sets the contacts of the last dart of an earlier process, which closed at 0 on the board's clock.

        Nobody knows when they opened. They are taken as open from then on, so that a dart is doubted and never lost.
        """
        self._touches = {key: _Touch(0, 0, closed=False, over=True) for key in keys}

    def opened(self, at_ns: int) -> Verdicts:
        """Handles the opening of the line. A board that was not reset then reports what is closed."""
        self._open_until = at_ns + self._boot + FIRST_LOOK_NS
        return ()

    def awake(self, at_ns: int) -> Verdicts:
        """Handles a restart of the board, which reports next what is closed."""
        said = self.lost(at_ns)
        self._awake_until = at_ns + FIRST_LOOK_NS
        return said

    def lost(self, at_ns: int) -> Verdicts:
        """Handles the loss of the line: a dart may still hold each closed contact, and nothing else is known.

        A board with a clock goes on with it, and may still report that a contact closed right after it had opened.
        """
        self._held_over = frozenset(key for key, touch in self._touches.items() if touch.closed)
        said = tuple(Verdict("freed", key, at_ns) for key, touch in self._touches.items() if touch.stuck)
        self._touches = {
            key: replace(touch, over=True, stuck=False, ghost=False)
            for key, touch in self._touches.items()
            if not touch.closed and touch.clock_ns is not None
        }
        return said

    @property
    def due_ns(self) -> int | None:
        """When `tick` is next needed."""
        dues = [
            touch.first_ns + STUCK_NS if touch.closed else touch.opened_ns + self._rebound
            for touch in self._touches.values()
            if not touch.over and (not touch.closed or not (touch.stuck or touch.ghost))
        ]
        return min(dues, default=None)

    @property
    def stuck(self) -> tuple[Hashable, ...]:
        """The contacts that are stuck."""
        return tuple(key for key, touch in self._touches.items() if touch.stuck)

    def _end(self, key: Hashable, touch: _Touch, at_ns: int) -> Verdicts:
        """Takes a contact as open for good. One with a clock is kept: a late report may still say that it closed."""
        said = (Verdict("freed", key, at_ns),) if touch.stuck else ()
        touch.over, touch.stuck, touch.ghost = True, False, False
        if touch.clock_ns is None:
            del self._touches[key]
        return said + self._ghosts_no_more()

    def _forget(self, judged_ns: int) -> None:
        """Drops what nothing can close again within `rebound_ms`, by the clock of a report."""
        for key in [k for k, t in self._touches.items() if t.over and judged_ns - t.opened_clock_ns >= self._rebound]:
            del self._touches[key]

    def _again(self, key: Hashable, touch: _Touch, at_ns: int, clock_ns: int | None) -> Verdicts:
        """The contact bounces, its release was lost with the line, or a dart landed sooner than the host can tell."""
        certain = clock_ns is None and at_ns - touch.opened_ns < RING_NS
        doubt = not touch.closed and not touch.ghost and not certain
        if touch.over:
            touch.first_ns = at_ns
        touch.closed, touch.over = True, False
        return (Verdict("doubt" if doubt else "repeat", key, at_ns, clock_ns),)

    # ---- ghosts ----

    def _is_ghost(self, key: Hashable) -> bool:
        """Whether other closed contacts join the row and the column of a cell, so that it reads as closed.

        Three closed corners of a rectangle do so for the fourth, and longer
        chains do too. The wires do not tell which of two that are reported
        together is the dart: the first one is taken.
        """
        if not isinstance(key, tuple):
            return False
        row, col = key
        closed = {k for k, t in self._touches.items() if t.closed and not t.ghost and isinstance(k, tuple)} - {key}
        rows, grew = {row}, True
        cols: set[int] = set()
        while grew:
            near = {(r, c) for r, c in closed if r in rows or c in cols}
            grew = bool(near)
            closed -= near
            rows |= {r for r, _ in near}
            cols |= {c for _, c in near}
        return col in cols

    def _ghosts_no_more(self) -> Verdicts:
        """Returns darts for ghosts that still read as closed though the contacts that explained them have opened."""
        said: Verdicts = ()
        for key, touch in self._touches.items():
            if touch.ghost and touch.closed and not self._is_ghost(key):
                touch.ghost = False
                said += (Verdict("dart", key, touch.first_ns, touch.clock_ns),)
        return said
