"""The journal: matches and their actions, each board's counters, and the commands that were carried out, in SQLite.

What is written in one round of the event loop shares a transaction, so a hundred boards cost one flush of the disk. A
thread commits it, and copies the log while nobody throws. A write that is alone in its round is committed by the loop
itself, where the disk is quick (`quick_disk.py`). `synchronous=FULL` in WAL mode: what `write` wrote outlasts a power
cut.
"""

import asyncio
import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path

from daemon.record.chain import Damage
from daemon.record.changes import BoardRow, Change, Entry, Forgotten, Imported, MatchRow
from daemon.record.committer import Busy, Committer
from daemon.record.journal_file import (
    BUSY_SECONDS,
    DATABASE_ERRORS,
    JournalError,
    damage_in,
    lock,
    make_folder,
    open_journal,
    unreadable,
)
from daemon.record.quick_disk import QuickDisk
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
            self._committer = self._open_or_rescue(folder)
        except (*DATABASE_ERRORS, JournalError, OSError) as error:
            self._mark.close()
            self._lock.close()
            if isinstance(error, JournalError):
                raise
            if is_disk_fault(error, self.path):
                what = disk_trouble(error, self.path, "read")
                raise JournalError(f"{what} Or name another directory with --data.") from error
            raise JournalError(unreadable(self.path, str(error))) from error
        self._jobs: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        """What the thread is to commit; `None` ends it."""
        self._using = threading.Lock()
        """Held by whoever uses the database."""
        self._disk = QuickDisk()
        self._committed = 0.0
        """When the loop committed last, by `time.monotonic`."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._writes = 0
        """How many writes this round of the loop has had."""
        self._waiting: list[Job] = []
        """Those of them that share a commit at its end."""
        self._was_alone = True
        """Whether the last round with a write had one alone. Then the first of the next is committed at once."""
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def _open_or_rescue(self, folder: Path) -> Committer:
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

    def _open_and_check(self, folder: Path) -> Committer:
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
        return Committer(db, rows, self._mark, self.path)

    async def write(self, *changes: Change) -> None:
        """Returns when the changes are on the disk. They are written all or not at all; JournalError if not."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        begun = time.perf_counter()
        self._add(loop, (changes, written))
        await written
        self.times.add(time.perf_counter() - begun)
        self.on_written()

    def close(self) -> None:
        """Writes what is queued and closes the database."""
        self._jobs.put(self._waiting)
        self._jobs.put(None)
        self._thread.join()
        self._committer.close()
        self._lock.close()

    # ------------------------------------------------------------------ on the event loop

    def _add(self, loop: asyncio.AbstractEventLoop, job: Job) -> None:
        """Commits a job here if it is alone in its round of the loop, as far as one can tell; else the thread does."""
        if loop is not self._loop:
            if self._waiting:
                # The last loop ended in the middle of a round.
                self._jobs.put(self._waiting)
            self._loop, self._writes, self._waiting = loop, 0, []
        self._writes += 1
        if self._writes == 1:
            loop.call_soon(self._end_round)
        if self._writes == 1 and self._was_alone:
            self._commit(job)
        else:
            self._waiting.append(job)

    def _end_round(self) -> None:
        jobs, self._waiting = self._waiting, []
        self._was_alone, self._writes = self._writes == 1, 0
        if jobs:
            self._jobs.put(jobs)

    def _commit(self, job: Job) -> None:
        """Commits a job here, or leaves it to the thread where the loop would wait for long."""
        # An import or the end of a player's records can have thousands of rows.
        is_short = all(isinstance(change, Entry) for change in job[0])
        if not (self._disk.is_quick and is_short and self._jobs.empty() and self._using.acquire(blocking=False)):
            self._jobs.put([job])
            return
        try:
            wanted = self._committer.log_wants_care
            failed = self._try([job], 0)
            self._committed = time.monotonic()
            if self._committer.log_wants_care and not wanted:
                self._jobs.put([])  # The thread sleeps until it is told.
        finally:
            self._using.release()
        if isinstance(failed, Busy):
            self._jobs.put([job])
        else:
            _resolve([job[1]], failed)

    # ------------------------------------------------------------------ in the thread

    def _run(self) -> None:
        while True:
            found = [self._next()]
            while not self._jobs.empty():
                found.append(self._jobs.get())
            if jobs := [job for jobs in found if jobs is not None for job in jobs]:
                with self._using:
                    failed = self._try(jobs, BUSY_SECONDS)
                _tell(jobs, failed)
            if None in found:
                return

    def _next(self) -> list[Job] | None:
        """Waits for jobs. Cares for the log if none come for a while, so that no dart waits for that."""
        while True:
            try:
                return self._jobs.get(timeout=IDLE_SECONDS if self._committer.log_wants_care else None)
            except queue.Empty:
                with self._using:
                    if time.monotonic() - self._committed >= IDLE_SECONDS:
                        self._committer.care_for_log()

    # ------------------------------------------------------------------ by whoever holds the lock

    def _try(self, jobs: list[Job], wait_seconds: float) -> Exception | None:
        """Commits jobs; returns why it failed. Waits so long for another program that writes."""
        begun = time.perf_counter()
        try:
            self._committer.commit((change for changes, _ in jobs for change in changes), wait_seconds=wait_seconds)
        except Exception as error:
            # Whoever waits is told, and the thread goes on.
            return error
        finally:
            self._disk.took(time.perf_counter() - begun)
        return None


def _tell(jobs: list[Job], failed: Exception | None) -> None:
    """Wakes those who wait for jobs, from another thread."""
    waiting: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
    for _, written in jobs:
        waiting.setdefault(written.get_loop(), []).append(written)
    for loop, futures in waiting.items():
        # All at once: a wake-up for each would hand the interpreter back and forth, a hundred times for a hundred
        # boards. The loop may be closed, and nobody waits any more.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve, futures, failed)


def _resolve(futures: list[asyncio.Future[None]], failed: Exception | None) -> None:
    for written in futures:
        if written.done():
            continue  # Whoever waited was cancelled.
        if failed is None:
            written.set_result(None)
        else:
            written.set_exception(failed)
