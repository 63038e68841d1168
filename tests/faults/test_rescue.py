"""Promise 8: a journal that SQLite cannot read is kept aside, and a new one has what is whole in it."""

import asyncio
import contextlib
import shutil
import sqlite3
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.record.journal import BoardRow, Entry, Journal, MatchRow
from daemon.record.journal_file import JournalError
from daemon.record.reader import History
from daemon.record.salvage import salvage
from daemon.record.written_mark import NAME as MARK
from tests.faults.damage import flip, kept_aside, said
from tests.rig import OCHE, free_port


@pytest.mark.parametrize("at", [0, 17, 18, 47, 60, 61, 62, 100, 4096, 3 * 4096, "CREATE TABLE match", "mark TEXT"])
def test_a_start_survives_damage_to_the_structure(folder: Path, at: int | str) -> None:
    """Magic number, page size, versions of the format, number of the schema, kinds of pages, the text of the schema."""
    if isinstance(at, str):
        # It is no longer UTF-8.
        at = (folder / "oche.db").read_bytes().index(at.encode()) + 2
    seq = History(folder).board("den").seq
    matches = {row.id for row, _ in History(folder).matches()}
    flip(folder, at)
    damaged = (folder / "oche.db").read_bytes()
    with contextlib.closing(Journal(folder)) as journal:
        aside = kept_aside(folder)
        assert str(aside) in journal.found[0].message
        assert f"`oche salvage OUT --data {aside}`" in journal.found[0].message
        assert journal.board("den").seq == seq, "the next dart would get an id that was given"
        named = {damage.match for damage in (*journal.found, *journal.damage())}
        whole = {row.id for row, _ in journal.matches()} - named
        assert whole | named >= matches, "a match is neither kept nor named"
        board = journal.board("den")
        row, entry = MatchRow("next", "den", "{}", "{}", "2026-11-23T20:00:00+00:00"), board.revision + 1
        asyncio.run(journal.write(Entry(replace(board, revision=entry, match="next"), row, ((1, "{}"),))))
    assert (aside / "oche.db").read_bytes() == damaged
    again = said(folder)
    assert any(str(aside) in message for message in again), "the damage is forgotten"
    shutil.rmtree(aside)
    assert not any("damaged-" in message for message in said(folder))


@pytest.mark.parametrize("word", ["payload TEXT", "CREATE TABLE hit", "revision INTEGER"])
def test_salvage_reports_a_damaged_name_in_the_schema(folder: Path, word: str) -> None:
    """All rows can be read, but not by the names of their columns."""
    flip(folder, (folder / "oche.db").read_bytes().index(word.encode()) + len(word.split(" ")[0]) - 1, 0x02)
    saved = salvage(folder)
    assert saved.damaged
    assert [match.bad for match in saved.matches] == [None] * 7


def test_what_is_whole_is_in_the_new_journal(killed: Path) -> None:
    """One page of actions is lost; every match keeps its beginning, the boards, replies and hits stay."""
    before = History(killed)
    lines = {row.id: before.actions(row.id) for row, _ in before.matches()}
    boards = {name: before.board(name) for name in ("den", "lounge")}
    replies, hits = before.replies("den"), before.hits("den", 0)
    with contextlib.closing(sqlite3.connect(killed / "oche.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'command'").fetchone()[0]
    flip(killed, (root - 1) * 4096)
    with contextlib.closing(Journal(killed)) as journal:
        assert {row.id: journal.actions(row.id) for row, _ in journal.matches()} == lines
        for name, board in boards.items():
            kept = journal.board(name)
            assert (kept.seq, kept.match) == (board.seq, board.match)
            assert kept.revision >= board.revision
        assert journal.hits("den", 0) == hits
        assert list(journal.damage()) == []
    assert replies.keys() >= History(killed).replies("den").keys()


def test_damage_without_a_mark_gives_no_number_twice(folder: Path) -> None:
    seq = History(folder).board("den").seq
    (folder / MARK).unlink()
    (folder / "sent-den").write_bytes(b"%020d" % (seq + 2))
    flip(folder, 0)
    with contextlib.closing(Journal(folder)) as journal:
        assert journal.board("den").seq == seq + 2


def test_a_rescue_without_room_leaves_everything_in_place(folder: Path) -> None:
    flip(folder, 0)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "lock"}
    command = [OCHE, "run", "--data", str(folder), "--http", f"127.0.0.1:{free_port()}"]
    for _ in range(2):
        # No file may have more than 30,000 bytes: as a disk that fills up while the new journal is written.
        limited = ["prlimit", "--fsize=30000", *command, "--broker", f"embedded://127.0.0.1:{free_port()}"]
        ran = subprocess.run(limited, check=False, capture_output=True, text=True)
        assert ran.returncode == 1
        assert str(folder) in ran.stderr and "Traceback" not in ran.stderr
        assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "lock"} == before
    with contextlib.closing(Journal(folder)) as journal:
        assert journal.board("den").seq > 0
        assert (kept_aside(folder) / "oche.db").read_bytes() == before["oche.db"]


def test_a_match_of_an_earlier_version_stays_unchecked(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parents[1] / "records" / "schema-2" / "oche.db", tmp_path)
    Journal(tmp_path).close()
    with contextlib.closing(Journal(tmp_path)) as journal:
        row = MatchRow("new", "den", "{}", "{}", "2026-11-23T20:00:00+00:00")
        asyncio.run(journal.write(Entry(BoardRow("den", 90, 90, "new"), row, ((1, "{}"),))))
        before = {stored.row.id: stored.unchecked for stored in journal.all_stored()}
        lines = {match_id: journal.actions(match_id) for match_id in before}
    flip(tmp_path, 0)
    with contextlib.closing(Journal(tmp_path)) as journal:
        assert {stored.row.id: stored.unchecked for stored in journal.all_stored()} == before
        assert {match_id: journal.actions(match_id) for match_id in before} == lines
        assert list(journal.damage()) == []


@pytest.mark.parametrize("what", ["no database", "another database"])
def test_a_file_that_is_no_journal_is_refused_and_stays(tmp_path: Path, what: str) -> None:
    path = tmp_path / "oche.db"
    if what == "no database":
        path.write_bytes(b"a letter to somebody\n" * 1000)
    else:
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.executescript("CREATE TABLE board (name TEXT, height REAL); PRAGMA user_version = 3;")
    before = path.read_bytes()
    with pytest.raises(JournalError):
        Journal(tmp_path)
    assert path.read_bytes() == before or what == "another database"
    assert not list(tmp_path.glob("damaged-*"))


def test_a_newer_journal_is_refused_and_stays(folder: Path) -> None:
    flip(folder, 63, 0x04)
    with pytest.raises(JournalError, match="newer oche"):
        Journal(folder)
    assert not list(folder.glob("damaged-*"))


def test_a_damaged_index_is_rebuilt(folder: Path) -> None:
    """No row is damaged, but rows cannot be found by it."""
    with contextlib.closing(sqlite3.connect(folder / "oche.db")) as db:
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_match_1'").fetchone()[0]
    content = bytearray((folder / "oche.db").read_bytes())
    page = content[(root - 1) * 4096 : root * 4096]
    at = page.index(b"20261120-den")
    content[(root - 1) * 4096 + at + 11] ^= 1
    (folder / "oche.db").write_bytes(content)
    assert said(folder) == ["An index of the journal was damaged and has been rebuilt."]
    assert said(folder) == []
