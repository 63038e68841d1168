"""Reading the journal: what was played, for the start of a board and for `oche matches` and `oche export`.

Reading never waits for the writer nor holds it up: every question has a
connection of its own. Nothing here is on the way of a dart.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from daemon.record.chain import Damage, Head, chain_start, first_bad, row_sum


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A board's counters: the last hit, the last revision, and the match that is on it. `mark`: how far a board that
    counts its edges was heard, in its dialect's own words."""

    name: str
    seq: int = 0
    revision: int = 0
    match: str | None = None
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match without its actions. `header` and `bots` are JSON, times ISO 8601 in UTC, `winners` a JSON list."""

    id: str
    board: str
    header: str
    bots: str
    started: str
    ended: str | None = None
    result: str | None = None
    winners: str | None = None


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match without its actions, with what the journal says of its chain."""

    row: MatchRow
    head: Head
    intact: bool
    """Whether the row is as it was written; in one that is not, any value can be wrong or empty."""

    @property
    def unchecked(self) -> bool:
        """Whether some of it was written by a version without checksums, so that damage in it cannot be seen."""
        return self.head.sum is None or self.head.unchecked > 0


@dataclass(frozen=True, slots=True)
class MatchState:
    """How far a match is. `state` is another text when anything in its record is another."""

    over: bool
    actions: int
    state: str


@dataclass(frozen=True, slots=True)
class Record:
    """A match with its actions. `broken` is the first action that is not as it was written, 0 if only the match's own
    row is damaged; `lines` end before it. `lost` is the first action that is gone because the log lost its end: the
    match can go on, and its record is not what was played."""

    stored: StoredMatch
    lines: list[str]
    broken: int | None = None
    lost: int | None = None

    @property
    def bad(self) -> int | None:
        """The first bad action for whatever reason, None if everything is whole."""
        return min((n for n in (self.broken, self.lost) if n is not None), default=None)


_BOARD: Final = "name, seq, revision, match, mark"
_MATCH: Final = "id, board, header, bots, started, ended, result, winners"
"""By name: a later version may have more."""
_HEAD: Final = "actions, unchecked, head, rewritten"
_COUNT: Final = "(SELECT count(*) FROM action WHERE match = match.id)"
_NO_HEAD: Final = f"{_COUNT}, NULL, NULL, NULL, NULL"
"""In a journal of a version without checksums."""
CHECKSUMS_SINCE: Final = 3
"""The first schema with checksums."""
_LOOSE: Final = {
    "SELECT board, seq, payload, sum FROM hit": "Hit {1} of the board {0} is damaged; it is not sent again.",
    "SELECT board, id, reply, sum FROM command": "The reply to the command {1} on the board {0} is damaged; "
    "the same command would be carried out again.",
    "SELECT match, n, state, sum FROM snapshot": "The stored state of the match {0} is damaged; "
    "the match is played from its first action instead.",
    "SELECT match, action, found, sum FROM loss": "The note that the match {0} lost its end is damaged.",
}
"""Rows that belong to no chain, by the query that reads them."""


