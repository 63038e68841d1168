"""One board's bytes to what was heard: decoder, debounce, the board's meanings, one under another.

    bytes ─ decoder ─▶ reports ─ chain or edges ─▶ verdicts ─ meanings ─▶ heard

A pure machine: times are handed in, and `due_ns` says when it wants to be
called though no bytes came.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from boards.board import Board, Cell, Press
from drivers.contact_map import ContactMap
from drivers.debounce import MS, Verdicts
from drivers.driver import Answering, Contact, Driver, NamedDart, Reject, Report, Signal
from drivers.edge_debounce import EdgeDebounce
from drivers.events import Awake, BoardEvent, Fault, Marked, Rejected
from drivers.repeat_debounce import RepeatDebounce
from engine.darts import Points, Position
from engine.segments import MISS, Segment

SILENT_NS: Final = 3_000 * MS
"""A board that says something each second has nothing to say for so long when it is not there."""

SILENT: Final = (
    "The board does not answer. Is its firmware ours, its baud the one in its address, and the port the right one?"
)


class Pipeline:
    """What one board says. Total: any bytes at any time; its memory is one line and a few hundred contacts."""

    def __init__(self, board: Board, driver: Driver) -> None:
        self._board = board
        self._timing = replace(driver.timing, **board.pace.changes())
        self._decoder = driver.decoder()
        # Asked once: to look a protocol up costs more than a line does.
        self._answering = self._decoder if isinstance(self._decoder, Answering) else None
        self._chain = RepeatDebounce(self._timing)
        # Lines without coordinates have no release, in a dialect that has one for its contacts too.
        self._contacts: RepeatDebounce | EdgeDebounce = (
            EdgeDebounce(self._timing) if driver.can.release else self._chain
        )
        self._meanings = ContactMap(board)
        self._known: dict[Reject, int] = {}
        self._now = 0
        self._opened_ns: int | None = None

    # ---- what happens ----

    def feed(self, data: bytes, at_ns: int) -> tuple[BoardEvent, ...]:
        """Bytes arrived."""
        heard = list(self.tick(at_ns))
        reports = self._decoder.feed(data, self._now)
        heard += self._rejected()
        for report in reports:
            if isinstance(report, Contact) and report.mark:
                heard.append(Marked(report.mark, self._now))
            heard += self._report(report)
        return tuple(heard)

    def tick(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """Time passed without bytes."""
        # A clock that stood still or went back must not undo what was decided.
        self._now = max(self._now, at_ns)
        heard = self._judged(self._chain.tick(self._now))
        if self._contacts is not self._chain:
            heard += self._judged(self._contacts.tick(self._now))
        return heard + self._meanings.tick(self._now)

    def opened(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """The port is open and input counts."""
        heard = self.tick(at_ns)
        self._opened_ns = self._now
        self._chain.opened(self._now)
        if self._contacts is not self._chain:
            self._contacts.opened(self._now)
        return heard

    def lost(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """The line went away."""
        heard = list(self.tick(at_ns))
        self._opened_ns = None
        self._decoder.reset()
        heard += self._rejected()
        heard += self._judged(self._chain.lost(self._now))
        if self._contacts is not self._chain:
            heard += self._judged(self._contacts.lost(self._now))
        return tuple(heard)

    def answers(self) -> bytes:
        """What the board must be told, once. To be asked after `feed`, when all that was heard is safe."""
        return b"" if self._answering is None else self._answering.answers()

    def resume(self, mark: str, darts: Sequence[Segment | Position | Points] = ()) -> None:
        """Goes on behind the last `Marked` of a former process, whose last `darts` may hold their contacts still, the
        newest at the end. To be called before anything else."""
        if self._answering is not None:
            self._answering.resume(mark)
        cells = (cell for dart in darts for cell, meaning in self._board.contacts.items() if meaning == dart)
        self._chain.resume(tuple(cells) if self._board.contacts else tuple(darts))

    # ---- what is known ----

    @property
    def due_ns(self) -> int | None:
        """When `tick` is next needed; None: not before the next bytes."""
        dues = [self._chain.due_ns, self._contacts.due_ns, self._meanings.due_ns]
        if self._silent_ns is not None and self._silent_ns > self._now:
            dues.append(self._silent_ns)
        return min((due for due in dues if due is not None), default=None)

    @property
    def counters(self) -> Mapping[str, int]:
        """What was dropped by reason, and `repeats`, `doubtful`, `ghosts`, `masked`, `misses_ignored`; and what the
        board says that it has counted."""
        counted = self._meanings.counted
        rejects: dict[str, int] = {k: v + counted[k] for k, v in self._decoder.rejects.items()}
        return {**counted, **rejects, **self.board_counters}

    @property
    def board_counters(self) -> Mapping[str, int]:
        """What the board itself has counted; empty where its dialect has no such thing."""
        return {} if self._answering is None else self._answering.counters

    @property
    def stuck(self) -> tuple[str, ...]:
        """The beds that stay closed now."""
        keys = self._chain.stuck if self._contacts is self._chain else self._chain.stuck + self._contacts.stuck
        return tuple(self._meanings.name(key) for key in keys if self._meanings.of(key) not in (MISS, "takeout"))

    @property
    def fault(self) -> str | None:
        """What is wrong with the wiring, in a sentence; None: nothing known."""
        return self._meanings.fault

    @property
    def board_fault(self) -> tuple[str, str] | None:
        """Why nothing of the board counts: a reason (`version`, `silent`) and a sentence. None where all is well."""
        if self._answering is not None and self._answering.fault:
            return "version", self._answering.fault
        return ("silent", SILENT) if self._silent_ns is not None and self._now >= self._silent_ns else None

    @property
    def _silent_ns(self) -> int | None:
        """When a board that says something each second has been silent for too long; None: it need not, or is away."""
        if self._opened_ns is None or self._answering is None:
            return None
        return max(self._opened_ns + round(self._timing.boot_ms * MS), self._answering.heard_ns) + SILENT_NS

    @property
    def pending(self) -> int:
        """Bytes of a line that is not complete."""
        return self._decoder.pending

    # ---- the steps ----

    def _report(self, report: Report) -> tuple[BoardEvent, ...]:
        match report:
            case Contact(row, col, held=True, at_ns=at_ns) if isinstance(self._contacts, EdgeDebounce):
                return self._judged(self._contacts.hangs((row, col), min(at_ns, self._now)))
            case Contact(row, col, closed, at_ns):
                # A board with a clock of its own may know better when it was, but not that it is yet to come.
                return self._contact((row, col), closed, min(at_ns, self._now))
            case NamedDart(dart):
                return self._judged(self._chain.close(dart, self._now, self._period(dart)))
            case Signal("button", _, name):
                return self._judged(self._chain.close(Press(name), self._now, round(self._timing.button_ms * MS)))
            case Signal("takeout"):
                return self._judged(self._chain.close("takeout", self._now, round(self._timing.takeout_ms * MS)))
            case Signal("stuck"):
                return self._judged(self._chain.code(self._now))
            case Signal("awake"):
                return self._awake()
            case Signal("fault", _, name):
                # A sentence is one already; a word is the board's own.
                return (Fault(name, name if " " in name else f"The board reports a fault: {name}.", self._now),)
        return ()

    def _contact(self, cell: Cell, closed: bool, at_ns: int) -> tuple[BoardEvent, ...]:
        meaning = self._board.contacts.get(cell)
        if meaning == "stuck":
            return self._judged(self._chain.code(self._now))
        if not closed:
            return self._judged(self._contacts.open(cell, at_ns))
        return self._judged(self._contacts.close(cell, at_ns, self._period(meaning)))

    def _period(self, meaning: object) -> int:
        if meaning == MISS:
            return round(self._timing.miss_ms * MS)
        if isinstance(meaning, Press):
            return round(self._timing.button_ms * MS)
        if meaning == "takeout":
            return round(self._timing.takeout_ms * MS)
        return round(self._timing.repeat_ms * MS)

    def _awake(self) -> tuple[BoardEvent, ...]:
        heard = self._judged(self._chain.awake(self._now))
        if self._contacts is not self._chain:
            heard += self._judged(self._contacts.awake(self._now))
        return (*heard, Awake(self._now))

    def _rejected(self) -> tuple[BoardEvent, ...]:
        rejects = dict(self._decoder.rejects)
        new = tuple(reason for reason, count in rejects.items() if count > self._known.get(reason, 0))
        self._known = rejects
        if new:
            self._chain.noise(self._now, round(self._timing.repeat_ms * MS))
        return tuple(Rejected(reason, self._now) for reason in new)

    def _judged(self, verdicts: Verdicts) -> tuple[BoardEvent, ...]:
        return self._meanings.heard(verdicts, self._now)
