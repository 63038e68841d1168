"""What a verdict means on this board: a dart, a button, hands at the board, a bed that hangs, a miss sensor at fault.

The last step of a reading. Pure; times in ns, handed in.
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
"""A sensor that sees hands says so again and again: within this pause it is the same taking out, unless a dart landed
between. A turn of one dart (a checkout, a bust) can be over sooner than this."""

QUIET_NS: Final = 10_000 * MS
"""A miss sensor at fault is believed again when it has been silent for so long: hits between must not make it well."""

MISS_SENSOR: Final = (
    "The miss sensor reports all the time without a dart: its wire is loose or it is set too sensitive. "
    "Misses of this board are not counted until it is quiet."
)


class ContactMap:
    """The board's table of contacts, and what it remembers of its sensors.

    A verdict's key is a cell of that table, or what the dialect names by itself: a dart, a `Press`, `takeout`.
    """

    def __init__(self, board: Board) -> None:
        self.counted: Counter[str] = Counter()
        """Verdicts that were no news, by what they were."""
        self.fault: str | None = None
        """What is wrong with the miss sensor, in a sentence; None: nothing known."""
        self._board = board
        self._took_out: int | None = None
        self._miss_ns = 0

    def heard(self, verdicts: Verdicts, now_ns: int) -> tuple[BoardEvent, ...]:
        """What they mean, in their order. `now_ns` may be later than a verdict's own time."""
        return tuple(heard for verdict in verdicts for heard in self._heard(verdict, now_ns))

    def tick(self, now_ns: int) -> tuple[BoardEvent, ...]:
        """Time passed."""
        due = self.due_ns
        if due is None or now_ns < due:
            return ()
        self.fault = None
        return (Freed(MISS.text, now_ns),)

    @property
    def due_ns(self) -> int | None:
        """When a miss sensor at fault is believed again, if it stays silent; None: it is believed."""
        return None if self.fault is None else self._miss_ns + QUIET_NS

    def of(self, key: Hashable) -> object:
        """What is behind a key; None for a cell that is on no table."""
        return self._board.contacts.get(key) if isinstance(key, tuple) else key

    def name(self, key: Hashable) -> str:
        """How people call it, as `Stuck.text` says."""
        match self.of(key):
            case Segment() as bed:
                return bed.text
            case Points(points):
                return f"{points} points"
            case Press(name):
                return f"button {name}"
        return f"{key[0]},{key[1]}" if isinstance(key, tuple) else "?"

    def _heard(self, verdict: Verdict, now_ns: int) -> tuple[BoardEvent, ...]:
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
                # The miss sensor is believed again only after a longer silence.
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
            # Somebody stands before the sensor: that is no fault.
            return ()
        if meaning != MISS:
            return (Stuck(self.name(key), at_ns),)
        if self.fault is not None:
            return ()
        self.fault = MISS_SENSOR
        return (Fault("miss_sensor", MISS_SENSOR, at_ns),)
