"""Reads the journal: for boards that start, the history pages, and commands such as `oche matches`.

A reader never waits for the writer and never blocks it: every query has a connection of its own. No dart passes here.
"""

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from daemon.record.chain import ChainEnd, Damage, chain_start, first_bad
from daemon.record.changes import BoardRow, MatchRow
from daemon.record.match_list import Choices, Filter, Sides, choices, page
from daemon.record.record_states import (
    COUNT,
    RecordState,
    Seen,
    all_actions,
    has_checksums,
    states,
    states_since,
    states_unlike,
)
from daemon.record.row_checksums import is_intact, is_json, match_row, unchained_damage

__all__ = ["BoardRow", "History", "MatchRow", "Record", "RecordState", "Seen", "StoredMatch", "damage_of"]


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match without its actions, and where the chain of its actions ends."""

    row: MatchRow
    end: ChainEnd
    intact: bool
    """Whether the row is as it was written. If not, any value can be wrong or empty."""

    @property
    def unchecked(self) -> bool:
        """Whether a version without checksums wrote some of it, so that damage there is not noticed."""
        return self.end.checksum is None or self.end.unchecked > 0


@dataclass(frozen=True, slots=True)
class Record:
    """A match with its actions, as far as it is whole.

    `broken` is the number of the first action that is not as it was written, 0 if only the match's own row is damaged;
    `lines` end before it. `lost` is the number of the first action that is gone because the log lost its end: such a
    match can go on, although its record is not what was played.
    """

    stored: StoredMatch
    lines: list[str]
    broken: int | None = None
    lost: int | None = None

    @property
    def bad(self) -> int | None:
        """The number of the first action that is damaged or gone, None if the record is whole."""
        return min((n for n in (self.broken, self.lost) if n is not None), default=None)


_BOARD: Final = "name, seq, revision, match, mark"
_MATCH: Final = "id, board, header, bots, started, ended, result, winners"
"""Columns by name, because a later version can have more."""
_END: Final = "actions, unchecked, head, rewritten"
_NO_END: Final = f"{COUNT}, NULL, NULL, NULL, NULL"
"""The same for a journal of a version without checksums."""


class History:
    """The journal in a data directory, for reading. A daemon can write to it at the same time."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "oche.db"

    def board(self, name: str) -> BoardRow:
        """The counters of a board, all zero for a new board.

        The revision is that of its match: the other boards of that may have gone on while this one was away.
        """
        with self._open() as db:
            row = db.execute(f"SELECT {_BOARD} FROM board WHERE name = ?", (name,)).fetchone()  # noqa: S608
            if row is None:
                return BoardRow(name)
            board = BoardRow(*row)
            highest = db.execute("SELECT max(revision) FROM board WHERE match = ?", (board.match,)).fetchone()[0]
        return board if highest is None else replace(board, revision=highest)

    def match(self, match_id: str) -> MatchRow | None:
        """Returns the match with this id, or None without one."""
        stored = self.stored(match_id)
        return None if stored is None else stored.row

    def matches(self) -> list[tuple[MatchRow, int]]:
        """Every match with its number of actions, the newest first."""
        return [(stored.row, stored.end.actions) for stored in self.all_stored()]

    def stored(self, match_id: str) -> StoredMatch | None:
        """Returns the match with this id and the end of its chain, or None without one."""
        with self._open() as db:
            return next(_stored(db, "WHERE id = ?", match_id), None)

    def all_stored(self) -> list[StoredMatch]:
        """Every match and the end of its chain, the newest first."""
        with self._open() as db:
            return list(_stored(db, "ORDER BY started DESC, rowid DESC"))

    def listed(self, which: Filter, before: str | None, limit: int, sides: Sides) -> list[StoredMatch]:
        """The newest matches that pass a filter and are older than the one with the id `before`, at most `limit`."""
        end, values = page(which, before, limit, sides)
        with self._open() as db:
            return list(_stored(db, end, *values))

    def choices(self, which: Filter, sides: Sides) -> Choices:
        """How many matches pass a filter, and what there is to filter by."""
        with self._open() as db:
            return choices(db, which, sides)

    def states(self, ids: Collection[str] | None = None) -> dict[str, RecordState]:
        """How far each match is, or those with these ids, by id."""
        with self._open() as db:
            if ids is None:
                return states(db)
            return states(db, "WHERE id IN (SELECT value FROM json_each(?))", json.dumps([*ids]))

    def states_since(self, seen: Seen | None) -> tuple[dict[str, RecordState], Seen]:
        """How far the matches are that can have changed since a look, all of them without one; and this look.

        Where a player is forgotten, any match can change: no look from before is valid then.
        """
        with self._open() as db:
            return states_since(db, seen)

    def states_unlike(self, kept: Path) -> tuple[dict[str, RecordState], Seen, int]:
        """How far the matches are that can differ from what the file `kept` has counted; `record_states` says more."""
        with self._open() as db:
            return states_unlike(db, kept)

    def all_actions(self) -> int:
        """The number of actions in all matches."""
        with self._open() as db:
            return all_actions(db)

    def record(self, match_id: str) -> Record | None:
        """Returns the match with this id as far as it is whole, or None without one."""
        with self._open() as db:
            db.execute("BEGIN")  # One read transaction: the match and its actions fit each other.
            stored = next(_stored(db, "WHERE id = ?", match_id), None)
            if stored is None:
                return None
            checked = has_checksums(db)
            query = f"SELECT n, line, {'sum' if checked else 'NULL'} FROM action WHERE match = ? ORDER BY n"  # noqa: S608
            try:
                rows = db.execute(query, (match_id,)).fetchall()
            except sqlite3.DatabaseError:
                return Record(stored, [], 1, None)
            lost = _lost(db, match_id) if checked else None
        row = stored.row
        broken = first_bad(chain_start(row.id, row.board, row.header, row.bots, row.started), stored.end, rows)
        old = (n for n, (_, line, _) in enumerate(rows[: stored.end.unchecked], 1) if not is_json(line))
        broken = min((n for n in (broken, next(old, None)) if n is not None), default=None)
        if broken is None and not (stored.intact and is_json(row.header) and is_json(row.bots)):
            broken = 0
        return Record(stored, [line for _, line, _ in rows[: None if not broken else broken - 1]], broken, lost)

    def damage(self) -> Iterator[Damage]:
        """The damage in all matches; reads every action."""
        for match_id in self.states():
            record = self.record(match_id)
            if record is not None and (damage := damage_of(record)) is not None:
                yield damage
        for match_id in self.orphans():
            yield Damage(f"The match {match_id} is gone; only its actions are left.", match_id, 1)

    def orphans(self) -> list[str]:
        """The ids of matches of which only actions are left."""
        with self._open() as db:
            query = "SELECT DISTINCT match FROM action WHERE match NOT IN (SELECT id FROM match)"
            return [str(match_id) for (match_id,) in db.execute(query)]

    def mentions(self, match_id: str, name: str) -> bool:
        """Whether a name occurs anywhere in a match, for matches whose header cannot be read."""
        with self._open() as db:
            row = db.execute(
                "SELECT 1 FROM match WHERE id = :id AND instr(header || bots || ifnull(winners, ''), :name) "
                "UNION SELECT 1 FROM action WHERE match = :id AND instr(line, :name)",
                {"id": match_id, "name": name},
            ).fetchone()
        return row is not None

    def boards_of(self, match_id: str) -> set[str]:
        """The boards that the match is on, also when it is over; none once it was stopped or replaced.

        A board that was away then still names it in its row.
        """
        stored = self.stored(match_id)
        if stored is None or stored.row.result == "stopped":
            return set()
        with self._open() as db:
            names = {str(name) for (name,) in db.execute("SELECT name FROM board WHERE match = ?", (match_id,))}
        # A match that was over is replaced without being stopped. It was begun on all boards of its header.
        is_replaced = stored.intact and stored.row.ended and not names.issuperset(_boards_in(stored.row.header))
        return set() if is_replaced else names

    def recent(self, after: int) -> tuple[set[str], int]:
        """The ids of the matches on all boards and of those in rows after `after`, and the number of the last row."""
        query = "SELECT rowid, id FROM match WHERE rowid > ? OR id IN (SELECT match FROM board)"
        with self._open() as db:
            rows: dict[int, str] = dict(db.execute(query, (after,)))
        return set(rows.values()), max((after, *rows))

    def actions(self, match_id: str, after: int = 0, most: int = -1) -> list[str]:
        """The lines of a match's actions after the first `after`; at most `most`, or all of them."""
        with self._open() as db:
            query = "SELECT line FROM action WHERE match = ? AND n > ? ORDER BY n LIMIT ?"
            return [line for (line,) in db.execute(query, (match_id, after, most))]

    def snapshot(self, match_id: str) -> tuple[int, str] | None:
        """Returns the stored state of a match and the number of actions behind it; None if missing or damaged."""
        with self._open() as db:
            query = f"SELECT match, n, state, {_sum(db)} FROM snapshot WHERE match = ?"  # noqa: S608
            row = db.execute(query, (match_id,)).fetchone()
        return None if row is None or not is_intact("snapshot", row) else (row[1], row[2])

    def replies(self, board: str) -> dict[str, str]:
        """The remembered replies by command id, the oldest first, without damaged ones; for a name with a slash at its
        end those to other houses alone."""
        with self._open() as db:
            query = f"SELECT board, id, reply, {_sum(db)} FROM command WHERE board IN (?, ? || '/') ORDER BY n"  # noqa: S608
            return {row[1]: row[2] for row in db.execute(query, (board, board)) if is_intact("command", row)}

    def hits(self, board: str, after: int) -> dict[int, str]:
        """The payloads of a board's last hits after number `after`, without damaged ones."""
        with self._open() as db:
            query = f"SELECT board, seq, payload, {_sum(db)} FROM hit WHERE board = ? AND seq > ? ORDER BY seq"  # noqa: S608
            return {row[1]: row[2] for row in db.execute(query, (board, after)) if is_intact("hit", row)}

    def damaged_rows(self) -> list[Damage]:
        """Damage outside the matches: in remembered hits and replies, stored states and noted losses."""
        with self._open() as db:
            return list(unchained_damage(db)) if has_checksums(db) else []

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(f"file:{self.path}?mode=rw", uri=True)
        # Damaged text can be invalid UTF-8. With replacement characters it no longer fits its checksum.
        db.text_factory = decode_damaged
        try:
            yield db
        finally:
            db.close()


