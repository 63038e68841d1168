"""One transaction after another in the journal's database, and the care for its log. One thread at a time calls it."""

import contextlib
import logging
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from daemon.record.changes import Change, Forgotten
from daemon.record.journal_file import JournalError, grow_log
from daemon.record.row_writer import RowWriter
from daemon.record.written_mark import WrittenMark
from daemon.system.disk_errors import disk_trouble

log = logging.getLogger(__name__)

LOGGED_ROWS: Final = 400
"""How many changed rows the log has before it is copied: those of about 80 darts."""
AGAIN_SECONDS: Final = 0.01
"""Pause between two attempts to begin a transaction while another program writes."""


class Busy(JournalError):
    """Another program writes to the database. Nothing was written."""


class Committer:
    """Commits changes to `db`. `rows` and `mark` are those of the database at `path`."""

    def __init__(self, db: sqlite3.Connection, rows: RowWriter, mark: WrittenMark, path: Path) -> None:
        self._db, self._rows, self._mark, self._path = db, rows, mark, path
        # SQLite would wait inside of a commit on the event loop, and for readers of the log.
        self._db.execute("PRAGMA busy_timeout = 0")
        self._rolled_back = False
        """Whether the last transaction was rolled back, so that `_rows` is ahead of the database."""
        self._log_tells = False
        """Whether the log still contains the name of a forgotten player."""
        self._copied = 0
        """`total_changes` of the connection when the log was last copied into the database."""
        self._log_is_grown = False
        """Whether commits overwrite the log instead of growing it, or there is no room for that."""

    def commit(self, changes: Iterable[Change], *, wait_seconds: float) -> None:
        """Writes the changes, all or none of them, and returns when they are on the disk. JournalError if they are not:
        `Busy` if another program writes for longer than `wait_seconds`.
        """
        changes = tuple(changes)
        self._begin(wait_seconds)
        try:
            if self._rolled_back:
                self._rows.load()
                self._rolled_back = False
            for change in changes:
                self._rows.write(change)
            self._db.execute("COMMIT")
        except Exception as error:
            # Other writers must go on, even after a fault of this program.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._rolled_back = True
            # ValueError and OverflowError: a text or number that SQLite cannot store.
            if isinstance(error, sqlite3.Error | ValueError | OverflowError):
                raise JournalError(disk_trouble(error, self._path)) from error
            raise
        else:
            # Before anybody is told: a change that was confirmed and is missing later counts as lost.
            with contextlib.suppress(sqlite3.Error):
                self._mark.write(self._rows.extent())
            self._log_tells |= any(isinstance(change, Forgotten) for change in changes)
        finally:
            if self._log_tells:
                # The changes are committed either way: nobody who waits for them waits for a reader.
                self._log_tells = not self._copy_log("TRUNCATE")
                self._log_is_grown = False

    @property
    def log_wants_care(self) -> bool:
        """Whether `care_for_log` has something to do."""
        return not self._log_is_grown or self._db.total_changes - self._copied >= LOGGED_ROWS

    def care_for_log(self) -> None:
        """Copies the log into the database or makes it longer, while nothing must be written."""
        if self._db.total_changes - self._copied >= LOGGED_ROWS:
            # Not in the commit that makes the log too long, as SQLite does: that dart would wait for all pages.
            self._copy_log("PASSIVE")
            self._copied = self._db.total_changes
        else:
            self._log_is_grown = True
            try:
                grow_log(self._db, self._path)
            except (sqlite3.Error, OSError) as error:
                log.info("the journal's log could not be made longer: %s", error)

    def close(self) -> None:
        """Closes the database and the mark."""
        self._db.close()
        self._mark.close()

    def _begin(self, wait_seconds: float) -> None:
        until = time.monotonic() + wait_seconds
        while True:
            try:
                self._db.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                trouble = disk_trouble(error, self._path)
                if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY:
                    raise JournalError(trouble) from error
                if time.monotonic() >= until:
                    raise Busy(trouble) from error
                time.sleep(AGAIN_SECONDS)
            else:
                return

    def _copy_log(self, mode: str) -> bool:
        """Copies the log into the database. False if not all of it could be copied: another program reads it, or the
        disk is full."""
        try:
            busy, *_ = self._db.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
        except sqlite3.Error as error:
            log.info("the journal's log could not be copied into the database: %s", error)
            return False
        return not busy
