"""The journal's log is grown, and copied into the database, while nobody throws and not in the commit of a dart."""

import asyncio
import contextlib
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from daemon.record import journal as journal_module
from daemon.record.journal import Entry, Journal
from daemon.record.journal_file import GROWN_BYTES
from daemon.record.reader import BoardRow, MatchRow
from tests.rig import until

MATCH = MatchRow("m1", "lounge", "{}", "{}", "2026-11-21T20:00:00+00:00")
DARTS = 300
"""Their pages are more than those after which SQLite copies its log by itself, and their rows more than
`LOGGED_ROWS`."""


async def _throw(journal: Journal, first: int = 1, last: int = DARTS) -> None:
    for n in range(first, last + 1):
        row = BoardRow("lounge", n, n, "m1")
        await journal.write(Entry(row, MATCH, ((n, '{"throw":"T20"}'),), hit='{"segment":"T20"}'))


def test_no_dart_waits_until_the_log_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "IDLE_SECONDS", 1000.0)
    with contextlib.closing(Journal(tmp_path)) as journal:
        before = journal.path.stat().st_size
        asyncio.run(_throw(journal))
        assert len(journal.actions("m1")) == DARTS
        assert journal.path.stat().st_size == before


def test_the_log_is_copied_while_nobody_throws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "IDLE_SECONDS", 0.0)
    with contextlib.closing(Journal(tmp_path)) as journal:
        before = journal.path.stat().st_size
        asyncio.run(_throw(journal))
        until(lambda: journal.path.stat().st_size > before, "the darts in the database")


def test_darts_overwrite_a_log_that_was_grown_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "oche.db-wal"
    monkeypatch.setattr(journal_module, "IDLE_SECONDS", 0.0)
    with contextlib.closing(Journal(tmp_path)) as journal:
        asyncio.run(_throw(journal, 1, 5))
        until(lambda: log.stat().st_size >= GROWN_BYTES, "a log that is grown")
        grown = log.stat().st_size
        asyncio.run(_throw(journal, 6, 50))
        assert log.stat().st_size == grown
        assert len(journal.actions("m1")) == 50
    with contextlib.closing(Journal(tmp_path)) as journal:
        assert len(journal.actions("m1")) == 50
        assert journal.found == []


def test_darts_are_written_where_there_is_no_room_to_grow_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, limits = tmp_path / "oche.db-wal", resource.getrlimit(resource.RLIMIT_FSIZE)
    monkeypatch.setattr(journal_module, "IDLE_SECONDS", 0.0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (GROWN_BYTES // 4, limits[1]))
    try:
        with contextlib.closing(Journal(tmp_path)) as journal:
            until(lambda: log.stat().st_size > GROWN_BYTES // 8, "an attempt to grow the log")
            asyncio.run(_throw(journal, 1, 5))
            assert len(journal.actions("m1")) == 5
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_nothing_of_a_log_that_is_grown_is_read_after_a_kill(tmp_path: Path) -> None:
    """The process ends while the log is grown, without a rollback."""
    with contextlib.closing(Journal(tmp_path)) as journal:
        asyncio.run(_throw(journal, 1, 5))
    script = (
        "import os, sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "db.execute('PRAGMA journal_mode=WAL'); db.execute('PRAGMA cache_size=10'); db.execute('BEGIN'); "
        f"db.execute(\"INSERT INTO journal VALUES ('', 0, zeroblob({GROWN_BYTES}))\"); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "oche.db")], check=True)
    assert (tmp_path / "oche.db-wal").stat().st_size > GROWN_BYTES // 2
    with contextlib.closing(Journal(tmp_path)) as journal:
        assert len(journal.actions("m1")) == 5
        assert journal.found == []
