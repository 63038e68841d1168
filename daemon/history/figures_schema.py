"""The tables of `figures.db`, and how the file is opened."""

import contextlib
import secrets
import sqlite3
from pathlib import Path
from typing import Final

from daemon.history import earned_table, rating_table

NAME: Final = "figures.db"
VERSION: Final = 8
"""Version of what is counted and how. A file of another version is removed, and everything is counted again."""
BUSY_SECONDS: Final = 10.0
"""How long a process waits for another one that writes to the file."""
_TABLES: Final = f"""
BEGIN;
CREATE TABLE counted (match TEXT PRIMARY KEY, state TEXT NOT NULL);
CREATE TABLE figures (
    match TEXT, name TEXT, value TEXT NOT NULL, sum BLOB NOT NULL, PRIMARY KEY (name, match)
) WITHOUT ROWID;
CREATE INDEX figures_of_match ON figures (match);
CREATE TABLE outcome (
    match TEXT PRIMARY KEY, started TEXT NOT NULL, game TEXT NOT NULL, whole INTEGER NOT NULL, value TEXT NOT NULL,
    sum BLOB NOT NULL
);
CREATE TABLE sums (
    name TEXT, month TEXT, value TEXT NOT NULL, sum BLOB NOT NULL, PRIMARY KEY (name, month)
) WITHOUT ROWID;
CREATE INDEX sums_of_month ON sums (month);
{rating_table.TABLES}
{earned_table.TABLES}
PRAGMA user_version = {VERSION};
PRAGMA application_id = {{}};
COMMIT;
"""


class InUse(sqlite3.OperationalError):
    """Another process writes to the file, and goes on for longer than this one waits."""


def open_figures(path: Path, busy_timeout: float = BUSY_SECONDS) -> sqlite3.Connection:
    """A connection to the file, which is made if it is missing.

    `busy_timeout` is how many seconds it waits while another process writes. Raises `sqlite3.DatabaseError` for a
    damaged file and for one of another version.
    """
    db = sqlite3.connect(path, timeout=busy_timeout, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        # Deleted rows are overwritten: the file must not keep the name of a forgotten player.
        db.execute("PRAGMA secure_delete=ON")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            with contextlib.suppress(sqlite3.OperationalError):  # Another process created the tables first.
                db.executescript(_TABLES.format(secrets.randbelow(2**31 - 1) + 1))
        elif version != VERSION:
            raise sqlite3.DatabaseError(f"its version is {version}")
    except BaseException:
        db.close()
        raise
    return db