def decode_damaged(text: bytes) -> str:
    """Text from the database, with a replacement character for what is not UTF-8."""
    return text.decode(errors="replace")


def damage_of(record: Record) -> Damage | None:
    """The damage in a match, None if it is whole."""
    match_id, bad = record.stored.row.id, record.bad
    if bad is None:
        return None
    where = "in its own row" if bad == 0 else f"from action {bad} on"
    return Damage(f"The match {match_id} is damaged {where}; it is kept, but not in the statistics.", match_id, bad)


def _stored(db: sqlite3.Connection, which: str, *values: Any) -> Iterator[StoredMatch]:
    end = f"{_END}, sum" if has_checksums(db) else _NO_END
    for row in db.execute(f"SELECT {_MATCH}, {end} FROM match {which}", values).fetchall():  # noqa: S608
        yield StoredMatch(*match_row(row))


def _boards_in(header: str) -> list[str]:
    """The boards on which a match is played, as its header names them: none if one board of this node plays it."""
    boards: list[str] = json.loads(header).get("boards", [])
    return [] if any("/" in name for name in boards) else boards


def _lost(db: sqlite3.Connection, match_id: str) -> int | None:
    row = db.execute("SELECT action FROM loss WHERE match = ?", (match_id,)).fetchone()
    return None if row is None or not isinstance(row[0], int) else row[0]


def _sum(db: sqlite3.Connection) -> str:
    return "sum" if has_checksums(db) else "NULL"
