"""What must last, in SQLite: matches and their actions, each board's counters, the commands that were done.

One thread owns the database. Writers hand it an entry and wait; it puts all
that wait into one transaction, so a hundred boards cost one flush of the disk.
`synchronous=FULL` in WAL mode: when `write` returns, a power cut keeps it.
"""

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from daemon.record.chain import Damage, row_sum
from daemon.record.journal_file import BUSY_SECONDS, JournalError, make, opened, taken, unreadable
from daemon.record.reader import BoardRow, History, MatchRow, damage_of
from daemon.record.recovery import recover
from daemon.record.sums import Sums
from daemon.record.written_mark import WrittenMark
from daemon.system.disk_errors import disk_trouble, is_disk_fault

log = logging.getLogger(__name__)

REMEMBERED_COMMANDS: Final = 1000
"""Command ids kept for each board."""

REMEMBERED_HITS: Final = 20
"""Hits kept for each board, more than ever wait to be sent."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one step changes, written all or not at all."""

    board: BoardRow
    match: MatchRow | None = None
    actions: tuple[tuple[int, str], ...] = ()
    snapshot: tuple[int, str] | None = None
    reply: tuple[str, str] | None = None
    ended: MatchRow | None = None
    """The match that `match` takes the place of."""
    hit: str | None = None
    """The hit numbered `board.seq`; the last few are kept, so that one that was under way can be sent again."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A match that was played elsewhere, whole."""

    match: MatchRow
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A match that nobody has in hand, as it is to be from now on: without somebody's name, or not at all."""

    id: str
    user: str
    """The name with which he was let in: the answers to his commands go too."""
    match: MatchRow | None
    lines: tuple[str, ...]


Written = Entry | Imported | Forgotten


@dataclass(frozen=True, slots=True)
class _Job:
    entries: tuple[Written, ...]
    done: Callable[[Exception | None], None]


