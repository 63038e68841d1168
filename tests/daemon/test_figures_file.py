"""The figures stored next to the journal equal those counted from the matches, whatever happens to the file."""

import asyncio
import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon.history import archive as archive_module
from daemon.history import check_all
from daemon.history.archive import Archive
from daemon.history.figures_file import FiguresFile
from daemon.history.figures_schema import NAME
from daemon.history.forgetting import without_player
from daemon.record.journal import Journal
from daemon.record.reader import History
from daemon.system.catalogue import faces, games
from engine.refusals import Refusal
from tests.daemon.random_matches import archive, bring_in


def counted_again(folder: Path) -> Any:
    """The same without what was kept."""
    for path in folder.glob(f"{NAME}*"):
        path.unlink()
    return archive(folder).players()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with contextlib.closing(Journal(tmp_path)) as journal:
        bring_in(journal, 6, 1)
        yield journal


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Another process writes to the file for as long as the block takes."""
    with contextlib.closing(sqlite3.connect(folder / NAME, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield


def test_an_answer_does_not_wait_for_a_process_that_counts(journal: Journal, tmp_path: Path) -> None:
    assert isinstance(archive(tmp_path).players(), list)
    bring_in(journal, 1, 2)
    (missing,) = FiguresFile(journal, games()).uncounted(journal.states())
    impatient = Archive(journal, games(), faces(), busy_timeout=0.0)
    with writing(tmp_path):
        refused = impatient.players()
        assert isinstance(refused, Refusal)
        assert refused.reason == "counting"
        results = {one["id"]: "results" in one for one in impatient.matches()}
        assert impatient.is_behind
        assert results.pop(missing) is False
        assert all(results.values())
    assert isinstance(impatient.players(), list)
    assert not impatient.is_behind


def test_what_another_process_has_counted_is_left_as_it_is(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counting a match again adds up all matches of its players: seconds for somebody with many."""
    archive(tmp_path).players()
    figures, summed = FiguresFile(journal, games()), list[str]()
    monkeypatch.setattr(FiguresFile, "_sum_up", lambda *given: summed.extend(given[-1]))
    states = journal.states()
    figures.add(states, archive(tmp_path).counted)
    assert summed == []
    # The other process can be quicker while this one counts.
    figures.add(states, lambda _: None)
    assert figures.uncounted(states) == {}
    assert len(figures.results(states)) == len(states)


def test_an_answer_does_not_wait_for_a_process_that_rates(journal: Journal, tmp_path: Path) -> None:
    whole = archive(tmp_path).players()
    assert isinstance(whole, list)
    with contextlib.closing(sqlite3.connect(tmp_path / NAME)) as db, db:
        db.execute("INSERT INTO unrated SELECT min(match) FROM ranking")
    impatient = Archive(journal, games(), faces(), busy_timeout=0.0)
    with writing(tmp_path):
        found = impatient.players()
        assert impatient.is_behind
        assert found == [{key: value for key, value in one.items() if key != "rating"} for one in whole]
        one = impatient.player(whole[0]["name"])
        assert isinstance(one, dict)
        assert one["matches"] == whole[0]["matches"]
    assert impatient.players() == whole


def test_what_is_kept_is_what_the_matches_came_to(journal: Journal, tmp_path: Path) -> None:
    first = archive(tmp_path).players()
    assert FiguresFile(journal, games()).uncounted(journal.states()) == {}
    assert archive(tmp_path).players() == first
    bring_in(journal, 2, 2)
    assert len(FiguresFile(journal, games()).uncounted(journal.states())) == 2
    both = archive(tmp_path).players()
    assert both != first
    assert both == counted_again(tmp_path)


