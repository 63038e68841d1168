"""Debouncing for firmware that reports both edges: the press counts at once, the release is believed after a pause.

Each contact for itself (eager press, deferred release): a dart is shown when
it lands, a contact that rings is still one closure, and a second dart in the
same bed counts as soon as the first one was believed to be gone.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from drivers.debounce import MOST, MS, STUCK_NS, Verdict, Verdicts
from drivers.driver import Timing

RING_NS: Final = 10 * MS
"""No contact rings longer: what closes again within this time is the same closure for sure."""

FIRST_LOOK_NS: Final = 50 * MS
"""A board that starts says within this time what is closed already: one scan and one line for each of 62 beds."""


@dataclass(slots=True)
class _Touch:
    """One contact of a board that reports both edges."""

    first_ns: int
    closed: bool = True
    opened_ns: int = 0
    ghost: bool = False
    stuck: bool = False


class EdgeDebounce:
    """For firmware that reports both edges: the press counts at once, the release is believed after a pause.

    Each contact for itself, so that a dart is shown when it lands and a
    contact that rings is still one closure.
    """

    def __init__(self, timing: Timing) -> None:
        self._rebound = round(timing.rebound_ms * MS)
        self._touches: dict[Hashable, _Touch] = {}
        self._boot = round(timing.boot_ms * MS)
        self._open_until = self._awake_until = -1
        self._held_over: frozenset[Hashable] = frozenset()

    # ---- what happens ----

    def close(self, key: Hashable, at_ns: int, period_ns: int) -> Verdicts:
        """A contact closed."""
        said = self.tick(at_ns)
        touch = self._touches.get(key)
        if touch is not None:
            return said + self._again(key, touch, at_ns)
        if len(self._touches) >= MOST:
            return (*said, Verdict("repeat", key, at_ns))
        touch = self._touches[key] = _Touch(at_ns)
        if key in self._held_over and at_ns <= max(self._open_until, self._awake_until):
            # Held when the line went away and held now: the same dart, across a reconnect.
            return (*said, Verdict("repeat", key, at_ns))
        if at_ns <= self._awake_until:
            # Closed before the board began to look: named, never scored.
            touch.stuck = True
            return (*said, Verdict("stuck", key, at_ns))
        if self._is_ghost(key):
            touch.ghost = True
            return (*said, Verdict("ghost", key, at_ns))
        return (*said, Verdict("dart", key, at_ns))

    def hangs(self, key: Hashable, at_ns: int) -> Verdicts:
        """A contact was closed when the board began to look: named, never scored."""
        said = self.tick(at_ns)
        if key not in self._touches and len(self._touches) < MOST:
            self._touches[key] = _Touch(at_ns, stuck=True)
            said += (Verdict("stuck", key, at_ns),)
        return said

    def open(self, key: Hashable, at_ns: int) -> Verdicts:
        """A contact opened: believed when it stays open."""
        said = self.tick(at_ns)
        # The dart that held it across a reconnect is gone: what closes next is another.
        self._held_over -= {key}
        touch = self._touches.get(key)
        if touch is not None:
            touch.closed, touch.opened_ns = False, at_ns
        return said

    def tick(self, at_ns: int) -> Verdicts:
        """Time passes: releases are believed, and what stays closed too long is named."""
        said: Verdicts = ()
        for key, touch in list(self._touches.items()):
            if not touch.closed and at_ns - touch.opened_ns >= self._rebound:
                del self._touches[key]
                if touch.stuck:
                    said += (Verdict("freed", key, at_ns),)
                said += self._ghosts_no_more()
            elif touch.closed and not touch.stuck and not touch.ghost and at_ns - touch.first_ns >= STUCK_NS:
                touch.stuck = True
                said += (Verdict("stuck", key, at_ns),)
        return said

    def opened(self, at_ns: int) -> Verdicts:
        """The line is there. A board that was not reset says again what is closed, once it is greeted."""
        self._open_until = at_ns + self._boot + FIRST_LOOK_NS
        return ()

    def awake(self, at_ns: int) -> Verdicts:
        """The board starts anew, and says next what is closed."""
        said = self.lost(at_ns)
        self._awake_until = at_ns + FIRST_LOOK_NS
        return said

    def lost(self, at_ns: int) -> Verdicts:
        """The line went away: nothing is known of any contact but that a dart may still hold it."""
        self._held_over = frozenset(key for key, touch in self._touches.items() if touch.closed)
        said = tuple(Verdict("freed", key, at_ns) for key, touch in self._touches.items() if touch.stuck)
        self._touches.clear()
        return said

    @property
    def due_ns(self) -> int | None:
        """When `tick` is next needed."""
        dues = [
            touch.first_ns + STUCK_NS if touch.closed else touch.opened_ns + self._rebound
            for touch in self._touches.values()
            if not touch.closed or not (touch.stuck or touch.ghost)
        ]
        return min(dues, default=None)

    @property
    def stuck(self) -> tuple[Hashable, ...]:
        """The contacts that have been closed for too long."""
        return tuple(key for key, touch in self._touches.items() if touch.stuck)

    def _again(self, key: Hashable, touch: _Touch, at_ns: int) -> Verdicts:
        """It rings, or its release was lost with the line, or it is a dart that came sooner than the host can tell."""
        doubt = not touch.closed and at_ns - touch.opened_ns >= RING_NS and not touch.ghost
        touch.closed = True
        return (Verdict("doubt" if doubt else "repeat", key, at_ns),)

    # ---- ghosts ----

    def _is_ghost(self, key: Hashable) -> bool:
        """Three corners of a rectangle closed join its rows and columns: the fourth reads as closed too.

        And so does every crossing whose row and column are joined by a longer
        way. Which of two that come together is the dart, the wires cannot
        say; the one that was reported first is taken.
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
        """A corner opened: what still reads as closed without it was closed by a dart after all."""
        said: Verdicts = ()
        for key, touch in self._touches.items():
            if touch.ghost and touch.closed and not self._is_ghost(key):
                touch.ghost = False
                said += (Verdict("dart", key, touch.first_ns),)
        return said
