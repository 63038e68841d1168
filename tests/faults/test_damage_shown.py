"""Promise 8: a daemon and the commands name what is damaged, and the rest goes on."""

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.main import main
from daemon.record.journal import Journal
from tests.faults.damage import change, flip, kept_aside
from tests.mqtt_clients import Referee, Watcher
from tests.rig import OCHE, Daemon, Mosquitto, takes_connections, until

DEN: Final = ("--board", "den=virtual@sim:?pace=0&seed=1")


@pytest.fixture
def house(tmp_path: Path, broker: Mosquitto) -> Iterator[Callable[..., Daemon]]:
    """Starts a daemon with the board `den` and the data directory `tmp_path/data`."""
    yield lambda: Daemon(tmp_path, *DEN, "--broker", broker.url, data=tmp_path / "data")


def get_json(daemon: Daemon, path: str) -> Any:
    with urllib.request.urlopen(f"http://127.0.0.1:{daemon.http}{path}") as answer:
        return json.load(answer)


def test_a_daemon_starts_with_a_damaged_journal(house: Callable[..., Daemon], watcher: Watcher, tmp_path: Path) -> None:
    den = Referee(watcher, "den")
    with house() as daemon:
        den.online()
        assert den.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})["ok"]
        assert den.ask({"throw": "T20"})["ok"]
        match = watcher.last("den/match")["match"]
    flip(daemon.data, 0)
    since = len(watcher.seen)
    with house() as daemon:
        den.online(since)
        back = den.state(lambda state: True, "the match", since)
        assert (back["match"], back["turn"]["darts"]) == (match, ["T20"])
        node = watcher.wait(lambda m: m.topic.endswith("test/status") and "damaged" in m.payload, "the damage", since)
        message = node.payload["damaged"][0]["message"]
        assert message in daemon.log()
        assert den.ask({"throw": "T19"})["ok"]
    aside = kept_aside(daemon.data)
    forgetting = [OCHE, "forget", "Bob", "--data", str(daemon.data)]
    assert aside.name in subprocess.run(forgetting, check=True, capture_output=True, text=True).stderr
    assert main(["salvage", str(tmp_path / "out"), "--data", str(aside)]) == 1
    assert (tmp_path / "out" / f"{match}.jsonl").read_text().count("T20") == 1


def test_one_bad_row_affects_nothing_else(
    house: Callable[..., Daemon], watcher: Watcher, capsys: pytest.CaptureFixture[str]
) -> None:
    den = Referee(watcher, "den")
    start = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 101}}
    with house() as daemon:
        den.online()
        ids = []
        for _ in range(2):
            assert den.ask({"start": start})["ok"]
            ids.append(watcher.last("den/match")["match"])
            assert den.ask({"throw": "T20"})["ok"]
            assert den.ask({"throw": "S1"})["ok"]
        # The second one is played to its end: a match that was stopped is not counted.
        assert den.ask({"throw": "D20"})["ok"]
        assert den.ask({"next": True})["ok"]
    change(daemon.data, "UPDATE action SET line = '{' WHERE match = ? AND n = 2", ids[0])
    since = len(watcher.seen)
    with house() as daemon:
        den.online(since)
        until(lambda: takes_connections(daemon.http), "the pages")
        listed = {match["id"]: match for match in get_json(daemon, "/history.json")}
        assert (listed[ids[0]]["damaged"], listed[ids[0]]["first_bad_action"]) == (True, 2)
        assert "damaged" not in listed[ids[1]]
        [ann, _] = get_json(daemon, "/players.json")
        assert ann["matches"] == 1, "it is counted"
        record = get_json(daemon, f"/history/{ids[0]}.json")
        assert (len(record["actions"]), record["states"], record["damaged"]) == (1, 2, True)
        status = watcher.wait(
            lambda m: m.topic.endswith("test/status") and "damaged" in m.payload, "what is damaged", since
        ).payload
        assert [(entry["match"], entry["first_bad_action"]) for entry in status["damaged"]] == [(ids[0], 2)]
        assert den.ask({"start": start})["ok"]
        assert den.ask({"throw": "T20"})["ok"]
    assert main(["matches", "--json", "--data", str(daemon.data)]) == 0
    lines = {match["id"]: match for match in map(json.loads, capsys.readouterr().out.splitlines())}
    assert lines[ids[0]] == lines[ids[0]] | {"damaged": True, "first_bad_action": 2}
    assert main(["export", ids[0], "--data", str(daemon.data)]) == 1
    assert "oche salvage" in capsys.readouterr().err


def test_a_damaged_match_on_a_board_makes_room_for_the_next(house: Callable[..., Daemon], watcher: Watcher) -> None:
    den = Referee(watcher, "den")
    start = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 101}}
    with house() as daemon:
        den.online()
        assert den.ask({"start": start})["ok"]
        match = watcher.last("den/match")["match"]
        assert den.ask({"throw": "T20"})["ok"]
    change(daemon.data, 'UPDATE action SET line = \'{"throw":"T19"}\' WHERE match = ? AND n = 1', match)
    since = len(watcher.seen)
    with house():
        shown = watcher.wait(
            lambda m: m.topic.endswith("den/status") and m.payload.get("reason") == "match", "the damage", since
        ).payload
        assert f"{match} is damaged from action 1 on" in shown["message"]
        den.online(since)
        since = len(watcher.seen)
        assert den.ask({"start": start})["ok"]
        assert den.ask({"throw": "T20"})["ok"]
        watcher.wait(lambda m: m.topic.endswith("den/status") and "reason" not in m.payload, "the next match", since)


def test_a_match_that_lost_its_end_goes_on_and_is_shown_as_damaged(
    house: Callable[..., Daemon], watcher: Watcher, tmp_path: Path
) -> None:
    den = Referee(watcher, "den")
    with house() as daemon:
        den.online()
        assert den.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})["ok"]
        match = watcher.last("den/match")["match"]
        assert den.ask({"throw": "T20"})["ok"]
        shutil.copytree(daemon.data, tmp_path / "before")
        revision = den.ask({"throw": "T19"})["revision"]
        daemon.kill()
    for name in ("oche.db", "oche.db-wal"):
        shutil.copy(tmp_path / "before" / name, daemon.data / name)
    since = len(watcher.seen)
    with house() as daemon:
        den.online(since)
        back = den.state(lambda state: True, "the match", since)
        assert (back["match"], back["turn"]["darts"]) == (match, ["T20"])
        assert back["revision"] > revision, "the state that was shown with it was another one"
        node = watcher.wait(lambda m: m.topic.endswith("test/status") and "damaged" in m.payload, "the loss", since)
        assert (match, 2) in [(e.get("match"), e.get("first_bad_action")) for e in node.payload["damaged"]]
        assert den.ask({"throw": "T18"})["ok"]
        until(lambda: takes_connections(daemon.http), "the pages")
        [listed] = get_json(daemon, "/history.json")
        assert (listed["damaged"], listed["first_bad_action"], listed["actions"]) == (True, 2, 2)
        assert get_json(daemon, "/players.json") == []


def test_a_match_of_an_earlier_version_is_shown_as_not_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = Path(__file__).parents[1] / "records" / "schema-2"
    shutil.copy(record / "oche.db", tmp_path)
    for _ in ("as it was left", "taken up"):
        assert main(["matches", "--json", "--data", str(tmp_path)]) == 0
        listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [match["checked"] for match in listed] == [False] * 3
        assert main(["matches", "--data", str(tmp_path)]) == 0
        assert capsys.readouterr().out.count("; not checked)") == 3
        Journal(tmp_path).close()