def test_many_matches_are_counted_in_another_process(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(archive_module, "COUNTED_AT_ONCE", 20)
    refused = archive(tmp_path).players()
    assert isinstance(refused, Refusal)
    assert (refused.reason, "6 matches" in refused.message) == ("counting", True)
    check_all.main(tmp_path)
    assert capsys.readouterr().out == ""
    kept = archive(tmp_path).players()
    monkeypatch.undo()
    assert kept == counted_again(tmp_path)


def test_each_answer_counts_as_much_as_a_client_can_wait_for(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_module, "COUNTED_AT_ONCE", 20)  # fewer than the actions of two matches
    left = []
    for _ in range(6):
        refused = archive(tmp_path).players()
        left.append(len(FiguresFile(journal, games()).uncounted(journal.states())))
        assert isinstance(refused, Refusal) is (left[-1] > 0)
    assert left == [5, 4, 3, 2, 1, 0]
    for path in tmp_path.glob(f"{NAME}*"):
        path.unlink()
    behind = archive(tmp_path)
    assert sum("results" in one for one in behind.matches()) == 1
    assert behind.is_behind


def test_what_is_damaged_is_taken_out_again(
    journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = archive(tmp_path).players()
    damaged = journal.all_stored()[0].row.id
    with contextlib.closing(sqlite3.connect(journal.path)) as db:
        db.execute("UPDATE action SET line = '{}' WHERE match = ? AND n = 3", (damaged,))
        db.commit()
    check_all.main(tmp_path)
    assert f'"match": "{damaged}", "action": 3' in capsys.readouterr().out
    after = archive(tmp_path).players()
    assert after != before
    assert after == counted_again(tmp_path)


def test_a_forgotten_player_is_not_in_the_file(journal: Journal, tmp_path: Path) -> None:
    looked = archive(tmp_path)
    assert "Ann" in [player["name"] for player in _list(looked.players())]
    changes = without_player("Ann", journal, games(), faces())
    assert isinstance(changes, list)
    asyncio.run(journal.write(*changes))
    looked.tidy()
    kept = list(tmp_path.glob(f"{NAME}*"))
    assert kept
    assert not any(b"Ann" in path.read_bytes() for path in kept)
    after = looked.players()
    assert "Ann" not in [player["name"] for player in _list(after)]
    assert after == counted_again(tmp_path)


@pytest.mark.parametrize("how", ["rubbish", "empty", "cut", "a row", "another version", "a folder's worth of nothing"])
def test_a_damaged_file_is_counted_again(journal: Journal, tmp_path: Path, how: str) -> None:
    whole, file = archive(tmp_path).players(), tmp_path / NAME
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if how == "a row":
            db.execute("UPDATE sums SET value = replace(value, '\"matches\": ', '\"matches\": 1') WHERE name = 'Ann'")
        if how == "another version":
            db.execute("PRAGMA user_version = 99")
        db.commit()
    content = file.read_bytes()
    if how in ("rubbish", "empty", "cut"):
        file.write_bytes({"rubbish": b"rubbish" * 999, "empty": b"", "cut": content[: len(content) // 2]}[how])
    elif how == "a folder's worth of nothing":
        file.write_bytes(bytes(len(content)))
    assert archive(tmp_path).players() == whole


def test_nothing_is_made_where_only_is_looked(tmp_path: Path) -> None:
    Journal(tmp_path).close()
    assert archive(tmp_path).players() == []
    shutil.rmtree(tmp_path)


def _list(value: Any) -> list[dict[str, Any]]:
    assert isinstance(value, list)
    return value


def test_a_file_whose_schema_is_not_text_is_counted_again(tmp_path: Path) -> None:
    with contextlib.closing(Journal(tmp_path)) as journal:
        bring_in(journal, 3, 5)
    check_all.main(tmp_path)
    file = tmp_path / NAME
    content = bytearray(file.read_bytes())
    # SQLite quotes the schema in its message, which cannot be decoded then.
    content[content.index(b"CREATE TABLE") + 2] ^= 0x80
    file.write_bytes(content)
    figures = FiguresFile(History(tmp_path), games())
    assert figures.totals() is None
    assert len(figures.uncounted(History(tmp_path).states())) == 3
