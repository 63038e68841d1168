"""Where a bot aims in X01, as tables that are read without numpy."""

import json
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

VERSION: Final = 1
"""Version of what is solved and how it is written; what another version has written is solved again."""
MOST_BYTES: Final = 20_000_000
"""More are not read: a file of this size is not one of ours."""
_DARTS: Final = 3
"""The darts of a visit."""
MOST: Final = 60
"""The most points of a dart."""
CAREFUL: Final = 182
"""From this score up no visit busts: two darts of 120 points leave 62, and the third leaves 2."""
_TWO, _ONE = MOST + 1, 2 * MOST + 1

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers of points to aim at, as in `twin.x01_policy.Policy`: each array row by row."""

    free: "array[int]"
    two: "array[int]"
    one: "array[int]"

    def index(self, left: int, before: int, darts: int) -> int:
        """The number of the point with `left` points and `darts` in hand, in a visit that began with `before`."""
        thrown = before - left
        if darts < _DARTS and before < min(CAREFUL, self.scores) and 0 <= thrown <= (_DARTS - darts) * MOST:
            return self.two[before * _TWO + thrown] if darts == _DARTS - 1 else self.one[before * _ONE + thrown]
        return self.free[darts * self.scores + min(left, self.scores - 1)]

    @property
    def scores(self) -> int:
        """The number of scores that it has aims for, from 0."""
        return len(self.free) // (_DARTS + 1)


@dataclass(frozen=True, slots=True)
class Plan:
    """The aims of one hand. `alone` is for the fewest visits; each of `answers` is against an opponent who needs as
    many visits as the number at the same place in `opponents` says, which rise."""

    points: tuple[Point, ...]
    visits: tuple[float, ...]
    """The visits from each score."""
    alone: Table
    answers: tuple[Table, ...] = ()
    opponents: tuple[float, ...] = ()

    def aim(self, left: int, before: int, darts: int, opponent: float | None = None) -> Point:
        """The point in mm to aim at. `opponent` is how many visits the opponent needs; None where nobody else plays."""
        table = self.alone
        if opponent is not None and self.answers:
            nearest = min(range(len(self.opponents)), key=lambda at: abs(self.opponents[at] - opponent))
            # From a higher score than the answers are for, only points count.
            if before < self.answers[nearest].scores:
                table = self.answers[nearest]
        return self.points[table.index(left, before, darts)]

    def visits_from(self, left: int) -> float:
        """The visits from a score; from above the highest one as many as from there."""
        return self.visits[min(left, len(self.visits) - 1)]


def pack(plan: Plan) -> bytes:
    """The plan as bytes, with a checksum."""
    tables = (plan.alone, *plan.answers)
    head = {
        "version": VERSION,
        "points": plan.points,
        "visits": plan.visits,
        "opponents": plan.opponents,
        "tables": [[len(table.free), len(table.two), len(table.one)] for table in tables],
    }
    body = b"".join(part.tobytes() for table in tables for part in (table.free, table.two, table.one))
    return zlib.compress(json.dumps(head).encode() + b"\n" + body)


def unpack(data: bytes) -> Plan | None:
    """The plan of these bytes; None if they are damaged or of another version."""
    reader = zlib.decompressobj()
    try:
        head_text, _, body = reader.decompress(data, MOST_BYTES).partition(b"\n")
        head = json.loads(head_text)
        if not reader.eof or head["version"] != VERSION:
            return None
        points = tuple((float(x), float(y)) for x, y in head["points"])
        visits, opponents = tuple(map(float, head["visits"])), tuple(map(float, head["opponents"]))
        alone, *answers = _tables(head["tables"], body, len(points))
    except (zlib.error, ValueError, KeyError, TypeError, RecursionError):
        return None
    return Plan(points, visits, alone, tuple(answers), opponents) if len(answers) == len(opponents) and visits else None


def _tables(lengths: Any, body: bytes, points: int) -> Sequence[Table]:
    """ValueError if they are not whole."""
    numbers: array[int] = array("H")
    numbers.frombytes(body)
    if numbers and max(numbers) >= points:
        raise ValueError("an aim at a point that is missing")
    found, at = [], 0
    for free, two, one in lengths:
        scores = free // (_DARTS + 1)
        tops = min(scores, CAREFUL)
        if scores < 1 or free % (_DARTS + 1) or two != tops * _TWO or one != tops * _ONE:
            raise ValueError("a table of a wrong size")
        parts = [numbers[at : at + free], numbers[at + free : (at := at + free + two)], numbers[at : (at := at + one)]]
        found.append(Table(*parts))
    if at != len(numbers):
        raise ValueError("too few or too many numbers")
    return found
