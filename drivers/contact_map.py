"""What a verdict means on this board: a dart, a button, darts being pulled, a stuck bed, a faulty miss sensor.

The last step of the pipeline. Pure; times in ns, handed in.
"""

from collections import Counter
from collections.abc import Hashable
from typing import Final

from boards.board import Board, Press
from drivers.debounce import MS, Verdict, Verdicts
from drivers.events import BoardEvent, Button, DartLanded, DoubtfulDart, Fault, Freed, Rejected, Stuck, TakeOut
from engine.darts import Points, Position
from engine.segments import MISS, Segment

TAKEOUT_NS: Final = 2_000 * MS
"""Reports of the take-out sensor within this time of each other are one take-out, unless a dart landed between: a turn
of one dart (a checkout, a bust) can be over sooner."""

QUIET_NS: Final = 10_000 * MS
"""How long a faulty miss sensor must be silent before its reports count again. Hits in between do not shorten it."""

MISS_SENSOR: Final = (
    "The miss sensor reports all the time without a dart: its wire is loose or it is set too sensitive. "
    "Misses of this board are not counted until it is quiet."
)


class ContactMap:
    """The board's table of contacts, and the state of its sensors.

    A verdict's key is a cell of that table, or what the dialect itself names: a dart, a `Press`, `takeout`.
    """

    def __init__(self, board: Board) -> None:
        self.counted: Counter[str] = Counter()
        """How many verdicts gave no event, by kind."""
        self.fault: str | None = None
        """What is wrong with the miss sensor, in a sentence; `None` if nothing is known."""
        self._board = board
        self._took_out: int | None = None
        self._miss_ns = 0

    def events(self, verdicts: Verdicts, now_ns: int) -> tuple[BoardEvent, ...]:
        """Returns the events of verdicts, in their order. `now_ns` may be later than a verdict's own time."""
        return tuple(event for verdict in verdicts for event in self._events(verdict, now_ns))

    def tick(self, now_ns: int) -> tuple[BoardEvent, ...]:
        """Returns the events that are due by `now_ns`."""
        due = self.due_ns
        if due is None or now_ns < due:
            return ()
        self.fault = None
        return (Freed(MISS.text, now_ns),)

    @property
    def due_ns(self) -> int | None:
        """When reports of a faulty miss sensor count again, if it stays silent; `None` if they count now."""
        return None if self.fault is None else self._miss_ns + QUIET_NS

    def of(self, key: Hashable) -> object:
        """Returns what a key means; `None` for a cell that is not in the table."""
        return self._board.contacts.get(key) if isinstance(key, tuple) else key

    def name(self, key: Hashable) -> str:
        """Returns the name of a key, as described at `Stuck`."""
        match self.of(key):
            case Segment() as bed:
                return bed.text
            case Points(points):
                return f"{points} points"
            case Press(name):
                return f"button {name}"
        return f"{key[0]},{key[1]}" if isinstance(key, tuple) else "?"

    def _events(self, verdict: Verdict, now_ns: int) -> tuple[BoardEvent, ...]:
        key, at_ns = verdict.key, verdict.at_ns
        if key in self._board.masked:
            self.counted["masked"] += 1
            return ()
        meaning = self.of(key)
        if meaning == MISS and verdict.kind != "freed":
            self._miss_ns = now_ns
        match verdict.kind:
            case "dart":
                return self._taken_out(now_ns) if meaning == "takeout" else self._closed(key, meaning, at_ns)
            case "repeat":
                self.counted["repeats"] += 1
                return ()
            case "doubt":
                self.counted["repeats"] += 1
                return self._doubt(meaning, at_ns)
            case "ghost":
                self.counted["ghosts"] += 1
                return ()
            case "stuck":
                return self._hangs(key, meaning, at_ns)
            case "freed":
                # Reports of the miss sensor count again only after a longer silence.
                return () if meaning in (MISS, "takeout") else (Freed(self.name(key), at_ns),)

    def _closed(self, key: Hashable, meaning: object, at_ns: int) -> tuple[BoardEvent, ...]:
        match meaning:
            case Press(name):
                return (Button(name, at_ns),)
            case Segment() | Position() | Points():
                if meaning == MISS and self.fault is not None:
                    self.counted["misses_ignored"] += 1
                    return ()
                cell = key if isinstance(key, tuple) else None
                self._took_out = None
                return (DartLanded(meaning, at_ns, cell),)
            case _:
                self.counted["unmapped"] += 1
                return (Rejected("unmapped", at_ns, key if isinstance(key, tuple) else None),)

    def _taken_out(self, now_ns: int) -> tuple[BoardEvent, ...]:
        again = self._took_out is not None and now_ns - self._took_out < TAKEOUT_NS
        self._took_out = now_ns
        if again:
            self.counted["repeats"] += 1
            return ()
        return (TakeOut(now_ns),)

    def _doubt(self, meaning: object, at_ns: int) -> tuple[BoardEvent, ...]:
        if not isinstance(meaning, Segment | Position | Points) or (meaning == MISS and self.fault is not None):
            return ()
        self.counted["doubtful"] += 1
        return (DoubtfulDart(meaning, at_ns),)

    def _hangs(self, key: Hashable, meaning: object, at_ns: int) -> tuple[BoardEvent, ...]:
        if meaning == "takeout":
            # Somebody stands in front of the sensor: that is not a fault.
            return ()
        if meaning != MISS:
            return (Stuck(self.name(key), at_ns),)
        if self.fault is not None:
            return ()
        self.fault = MISS_SENSOR
        return (Fault("miss_sensor", MISS_SENSOR, at_ns),)
