"""The history as CSV: what programs read is what the pages show, and no cell is a formula."""

import contextlib
import csv
import io
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.history import tables
from daemon.history.archive import Archive
from daemon.history.tables import PLAYER_COLUMNS, history_columns, players_columns
from daemon.record.journal import Journal
from daemon.record.match_list import Filter
from daemon.system.catalogue import games
from daemon.web.pages import HEADERS
from engine.refusals import Refusal
from tests.daemon.past import LEG, Past
from tests.rig import Daemon, takes_connections, until

GUIDE: Final = (Path(__file__).parent.parent.parent / "docs" / "history.md").read_text()
EVIL: Final = "=cmd|' /C calc'!A0"


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_line_for_each_player_of_each_match(past: Past, archive: Archive) -> None:
    match = past.add("x01", ("Ann", "Bob"), f"{LEG} S1 . {LEG}", start=101, best_of=3)
    past.add("cricket", (EVIL, "Bob"), "T20 .")
    assert archive.is_counted() is None
    text = tables.text_of(
        [history_columns(games()), *tables.history_rows(archive.results(Filter(), None, 50), games())]
    )
    evil, _, ann, bob = rows_of(text)
    assert ann | {"ended": ""} == {
        "match": match, "started": "2026-03-01T20:00:00+00:00", "ended": "", "board": "lounge", "game": "x01",
        "options": '{"start":101,"best_of":3}', "result": "finished", "player": "Ann", "bot": "0", "team": "",
        "won": "1", "score": "0", "sets": "", "legs": "2", "average": "101.0", "first_nine": "101.0",
        "checkout_rate": "100.0", "best_visit": "101", "best_checkout": "101", "best_leg": "", "darts": "6", "mpr": "",
    }  # fmt: skip
    assert (bob["player"], bob["won"], bob["legs"]) == ("Bob", "0", "0")
    assert (evil["player"], evil["result"], evil["won"]) == (f"'{EVIL}", "stopped", "0")


def test_all_of_a_player(past: Past, archive: Archive) -> None:
    match = past.add("x01", ("Ann", EVIL), f"{LEG} S1 . {LEG}", start=101, best_of=3)
    past.add("bobs_27", ("Ann",), "MISS MISS MISS . " * 5)
    found = archive.player("Ann")
    assert found is not None and not isinstance(found, Refusal)
    text = tables.text_of([PLAYER_COLUMNS, *tables.player_rows(found, games())])
    lines = [tuple(row.values()) for row in csv.DictReader(io.StringIO(text, newline=""))]
    for line in (
        ("total", "", "", "matches", "2", "", ""),
        ("beds", "", "T20", "count", "2", "", ""),
        ("game", "x01", "", "average", "101.0", "", ""),
        ("game", "x01", "20", "doubles hit", "2", "", ""),
        ("game", "x01", "100", "tons", "2", "", ""),
        ("months", "", "2026-03", "average", "101.0", "", ""),
        ("opponents", "", f"'{EVIL}", "won", "1", "", ""),
        ("bests", "x01", "", "checkout", "101", match, "2026-03-01T20:00:00+00:00"),
        ("form", "x01", "", "average", "101.0", match, "2026-03-01T20:00:00+00:00"),
        ("game", "bobs_27", "1", "last_ten", "-3", "", ""),
    ):
        assert line in lines
    players = archive.players()
    assert isinstance(players, list)
    text = tables.text_of([players_columns(games()), *tables.players_rows(players, games())])
    ann = next(row for row in rows_of(text) if row["player"] == "Ann")
    assert (ann["matches"], ann["won"], ann["average"], ann["100"]) == ("2", "1", "101.0", "2")  # a drill is not won


@given(st.lists(st.text() | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none(), min_size=1))
def test_no_cell_is_a_formula_and_every_cell_comes_back(row: list[Any]) -> None:
    text = tables.text_of([row])
    [read] = csv.reader(io.StringIO(text, newline=""))
    for cell, value in zip(read, row, strict=True):
        if isinstance(value, str):
            assert cell.replace("'", "") == value.replace("'", "")
    for separator in (",", ";", "\t"):
        for cell in (cell for line in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for cell in line):
            assert not cell.startswith(("=", "+", "@")), (separator, cell)


def test_the_guide_names_every_column() -> None:
    for columns in (history_columns(games()), players_columns(games()), PLAYER_COLUMNS):
        assert f"`{','.join(columns)}`" in GUIDE.replace(", ", ",")


def test_the_files_over_http(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with contextlib.closing(Journal(data)) as journal:
        past = Past(journal)
        first = past.add("x01", ("Ann", "Jürgen"), LEG, start=101)
        past.add("x01", ("Ann", EVIL), LEG, start=101)
    with Daemon(tmp_path, "--board", "den=virtual@sim:?pace=0&seed=1") as daemon:
        until(lambda: takes_connections(daemon.http), "the pages' port")
        origin = f"http://127.0.0.1:{daemon.http}"

        def get(path: str) -> tuple[str, str]:
            with urllib.request.urlopen(f"{origin}{path}") as answer:
                assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
                assert HEADERS.items() <= dict(answer.headers).items()
                return answer.headers["Content-Disposition"], answer.read().decode()

        name, text = get("/history.csv")
        assert (name, text[0]) == ('attachment; filename="history.csv"', "\ufeff")
        assert len(rows_of(text[1:])) == 4
        _, text = get(f"/history.csv?player={quote('Jürgen')}")
        assert [row["match"] for row in rows_of(text[1:])] == [first, first]
        assert [row["player"] for row in rows_of(get("/players.csv")[1][1:])] == ["Ann", f"'{EVIL}", "Jürgen"]
        assert rows_of(get(f"/players/{quote('Jürgen')}.csv")[1][1:])
        for path, status in (
            ("/players/Zoe.csv", 404),
            ("/history.csv?from=then", 400),
            ("/history.json?limit=0", 400),
        ):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"{origin}{path}")
            refused.value.close()
            assert refused.value.code == status
