"""Who commits a write: the event loop itself where the disk is quick, otherwise the journal's thread."""

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.record import committer, quick_disk
from daemon.record import journal as journal_module
from daemon.record.changes import BoardRow, Change, Entry, Imported, MatchRow
from daemon.record.committer import Committer
from daemon.record.journal import Journal
from daemon.record.journal_file import JournalError
from daemon.record.quick_disk import FIRST, FOR_EACH_MS, QUICK_SECONDS, QuickDisk

MATCH: Final = MatchRow("m1", "lounge", "{}", "{}", "2026-11-21T20:00:00+00:00")
LOOP: Final = threading.main_thread().name

Commits = list[tuple[str, int]]
"""For each commit the name of its thread, and how many changes it had."""


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> Commits:
    """Which commits are made from now on. Nothing else is done with the log."""
    found: Commits = []
    commit = Committer.commit

    def counted(self: Committer, changes: Iterable[Change], **named: float) -> None:
        changes = tuple(changes)
        commit(self, changes, **named)
        found.append((threading.current_thread().name, len(changes)))

    monkeypatch.setattr(Committer, "commit", counted)
    monkeypatch.setattr(journal_module, "IDLE_SECONDS", 1000.0)
    return found


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with contextlib.closing(Journal(tmp_path)) as opened:
        yield opened


def dart(board: str, n: int) -> Entry:
    return Entry(BoardRow(board, n, n), hit=f'{{"id":"{board}-{n}"}}')


async def throw(journal: Journal, first: int, last: int) -> None:
    """Writes darts, each in a round of the event loop of its own."""
    for n in range(first, last + 1):
        await journal.write(dart("lounge", n))
        await asyncio.sleep(0)


def disk_takes(monkeypatch: pytest.MonkeyPatch, *, long: bool) -> None:
    """Has every commit count as slow, or as quick."""
    monkeypatch.setattr(quick_disk, "QUICK_SECONDS", -1.0 if long else 1000.0)


def test_the_loop_commits_itself_when_the_disk_was_quick_for_a_while(
    journal: Journal, commits: Commits, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk_takes(monkeypatch, long=False)

    asyncio.run(throw(journal, 1, FIRST + 10))
    assert commits == [("journal", 1)] * FIRST + [(LOOP, 1)] * 10
    assert journal.board("lounge").seq == FIRST + 10


def test_the_loop_waits_for_no_slow_disk(journal: Journal, commits: Commits, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_takes(monkeypatch, long=True)

    asyncio.run(throw(journal, 1, 2 * FIRST))
    assert {thread for thread, _ in commits} == {"journal"}


@pytest.mark.parametrize("is_quick", [False, True])
def test_the_boards_of_one_round_share_a_commit(
    journal: Journal, commits: Commits, monkeypatch: pytest.MonkeyPatch, *, is_quick: bool
) -> None:
    disk_takes(monkeypatch, long=not is_quick)
    boards = [f"b{n}" for n in range(100)]

    async def evening() -> None:
        await throw(journal, 1, FIRST + 1)
        commits.clear()
        # Nobody can know that the first one is not alone. From then on rounds are expected to have several.
        for n in (1, 2):
            await asyncio.gather(*(journal.write(dart(board, n)) for board in boards))

    asyncio.run(evening())
    assert sum(count for _, count in commits) == 200
    assert len(commits) <= 4
    assert all(journal.board(board).seq == 2 for board in boards)


def test_an_import_is_left_to_the_thread(journal: Journal, commits: Commits, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_takes(monkeypatch, long=False)

    async def evening() -> None:
        await throw(journal, 1, FIRST + 1)
        await journal.write(Imported(MATCH, ('{"throw":"T20"}',) * 100))

    asyncio.run(evening())
    assert commits[-2:] == [(LOOP, 1), ("journal", 1)]
    assert len(journal.actions("m1")) == 100


def test_the_loop_goes_on_while_another_program_writes(
    journal: Journal, commits: Commits, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk_takes(monkeypatch, long=False)
    monkeypatch.setattr(journal_module, "BUSY_SECONDS", 1000.0)

    async def evening() -> None:
        await throw(journal, 1, FIRST + 1)
        with contextlib.closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            waiting = asyncio.create_task(journal.write(dart("lounge", FIRST + 2)))
            # It is in the thread's hands, which waits: the loop has turns meanwhile.
            for _ in range(10):
                await asyncio.sleep(0.001)
            assert not waiting.done()
            other.execute("ROLLBACK")
        await waiting

    asyncio.run(evening())
    assert commits[-2:] == [(LOOP, 1), ("journal", 1)]


def test_a_database_that_stays_locked_is_named(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "BUSY_SECONDS", 0.02)
    monkeypatch.setattr(committer, "AGAIN_SECONDS", 0.001)

    with contextlib.closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match=str(journal.path)):
            asyncio.run(journal.write(dart("lounge", 1)))
    asyncio.run(journal.write(dart("lounge", 1)))
    assert journal.board("lounge").seq == 1


@pytest.mark.parametrize("is_quick", [False, True])
def test_a_change_that_cannot_be_stored_leaves_the_next_ones_alone(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, *, is_quick: bool
) -> None:
    disk_takes(monkeypatch, long=not is_quick)

    async def evening() -> None:
        await throw(journal, 1, FIRST + 1)
        with pytest.raises(JournalError):
            await journal.write(Entry(BoardRow("lounge", 2**70, 1)))
        await asyncio.sleep(0)
        with pytest.raises(TypeError):
            # A fault of this program.
            await journal.write(Entry(BoardRow("lounge", "two", 1)))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        await journal.write(dart("lounge", FIRST + 2))

    asyncio.run(evening())
    assert journal.board("lounge").seq == FIRST + 2


def test_a_loop_that_ended_within_a_round_delays_no_other(journal: Journal, commits: Commits) -> None:
    # The round of this loop ends in its next turn, which never comes.
    ended = asyncio.new_event_loop()
    for coroutine in (journal.write(dart("den", n)) for n in (1, 2)):
        task = ended.create_task(coroutine)
        ended.call_soon(ended.stop)
        ended.run_forever()
        task.cancel()
    ended._ready.clear()  # type: ignore[attr-defined]
    ended.close()
    asyncio.run(journal.write(dart("lounge", 1)))
    assert journal.board("lounge").seq == 1


@given(st.lists(st.floats(min_value=0, max_value=3), max_size=60), st.data())
def test_a_slow_commit_is_followed_by_as_many_in_the_thread_as_it_was_slow(
    before: list[float], data: st.DataObject
) -> None:
    disk = QuickDisk()
    for seconds in before:
        disk.took(seconds)
    slow = data.draw(st.floats(min_value=QUICK_SECONDS, max_value=2, exclude_min=True))
    disk.took(slow)
    least = max(FIRST, round(slow * 1000 * FOR_EACH_MS))
    for _ in range(least):
        assert not disk.is_quick
        disk.took(QUICK_SECONDS)
    # What was slower before may need more.
    most = max((round(seconds * 1000 * FOR_EACH_MS) for seconds in before), default=0)
    for _ in range(max(0, most - least)):
        disk.took(0.0)
    assert disk.is_quick


def test_the_database_waits_for_nobody_by_itself(journal: Journal) -> None:
    """SQLite would wait on the event loop."""
    assert journal._committer._db.execute("PRAGMA busy_timeout").fetchone() == (0,)
