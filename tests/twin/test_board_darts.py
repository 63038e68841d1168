"""`oche doctor` names the beds of a board that fail, from the record of its matches."""

import asyncio
import contextlib
import json
import math
import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from daemon.history import board_darts, board_health, board_health_files
from daemon.history.board_darts import examine, lines_of, too_quick
from daemon.history.board_health_answer import ENOUGH_DARTS, VERSION
from daemon.history.match_import import read_match_file
from daemon.history.stored_match import last_state
from daemon.record.journal import Imported, Journal
from daemon.record.reader import History, Record
from daemon.system.catalogue import faces, games, model
from drivers.simulated import Faults
from drivers.virtual import cell_of
from engine import jsontext
from engine.actions import action_to_json
from engine.match import Match
from engine.segments import SEGMENTS
from tests.rig import free_port, oche
from tests.twin.faulty_boards import evening

PACE_MS = 1500
QUICK_MS = 200


def lines(match: Match, at_ms: int, twice: str, by: str = "board") -> list[dict[str, object]]:
    """The actions as the record has them; a dart in the bed `twice` that follows one there comes too quickly."""
    found: list[dict[str, object]] = []
    for action in match.played:
        about = action_to_json(action)
        at_ms += QUICK_MS if found and found[-1].get("throw") == about.get("throw") == twice else PACE_MS
        found.append({**about, "by": by, "at_ms": at_ms})
    return found


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of one player on a board on which `SO19` is dead, and `SI19` counts darts twice."""
    folder = tmp_path_factory.mktemp("data")
    seeded = Faults({cell_of(SEGMENTS["SO19"]): 0.0})
    with contextlib.closing(Journal(folder)) as journal:
        for n, match in enumerate(evening(3, 500, seeded, (22.0,)).matches["Ann"]):
            whole = [match.header.to_json(), *lines(match, 1_790_000_000_000 + n * 86_400_000, "SI19")]
            read = read_match_file("\n".join(map(jsontext.dump, whole)).encode(), games(), faces())
            assert isinstance(read, Imported)
            asyncio.run(journal.write(replace(read, match=replace(read.match, board="lounge"))))
    return folder


def test_the_doctor_names_what_fails(data: Path) -> None:
    settings = ["--data", str(data), "--http", f"127.0.0.1:{free_port()}", "--board", "lounge=virtual@sim:"]
    (data / "none.toml").write_text("")
    command = ("doctor", "--json", "--seconds", "0.1", "--config", data / "none.toml")
    done = oche(*command, *settings, check=False)
    troubles = {trouble["check"]: trouble["wrong"] for trouble in json.loads(done.stdout)}
    assert troubles["bed"].startswith("The board lounge: SO19 answers too rarely: 0 darts where ")
    assert troubles["doubled"].startswith("The board lounge: SI19 counted ")
    assert done.returncode == 1


def test_the_page_shows_what_the_doctor_names_with_the_evidence(data: Path) -> None:
    spec = model("virtual")
    board_health.main(data, "lounge", "a state", "virtual")
    known = board_health_files.read(data, "lounge")
    found = examine(History(data), "lounge", spec, games(), faces())
    assert (known["state"], known["darts"], known["players"], known["lines"]) == ("ready", found.darts, 1, True)
    assert [(each["kind"], each["name"]) for each in known["faults"]] == [("bed", "SO19"), ("doubled", "SI19")]
    dead, doubled = known["faults"]
    # Of so many darts in a bed that answers to 60 % of them none: exp(-0.6 n).
    assert (dead["seen"], dead["chance"]) == (0, pytest.approx(math.exp(-0.6 * dead["expected"]), rel=0.1))
    assert "chance" not in doubled
    assert (known["of"], known["version"]) == ("a state", VERSION)


def test_few_darts_are_no_evidence(data: Path) -> None:
    found = board_health.health(History(data), "bar", None)
    assert found == {"state": "few", "darts": 0, "players": 0, "needed": ENOUGH_DARTS, "lines": False}


def test_only_so_many_boards_have_a_file(tmp_path: Path) -> None:
    for n in range(board_health_files.MOST + 1):
        board_health_files.write(tmp_path, f"b{n}", {"n": n})
        os.utime(tmp_path / board_health_files.FOLDER / f"b{n}.json", (n, n))
    board_health_files.write(tmp_path, "b1", {"n": 1})
    assert not board_health_files.read(tmp_path, "b0")
    assert board_health_files.read(tmp_path, "b1") == {"n": 1}
    (tmp_path / board_health_files.FOLDER / "b1.json").write_text("[[")
    assert board_health_files.read(tmp_path, "b1") == {}


def test_darts_entered_by_hand_are_not_too_quick() -> None:
    def beds(by: str) -> list[str]:
        actions = [{"throw": "T20", "by": by, "at_ms": at_ms} for at_ms in (1000, 1000 + QUICK_MS, 3000)]
        record = SimpleNamespace(lines=[json.dumps(action) for action in actions])
        return [bed.text for bed in too_quick(cast(Record, record))]

    assert beds("board") == ["T20"]
    assert beds("ann") == beds("table") == []


def test_without_enough_darts_nothing_is_said(data: Path, tmp_path: Path) -> None:
    assert examine(History(data), "bar", None, games(), faces()).faults == ()
    Journal(tmp_path).close()
    assert examine(History(tmp_path), "lounge", model("virtual"), games(), faces()).darts == 0


def test_matches_on_several_boards_are_left_out(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def on_two(*about: Any) -> Match | None:
        last = last_state(*about)
        return last and replace(last, header=replace(last.header, boards=("lounge", "kitchen")))

    monkeypatch.setattr(board_darts, "last_state", on_two)
    assert examine(History(data), "lounge", None, games(), faces()).darts == 0


def test_the_lines_of_a_matrix() -> None:
    found = lines_of(model("virtual"))
    assert found["row 0"] == {SEGMENTS[bed] for bed in ("SI20", "T20", "SO20", "D20")}
    assert len(found["column 1"]) == 21
    assert lines_of(replace(model("virtual"), contacts={})) == {}
