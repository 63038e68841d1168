"""Which journals are opened: those of this and earlier schemas, by one daemon, in a directory that can be used."""

import asyncio
import contextlib
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.record.journal import Entry, Journal
from daemon.record.journal_file import JournalError
from tests.daemon.test_journal import RECORDS


def test_a_second_daemon_is_refused(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match="Another oche"):
        Journal(tmp_path)
    journal.close()
    Journal(tmp_path).close()


def test_a_newer_journal_is_not_touched(tmp_path: Path) -> None:
    Journal(tmp_path).close()
    with sqlite3.connect(tmp_path / "oche.db") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(JournalError, match="newer oche"):
        Journal(tmp_path)


def test_a_journal_of_the_first_schema_goes_on(tmp_path: Path) -> None:
    shutil.copy(RECORDS / "schema-1" / "oche.db", tmp_path)
    journal = Journal(tmp_path)
    before = journal.board("lounge")
    row = replace(before, seq=before.seq + 1, mark="00-1-2")
    asyncio.run(journal.write(Entry(row, hit="{}")))
    journal.close()
    again = Journal(tmp_path)
    assert again.board("lounge") == row
    assert again.found == []
    again.close()


def test_a_directory_that_cannot_be_used_is_an_error_with_advice(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError, match="--data"):
        Journal(tmp_path / "file")


@pytest.mark.parametrize(
    "made",
    [
        "PRAGMA user_version = 2",
        "PRAGMA user_version = 1",
        "PRAGMA user_version = -1",
        "CREATE TABLE board (x)",
        "DROP TABLE hit",
        "ALTER TABLE match DROP COLUMN bots",
        "CREATE TRIGGER more AFTER INSERT ON action BEGIN DELETE FROM action; END",
    ],
)
def test_a_foreign_database_is_refused_at_the_start(tmp_path: Path, made: str) -> None:
    """Not in the middle of a match."""
    if made.split()[0] in ("DROP", "ALTER") or "TRIGGER" in made:
        Journal(tmp_path).close()
    with contextlib.closing(sqlite3.connect(tmp_path / "oche.db")) as db:
        db.execute(made)
        db.commit()
    # The variable keeps the traceback, and with it whatever was left to the garbage collector to close.
    with pytest.raises(JournalError, match=r"oche\.db") as _refused:
        Journal(tmp_path)
    assert not [file for file in open_files() if file.startswith(str(tmp_path))]
    # The directory is unlocked again.
    (tmp_path / "oche.db").unlink()
    Journal(tmp_path).close()


def open_files() -> list[str]:
    """Returns the paths of the files that this process has open."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        # The folder itself was open while it was read.
        with contextlib.suppress(FileNotFoundError):
            found.append(str(link.readlink()))
    return found
