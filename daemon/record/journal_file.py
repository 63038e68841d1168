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
from daemon.record.structure import structure_fault
from daemon.system.secure_files import give_to_owner, sync

SCHEMA: Final = 3
"""Version of the tables, stored in `user_version`. `_MIGRATIONS` brings older files here."""

LOCK: Final = "lock"
"""The file of a data directory that the process which writes there has locked."""

IMPOSSIBLE_SCHEMA: Final = 9999
"""A higher number is damage, not a newer version."""

BUSY_SECONDS = 5.0
"""How long a write waits for another program that writes. No command of ours does."""

LOG_PAGES: Final = 2000
"""After how many pages a commit itself copies the log into the database; usually the journal's thread has done so
before, while nobody threw."""
GROWN_BYTES: Final = 2 * 1024 * 1024
"""Bytes of the log that `grow_log` makes room for: about 90 darts."""

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


class Unreadable(JournalError):
    """The file is damaged; `why` is the reason without advice.

    `is_database` is true if SQLite can read all of it, but the tables are not ours.
    """

    def __init__(self, message: str, why: str, *, is_database: bool = False) -> None:
        super().__init__(message)
        self.why, self.is_database = why, is_database


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
    handle = (folder / LOCK).open("a")
    give_to_owner(folder / LOCK, folder)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.close()
        raise InUse(f"Another oche is using {folder}. Stop it, or name another directory with --data.") from error
    os.set_inheritable(handle.fileno(), False)
    return handle


def open_journal(path: Path, found: list[Damage], *, whole: bool = True) -> sqlite3.Connection:
    """The journal at `path`, created if missing and migrated to `SCHEMA`. JournalError if it is not a valid journal.

    Damage that could be repaired is added to `found`. `whole` is false for a journal that is checked later.
    """
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _check_and_migrate(db, path, found, whole=whole)
    except BaseException:
        # A connection that is closed later would delete the log of the file that is here then.
        db.close()
        raise
    return db


def _check_and_migrate(db: sqlite3.Connection, path: Path, found: list[Damage], *, whole: bool) -> None:
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
    # Deleted rows are overwritten: the file must not keep the name of a forgotten player.
    db.execute("PRAGMA secure_delete=ON")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if (fault := _integrity_fault(db, found, whole=whole)) is not None:
        raise Unreadable(unreadable(path, fault), fault)
    if not 0 <= version <= IMPOSSIBLE_SCHEMA:
        why = f"its schema is {version}"
        raise Unreadable(unreadable(path, why), why)
    if version > SCHEMA:
        raise JournalError(f"{path} was written by a newer oche (schema {version}). Update this one.")
    steps = _TABLES if version == 0 else " ".join(_MIGRATIONS.get(older, "") for older in range(version, SCHEMA))
    if version != SCHEMA:
        try:
            db.executescript(f"BEGIN; {steps} PRAGMA user_version = {SCHEMA}; COMMIT;")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            # The tables are not those of this schema: its number is damaged.
            raise Unreadable(unreadable(path, str(error)), str(error), is_database=True) from error
    _check_schema(db, path)


def grow_log(db: sqlite3.Connection, path: Path) -> None:
    """Makes the log of the journal at `path` so long that commits overwrite it instead of growing it.

    The flush of a file that has grown takes twice as long on ext4, which then also writes where its blocks are. A
    transaction that does not fit in the cache makes the log longer even if it is rolled back. sqlite3.Error or OSError
    if there is no room.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size >= GROWN_BYTES:
        return
    pages = db.execute("PRAGMA cache_size").fetchone()[0]
    db.execute("PRAGMA cache_size = 10")
    try:
        db.execute("BEGIN IMMEDIATE")
        try:
            db.execute("INSERT INTO journal VALUES ('', 0, zeroblob(?))", (GROWN_BYTES,))
        finally:
            if db.in_transaction:  # Not after an error that ended it.
                db.execute("ROLLBACK")
    finally:
        db.execute(f"PRAGMA cache_size = {pages}")
    # Now, and not with the next dart.
    with log.open("rb") as grown:
        os.fsync(grown.fileno())


def _integrity_fault(db: sqlite3.Connection, found: list[Damage], *, whole: bool) -> str | None:
    """What SQLite finds wrong with the file, None if it is sound or could be repaired."""
    fault = structure_fault(db, whole=whole)
    if fault is not None and fault.only_indexes:
        try:
            db.execute("REINDEX")
        except sqlite3.IntegrityError as error:
            return str(error)
        fault = structure_fault(db, whole=whole)
        if fault is None:
            found.append(Damage("An index of the journal was damaged and has been rebuilt."))
    return None if fault is None else fault.what


def unreadable(path: Path, why: str) -> str:
    """What to do about a journal that is too damaged to be written to."""
    return (
        f"The journal {path} is damaged ({why}). `oche salvage OUT --data {path.parent}` writes what is whole to the "
        f"folder OUT; then move {path.name} away, or name another directory with --data."
    )


def _check_schema(db: sqlite3.Connection, path: Path) -> None:
    """Raises JournalError if the tables are not ours. Found at the start, not in the middle of a match."""
    missing = missing_columns(db)
    foreign = db.execute("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone()
    if not missing and foreign is None:
        return
    wrong = (
        f"{'.'.join(min(missing))} is missing" if missing else f"the {foreign[0]} {foreign[1]} does not belong to it"
    )
    message = f"{path} is not a valid journal ({wrong}). Move it away, or name another with --data."
    raise Unreadable(message, wrong, is_database=True) if missing else JournalError(message)


def missing_columns(db: sqlite3.Connection) -> set[tuple[str, str]]:
    """The tables and columns of the present schema that a database does not have."""
    found = set(db.execute(_COLUMNS))
    with contextlib.closing(sqlite3.connect(":memory:")) as new:
        new.executescript(_TABLES)
        return set(new.execute(_COLUMNS)) - found


DATABASE_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What a damaged file raises. The module decodes SQLite's messages, which quote the damaged schema."""


def damage_in(error: Exception, path: Path) -> Unreadable | None:
    """The damage of the file that an error shows, None if the cause is the disk, the rights or another program."""
    if not isinstance(error, DATABASE_ERRORS):
        return error if isinstance(error, Unreadable) else None
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Raised by the module itself: a text that is not UTF-8.
        known = isinstance(error, UnicodeDecodeError | sqlite3.OperationalError)
    else:
        known = code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    if not known and not _has_impossible_header(path):
        return None
    why = "its schema cannot be read" if isinstance(error, UnicodeDecodeError) else str(error)
    return Unreadable(unreadable(path, why), why)


def _has_impossible_header(path: Path) -> bool:
    """Whether the header has a version of the file format that does not exist (SQLite, "Database File Format", 1.3).

    SQLite calls such a file read-only, or its format unsupported.
    """
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError:
        return False
    versions, schema_format = header[18:20], int.from_bytes(header[44:48])
    return len(header) == 100 and (not set(versions) <= {1, 2} or schema_format > 4)
