"""Debouncing for firmware that waits after each line and then sends again what is still closed.

While anything is closed, lines form a chain without a gap: each arrives one
period after the one before, however many contacts take turns. A contact is in
the same closure until the chain breaks, and the first report after a break is
a dart.

The gap is measured from arrival to arrival, and may exceed the period by the
host's jitter. A phase that is kept for a whole run was tried and not chosen: a
dart that lands just after a repeat was due starts a new phase, and a run that
keeps the old one takes the next repeat for a dart.

A dart that lands while the board is deaf, and is still closed when it scans
again, arrives just when a repeat would. The wire does not tell the two apart,
so the first repeat of every closure is a doubt.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from drivers.debounce import MOST, MS, STUCK_BEATS, STUCK_NS, Kind, Verdict, Verdicts
from drivers.driver import Timing
from engine.segments import MISS


@dataclass(slots=True)
class _Run:
    """One contact that has been closed at every scan of the firmware since `first_ns`."""

    first_ns: int
    line: object
    beats: int = 0
    waiting: bool = False
    """Reported right after the board started: the next repeats tell a dart from a stuck bed."""
    stuck: bool = False
    seen: set[Hashable] = field(default_factory=set)
    """The other contacts that were reported since the last report of this one."""


class RepeatDebounce:
    """The closed contacts of a board that reports no release. A key is a cell, or what the dialect itself names."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._late = round(timing.jitter_ms * MS)
        self._rebound = round(timing.rebound_ms * MS)
        self._runs: dict[Hashable, _Run] = {}
        self._next: int | None = None
        """When the next line of the chain is due; `None` if nothing is closed."""
        self._touched: dict[Hashable, int] = {}
        self._one_look = round(timing.repeat_ms * MS) + self._late
        self._boot = round(timing.boot_ms * MS)
        self._open_until = self._awake_until = -1
        self._held_over: frozenset[Hashable] = frozenset()
        self._was_opened = False
        self._mute = timing.hides == "all" and not timing.repeat_ms
        """A closed contact is not repeated, and no other is reported meanwhile: the last one may still be closed."""
        self._last: Hashable | None = None

    def close(self, key: Hashable, at_ns: int, period_ns: int) -> Verdicts:
        """Handles a report. `period_ns` is how long the firmware then waits; 0 if it never repeats this report."""
        said = self.tick(at_ns)
        if key not in self._runs and max(len(self._runs), len(self._touched)) >= MOST:
            return (*said, Verdict("repeat", key, at_ns))
        self._last = None if period_ns else key
        wait = period_ns or (round(self._timing.stuck_first_ms * MS) if isinstance(key, tuple) else 0)
        if not wait:
            said += self._first(key, at_ns, period_ns)
            self._runs.pop(key, None)
            return said
        self._next = at_ns + wait
        said += self._note(key, at_ns)
        run = self._runs.get(key)
        if run is not None and period_ns:
            run.seen.clear()
            return said + self._beat(key, run, at_ns)
        if run is not None:
            said += self._end(key, at_ns)
        return said + self._first(key, at_ns, period_ns)

    def code(self, at_ns: int) -> Verdicts:
        """Handles the firmware's own stuck code: the contact of the last report is still closed."""
        said = self.tick(at_ns)
        key, run = next(reversed(self._runs.items()), (None, None))
        if run is None:
            # It was closed before the port was opened: the code does not say which bed it is.
            run = self._runs[None] = _Run(at_ns, None)
        run.beats += 1
        said += self._judge(key, run, at_ns)
        self._next = at_ns + round(self._timing.stuck_ms * MS)
        return said

    def noise(self, at_ns: int, period_ns: int) -> None:
        """Handles a line that could not be read. If one was due, this was it."""
        if self._next is not None and abs(at_ns - self._next) <= self._late:
            self._next = at_ns + period_ns
            for run in self._runs.values():
                run.seen.clear()

    def tick(self, at_ns: int) -> Verdicts:
        """Returns what is due by `at_ns`: if the next line did not arrive, everything is open."""
        for key in [k for k, touched in self._touched.items() if at_ns - touched >= self._rebound]:
            del self._touched[key]
        if self._next is None or at_ns <= self._next + self._late:
            return ()
        self._next = None
        self._awake_until = self._open_until = -1
        return self._end_all(at_ns)

    def opened(self, at_ns: int) -> Verdicts:
        """Handles the opening of the line. The board repeats what is closed within one period or, if the opening has
        reset it, after its start."""
        self._open_until = at_ns + self._boot + self._one_look
        self._was_opened = True
        return ()

    def awake(self, at_ns: int) -> Verdicts:
        """Handles a start that the board reports: stuck beds follow at its first scan, within one period.

        Without such a report a stuck bed cannot be told from an early dart: the
        first report scores, and after three seconds the bed is stuck.
        """
        said = self.lost(at_ns)
        self._awake_until = at_ns + self._one_look
        return said

    def lost(self, at_ns: int) -> Verdicts:
        """Handles the loss of the line: a report that waits for a verdict counts as a dart."""
        # A contact that was reported once may still be closed, as may those held over before the first scan ended.
        # So may those of an earlier process, if the board was away since then.
        may_hold = at_ns <= self._open_until or not self._was_opened
        self._held_over = frozenset(self._runs) | (self._held_over if may_hold else frozenset())
        if self._mute and self._last is not None:
            self._held_over |= {self._last}
        self._next = None
        return self._end_all(at_ns)

    def resume(self, keys: Sequence[Hashable]) -> None:
        """Sets the last reports of an earlier process, the newest at the end: their contacts may still be closed."""
        may = keys[-1:] if self._mute else keys
        # A miss closes no contact.
        self._held_over = frozenset(key for key in may if key != MISS)

    @property
    def due_ns(self) -> int | None:
        """When `tick` is next needed."""
        return None if self._next is None else self._next + self._late + 1

    @property
    def stuck(self) -> tuple[Hashable, ...]:
        """The contacts that are stuck."""
        return tuple(key for key, run in self._runs.items() if run.stuck)

    # ---- verdicts ----

    def _note(self, key: Hashable, at_ns: int) -> Verdicts:
        """Ends the runs of contacts that were open at a scan.

        If this contact was reported twice since the last report of another, the firmware scanned that other one and it
        was open, unless a contact reported since hides it.
        """
        said: Verdicts = ()
        for other, run in list(self._runs.items()):
            if other == key:
                continue
            again = key in run.seen
            run.seen.add(key)
            if again and not any(self._hides(run, by) for by in run.seen):
                said += self._end(other, at_ns)
        return said

    def _hides(self, run: _Run, by: Hashable) -> bool:
        match self._timing.hides:
            case "all":
                return True
            case "line":
                return run.line is not None and run.line == _line_of(by)
            case _:
                return False

    def _first(self, key: Hashable, at_ns: int, period_ns: int) -> Verdicts:
        touched = self._touched.get(key)
        if self._timing.hides == "all":
            # A closed contact hides all others: a line in between shows that it opened and no longer bounces. Only two
            # lines in a row can be one dart.
            self._touched.clear()
        # A miss sensor after which the firmware waits has no contact that bounces.
        if self._rebound and not (key == MISS and period_ns):
            self._touched[key] = at_ns
        if touched is not None:
            # Two darts rarely reach one bed so soon: the contact bounces, or the wire does not tell. Every line is a
            # doubt of its own, because a contact that bounces is no longer closed.
            return (Verdict("doubt", key, at_ns),)
        run = self._runs[key] = _Run(at_ns, _line_of(key))
        still = at_ns <= max(self._open_until, self._awake_until)
        held_over = key in self._held_over and still
        if self._mute:
            # This line shows that the held contact opened, or is its repeat.
            self._held_over = frozenset()
        if at_ns <= self._open_until:
            # The firmware waits after this report too, before it reports the next closed contact.
            self._open_until = max(self._open_until, at_ns + self._one_look)
        if (period_ns or self._mute) and held_over:
            # Closed when the line was lost and closed now: the same dart, across a reconnect.
            run.beats = 1
            return (Verdict("doubt", key, at_ns),)
        run.waiting = bool(period_ns) and at_ns <= self._awake_until
        return () if run.waiting else (Verdict("dart", key, at_ns),)

    def _beat(self, key: Hashable, run: _Run, at_ns: int) -> Verdicts:
        run.beats += 1
        if at_ns <= self._open_until:
            # Reported twice since the line came back: the other contacts were scanned too, except those that it hides.
            hides = self._timing.hides != "nothing"
            self._open_until = max(self._open_until, at_ns + self._one_look) if hides else -1
        said = self._judge(key, run, at_ns)
        # The first repeat could be a dart that landed while the board was deaf.
        kind: Kind = "doubt" if run.beats == 1 and not run.waiting else "repeat"
        return (Verdict(kind, key, at_ns), *said)

    def _judge(self, key: Hashable, run: _Run, at_ns: int) -> Verdicts:
        if run.stuck or run.beats < STUCK_BEATS or at_ns - run.first_ns < STUCK_NS:
            return ()
        # Stuck and not a dart if it was closed from the start; a doubt lets a player make it one.
        said: Verdicts = (Verdict("doubt", key, run.first_ns),) if run.waiting else ()
        run.stuck, run.waiting = True, False
        return (*said, Verdict("stuck", key, at_ns))

    def _end(self, key: Hashable, at_ns: int) -> Verdicts:
        run = self._runs.pop(key)
        if run.waiting:
            said: Verdicts = (Verdict("dart", key, run.first_ns),)
            return (*said, Verdict("doubt", key, run.first_ns)) if run.beats else said
        return (Verdict("freed", key, at_ns),) if run.stuck else ()

    def _end_all(self, at_ns: int) -> Verdicts:
        return tuple(verdict for key in list(self._runs) for verdict in self._end(key, at_ns))


def _line_of(key: Hashable) -> object:
    return key[1] if isinstance(key, tuple) else None
