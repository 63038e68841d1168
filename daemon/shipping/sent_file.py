"""What the hall has acknowledged: finished matches, and players to be forgotten. SQLite, next to the journal.

Losing the file loses nothing: the node then sends everything again, and the hall knows it already. Running matches are
not in it: the hall says itself how many lines it has.
"""

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, Final

from daemon.system.secure_files import give_to_owner

FILE: Final = "hall.db"
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS sent (
    match TEXT PRIMARY KEY, state TEXT NOT NULL, edition INTEGER NOT NULL, digest TEXT NOT NULL, refused TEXT
);
CREATE TABLE IF NOT EXISTS forgotten (player TEXT PRIMARY KEY, stage INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
BUSY_SECONDS: Final = 10.0


class Stage(IntEnum):
    """How far the forgetting of a player is."""

    NOTED = 0
    """The journal may still have the name."""
    DUE = 1
    """The journal is without the name: the hall is to be told."""
    GONE = 2
    """The hall has confirmed it."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A finished match as the hall has it, or why it refused it. `state` is that of the journal (`RecordState`)."""

    state: str
    edition: int
    digest: str
    refused: str | None = None


class SentFile:
    """The file of a data directory. Every method is one transaction; several processes may use it at once."""

    def __init__(self, data: Path) -> None:
        self.path = data / FILE

    def all(self) -> dict[str, Sent]:
        """Every match by id."""
        with self._open() as db:
            return {row[0]: Sent(*row[1:]) for row in db.execute("SELECT * FROM sent")}

    def put(self, match_id: str, sent: Sent) -> None:
        """Notes what became of a match."""
        with self._open() as db:
            values = (match_id, sent.state, sent.edition, sent.digest, sent.refused)
            db.execute("INSERT OR REPLACE INTO sent VALUES (?, ?, ?, ?, ?)", values)

    def start_over(self, epoch: str) -> None:
        """Notes the epoch of the hall, and that it may have nothing: only the editions stay."""
        with self._open() as db:
            db.execute("UPDATE sent SET state = '', refused = NULL")
            db.execute("UPDATE forgotten SET stage = min(stage, ?)", (Stage.DUE,))
            db.execute("INSERT OR REPLACE INTO about VALUES ('epoch', ?)", (epoch,))

    def again(self, match_ids: Iterable[str] | None) -> None:
        """Notes that matches are to be sent again, all if None: who sat in them has changed."""
        with self._open() as db:
            if match_ids is None:
                db.execute("UPDATE sent SET state = '' WHERE digest <> ''")
            else:
                db.executemany("UPDATE sent SET state = '' WHERE match = ?", [(one,) for one in match_ids])

    def about(self, key: str) -> str | None:
        """A value that was noted: the `epoch` of the hall, and the `status` as JSON."""
        with self._open() as db:
            row = db.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def note(self, key: str, value: str) -> None:
        """Notes a value."""
        with self._open() as db:
            db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (key, value))

    def status(self) -> dict[str, Any]:
        """The status that was noted last, empty without one."""
        found = self.about("status")
        value = None if found is None else json.loads(found)
        return value if isinstance(value, dict) else {}

    def forget(self, player: str) -> None:
        """Notes that the hall is to forget a player."""
        with self._open() as db:
            db.execute("INSERT OR IGNORE INTO forgotten VALUES (?, ?)", (player, Stage.NOTED))

    def keep(self, player: str) -> None:
        """Takes a forgetting back that was only noted."""
        with self._open() as db:
            db.execute("DELETE FROM forgotten WHERE player = ? AND stage = ?", (player, Stage.NOTED))

    def forgotten(self) -> dict[str, int]:
        """Every player to be forgotten, and how far that is: a `Stage`."""
        with self._open() as db:
            return dict(db.execute("SELECT player, stage FROM forgotten"))

    def reached(self, stage: "Stage", players: Iterable[str]) -> None:
        """Notes how far the forgetting of players is."""
        with self._open() as db:
            db.executemany("UPDATE forgotten SET stage = ? WHERE player = ?", [(stage, player) for player in players])

    def remove(self) -> None:
        """Deletes the file."""
        for suffix in ("", "-wal", "-shm", "-journal"):
            self.path.with_name(FILE + suffix).unlink(missing_ok=True)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        is_new = not self.path.exists()
        db = sqlite3.connect(self.path, timeout=BUSY_SECONDS)
        try:
            # What a power cut loses is sent again.
            db.execute("PRAGMA synchronous = OFF")
            db.executescript(_TABLES)
            if is_new:
                give_to_owner(self.path, self.path.parent)
            with db:
                yield db
        finally:
            db.close()