class History:
    """The journal in a data directory, to be read; a daemon may be writing it meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "oche.db"

    def board(self, name: str) -> BoardRow:
        """The counters of a board, all zero for a new one."""
        with self._open() as db:
            row = db.execute(f"SELECT {_BOARD} FROM board WHERE name = ?", (name,)).fetchone()  # noqa: S608
        return BoardRow(name) if row is None else BoardRow(*row)

    def match(self, match_id: str) -> MatchRow | None:
        """One match, None where none has the id."""
        stored = self.stored(match_id)
        return None if stored is None else stored.row

    def matches(self) -> list[tuple[MatchRow, int]]:
        """Every match with the number of its actions, the newest first."""
        return [(stored.row, stored.head.actions) for stored in self.all_stored()]

    def stored(self, match_id: str) -> StoredMatch | None:
        """One match and its checksums, None where none has the id."""
        with self._open() as db:
            return next(_stored(db, "WHERE id = ?", match_id), None)

    def all_stored(self) -> list[StoredMatch]:
        """Every match and its checksums, the newest first."""
        with self._open() as db:
            return list(_stored(db, "ORDER BY started DESC, rowid DESC"))

    def states(self, match_id: str | None = None) -> dict[str, MatchState]:
        """How far every match is, or one, by id: quick, for it looks at no checksum."""
        with self._open() as db:
            head = "actions, head, rewritten" if _has_checksums(db) else f"{_COUNT}, NULL, NULL"
            query = f"SELECT id, ended IS NOT NULL, {head} FROM match"  # noqa: S608
            rows = db.execute(query) if match_id is None else db.execute(f"{query} WHERE id = ?", (match_id,))
            return {
                str(one): MatchState(bool(over), actions, f"{actions} {_hex(end)} {rewritten}")
                for one, over, actions, end, rewritten in rows
                if isinstance(actions, int)
            }

    def record(self, match_id: str) -> Record | None:
        """One match as far as it is whole, None where none has the id."""
        with self._open() as db:
            db.execute("BEGIN")  # The match and its actions are of one moment.
            stored = next(_stored(db, "WHERE id = ?", match_id), None)
            if stored is None:
                return None
            checked = _has_checksums(db)
            query = f"SELECT n, line, {'sum' if checked else 'NULL'} FROM action WHERE match = ? ORDER BY n"  # noqa: S608
            try:
                rows = db.execute(query, (match_id,)).fetchall()
            except sqlite3.DatabaseError:
                return Record(stored, [], 1, None)
            lost = _lost(db, match_id) if checked else None
        row = stored.row
        broken = first_bad(chain_start(row.id, row.board, row.header, row.bots, row.started), stored.head, rows)
        old = (n for n, (_, line, _) in enumerate(rows[: stored.head.unchecked], 1) if not _is_json(line))
        broken = min((n for n in (broken, next(old, None)) if n is not None), default=None)
        if broken is None and not (stored.intact and _is_json(row.header) and _is_json(row.bots)):
            broken = 0
        return Record(stored, [line for _, line, _ in rows[: None if not broken else broken - 1]], broken, lost)

    def damage(self) -> Iterator[Damage]:
        """What is damaged in any match; reads all of them."""
        for match_id in self.states():
            record = self.record(match_id)
            if record is not None and (damage := damage_of(record)) is not None:
                yield damage
        for match_id in self.orphans():
            yield Damage(f"The match {match_id} is gone; there are actions of it.", match_id, 1)

    def orphans(self) -> list[str]:
        """The ids of matches of which there are actions and nothing else."""
        with self._open() as db:
            query = "SELECT DISTINCT match FROM action WHERE match NOT IN (SELECT id FROM match)"
            return [str(match_id) for (match_id,) in db.execute(query)]

    def mentions(self, match_id: str, name: str) -> bool:
        """Whether a name is anywhere in what is stored of a match, for one whose header cannot be read."""
        with self._open() as db:
            row = db.execute(
                "SELECT 1 FROM match WHERE id = :id AND instr(header || bots || ifnull(winners, ''), :name) "
                "UNION SELECT 1 FROM action WHERE match = :id AND instr(line, :name)",
                {"id": match_id, "name": name},
            ).fetchone()
        return row is not None

    def where(self, match_id: str) -> str | None:
        """The board that a match is on, going on or over; None where it has made room for another."""
        with self._open() as db:
            row = db.execute("SELECT name FROM board WHERE match = ?", (match_id,)).fetchone()
        return None if row is None else str(row[0])

    def actions(self, match_id: str, after: int = 0) -> list[str]:
        """The lines of a match's actions after the first `after`."""
        with self._open() as db:
            query = "SELECT line FROM action WHERE match = ? AND n > ? ORDER BY n"
            return [line for (line,) in db.execute(query, (match_id, after))]

    def snapshot(self, match_id: str) -> tuple[int, str] | None:
        """The number of actions behind the stored state, and the state; None where it is damaged, too."""
        with self._open() as db:
            query = f"SELECT match, n, state, {_sum(db)} FROM snapshot WHERE match = ?"  # noqa: S608
            row = db.execute(query, (match_id,)).fetchone()
        return None if row is None or not fits("snapshot", row) else (row[1], row[2])

    def replies(self, board: str) -> dict[str, str]:
        """The replies to the commands that are remembered, by id, the oldest first; without those that are damaged."""
        with self._open() as db:
            query = f"SELECT board, id, reply, {_sum(db)} FROM command WHERE board = ? ORDER BY n"  # noqa: S608
            return {row[1]: row[2] for row in db.execute(query, (board,)) if fits("command", row)}

    def hits(self, board: str, after: int) -> dict[int, str]:
        """The last hits of a board after number `after`, as they were sent; without those that are damaged."""
        with self._open() as db:
            query = f"SELECT board, seq, payload, {_sum(db)} FROM hit WHERE board = ? AND seq > ? ORDER BY seq"  # noqa: S608
            return {row[1]: row[2] for row in db.execute(query, (board, after)) if fits("hit", row)}

    def damaged_rows(self) -> list[Damage]:
        """Damage outside the matches: hits and replies that are remembered, stored states, losses that were noted."""
        found = []
        with self._open() as db:
            if not _has_checksums(db):
                return []
            for query, message in _LOOSE.items():
                table = query.split()[-1]
                found += [
                    Damage(message.format(*(str(value)[:100] for value in row)))
                    for row in db.execute(query)
                    if not fits(table, row)
                ]
        return found

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(f"file:{self.path}?mode=rw", uri=True)
        # Text that is damaged need not be UTF-8. What is replaced in it no longer fits its checksum.
        db.text_factory = readable
        try:
            yield db
        finally:
            db.close()


