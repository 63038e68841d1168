"""Reading the journal: what was played, for the start of a board and for `oche matches` and `oche export`.

Reading never waits for the writer nor holds it up: every question has a
connection of its own. Nothing here is on the way of a dart.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final


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


_MATCH: Final = "id, board, header, bots, started, ended, result, winners"
"""By name: a later version may have more."""


class History:
    """The journal in a data directory, to be read; a daemon may be writing it meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "oche.db"

    def board(self, name: str) -> BoardRow:
        """The counters of a board, all zero for a new one."""
        with self._open() as db:
            row = db.execute("SELECT name, seq, revision, match, mark FROM board WHERE name = ?", (name,)).fetchone()
        return BoardRow(name) if row is None else BoardRow(*row)

    def match(self, match_id: str) -> MatchRow | None:
        """One match, None where none has the id."""
        with self._open() as db:
            row = db.execute(f"SELECT {_MATCH} FROM match WHERE id = ?", (match_id,)).fetchone()  # noqa: S608
        return None if row is None else MatchRow(*row)

    def matches(self) -> list[tuple[MatchRow, int]]:
        """Every match with the number of its actions, the newest first."""
        with self._open() as db:
            count = "(SELECT count(*) FROM action WHERE match = match.id)"
            rows = db.execute(f"SELECT {_MATCH}, {count} FROM match ORDER BY started DESC, rowid DESC").fetchall()  # noqa: S608
        return [(MatchRow(*row[:-1]), row[-1]) for row in rows]

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
        """The number of actions behind the stored state, and the state."""
        with self._open() as db:
            row = db.execute("SELECT n, state FROM snapshot WHERE match = ?", (match_id,)).fetchone()
        return None if row is None else (row[0], row[1])

    def replies(self, board: str) -> dict[str, str]:
        """The replies to the commands that are remembered, by id, the oldest first."""
        with self._open() as db:
            rows = db.execute("SELECT id, reply FROM command WHERE board = ? ORDER BY n", (board,)).fetchall()
        return dict(rows)

    def hits(self, board: str, after: int) -> dict[int, str]:
        """The last hits of a board that came after number `after`, as they were sent."""
        with self._open() as db:
            query = "SELECT seq, payload FROM hit WHERE board = ? AND seq > ? ORDER BY seq"
            return dict(db.execute(query, (board, after)).fetchall())

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(f"file:{self.path}?mode=rw", uri=True)
        try:
            yield db
        finally:
            db.close()
