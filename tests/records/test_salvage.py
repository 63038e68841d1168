"""`oche salvage`: writes what is whole in a damaged journal, and reports the rest."""

import asyncio
import contextlib
import json
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.main import main
from daemon.record.btree_pages import rows_of
from daemon.record.journal import Entry, Imported, Journal
from daemon.record.reader import BoardRow, History, MatchRow
from daemon.record.salvage import salvage
from tests.records.test_records import RECORDS

HEADER: Final = '{"match":1,"rules":1,"game":"x01","players":["Ann","Bob"],"options":{"start":501}}'
PAGE: Final = 4096


def match(name: str) -> MatchRow:
    return MatchRow(name, "imported", HEADER, "{}", "2026-11-20T20:00:00+00:00", "2026-11-20", "stopped")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Ten matches on many pages, one with an action that needs overflow pages, and a board with a hit."""
    with contextlib.closing(Journal(tmp_path / "data")) as journal:
        for n in range(10):
            long = f'{{"throw":"S1","by":"{"x" * 20_000}"}}'
            lines = [long if (n, at) == (3, 100) else f'{{"throw":"S{at % 20 + 1}"}}' for at in range(200)]
            asyncio.run(journal.write(Imported(match(f"m{n}"), tuple(lines))))
        asyncio.run(journal.write(Entry(BoardRow("den", 7, 9), reply=('"a"', "{}"), hit='{"id":"den-7"}')))
    return tmp_path / "data"


def run(data: Path, out: Path) -> tuple[int, dict[str, Any]]:
    code = main(["salvage", str(out), "--data", str(data)])
    return code, json.loads((out / "report.json").read_text())


def lines_of(data: Path) -> dict[str, list[str]]:
    return {row.id: History(data).actions(row.id) for row, _ in History(data).matches()}


def test_all_of_a_whole_journal_comes_out(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, report = run(data, tmp_path / "out")
    assert (code, report["damaged"], report["problems"]) == (0, False, [])
    assert "10 of 10 matches are whole" in capsys.readouterr().out
    for match_id, lines in lines_of(data).items():
        assert (tmp_path / "out" / f"{match_id}.jsonl").read_text() == "\n".join([HEADER, *lines, ""])
    assert report["boards"] == [{"name": "den", "hits": 7, "revision": 9}]
    assert report["hits"] == [{"id": "den-7"}]
    assert report["replies"] == 1
    assert main(["replay", str(tmp_path / "out" / "m1.jsonl")]) == 1, "two players cannot throw 200 darts in one turn"


@pytest.mark.parametrize("how", ["header", "not a database", "first page", "no log"])
def test_what_sqlite_cannot_open_comes_out_from_its_pages(data: Path, tmp_path: Path, how: str) -> None:
    whole = lines_of(data)
    content = bytearray((data / "oche.db").read_bytes())
    if how == "header":
        content[:100] = bytes(100)
    elif how == "not a database":
        content[:16] = b"not a database\n\n"
    elif how == "first page":
        content[:PAGE] = b"\xa5" * PAGE
    (data / "oche.db").write_bytes(content)
    code, report = run(data, tmp_path / "out")
    assert code == (0 if how == "no log" else 1)
    assert {entry["id"]: entry["actions"] for entry in report["matches"]} == dict.fromkeys(whole, 200)
    assert not any("damaged" in entry for entry in report["matches"])
    assert (tmp_path / "out" / "m3.jsonl").read_text() == "\n".join([HEADER, *whole["m3"], ""])


def test_a_lost_page_affects_only_the_matches_on_it(data: Path, tmp_path: Path) -> None:
    whole = lines_of(data)
    content = bytearray((data / "oche.db").read_bytes())
    at = (
        content.index(b'm5\x32{"throw"') // PAGE * PAGE
        if b'm5\x32{"throw"' in content
        else content.index(b"m5") // PAGE * PAGE
    )
    content[at : at + PAGE] = b"\xa5" * PAGE
    (data / "oche.db").write_bytes(content)
    code, report = run(data, tmp_path / "out")
    assert code == 1
    damaged = {entry["id"]: entry for entry in report["matches"] if "damaged" in entry}
    assert 0 < len(damaged) < 10
    for entry in report["matches"]:
        written = (tmp_path / "out" / entry["file"]).read_text().splitlines()
        lines = written[1:] if entry["file"].endswith(f"{entry['id']}.jsonl") else written
        assert lines == whole[entry["id"]][: len(lines)]
        assert entry["id"] in damaged or lines == whole[entry["id"]]


def test_a_match_without_its_header_comes_out_as_actions(data: Path, tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(data / "oche.db")) as db:
        db.execute("DELETE FROM match WHERE id = 'm4'")
        db.commit()
    code, report = run(data, tmp_path / "out")
    [entry] = [entry for entry in report["matches"] if entry["id"] == "m4"]
    assert (code, entry["damaged"], entry["file"], entry["actions"]) == (1, True, "m4.actions.jsonl", 200)


def test_an_id_cannot_lead_out_of_the_folder(data: Path, tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(data / "oche.db")) as db:
        db.execute("UPDATE match SET id = '../m4' WHERE id = 'm4'")
        db.commit()
    code, report = run(data, tmp_path / "out")
    assert code == 1
    assert {path.name for path in tmp_path.iterdir()} == {"data", "out"}
    assert "../m4" in [entry["id"] for entry in report["matches"]]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
@pytest.mark.parametrize("header", ["whole", "gone"])
def test_journals_of_every_schema_come_out(record: Path, header: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    shutil.copy(record / "oche.db", tmp_path / "data")
    whole = lines_of(tmp_path / "data")
    if header == "gone":
        content = bytearray((tmp_path / "data" / "oche.db").read_bytes())
        content[:100] = bytes(100)
        (tmp_path / "data" / "oche.db").write_bytes(content)
    _, report = run(tmp_path / "data", tmp_path / "out")
    assert {entry["id"]: entry["actions"] for entry in report["matches"]} == {k: len(v) for k, v in whole.items()}
    for match_id, lines in whole.items():
        assert (tmp_path / "out" / f"{match_id}.jsonl").read_text().splitlines()[1:] == lines
    assert {board["name"] for board in report["boards"]} == {"den", "lounge"}


def test_an_existing_folder_is_not_overwritten(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["salvage", str(tmp_path), "--data", str(data)]) == 1
    assert "not an empty folder" in capsys.readouterr().err
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    assert run(data, tmp_path / "out")[0] == 0
    assert {path.name: path.read_bytes() for path in data.iterdir()} == before


def test_a_missing_data_directory_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["salvage", str(tmp_path / "out"), "--data", str(tmp_path / "nowhere")]) == 1
    assert "There is no data directory" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@settings(max_examples=60)
@given(st.binary(max_size=3 * 512), st.binary(max_size=600), st.sampled_from([b"\x0d", b"\x0a", b"\x02", b"\x05"]))
def test_no_bytes_raise(database: bytes, log: bytes, kind: bytes) -> None:
    size = (512).to_bytes(2, "big")
    rows_of(b"SQLite format 3\0" + size + database, b"\x37\x7f\x06\x82" + bytes(4) + b"\0\0" + size + log)
    rows_of(b"SQLite format 3\0" + size + bytes(82) + kind + database + kind * 512, b"")


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_damage_makes_salvage_raise_or_invent(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder, chance = tmp_path_factory.mktemp("salvage"), random.Random(seed)
    record = RECORDS[-1] / "oche.db"
    content = bytearray(record.read_bytes())
    for _ in range(chance.randint(1, 30)):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    (folder / "oche.db").write_bytes(content)
    shutil.copy(record, folder / "whole.db")
    with contextlib.closing(sqlite3.connect(folder / "whole.db")) as db:
        written: dict[str, list[str]] = {}
        for match_id, line in db.execute("SELECT match, line FROM action ORDER BY match, n"):
            written.setdefault(match_id, []).append(line)
    for saved in salvage(folder).matches:
        if saved.row is not None and saved.id in written:
            assert saved.lines == written[saved.id][: len(saved.lines)]
    shutil.rmtree(folder)


def test_a_first_action_that_is_damaged_does_not_come_out(data: Path, tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(data / "oche.db")) as db:
        db.execute("""UPDATE action SET line = '{"throw":"T20"}' WHERE match = 'm4' AND n = 1""")
        db.commit()
    code, report = run(data, tmp_path / "out")
    [entry] = [entry for entry in report["matches"] if entry["id"] == "m4"]
    assert (code, entry["file"], entry["actions"], entry["first_bad_action"]) == (1, "m4.jsonl", 0, 1)
