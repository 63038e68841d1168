"""The journal: matches and their actions, each board's counters, and the commands that were carried out, in SQLite.

One thread owns the database. Callers queue their changes and wait; the thread puts all that is queued into one
transaction, so a hundred boards cost one flush of the disk. `synchronous=FULL` in WAL mode: what `write` wrote outlasts
a power cut.
"""

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
from pathlib import Path

from daemon.record.chain import Damage
from daemon.record.changes import BoardRow, Change, Entry, Forgotten, Imported, MatchRow
from daemon.record.journal_file import BUSY_SECONDS, JournalError, lock, make_folder, open_journal, unreadable
from daemon.record.reader import History, damage_of
from daemon.record.recovery import recover
from daemon.record.row_writer import REMEMBERED_COMMANDS, RowWriter
from daemon.record.written_mark import WrittenMark
from daemon.system.disk_errors import disk_trouble, is_disk_fault

__all__ = ["REMEMBERED_COMMANDS", "BoardRow", "Change", "Entry", "Forgotten", "Imported", "Journal", "MatchRow"]

log = logging.getLogger(__name__)

Job = tuple[tuple[Change, ...], asyncio.Future[None]]
"""Changes that are written together, and who waits for them."""


class Journal(History):
    """The open journal of a data directory. Creates the directory if it is missing, and locks it while open."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        try:
            make_folder(folder)
            self._lock = lock(folder)
        except OSError as error:
            what = disk_trouble(error, folder, "used")
            raise JournalError(f"{what} Or name another directory with --data.") from error
        self._mark = WrittenMark(folder)
        self.found: list[Damage] = []
        """The damage that is known."""
        try:
            self._db, self._rows = self._open_and_check(folder)
        except (sqlite3.Error, JournalError) as error:
            self._mark.close()
            self._lock.close()
            if isinstance(error, JournalError):
                raise
            if is_disk_fault(error, self.path):
                what = disk_trouble(error, self.path, "read")
                raise JournalError(f"{what} Or name another directory with --data.") from error
            raise JournalError(unreadable(self.path, str(error))) from error
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._rolled_back = False
        """Whether the last transaction was rolled back, so that `_rows` is ahead of the database."""
        self._log_tells = False
        """Whether the log still contains the name of a forgotten player."""
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def _open_and_check(self, folder: Path) -> tuple[sqlite3.Connection, RowWriter]:
        """Opens the database and compares it with the mark of what was written."""
        was_there = self.path.exists()
        db = open_journal(self.path, self.found)
        try:
            self.found += recover(db, self._mark.read(), folder, was_there=was_there)
            rows = RowWriter(db)
            self._mark.write(rows.extent())
            # Only the matches on the boards: the others are checked in the background.
            records = (self.record(row.match) for row in rows.boards.values() if row.match is not None)
            self.found += [damage for record in records if record is not None and (damage := damage_of(record))]
            self.found += self.damaged_rows()
        except BaseException:
            db.close()
            raise
        for damage in self.found:
            log.error("%s", damage.message)
        return db, rows

    async def write(self, *changes: Change) -> None:
        """Returns when the changes are on the disk. They are written all or not at all; JournalError if not."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put((changes, written))
        await written

    def close(self) -> None:
        """Writes what is queued and closes the database."""
        self._jobs.put(None)
        self._thread.join()
        self._db.close()
        self._mark.close()
        self._lock.close()

    def _run(self) -> None:
        while True:
            jobs = [self._jobs.get()]
            while not self._jobs.empty():
                jobs.append(self._jobs.get())
            if todo := [job for job in jobs if job is not None]:
                self._commit(todo)
            if None in jobs:
                return

    def _commit(self, jobs: list[Job]) -> None:
        failed: JournalError | None = None
        try:
            self._db.execute("BEGIN IMMEDIATE")
            if self._rolled_back:
                self._rows.load()
                self._rolled_back = False
            for changes, _ in jobs:
                for change in changes:
                    self._rows.write(change)
            self._db.execute("COMMIT")
        except (sqlite3.Error, ValueError, OverflowError) as error:
            # ValueError and OverflowError: a text or number that SQLite cannot store. Other writers must go on.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._rolled_back = True
            failed = JournalError(disk_trouble(error, self.path))
        else:
            # Before anybody is told: a change that was confirmed and is missing later counts as lost.
            with contextlib.suppress(sqlite3.Error):
                self._mark.write(self._rows.extent())
            self._log_tells |= any(isinstance(change, Forgotten) for changes, _ in jobs for change in changes)
        if self._log_tells:
            self._log_tells = not self._empty_log()
        for _, written in jobs:
            # The loop may be closed, and nobody waits any more.
            with contextlib.suppress(RuntimeError):
                written.get_loop().call_soon_threadsafe(_resolve, written, failed)

    def _empty_log(self) -> bool:
        """Empties the log of old pages. False while another program reads it or the disk is full.

        The changes themselves are committed either way: nobody who waits for them waits for a reader.
        """
        self._db.execute("PRAGMA busy_timeout = 0")
        try:
            busy, *_ = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            log.info("the journal's log could not be emptied: %s", error)
            return False
        finally:
            self._db.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")
        return not busy


def _resolve(written: asyncio.Future[None], failed: JournalError | None) -> None:
    if written.done():
        return  # Whoever waited was cancelled.
    if failed is None:
        written.set_result(None)
    else:
        written.set_exception(failed)
