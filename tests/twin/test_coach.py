"""What the page of a player says of their hand, worked out from a journal."""

from pathlib import Path

import pytest

from daemon.history import coach
from daemon.history.player_matches import FEWEST_DARTS, matches_of, state_of
from daemon.history.recorded_legs import legs_of
from daemon.people import hand_files
from daemon.record.reader import History
from daemon.session.ghost_legs import legs_to_json
from tests.faults.damage import change
from tests.twin.record import PUB, record


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    record(folder, darts=300, month="2026-03")
    record(folder, darts=200, month="2026-04", seed=5)
    return folder


def test_a_page_has_everything(data: Path) -> None:
    found = coach.page(History(data), "Ann")
    assert found["state"] == "ready"
    # The last match of each month is not over, and counts as ended early.
    assert found["darts"] == 500
    hand = found["hand"]
    assert abs(hand["x_mm"] - PUB.x_mm) < 4 * hand["error"]["x_mm"]
    assert abs(hand["skill_mm"] - PUB.skill_mm) < 4 * hand["error"]["skill_mm"]
    assert found["best"]["points"] >= found["at_t20"]
    assert [month["month"] for month in found["months"]] == ["2026-03", "2026-04"]
    assert all(abs(month["skill_mm"] - PUB.skill_mm) < 4 * month["error"] for month in found["months"])
    assert 20 < found["average"]["expected"] < 50
    assert abs(found["average"]["expected"] - found["average"]["thrown"]) < 15
    assert found["costly"]["cost"] > 0
    assert found["costly"]["match"] in {one.row.id for one in matches_of(History(data), "Ann")}
    saved = [route["darts"] for route in found["routes"]]
    assert saved == sorted(saved, reverse=True)
    assert all(route["own"][0] != route["standard"][0] for route in found["routes"])
    practice = found["practice"]
    assert 0 <= practice["hit"] <= practice["darts"]


def test_it_is_kept_in_a_file(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "data"
    copy.mkdir()
    record(copy, darts=60)
    state = state_of(History(copy), "Ann")
    coach.main(copy, "Ann", state)
    kept = hand_files.read(copy, "Ann")
    assert kept is not None
    assert (kept["state"], kept["of"], kept["darts"]) == ("ready", state, 60)
    assert hand_files.spread_of(copy, "Ann") == kept["hand"]["skill_mm"]
    assert hand_files.spread_of(copy, "Bob") is None
    # With its legs, for a ghost.
    newest = next(matches_of(History(copy), "Ann", over=True)).match
    last = list(legs_of(newest, "Ann"))[-1]
    assert hand_files.legs_of(copy, "Ann", None, "last") == legs_to_json({last.key: last.visits})
    assert hand_files.legs_of(copy, "Ann", "2026-03", "last") == hand_files.legs_of(copy, "Ann", None, "last")
    # Nothing is written about somebody who was forgotten meanwhile.
    coach.main(copy, "Bob", "x")
    assert [path.name for path in (copy / hand_files.FOLDER).iterdir()] == [hand_files.path_of(copy, "Ann").name]


def test_few_darts_are_no_hand(tmp_path: Path) -> None:
    record(tmp_path, darts=12)
    assert coach.page(History(tmp_path), "Ann") == {"state": "few", "darts": 12, "needed": FEWEST_DARTS}
    assert coach.page(History(tmp_path), "Bob") == {"state": "few", "darts": 0, "needed": FEWEST_DARTS}


def test_matches_that_cannot_be_read_are_known_to_be_no_hand(tmp_path: Path) -> None:
    record(tmp_path, darts=12)
    change(tmp_path, "UPDATE match SET header = replace(header, 'x01', 'gone')")
    state = state_of(History(tmp_path), "Ann")
    assert state
    coach.main(tmp_path, "Ann", state)
    kept = hand_files.read(tmp_path, "Ann")
    assert kept is not None
    assert (kept["state"], kept["of"], kept["darts"]) == ("few", state, 0)


def test_files_are_bounded_and_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_files, "MOST", 3)
    for name in ("a", "b", "c", "d/../../e"):
        hand_files.write(tmp_path, name, {"state": "few"})
    folder = tmp_path / hand_files.FOLDER
    assert len(list(folder.iterdir())) == 3
    assert hand_files.read(tmp_path, "d/../../e") == {"state": "few", "player": "d/../../e"}
    unfinished = folder / f".{hand_files.path_of(tmp_path, 'c').name}-abc"
    unfinished.write_text("c")
    assert hand_files.forget(tmp_path, "c") == []
    assert hand_files.read(tmp_path, "c") is None
    assert not unfinished.exists()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"player": "Ann"}', '{"player": "Ann", "hand": {"skill_mm": "x"}}'])
def test_a_damaged_file_is_no_hand(tmp_path: Path, text: str) -> None:
    path = hand_files.path_of(tmp_path, "Ann")
    path.parent.mkdir()
    path.write_text(text)
    assert hand_files.spread_of(tmp_path, "Ann") is None
