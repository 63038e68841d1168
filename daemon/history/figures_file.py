"""The figures of every match that is over, counted once, in a file beside the journal: `figures.db`.

Everything in it comes from the journal, and is counted again where the file is missing, damaged or of another version.
It is a file of its own so that no dart ever waits for what is written here.
"""

import contextlib
import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, Final

from daemon.history.statistics import CricketFigures, Figures, X01Figures, total
from daemon.record.chain import row_sum
from daemon.record.reader import History, MatchState

log = logging.getLogger(__name__)

NAME: Final = "figures.db"
VERSION: Final = 1
"""Of what is counted and how: another number here, and everything is counted again."""
BUSY_SECONDS: Final = 10.0
_TABLES: Final = f"""
BEGIN;
CREATE TABLE counted (match TEXT PRIMARY KEY, state TEXT NOT NULL);
CREATE TABLE figures (
    match TEXT, name TEXT, value TEXT NOT NULL, sum BLOB NOT NULL, PRIMARY KEY (name, match)
) WITHOUT ROWID;
CREATE INDEX figures_of_match ON figures (match);
CREATE TABLE total (name TEXT PRIMARY KEY, value TEXT NOT NULL, sum BLOB NOT NULL);
PRAGMA user_version = {VERSION};
COMMIT;
"""


class _BadRow(Exception):
    pass


class FiguresFile:
    """The figures of the matches in the journal of `history`. Several programs may use it at once."""

    def __init__(self, history: History) -> None:
        self.path = history.path.with_name(NAME)
        self._history = history

    def uncounted(self, states: Mapping[str, MatchState]) -> dict[str, MatchState]:
        """Matches that are over and that are not counted as they are now."""
        try:
            with contextlib.closing(self._open()) as db:
                counted = dict(db.execute("SELECT match, state FROM counted"))
        except sqlite3.DatabaseError as error:
            self._remove(error)
            counted = {}
        return {
            match_id: match for match_id, match in states.items() if match.over and counted.get(match_id) != match.state
        }

    def add(self, matches: Mapping[str, MatchState], count: Callable[[str], Mapping[str, Figures]]) -> None:
        """Keeps what matches came to, in place of what was kept of them before; `count` is called with each id, and
        returns nothing for one that is damaged."""
        try:
            # One connection for all: the last one that is closed flushes the file.
            with contextlib.closing(self._open()) as db:
                for match_id, match in matches.items():
                    figures = count(match_id)
                    db.execute("BEGIN IMMEDIATE")
                    now = self._history.states(match_id).get(match_id)
                    # Somebody in it may have been forgotten meanwhile.
                    if now is not None and now.state == match.state:
                        _add(db, match_id, match.state, figures)
                    db.execute("COMMIT")
        except (sqlite3.DatabaseError, _BadRow) as error:
            self._remove(error)

    def tidy(self) -> None:
        """Takes out what is in the journal no more, or as something else; nothing of it stays in the file."""
        if not self.path.exists():
            return
        states = {match_id: match.state for match_id, match in self._history.states().items()}
        try:
            with contextlib.closing(self._open()) as db:
                db.execute("BEGIN IMMEDIATE")
                rows = db.execute("SELECT match, state FROM counted").fetchall()
                gone = [match for match, state in rows if states.get(match) != state]
                _sum_up(db, _drop(db, gone))
                db.execute("COMMIT")
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except (sqlite3.DatabaseError, _BadRow) as error:
            self._remove(error)

    def totals(self) -> dict[str, Figures] | None:
        """Everyone's figures over the matches that are counted; None if the file is damaged: all is counted again."""
        query = "SELECT name, value, sum FROM total"
        try:
            with contextlib.closing(self._open()) as db:
                return {row[0]: _checked("total", row) for row in db.execute(query)}
        except (sqlite3.DatabaseError, _BadRow) as error:
            self._remove(error)
        return None

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
            # Somebody who is forgotten is not to be found in the file.
            db.execute("PRAGMA secure_delete=ON")
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                with contextlib.suppress(sqlite3.OperationalError):  # Another program was quicker.
                    db.executescript(_TABLES)
            elif version != VERSION:
                raise sqlite3.DatabaseError(f"it is of version {version}")
        except BaseException:
            db.close()
            raise
        return db

    def _remove(self, error: Exception) -> None:
        """What is damaged is counted again. A file that is only in use stays."""
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise error
        log.info("%s is counted again: %s", self.path, error)
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(NAME + suffix).unlink(missing_ok=True)


def _add(db: sqlite3.Connection, match_id: str, state: str, figures: Mapping[str, Figures]) -> None:
    before = _drop(db, [match_id])
    db.execute("INSERT INTO counted VALUES (?, ?)", (match_id, state))
    for name, value in figures.items():
        row = (match_id, name, dump(value))
        db.execute("INSERT INTO figures VALUES (?, ?, ?, ?)", (*row, row_sum("figures", *row)))
        if name not in before:
            found = db.execute("SELECT name, value, sum FROM total WHERE name = ?", (name,)).fetchone()
            _write_total(db, name, [value] if found is None else [_checked("total", found), value])
    _sum_up(db, before)


def _drop(db: sqlite3.Connection, matches: Iterable[str]) -> set[str]:
    """Takes matches out; the names of those whose totals are not right any more."""
    names: set[str] = set()
    for match in matches:
        names |= {name for (name,) in db.execute("SELECT name FROM figures WHERE match = ?", (match,))}
        db.execute("DELETE FROM figures WHERE match = ?", (match,))
        db.execute("DELETE FROM counted WHERE match = ?", (match,))
    return names


def _sum_up(db: sqlite3.Connection, names: Iterable[str]) -> None:
    """Adds up again all that there is of some players."""
    for name in names:
        rows = db.execute("SELECT match, name, value, sum FROM figures WHERE name = ?", (name,)).fetchall()
        db.execute("DELETE FROM total WHERE name = ?", (name,))
        if rows:
            _write_total(db, name, [_checked("figures", row) for row in rows])


def _write_total(db: sqlite3.Connection, name: str, parts: Iterable[Figures]) -> None:
    row = (name, dump(total(parts)))
    db.execute("INSERT OR REPLACE INTO total VALUES (?, ?, ?)", (*row, row_sum("total", *row)))


def _checked(table: str, row: tuple[Any, ...]) -> Figures:
    if row_sum(table, *row[:-1]) != row[-1]:
        raise _BadRow("a row is damaged")
    return load(row[-2])


def dump(figures: Figures) -> str:
    """The figures as JSON."""
    return json.dumps(asdict(figures))


def load(text: str) -> Figures:
    """The figures that were written as JSON."""
    value = json.loads(text)
    x01 = value.pop("x01")
    tons = {int(step): count for step, count in x01.pop("tons").items()}
    cricket = CricketFigures(**value.pop("cricket"))
    return Figures(**value, x01=X01Figures(**x01, tons=tons), cricket=cricket)
