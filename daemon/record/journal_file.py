"""Opens the journal's file: locks its directory, checks it, and brings it to the present schema.

`synchronous=FULL` in WAL mode: what was committed outlasts a power cut.
"""

import contextlib
import fcntl
import os
import sqlite3
from pathlib import Path
from typing import IO, Any, Final

from daemon.record.chain import Damage
from daemon.system.secure_files import give_to_owner, sync

SCHEMA: Final = 3
"""Version of the tables, stored in `user_version`. `_MIGRATIONS` brings older files here."""

BUSY_SECONDS = 5.0
"""How long a write waits for another program that writes. No command of ours does."""

_TABLES: Final = """
CREATE TABLE board (
    name TEXT PRIMARY KEY, seq INTEGER NOT NULL, revision INTEGER NOT NULL, match TEXT, mark TEXT,
    entry INTEGER NOT NULL DEFAULT 0, sum BLOB
);
CREATE TABLE match (
    id TEXT PRIMARY KEY, board TEXT NOT NULL, header TEXT NOT NULL, bots TEXT NOT NULL,
    started TEXT NOT NULL, ended TEXT, result TEXT, winners TEXT,
    actions INTEGER NOT NULL DEFAULT 0, unchecked INTEGER NOT NULL DEFAULT 0, head BLOB, rewritten TEXT, sum BLOB
);
CREATE TABLE action (
    match TEXT NOT NULL, n INTEGER NOT NULL, line TEXT NOT NULL, sum BLOB, PRIMARY KEY (match, n)
) WITHOUT ROWID;
CREATE TABLE hit (board TEXT NOT NULL, seq INTEGER NOT NULL, payload TEXT NOT NULL, sum BLOB, PRIMARY KEY (board, seq));
CREATE TABLE snapshot (match TEXT PRIMARY KEY, n INTEGER NOT NULL, state TEXT NOT NULL, sum BLOB);
CREATE TABLE command (n INTEGER PRIMARY KEY, board TEXT NOT NULL, id TEXT NOT NULL, reply TEXT NOT NULL, sum BLOB);
CREATE INDEX command_of_board ON command (board, n);
CREATE TABLE journal (id TEXT NOT NULL, entry INTEGER NOT NULL, sum BLOB);
CREATE TABLE loss (match TEXT PRIMARY KEY, action INTEGER NOT NULL, found TEXT NOT NULL, sum BLOB);
"""
"""`entry` numbers the changes; `sum` is the checksum of the row (`chain.py`), `head` that of a match's last action.
`loss` lists the matches that lost their end: the first action that is gone, and when that was found."""

_COLUMNS: Final = "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'"

_MIGRATIONS: Final = {
    1: "ALTER TABLE board ADD COLUMN mark TEXT;",
    2: """
ALTER TABLE board ADD COLUMN entry INTEGER NOT NULL DEFAULT 0;
ALTER TABLE board ADD COLUMN sum BLOB;
ALTER TABLE match ADD COLUMN actions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE match ADD COLUMN unchecked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE match ADD COLUMN head BLOB;
ALTER TABLE match ADD COLUMN rewritten TEXT;
ALTER TABLE match ADD COLUMN sum BLOB;
ALTER TABLE action ADD COLUMN sum BLOB;
ALTER TABLE hit ADD COLUMN sum BLOB;
ALTER TABLE snapshot ADD COLUMN sum BLOB;
ALTER TABLE command ADD COLUMN sum BLOB;
CREATE TABLE journal (id TEXT NOT NULL, entry INTEGER NOT NULL, sum BLOB);
CREATE TABLE loss (match TEXT PRIMARY KEY, action INTEGER NOT NULL, found TEXT NOT NULL, sum BLOB);
UPDATE match SET actions = (SELECT count(*) FROM action WHERE match = match.id);
UPDATE match SET unchecked = actions;
""",
}
"""From each schema to the next."""


class JournalError(Exception):
    """The journal cannot be opened or written; the text says why and what to do."""


class InUse(JournalError):
    """Another process has locked the data directory."""


def make_folder(folder: Path) -> None:
    """Creates a folder and its parents so that they outlast a power cut: each parent is flushed."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync(folder.parent)


def lock(folder: Path) -> IO[Any]:
    """Locks the data directory for this process until the returned file is closed. InUse if another has locked it."""
    handle = (folder / "lock").open("a")
    give_to_owner(folder / "lock", folder)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.close()
        raise InUse(f"Another oche is using {folder}. Stop it, or name another directory with --data.") from error
    os.set_inheritable(handle.fileno(), False)
    return handle


def open_journal(path: Path, found: list[Damage]) -> sqlite3.Connection:
    """The journal at `path`, created if missing and migrated to `SCHEMA`. JournalError if it is not a valid journal.

    Damage that could be repaired is added to `found`.
    """
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _check_and_migrate(db, path, found)
    except BaseException:
        db.close()
        raise
    return db


def _check_and_migrate(db: sqlite3.Connection, path: Path, found: list[Damage]) -> None:
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    # Deleted rows are overwritten: the file must not keep the name of a forgotten player.
    db.execute("PRAGMA secure_delete=ON")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    # The full check: the quick one does not compare indexes with their tables, and a match that is missing in an index
    # cannot be found by its id.
    if (fault := _integrity_fault(db, found)) is not None:
        raise JournalError(unreadable(path, fault))
    if version > SCHEMA:
        raise JournalError(f"{path} was written by a newer oche (schema {version}). Update this one.")
    if version < 0:
        raise JournalError(unreadable(path, f"its schema is {version}"))
    steps = _TABLES if version == 0 else " ".join(_MIGRATIONS.get(older, "") for older in range(version, SCHEMA))
    if version != SCHEMA:
        db.executescript(f"BEGIN; {steps} PRAGMA user_version = {SCHEMA}; COMMIT;")
    if (wrong := _schema_fault(db)) is not None:
        raise JournalError(f"{path} is not a valid journal ({wrong}). Move it away, or name another with --data.")


def _integrity_fault(db: sqlite3.Connection, found: list[Damage]) -> str | None:
    """What SQLite finds wrong with the file, None if it is sound or could be repaired."""
    check = "PRAGMA integrity_check(1)"
    fault = str(db.execute(check).fetchone()[0])
    if fault == "ok":
        return None
    if db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok":
        # Every page can be read, but an index differs from its table. The table has all of its content.
        try:
            db.execute("REINDEX")
        except sqlite3.IntegrityError as error:
            return str(error)
        fault = str(db.execute(check).fetchone()[0])
        if fault == "ok":
            found.append(Damage("An index of the journal was damaged and has been rebuilt."))
            return None
    return " ".join(fault.split())


def unreadable(path: Path, why: str) -> str:
    """What to do about a journal that is too damaged to be written to."""
    return (
        f"The journal {path} is damaged ({why}). `oche salvage OUT --data {path.parent}` writes what is whole to the "
        f"folder OUT; then move {path.name} away, or name another directory with --data."
    )


def _schema_fault(db: sqlite3.Connection) -> str | None:
    """Schema differences that make the file not one of ours. Found at the start, not in the middle of a match."""
    found = set(db.execute(_COLUMNS))
    with contextlib.closing(sqlite3.connect(":memory:")) as new:
        new.executescript(_TABLES)
        missing = set(new.execute(_COLUMNS)) - found
    foreign = db.execute("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone()
    if missing:
        return f"{'.'.join(min(missing))} is missing"
    return None if foreign is None else f"the {foreign[0]} {foreign[1]} does not belong to it"