def readable(text: bytes) -> str:
    """Text of the database, with a mark for each byte that is not UTF-8."""
    return text.decode(errors="replace")


def damage_of(record: Record) -> Damage | None:
    """What is wrong with a match, None if it is whole."""
    match_id, bad = record.stored.row.id, record.bad
    if bad is None:
        return None
    where = "in its own row" if bad == 0 else f"from action {bad} on"
    return Damage(f"The match {match_id} is damaged {where}; it is kept, and left out of the figures.", match_id, bad)


def fits(table: str, row: tuple[Any, ...]) -> bool:
    """Whether a row, its checksum last, is as it was written. One from before there were checksums counts as such."""
    return row[-1] is None or row_sum(table, *row[:-1]) == row[-1]


def match_sum(row: MatchRow, head: Head) -> bytes:
    """The checksum of a match's own row."""
    values = (row.id, row.board, row.header, row.bots, row.started, row.ended, row.result, row.winners)
    return row_sum("match", *values, head.actions, head.unchecked, _hex(head.sum), head.rewritten)


def board_sum(row: BoardRow, entry: int) -> bytes:
    """The checksum of a board's row, which was written with entry number `entry`."""
    return row_sum("board", row.name, row.seq, row.revision, row.match, row.mark, entry)


def _stored(db: sqlite3.Connection, which: str, *values: str) -> Iterator[StoredMatch]:
    head = f"{_HEAD}, sum" if _has_checksums(db) else _NO_HEAD
    for row in db.execute(f"SELECT {_MATCH}, {head} FROM match {which}", values).fetchall():  # noqa: S608
        yield StoredMatch(*match_row(row))


def match_row(row: tuple[Any, ...]) -> tuple[MatchRow, Head, bool]:
    """A row of the table `match` with all its columns, the end of its chain, and whether it is as it was written.

    Every value may be damaged; what comes back is of the right types. In a row of a version without checksums the
    columns for them are None, or as the migration left them.
    """
    *texts, actions, unchecked, end, rewritten, found = row
    count = actions if isinstance(actions, int) else 0
    if unchecked is None and found is None:
        return _match_row(texts), Head(count, count), True
    same = row_sum("match", *texts, actions, unchecked, _hex(end), rewritten) == found
    # Written before there were checksums, and not since.
    old = found is None and end is None and unchecked == actions
    head = Head(
        count,
        unchecked if isinstance(unchecked, int) else 0,
        end if isinstance(end, bytes) else None,
        rewritten if isinstance(rewritten, str) else None,
    )
    return _match_row(texts), head, same or old


def _match_row(values: list[Any]) -> MatchRow:
    """A row of which every value may be damaged, with values of the right type."""
    must = [value if isinstance(value, str) else "" for value in values[:5]]
    may = [value if isinstance(value, str) else None for value in values[5:]]
    return MatchRow(*must, *may)


def _lost(db: sqlite3.Connection, match_id: str) -> int | None:
    row = db.execute("SELECT action FROM loss WHERE match = ?", (match_id,)).fetchone()
    return None if row is None or not isinstance(row[0], int) else row[0]


def _sum(db: sqlite3.Connection) -> str:
    return "sum" if _has_checksums(db) else "NULL"


def _has_checksums(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA user_version").fetchone()[0] >= CHECKSUMS_SINCE)


def _is_json(text: Any) -> bool:
    try:
        json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _hex(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value
