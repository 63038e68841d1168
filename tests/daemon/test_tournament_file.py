"""The file of a tournament, cut or damaged anywhere, and its lists of entrants and results as CSV."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.tournament import tournament_file
from daemon.tournament.csv_text import entrants_from_csv, results_csv
from daemon.tournament.tournament_file import Loaded
from engine.refusals import Refusal
from league.record import Record
from tests.daemon.tournament_evening import SETUP


def written(folder: Path) -> tuple[Path, list[Record]]:
    """A file, and the record after each of its lines."""
    path = tournament_file.create(folder, "x")
    events: list[dict[str, Any]] = [SETUP, *({"enter": {"name": name}} for name in "ABCD"), {"draw": "x"}]
    events += [{"result": {"fixture": "R1-1", "score": [2, 0]}}, {"withdraw": "A"}, {"undo": True}]
    at, records = 0, []
    for number, event in enumerate(events):
        at = tournament_file.append(path, {"at": number, "event": event}, at)
        records.append(tournament_file.load(path).record)
    return path, records


def test_a_file_cut_anywhere_lacks_what_was_not_finished_alone(tmp_path: Path) -> None:
    path, records = written(tmp_path)
    content = path.read_bytes()
    for cut in range(len(content) + 1):
        path.write_bytes(content[:cut])
        loaded = tournament_file.load(path)
        assert loaded.damaged == ()
        assert loaded.lines == content[:cut].count(b"\n")
        assert loaded.record == (records[loaded.lines - 1] if loaded.lines else Record())
    # The next line takes the place of half a line.
    path.write_bytes(content + b"0badc0de {")
    end = tournament_file.load(path).whole_bytes
    tournament_file.append(path, {"at": 9, "event": {"withdraw": "B"}}, end)
    assert tournament_file.load(path).damaged == ()
    assert tournament_file.load(path).lines == len(records) + 1


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_a_damaged_line_is_named_and_the_others_count(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path, _ = written(tmp_path_factory.mktemp("file"))
    content = bytearray(path.read_bytes())
    index = data.draw(st.integers(0, len(content) - 1))
    content[index] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    loaded = tournament_file.load(path)
    # A line that follows from a damaged one can fail too; what is before is never touched.
    line = bytes(content[:index]).count(b"\n") + 1
    assert loaded.damaged or loaded.lines < 9
    assert all(number >= line for number in loaded.damaged)


def test_a_new_file_is_the_newest_also_when_the_clock_was_set_back(tmp_path: Path) -> None:
    for at in (1e9, 1e9, 1e9 - 86400, 1e9 + 86400, 0):
        path = tournament_file.create(tmp_path, tournament_file.new_name(tmp_path, at))
        assert tournament_file.newest(tmp_path) == path
    assert path.stem[:15] == "20010910-014641"


def test_of_a_closed_tournament_only_the_end_is_read(tmp_path: Path) -> None:
    path, records = written(tmp_path)
    at = len(path.read_bytes())
    end = tournament_file.append(path, {"at": 9, "event": {"close": True}, "id": "last"}, at)
    assert tournament_file.load(path) == Loaded(Record(), len(records) + 1, ("last",), (), end)
    path.write_bytes(path.read_bytes()[:-1])
    assert tournament_file.load(path).record == records[-1]


def test_lists_of_entrants() -> None:
    assert entrants_from_csv("Ann\nBob\n\n") == [{"enter": {"name": "Ann"}}, {"enter": {"name": "Bob"}}]
    assert entrants_from_csv("\ufeffName,Seed,Players\nA & B,1,A/B\nC,,\n") == [
        {"enter": {"name": "A & B", "seed": 1, "players": ["A", "B"]}},
        {"enter": {"name": "C"}},
    ]
    # As a spreadsheet saves it where numbers have a decimal comma.
    assert entrants_from_csv("name;seed;players\nA & B;1;A/B\n") == [
        {"enter": {"name": "A & B", "seed": 1, "players": ["A", "B"]}}
    ]
    assert entrants_from_csv("Ann; the first\n") == [{"enter": {"name": "Ann; the first"}}]
    # The last cell is longer than the csv module reads.
    for wrong in ("", "name,seed\n,1\n", "name,seed\nAnn,first\n", "name\n" + "x" * 200_000):
        assert isinstance(entrants_from_csv(wrong), Refusal)
    assert results_csv({"entrants": [], "fixtures": []}).startswith("fixture,stage,round,home,away,")