class Journal(History):
    """The open journal of a data directory, which is made if it is missing and locked while it is open."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        try:
            make(folder)
            self._lock = taken(folder)
        except OSError as error:
            what = disk_trouble(error, folder, "used")
            raise JournalError(f"{what} Or name another directory with --data.") from error
        self._mark = WrittenMark(folder)
        try:
            self._db, self._sums, self.found = self._take_up(folder)
        except (sqlite3.Error, JournalError) as error:
            self._mark.close()
            self._lock.close()
            if isinstance(error, JournalError):
                raise
            if is_disk_fault(error, self.path):
                what = disk_trouble(error, self.path, "read")
                raise JournalError(f"{what} Or name another directory with --data.") from error
            raise JournalError(unreadable(self.path, str(error))) from error
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._undone = False
        """Whether the last transaction was undone, and `_sums` are not what is in the database."""
        self._telling = False
        """Whether the log still tells of somebody who was forgotten."""
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def _take_up(self, folder: Path) -> tuple[sqlite3.Connection, Sums, list[Damage]]:
        """Opens the database and compares it with what is known to have been written."""
        was_there = self.path.exists()
        damage: list[Damage] = []
        db = opened(self.path, damage)
        try:
            damage += recover(db, self._mark.read(), folder, was_there=was_there)
            sums = Sums(db)
            self._mark.write(sums.extent())
            damage += [found for row in sums.boards.values() if (found := self._live_damage(row)) is not None]
        except sqlite3.Error:
            db.close()
            raise
        for found in (damage := damage + self.damaged_rows()):
            log.error("%s", found.message)
        return db, sums, damage

    def _live_damage(self, board: BoardRow) -> Damage | None:
        record = None if board.match is None else self.record(board.match)
        return None if record is None else damage_of(record)

    async def write(self, entry: Entry) -> None:
        """Returns when the entry is on the disk. JournalError where it could not be put there."""
        await self.change(entry)

    async def change(self, *entries: Written) -> None:
        """The same for several that belong together: all of them are written, or none."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()

        def settle(error: Exception | None) -> None:
            if not written.done():
                written.set_result(None) if error is None else written.set_exception(error)

        self._jobs.put(_Job(entries, lambda error: _call(loop, settle, error)))
        await written

    def close(self) -> None:
        """Writes what waits and closes the database."""
        self._jobs.put(None)
        self._thread.join()
        self._db.close()
        self._mark.close()
        self._lock.close()

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            jobs = [job]
            while not self._jobs.empty():
                jobs.append(self._jobs.get())
            self._commit([job for job in jobs if job is not None])
            if None in jobs:
                return

    def _commit(self, jobs: list[_Job]) -> None:
        if not jobs:
            return
        failed: Exception | None = None
        try:
            self._db.execute("BEGIN IMMEDIATE")
            if self._undone:
                self._sums.load()
                self._undone = False
            for job in jobs:
                for entry in job.entries:
                    _store(self._db, self._sums, entry)
            self._db.execute("COMMIT")
        except (sqlite3.Error, ValueError, OverflowError) as error:
            # The latter two where SQLite has no such text or number: this thread goes on for the others.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._undone = True
            failed = JournalError(disk_trouble(error, self.path))
        else:
            # Before anybody is told: what was said to be written and is not there later, was lost.
            with contextlib.suppress(sqlite3.Error):
                self._mark.write(self._sums.extent())
            self._telling |= any(isinstance(entry, Forgotten) for job in jobs for entry in job.entries)
        if self._telling:
            self._telling = not self._empty_log()
        for job in jobs:
            job.done(failed)

    def _empty_log(self) -> bool:
        """Whether the log has nothing of the old pages now. It has while somebody reads, or the disk is full.

        What was written is written either way, and nobody who waits for that waits for a reader.
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


def _call(loop: asyncio.AbstractEventLoop, settle: Callable[[Exception | None], None], error: Exception | None) -> None:
    try:
        loop.call_soon_threadsafe(settle, error)
    except RuntimeError:
        # The loop is gone, and with it whoever waited.
        return


def _store(db: sqlite3.Connection, sums: Sums, entry: Written) -> None:
    sums.next_entry()
    match entry:
        case Entry():
            _store_step(db, sums, entry)
        case Imported():
            _store_match(sums, entry.match, entry.lines)
            sums.write_journal()
        case Forgotten():
            _remove(db, entry.id)
            sums.forget(entry.id)
            db.execute("DELETE FROM command WHERE id LIKE ? || ' %'", (entry.user,))
            # What is shown of it on a board that comes back is another state.
            for row in [row for row in sums.boards.values() if row.match == entry.id]:
                sums.write_board(replace(row, revision=row.revision + 1))
            if entry.match is not None:
                _store_match(sums, entry.match, entry.lines, datetime.now(UTC).isoformat())
            sums.write_journal()


def _store_match(sums: Sums, match: MatchRow, lines: tuple[str, ...], rewritten: str | None = None) -> None:
    sums.write_match(match, tuple(enumerate(lines, 1)), rewritten)


def _remove(db: sqlite3.Connection, match_id: str) -> None:
    db.execute("DELETE FROM match WHERE id = ?", (match_id,))
    for table in ("action", "snapshot", "loss"):
        db.execute(f"DELETE FROM {table} WHERE match = ?", (match_id,))  # noqa: S608


def _store_step(db: sqlite3.Connection, sums: Sums, entry: Entry) -> None:
    board = entry.board
    if entry.ended is not None:
        sums.write_match(entry.ended)
    if entry.match is not None:
        sums.write_match(entry.match, entry.actions)
    sums.write_board(board)
    if entry.hit is not None:
        hit = (board.name, board.seq, entry.hit)
        db.execute("INSERT INTO hit VALUES (?, ?, ?, ?)", (*hit, row_sum("hit", *hit)))
        db.execute("DELETE FROM hit WHERE board = ? AND seq <= ?", (board.name, board.seq - REMEMBERED_HITS))
    if entry.snapshot is not None:
        state = (board.match, *entry.snapshot)
        db.execute("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?)", (*state, row_sum("snapshot", *state)))
    if entry.reply is not None:
        reply = (board.name, *entry.reply)
        sum_of = row_sum("command", *reply)
        db.execute("INSERT INTO command (board, id, reply, sum) VALUES (?, ?, ?, ?)", (*reply, sum_of))
        db.execute(
            "DELETE FROM command WHERE board = ? AND n <= "
            "(SELECT n FROM command WHERE board = ? ORDER BY n DESC LIMIT 1 OFFSET ?)",
            (board.name, board.name, REMEMBERED_COMMANDS),
        )
