"""One board's bytes to events: decoder, debounce, the board's contact map.

    bytes ─ decoder ─▶ reports ─ debounce ─▶ verdicts ─ contact map ─▶ events

Pure: times are handed in, and `due_ns` says when `tick` must be called if no bytes arrive.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from boards.board import Board, Press
from drivers.contact_map import ContactMap
from drivers.debounce import MS, Verdicts
from drivers.driver import Answering, Contact, Driver, Lighting, NamedDart, Reject, Report, Settling, Signal
from drivers.edge_debounce import EdgeDebounce
from drivers.events import Awake, BoardEvent, Fault, Marked, Rejected
from drivers.neighbours import Neighbours
from drivers.repeat_debounce import RepeatDebounce
from engine.darts import Points, Position
from engine.segments import MISS, Segment

SILENT_NS: Final = 3_000 * MS
"""How long a board that sends something each second may be silent before it counts as absent."""

SILENT: Final = (
    "The board does not answer. Is its firmware ours, its baud the one in its address, and the port the right one?"
)


class Pipeline:
    """Turns what one board sends into events. Takes any bytes at any time, in bounded memory."""

    def __init__(self, board: Board, driver: Driver) -> None:
        self._board = board
        self._timing = replace(driver.timing, **board.pace.changes())
        self._decoder = driver.decoder()
        # Checked once: an isinstance check against a protocol costs more than decoding a line.
        self._answering = self._decoder if isinstance(self._decoder, Answering) else None
        if board.settle_us is not None and isinstance(self._decoder, Settling):
            self._decoder.settle(board.settle_us)
        if board.ring is not None and isinstance(self._decoder, Lighting):
            self._decoder.light(board.ring)
        # Lines without coordinates have no release, even in a dialect that reports one for its contacts.
        self._repeats = RepeatDebounce(self._timing)
        self._edges = EdgeDebounce(self._timing) if driver.can.release else None
        self._debounces = (self._repeats, self._edges) if self._edges else (self._repeats,)
        self._map = ContactMap(board)
        self._neighbours = Neighbours(self._timing.neighbour_ms, self._map.of)
        self._known: dict[Reject, int] = {}
        self._now = 0
        self._opened_ns: int | None = None

    # ---- input ----

    def feed(self, data: bytes, at_ns: int) -> tuple[BoardEvent, ...]:
        """Returns the events of bytes that arrived at `at_ns`, after those that were due before."""
        events = list(self.tick(at_ns))
        reports = self._decoder.feed(data, self._now)
        events += self._rejected()
        for report in reports:
            if isinstance(report, Contact) and report.mark:
                events.append(Marked(report.mark, self._now))
            events += self._report(report)
        return tuple(events)

    def tick(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """Returns the events that are due by `at_ns` without bytes."""
        # A clock that stood still or went back must not undo what was decided.
        self._now = max(self._now, at_ns)
        events: list[BoardEvent] = []
        for debounce in self._debounces:
            # Most of the time nothing is due.
            if verdicts := debounce.tick(self._now):
                events += self._events(verdicts)
        return (*events, *self._map.tick(self._now))

    def opened(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """Handles that the port is open and input counts. Returns the events that were due before."""
        events = self.tick(at_ns)
        self._opened_ns = self._now
        for debounce in self._debounces:
            debounce.opened(self._now)
        return events

    def lost(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """Handles the loss of the line: the partial report is dropped, and every contact is open."""
        events = list(self.tick(at_ns))
        self._opened_ns = None
        self._decoder.reset()
        events += self._rejected()
        events += self._all(lambda debounce: debounce.lost(self._now))
        return tuple(events)

    def answers(self) -> bytes:
        """Returns what must be written to the board, once. To be called after `feed`, when its events are committed."""
        return b"" if self._answering is None else self._answering.answers()

    def resume(self, mark: str, darts: Sequence[Segment | Position | Points] = ()) -> None:
        """Continues after the last `Marked` of an earlier process. To be called before anything else.

        `darts` are the last darts of that process, the newest at the end: they may still hold their contacts closed.
        """
        cells = tuple(cell for dart in darts for cell, meaning in self._board.contacts.items() if meaning == dart)
        self._repeats.resume(cells if self._board.contacts else tuple(darts))
        if self._answering is not None:
            self._answering.resume(mark)
        if self._edges is not None and mark:
            # Only a board that counts its edges reports what closed while nobody listened.
            last = tuple(cell for cell in cells if self._board.contacts[cell] == darts[-1])
            self._edges.resume(last)
            self._neighbours.resume(last)

    # ---- state ----

    @property
    def due_ns(self) -> int | None:
        """When `tick` is next needed; `None` means not before the next bytes."""
        dues = [due for debounce in self._debounces if (due := debounce.due_ns) is not None]
        if (due := self._map.due_ns) is not None:
            dues.append(due)
        if (due := self._silent_ns) is not None and due > self._now:
            dues.append(due)
        return min(dues, default=None)

    @property
    def counters(self) -> Mapping[str, int]:
        """What was dropped, by reason, `repeats`, `doubtful`, `ghosts`, `masked`, `misses_ignored`, and the board's own
        counters."""
        counted = self._map.counted
        rejects: dict[str, int] = {k: v + counted[k] for k, v in self._decoder.rejects.items()}
        return {**counted, **rejects, **self.board_counters}

    @property
    def board_counters(self) -> Mapping[str, int]:
        """What the board itself has counted; empty if its dialect has no counters."""
        return {} if self._answering is None else self._answering.counters

    @property
    def stuck(self) -> tuple[str, ...]:
        """The beds that are stuck now, as `Stuck.text` names them."""
        keys = (key for debounce in self._debounces for key in debounce.stuck)
        return tuple(self._map.name(key) for key in keys if self._map.of(key) not in (MISS, "takeout"))

    @property
    def fault(self) -> str | None:
        """What is wrong with the wiring, in a sentence; `None` if nothing is known."""
        return self._map.fault

    @property
    def board_fault(self) -> tuple[str, str] | None:
        """Why no input of the board counts: a reason (`version`, `silent`) and a sentence; `None` if all is well."""
        if self._answering is not None and self._answering.fault:
            return "version", self._answering.fault
        return ("silent", SILENT) if self._silent_ns is not None and self._now >= self._silent_ns else None

    @property
    def _silent_ns(self) -> int | None:
        """When a board that sends something each second counts as silent; `None` for others."""
        if self._opened_ns is None or self._answering is None:
            return None
        return max(self._opened_ns + round(self._timing.boot_ms * MS), self._answering.heard_ns) + SILENT_NS

    @property
    def pending(self) -> int:
        """The number of bytes kept for a report that is not complete."""
        return self._decoder.pending

    # ---- steps ----

    def _report(self, report: Report) -> tuple[BoardEvent, ...]:
        match report:
            case Contact(row, col, held=True, at_ns=at_ns) if self._edges is not None:
                return self._events(self._edges.hangs((row, col), min(at_ns, self._now)))
            case Contact():
                return self._contact(report)
            case NamedDart(dart):
                return self._line(dart)
            case Signal("button", _, name):
                return self._line(Press(name))
            case Signal("takeout"):
                return self._line("takeout")
            case Signal("stuck"):
                return self._events(self._repeats.code(self._now))
            case Signal("awake"):
                return (*self._all(lambda debounce: debounce.awake(self._now)), Awake(self._now))
            case Signal("fault", _, name):
                # A name with spaces is a sentence already.
                return (Fault(name, name if " " in name else f"The board reports a fault: {name}.", self._now),)
        return ()

    def _line(self, meaning: Hashable) -> tuple[BoardEvent, ...]:
        """Handles a report that names what it means instead of a contact."""
        return self._events(self._repeats.close(meaning, self._now, self._period(meaning)))

    def _contact(self, contact: Contact) -> tuple[BoardEvent, ...]:
        cell = contact.row, contact.col
        # A board with a clock of its own can report an earlier time than now, never a later one.
        at_ns = min(contact.at_ns, self._now)
        meaning = self._board.contacts.get(cell)
        if meaning == "stuck":
            return self._events(self._repeats.code(self._now))
        if self._edges is not None:
            act = self._edges.close if contact.closed else self._edges.open
            return self._events(act(cell, at_ns, contact.clock_ns))
        return self._events(self._repeats.close(cell, at_ns, self._period(meaning))) if contact.closed else ()

    def _period(self, meaning: object) -> int:
        """Returns how long the firmware waits after a report of this, in ns."""
        if meaning == MISS:
            return round(self._timing.miss_ms * MS)
        if isinstance(meaning, Press):
            return round(self._timing.button_ms * MS)
        if meaning == "takeout":
            return round(self._timing.takeout_ms * MS)
        return round(self._timing.repeat_ms * MS)

    def _rejected(self) -> tuple[BoardEvent, ...]:
        rejects = dict(self._decoder.rejects)
        new = tuple(reason for reason, count in rejects.items() if count > self._known.get(reason, 0))
        self._known = rejects
        if new:
            self._repeats.noise(self._now, round(self._timing.repeat_ms * MS))
        return tuple(Rejected(reason, self._now) for reason in new)

    def _all(self, act: Callable[[RepeatDebounce | EdgeDebounce], Verdicts]) -> tuple[BoardEvent, ...]:
        return tuple(event for debounce in self._debounces for event in self._events(act(debounce)))

    def _events(self, verdicts: Verdicts) -> tuple[BoardEvent, ...]:
        return self._map.events(self._neighbours.judge(verdicts), self._now)
