"""What the newest darts of people on a board say of the board: beds and lines that fail, and darts that count twice.

Needs numpy, like all of `twin/`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from boards.board import Board
from daemon.history.board_health_answer import MOST_MATCHES
from daemon.history.stored_match import last_state, parsed, people_of
from daemon.record.match_list import Filter
from daemon.record.reader import History, Record
from engine.faces import Faces
from engine.match import Match
from engine.matchfile import Games
from engine.segments import SEGMENTS, Segment
from twin.aims import thrown
from twin.board_health import DOUBLED_MS, BoardFault, expected, faults
from twin.fit import Thrown, fit

MOST_DARTS: Final = 2_000
"""How many of the newest darts are looked at: a fault that has begun must show, and older ones say that it was well."""
FEWEST_DARTS: Final = 100
"""A player with fewer darts on the board does not count: their hand is not known."""


@dataclass(frozen=True, slots=True)
class BoardDarts:
    """What was found of a board, and from how many darts of how many players."""

    darts: int
    players: int
    faults: tuple[BoardFault, ...]
    has_lines: bool
    """Whether the model is known to be a matrix, whose lines were judged as well."""


def examine(history: History, name: str, model: Board | None, games: Games, faces: Faces) -> BoardDarts:
    """Looks at the newest darts on a board; `model` is None if the model, and so its matrix, is not known."""
    by_player: dict[str, list[Match]] = {}
    doubled: Counter[Segment] = Counter()
    left = MOST_DARTS
    for stored in history.listed(Filter(board=name), None, MOST_MATCHES, {}):
        record = history.record(stored.row.id)
        last = None if record is None else last_state(record, games, faces)
        if record is None or last is None:
            continue
        if last.header.boards:
            continue  # The record does not say which of the boards reported a dart.
        people = people_of(stored.row, last)
        for person in people:
            by_player.setdefault(person, []).append(last)
        if len(people) == len(last.header.players):
            doubled.update(too_quick(record))
        left -= sum(1 for line in record.lines if '"throw"' in line)
        if left <= 0:
            break
    rows = {person: thrown(matches, person, MOST_DARTS) for person, matches in by_player.items()}
    return _judge(rows, doubled, {} if model is None else lines_of(model))


def _judge(
    rows: Mapping[str, list[Thrown]], doubled: Mapping[Segment, int], lines: Mapping[str, frozenset[Segment]]
) -> BoardDarts:
    likely: dict[Segment, float] = {}
    seen: Counter[Segment] = Counter()
    known = {person: some for person, some in rows.items() if sum(row.count for row in some) >= FEWEST_DARTS}
    for some in known.values():
        fitted = fit(some)
        if fitted is None:
            continue
        for bed, count in expected(some, fitted).items():
            likely[bed] = likely.get(bed, 0.0) + count
        for row in some:
            seen[row.bed] += row.count
    # A board tells either the halves of a single apart, or it does not.
    halves = any(bed.text[:2] in ("SI", "SO") for bed in seen)
    told = {bed: count for bed, count in likely.items() if _is_told(bed, halves)}
    return BoardDarts(seen.total(), len(known), tuple(faults(told, seen, doubled, lines)), bool(lines))


def _is_told(bed: Segment, halves: bool) -> bool:
    if bed.is_bull or bed.multiplier != 1:
        return True
    return (bed.text[:2] in ("SI", "SO")) == halves


def too_quick(record: Record) -> Iterator[Segment]:
    """The beds of darts that followed one in the same bed sooner than anybody throws, without those entered by hand."""
    for before, after in pairwise(map(parsed, record.lines)):
        one, other = _sensed(before), _sensed(after)
        if one is not None and other is not None and one[0] == other[0] and 0 <= other[1] - one[1] < DOUBLED_MS:
            yield SEGMENTS[one[0]]


def _sensed(action: Any) -> tuple[str, int] | None:
    match action:
        case {"throw": str() as bed, "at_ms": int() as at} if bed in SEGMENTS and action.get("by") == "board":
            return bed, at
    return None


def lines_of(model: Board) -> dict[str, frozenset[Segment]]:
    """The rows and columns of a model's matrix, by their names, with their beds; none for a board of numbers."""
    lines: dict[str, set[Segment]] = {}
    cells = {cell: bed for cell, bed in model.contacts.items() if isinstance(bed, Segment) and cell not in model.masked}
    if len({column for _, column in cells}) < 2:
        return {}
    for (row, column), bed in cells.items():
        lines.setdefault(f"row {row}", set()).add(bed)
        lines.setdefault(f"column {column}", set()).add(bed)
    return {name: frozenset(beds) for name, beds in lines.items() if len(beds) > 1}
