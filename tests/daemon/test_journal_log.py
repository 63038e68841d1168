"""When the journal's log is copied into the database: while nobody throws, and not in the commit of a dart."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from daemon.record import journal as journal_module
from daemon.record.journal import Entry, Journal
from daemon.record.reader import BoardRow, MatchRow
from tests.rig import until

MATCH = MatchRow("m1", "lounge", "{}", "{}", "2026-11-21T20:00:00+00:00")
DARTS = 300
"""Their pages are more than those after which SQLite copies its log by itself, and their rows more than
`LOGGED_ROWS`."""


async def _throw(journal: Journal) -> None:
    for n in range(1, DARTS + 1):
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
