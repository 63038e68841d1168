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
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from daemon.record.chain import Damage
from daemon.record.changes import BoardRow, Change, Entry, Forgotten, Imported, MatchRow
from daemon.record.journal_file import (
    BUSY_SECONDS,
    DATABASE_ERRORS,
    JournalError,
    damage_in,
    grow_log,
    lock,
    make_folder,
    open_journal,
    unreadable,
)
from daemon.record.reader import History, damage_of
from daemon.record.recovery import recover
from daemon.record.rescue import kept_aside, rescue
from daemon.record.row_writer import REMEMBERED_COMMANDS, REMEMBERED_OF_HOUSES, RowWriter, is_of_house
from daemon.record.structure import is_checked_later
from daemon.record.write_times import WriteTimes
from daemon.record.written_mark import WrittenMark
from daemon.system.disk_errors import disk_trouble, is_disk_fault

__all__ = [
    "REMEMBERED_COMMANDS",
    "REMEMBERED_OF_HOUSES",
    "BoardRow",
    "Change",
    "Entry",
    "Forgotten",
    "Imported",
    "Journal",
    "MatchRow",
    "is_of_house",
]

log = logging.getLogger(__name__)

Job = tuple[tuple[Change, ...], asyncio.Future[None]]
"""Changes that are written together, and who waits for them."""

IDLE_SECONDS = 0.5
"""How long nothing must be written before the log is grown, or copied into the database."""
LOGGED_ROWS: Final = 400
"""How many changed rows the log has before it is copied: those of about 80 darts."""


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
        self.times = WriteTimes()
        self.on_written: Callable[[], None] = lambda: None
        """Called on the event loop after each commit."""
        self.found: list[Damage] = []
        """The damage that is known."""
        try:
            self._db, self._rows = self._open_or_rescue(folder)
        except (*DATABASE_ERRORS, JournalError, OSError) as error:
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
        self._copied = 0
        """`total_changes` of the connection when the log was last copied into the database."""
        self._log_is_grown = False
        """Whether commits overwrite the log instead of growing it, or there is no room for that."""
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def _open_or_rescue(self, folder: Path) -> tuple[sqlite3.Connection, RowWriter]:
        """Opens the database, or a new one with what is whole in it."""
        self.found += kept_aside(folder)
        try:
            return self._open_and_check(folder)
        except (*DATABASE_ERRORS, JournalError) as error:
            damage = damage_in(error, self.path)
            if damage is None:
                raise
            rescued = rescue(folder, damage.why, is_database=damage.is_database)
            if rescued is None:
                raise
            self.found = rescued
            return self._open_and_check(folder)

    def _open_and_check(self, folder: Path) -> tuple[sqlite3.Connection, RowWriter]:
        """Opens the database and compares it with the mark of what was written."""
        was_there = self.path.exists()
        self.structure_checked = not is_checked_later(self.path)
        """Whether the whole file was checked."""
        db = open_journal(self.path, self.found, whole=self.structure_checked)
        try:
            self.found += recover(db, self._mark.read(), folder, was_there=was_there)
            rows = RowWriter(db)
            self._mark.write(rows.extent())
            # Only the matches on the boards: the others are checked in the background.
            played = dict.fromkeys(row.match for row in rows.boards.values() if row.match is not None)
            records = (self.record(match_id) for match_id in played)
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
        begun = time.perf_counter()
        self._jobs.put((changes, written))
        await written
        self.times.add(time.perf_counter() - begun)
        self.on_written()

    def close(self) -> None:
        """Writes what is queued and closes the database."""
        self._jobs.put(None)
        self._thread.join()
        self._db.close()
        self._mark.close()
        self._lock.close()

    def _run(self) -> None:
        while True:
            jobs = [self._next_job()]
            while not self._jobs.empty():
                jobs.append(self._jobs.get())
            if todo := [job for job in jobs if job is not None]:
                self._commit(todo)
            if None in jobs:
                return

    def _next_job(self) -> Job | None:
        """Waits for a job. Cares for the log if none comes for a while, so that no dart waits for that."""
        while not self._log_is_grown or self._db.total_changes - self._copied >= LOGGED_ROWS:
            try:
                return self._jobs.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                self._care_for_log()
        return self._jobs.get()

    def _care_for_log(self) -> None:
        if self._db.total_changes - self._copied >= LOGGED_ROWS:
            # Not in the commit that makes the log too long, as SQLite does: that dart would wait for all pages.
            self._copy_log("PASSIVE")
            self._copied = self._db.total_changes
        else:
            self._log_is_grown = True
            try:
                grow_log(self._db, self.path)
            except (sqlite3.Error, OSError) as error:
                log.info("the journal's log could not be made longer: %s", error)

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
            self._log_is_grown = False
        waiting: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
        for _, written in jobs:
            waiting.setdefault(written.get_loop(), []).append(written)
        for loop, futures in waiting.items():
            # All at once: a wake-up for each would hand the interpreter back and forth, a hundred times for a hundred
            # boards. The loop may be closed, and nobody waits any more.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(_resolve, futures, failed)

    def _empty_log(self) -> bool:
        """Empties the log of old pages. False while another program reads it or the disk is full.

        The changes themselves are committed either way: nobody who waits for them waits for a reader.
        """
        self._db.execute("PRAGMA busy_timeout = 0")
        try:
            return self._copy_log("TRUNCATE")
        finally:
            self._db.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")

    def _copy_log(self, mode: str) -> bool:
        """Copies the log into the database. False if not all of it could be copied."""
        try:
            busy, *_ = self._db.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
        except sqlite3.Error as error:
            log.info("the journal's log could not be copied into the database: %s", error)
            return False
        return not busy


def _resolve(futures: list[asyncio.Future[None]], failed: JournalError | None) -> None:
    for written in futures:
        if written.done():
            continue  # Whoever waited was cancelled.
        if failed is None:
            written.set_result(None)
        else:
            written.set_exception(failed)
