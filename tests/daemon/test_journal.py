"""The journal: changes are written all or not at all and outlast a restart."""

import asyncio
import contextlib
import json
import resource
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.record import journal as journal_module
from daemon.record.chain import row_checksum
from daemon.record.journal import REMEMBERED_COMMANDS, Entry, Forgotten, Imported, Journal
from daemon.record.journal_file import JournalError
from daemon.record.reader import BoardRow, History, MatchRow
from daemon.record.written_mark import Extent, mark_line, parse_mark
from tests.rig import LIMIT_SECONDS

RECORDS: Final = Path(__file__).parents[1] / "records"


MATCH = MatchRow("m1", "lounge", "{}", "{}", "2026-11-21T20:00:00+00:00")


@pytest.fixture(autouse=True)
def no_care_for_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of the log is only what the changes make of it, however slow this machine is."""
    monkeypatch.setattr(journal_module, "IDLE_SECONDS", 1000.0)


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "made" / "if-missing")
    entry = Entry(BoardRow("lounge", 3, 2, "m1"), MATCH, ((1, '{"throw":"T20"}'),), (1, "{}"), ('"a"', '{"ok":true}'))
    asyncio.run(journal.write(entry))
    journal.close()
    history = History(tmp_path / "made" / "if-missing")
    assert history.board("lounge") == entry.board
    assert history.match("m1") == MATCH
    assert history.actions("m1") == ['{"throw":"T20"}']
    assert history.snapshot("m1") == (1, "{}")
    assert history.replies("lounge") == {'"a"': '{"ok":true}'}
    assert history.matches() == [(MATCH, 1)]


def test_counters_never_go_back(tmp_path: Path) -> None:
    journal = Journal(tmp_path)

    async def out_of_order() -> None:
        await journal.write(Entry(BoardRow("lounge", 9, 5)))
        await journal.write(Entry(BoardRow("lounge", 8, 4)))

    asyncio.run(out_of_order())
    assert journal.board("lounge") == BoardRow("lounge", 9, 5)
    journal.close()


def test_an_entry_says_of_other_boards_what_they_show_and_not_what_they_have_read(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    others = (("kitchen", "m1"), ("attic", None))

    async def two_boards() -> None:
        await journal.write(Entry(BoardRow("kitchen", 7, 3, None, "mark-7"), hit="{}"))
        await journal.write(Entry(BoardRow("lounge", 2, 4, "m1"), MATCH, ((1, "{}"),), others=others))

    asyncio.run(two_boards())
    assert journal.board("kitchen") == BoardRow("kitchen", 7, 4, "m1", "mark-7")
    assert journal.board("attic") == BoardRow("attic", 0, 4)
    assert journal.board("lounge") == BoardRow("lounge", 2, 4, "m1")
    journal.close()
    again = Journal(tmp_path)
    assert again.found == []
    again.close()


def test_an_entry_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    same_twice = Entry(BoardRow("lounge", 1, 1, "m1"), MATCH, ((1, "{}"), (1, "{}")))
    with pytest.raises(JournalError, match="cannot be written"):
        asyncio.run(journal.write(same_twice))
    assert journal.board("lounge") == BoardRow("lounge")
    assert journal.matches() == []
    journal.close()


def test_a_match_that_an_undo_opens_again_is_whole(tmp_path: Path) -> None:
    over = replace(MATCH, ended="2026-03-01T20:01:00+00:00", result="finished", winners='["Ann"]')
    with contextlib.closing(Journal(tmp_path)) as journal:
        for n, row in enumerate((MATCH, over, MATCH), 1):
            asyncio.run(journal.write(Entry(BoardRow("lounge", 1, n, MATCH.id), row, ((n, "{}"),))))
    with contextlib.closing(Journal(tmp_path)) as journal:
        record = journal.record(MATCH.id)
        assert record is not None
        assert (record.bad, record.stored.row.ended, len(record.lines)) == (None, None, 3)
        assert journal.found == []


def test_many_boards_write_at_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path)

    async def all_at_once() -> None:
        entries = [Entry(BoardRow(f"b{n}", n, n)) for n in range(1, 101)]
        await asyncio.gather(*(journal.write(entry) for entry in entries))

    asyncio.run(all_at_once())
    assert [journal.board(f"b{n}").seq for n in range(1, 101)] == list(range(1, 101))
    journal.close()


def test_commands_are_forgotten_after_a_thousand(tmp_path: Path) -> None:
    journal = Journal(tmp_path)

    async def many() -> None:
        for n in range(REMEMBERED_COMMANDS + 5):
            await journal.write(Entry(BoardRow("lounge"), reply=(f'"{n}"', "{}")))
        await journal.write(Entry(BoardRow("other"), reply=('"0"', "{}")))

    asyncio.run(many())
    remembered = journal.replies("lounge")
    assert len(remembered) == REMEMBERED_COMMANDS
    assert next(iter(remembered)) == '"5"'
    assert list(journal.replies("other")) == ['"0"']
    journal.close()


def test_commands_of_houses_are_forgotten_when_the_next_match_begins(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    row = MatchRow("m1", "lounge", "{}", "{}", "2026-01-01T00:00:00+00:00")

    async def many() -> None:
        await journal.write(Entry(BoardRow("lounge"), reply=('"own"', "{}")))
        for n in range(REMEMBERED_COMMANDS + 5):
            await journal.write(Entry(BoardRow("lounge"), reply=(f'bob/lounge "{n}"', "{}")))

    asyncio.run(many())
    assert len(journal.replies("lounge")) == REMEMBERED_COMMANDS + 6
    assert len(journal.replies("lounge/")) == REMEMBERED_COMMANDS + 5
    start = Entry(BoardRow("lounge", match="m1"), row, reply=('bob/lounge "start"', "{}"))
    asyncio.run(journal.write(start))
    houses = list(journal.replies("lounge/"))
    assert len(houses) == REMEMBERED_COMMANDS
    assert (houses[0], houses[-1]) == ('bob/lounge "6"', 'bob/lounge "start"')
    assert '"own"' in journal.replies("lounge")
    journal.close()


def test_it_is_flushed_with_every_commit(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert journal._committer._db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal._committer._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    journal.close()


@contextlib.contextmanager
def _no_file_beyond(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_commit_is_not_refused_because_the_log_cannot_be_emptied(tmp_path: Path) -> None:
    """The disk is full for the file but not for its log: a refused dart would be written again for ever."""
    log = tmp_path / "oche.db-wal"
    nobody = Forgotten("gone", "nobody", None, ())
    with contextlib.closing(Journal(tmp_path)) as journal:
        asyncio.run(journal.write(nobody))
        with _no_file_beyond(journal.path.stat().st_size + 60_000):
            for n in range(20):
                match = MatchRow(f"m{n}", "lounge", "{}", "{}", "2026-11-21T20:00:00+00:00")
                asyncio.run(journal.write(Imported(match, ("x" * 10_000,)), nobody))
                assert journal.actions(f"m{n}")
                if log.stat().st_size > 0:
                    break
            assert log.stat().st_size > 0, "the disk was never full"
        asyncio.run(journal.write(Entry(BoardRow("lounge", 1, 1))))
        assert log.stat().st_size == 0


def test_a_reader_delays_no_dart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup reads while a player is forgotten; the log is emptied after the backup."""
    monkeypatch.setattr(journal_module, "BUSY_SECONDS", 1000.0)
    match = MatchRow("m1", "lounge", '"Zoe"', "{}", "2026-11-21T20:00:00+00:00")
    log = tmp_path / "oche.db-wal"

    async def both(journal: Journal) -> None:
        async with asyncio.timeout(LIMIT_SECONDS):
            await asyncio.gather(
                journal.write(Forgotten("m1", "zoe", None, ())), journal.write(Entry(BoardRow("lounge", 1, 1)))
            )

    with contextlib.closing(Journal(tmp_path)) as journal:
        asyncio.run(journal.write(Imported(match, ())))
        with contextlib.closing(sqlite3.connect(journal.path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM match").fetchall()
            asyncio.run(both(journal))
            assert b"Zoe" in log.read_bytes(), "the reader still sees it"
        asyncio.run(journal.write(Entry(BoardRow("lounge", 2, 2))))
        assert log.read_bytes() == b""
        assert b"Zoe" not in journal.path.read_bytes()


def test_a_value_that_the_database_cannot_store_does_not_stop_the_writer(tmp_path: Path) -> None:
    with contextlib.closing(Journal(tmp_path)) as journal:
        with pytest.raises(JournalError):
            asyncio.run(journal.write(Entry(BoardRow("lounge", 2**63, 1))))
        with pytest.raises(JournalError):
            asyncio.run(journal.write(Entry(BoardRow("lounge", 1, 1, mark="\ud83c"))))
        asyncio.run(journal.write(Entry(BoardRow("lounge", 1, 1))))
        assert journal.board("lounge").seq == 1


VALUES: Final = st.none() | st.integers() | st.text() | st.binary() | st.floats()


@given(st.lists(VALUES, max_size=13))
def test_checksums_are_those_of_earlier_versions(values: list[object]) -> None:
    """They were made by the library's JSON encoder, and the journals with them are read for ever."""
    text = json.JSONEncoder(default=repr).encode(["hit", *values])
    assert row_checksum("hit", *values) == blake2b(text.encode(), digest_size=8).digest()


@given(
    st.dictionaries(st.text(max_size=32), st.tuples(st.integers(0), st.integers(0), st.none() | st.text()), max_size=5)
)
def test_a_mark_is_read_as_it_was_written(rows: dict[str, tuple[int, int, str | None]]) -> None:
    boards = {name: BoardRow(name, seq, revision, match, match) for name, (seq, revision, match) in rows.items()}
    extent = Extent("ab12", 7, boards, {name: row.seq for name, row in boards.items()})
    line = mark_line(extent)
    assert parse_mark(line + b"the rest of a longer one") == extent
    assert parse_mark(line[:-1]) is None
