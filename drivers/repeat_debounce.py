"""Debouncing for firmware that waits after each line and then sends again what is still closed.

While anything is closed, lines follow each other without a gap: each comes one
period after the one before, however many contacts take turns. So a contact is
still in the same closure as long as the chain has not broken since its last
report, and what comes after a break is a dart.

The gap is measured from arrival to arrival, and may be the host's jitter
longer than the period. A phase that is carried along a whole run was tried and
not taken: a dart that lands just after a beat was due starts a new phase, and a
run that holds on to the old one takes the next repeat for a dart.

A dart that is thrown while the board is deaf, and still holds when it looks
again, comes just when a repeat would: there the wire cannot say, and the first
repeat of every closure is a doubt.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from drivers.debounce import MOST, MS, STUCK_BEATS, STUCK_NS, Kind, Verdict, Verdicts
from drivers.driver import Timing
from engine.segments import MISS


@dataclass(slots=True)
class _Run:
    """One contact that has been closed at every look of the firmware since `first_ns`."""

    first_ns: int
    line: object
    beats: int = 0
    waiting: bool = False
    """Reported at once after the board awoke: a dart or a bed that hangs, which the next beats will tell."""
    stuck: bool = False
    seen: set[Hashable] = field(default_factory=set)
    """The other contacts that were reported since its last report."""


class RepeatDebounce:
    """The contacts of a board that are closed, as its lines tell. A key is a cell, or what the dialect names itself."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._late = round(timing.jitter_ms * MS)
        self._rebound = round(timing.rebound_ms * MS)
        self._runs: dict[Hashable, _Run] = {}
        self._next: int | None = None
        """When the next line of the chain is due; None: nothing is closed."""
        self._touched: dict[Hashable, int] = {}
        self._one_look = round(timing.repeat_ms * MS) + self._late
        self._boot = round(timing.boot_ms * MS)
        self._open_until = self._awake_until = -1
        self._held_over: frozenset[Hashable] = frozenset()
        self._mute = timing.hides == "all" and not timing.repeat_ms
        """A contact that is held is neither reported again nor lets any other be: the last one may be held still."""
        self._last: Hashable | None = None

    # ---- what happens ----

    def close(self, key: Hashable, at_ns: int, period_ns: int) -> Verdicts:
        """A report. `period_ns` is how long the firmware then waits; 0: it goes on at once and never repeats this."""
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

    def open(self, key: Hashable, at_ns: int) -> Verdicts:
        """These dialects know no release."""
        return ()

    def code(self, at_ns: int) -> Verdicts:
        """The firmware's own stuck code: the contact of the last report is still closed."""
        said = self.tick(at_ns)
        key, run = next(reversed(self._runs.items()), (None, None))
        if run is None:
            # It hung before the port was opened: the code says that, but not which bed it is.
            run = self._runs[None] = _Run(at_ns, None)
        run.beats += 1
        said += self._judge(key, run, at_ns)
        self._next = at_ns + round(self._timing.stuck_ms * MS)
        return said

    def noise(self, at_ns: int, period_ns: int) -> None:
        """A line that could not be read. Just when one was due it was one, and the firmware waited after it as ever."""
        if self._next is not None and abs(at_ns - self._next) <= self._late:
            self._next = at_ns + period_ns
            for run in self._runs.values():
                run.seen.clear()

    def tick(self, at_ns: int) -> Verdicts:
        """Time passes: where the next line did not come, everything is open."""
        for key in [k for k, touched in self._touched.items() if at_ns - touched >= self._rebound]:
            del self._touched[key]
        if self._next is None or at_ns <= self._next + self._late:
            return ()
        self._next = None
        self._awake_until = self._open_until = -1
        return self._end_all(at_ns)

    def opened(self, at_ns: int) -> Verdicts:
        """The line is there. A board goes on repeating what is held, within one period; or it was reset by the opening,
        and comes to it when it has started."""
        self._open_until = at_ns + self._boot + self._one_look
        return ()

    def awake(self, at_ns: int) -> Verdicts:
        """The board said that it starts: what hangs is reported at its first look, within one period.

        A dialect that says nothing at its start cannot tell a bed that hangs
        from an early dart: there the first report scores, and three seconds
        later the bed is named.
        """
        said = self.lost(at_ns)
        self._awake_until = at_ns + self._one_look
        return said

    def lost(self, at_ns: int) -> Verdicts:
        """The line went away: what waited for a verdict was a dart as far as anyone knows."""
        # What was reported once may be held as well; and before the first look was over, what was held is so still.
        self._held_over = frozenset(self._runs) | (self._held_over if at_ns <= self._open_until else frozenset())
        if self._mute and self._last is not None:
            self._held_over |= {self._last}
        self._next = None
        return self._end_all(at_ns)

    def resume(self, keys: Sequence[Hashable]) -> None:
        """What was reported last, the newest at the end, before a process that is gone ended: it may be held still."""
        may = keys[-1:] if self._mute else keys
        # A miss holds nothing.
        self._held_over = frozenset(key for key in may if key != MISS)

    @property
    def due_ns(self) -> int | None:
        """When `tick` is next needed."""
        return None if self._next is None else self._next + self._late + 1

    @property
    def stuck(self) -> tuple[Hashable, ...]:
        """The contacts that have been closed for too long."""
        return tuple(key for key, run in self._runs.items() if run.stuck)

    # ---- how it is judged ----

    def _note(self, key: Hashable, at_ns: int) -> Verdicts:
        """A contact that is seen twice while another is not: the firmware looked at that other one, and it was open.

        Unless something that was seen since keeps the other one from being reported.
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
            # A closed contact keeps all others quiet: whatever was between says that it had let go, and rings no more.
            # So only two lines in a row can be one dart.
            self._touched.clear()
        # A sensor of misses that waits by itself has no contact that rings.
        if self._rebound and not (key == MISS and period_ns):
            self._touched[key] = at_ns
        if touched is not None:
            # Within so short a time no two darts reach one bed: the contact rings, or the wire cannot tell. Each time
            # anew, for what rings is no longer held: the next one can be a dart as well as this one.
            return (Verdict("doubt", key, at_ns),)
        run = self._runs[key] = _Run(at_ns, _line_of(key))
        still = at_ns <= max(self._open_until, self._awake_until)
        held_over = key in self._held_over and still
        if self._mute:
            # This line says that it has let go, or is the one that it had to say again.
            self._held_over = frozenset()
        if at_ns <= self._open_until:
            # The firmware waits after this one too, before it comes to the next contact that is held.
            self._open_until = max(self._open_until, at_ns + self._one_look)
        if (period_ns or self._mute) and held_over:
            # Held when the line went away and held now: the same dart, across a reconnect.
            run.beats = 1
            return (Verdict("doubt", key, at_ns),)
        run.waiting = bool(period_ns) and at_ns <= self._awake_until
        return () if run.waiting else (Verdict("dart", key, at_ns),)

    def _beat(self, key: Hashable, run: _Run, at_ns: int) -> Verdicts:
        run.beats += 1
        if at_ns <= self._open_until:
            # Twice since the line came back: the others have been looked at as well, but for what it hides.
            hides = self._timing.hides != "nothing"
            self._open_until = max(self._open_until, at_ns + self._one_look) if hides else -1
        said = self._judge(key, run, at_ns)
        # The first one could be a dart that was thrown while the board was deaf and still holds.
        kind: Kind = "doubt" if run.beats == 1 and not run.waiting else "repeat"
        return (Verdict(kind, key, at_ns), *said)

    def _judge(self, key: Hashable, run: _Run, at_ns: int) -> Verdicts:
        if run.stuck or run.beats < STUCK_BEATS or at_ns - run.first_ns < STUCK_NS:
            return ()
        # Named and not scored, where it hung from the start; one touch makes it a dart if it was one.
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
