"""The history over HTTP and on the command line: lists, states, export, import, and forgetting a player."""

import contextlib
import http.client
import json
import sqlite3
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.history.answers import history_schema_files
from daemon.history.figures_schema import NAME
from daemon.history.match_import import BadLine, read_match_file
from daemon.system.catalogue import faces, games
from tests.mqtt_clients import Referee, Watcher
from tests.rig import OCHE, Daemon, Mosquitto, oche, until

ROOT: Final = Path(__file__).parent.parent.parent
DOCS: Final = ROOT / "docs"
BOARD: Final = ("--board", "den=virtual@sim:?pace=0&seed=1")
HEADER: Final = '{"match": 1, "rules": 1, "game": "x01", "players": ["Ann", "Bob"], "options": {"start": 101}}'
FILE: Final = "\n".join(
    [
        HEADER,
        '{"throw": "T20", "at_ms": 1700000000000}',
        '{"throw": "S1"}',
        '{"throw": "D20"}',
        '{"next": true, "at_ms": 1700000060000}',
    ]
)


class HistoryClient:
    """A daemon with one board, and a client of its web server."""

    def __init__(self, daemon: Daemon, referee: Referee) -> None:
        self.daemon, self.referee = daemon, referee

    def ask(self, method: str, path: str, body: str | bytes | None = None, **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.http)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, json.loads(text) if (answer.getheader("Content-Type") or "").startswith(
            "application/json;"
        ) else text

    def get(self, path: str) -> Any:
        status, value = self.ask("GET", path)
        assert status == 200, (status, value)
        return value

    def play(self, *darts: str, players: tuple[str, ...] = ("Ann", "Bob"), **options: int) -> str:
        """Plays these darts in a new match and returns its id. A dot stands for `next`."""
        self.referee.ask({"start": {"game": "x01", "players": list(players), "options": {"start": 101} | options}})
        for dart in darts:
            assert self.referee.ask({"next": True} if dart == "." else {"throw": dart})["ok"]
        match: str = self.referee.watcher.last("/match")["match"]
        return match


@pytest.fixture
def house(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> Iterator[HistoryClient]:
    with Daemon(tmp_path, *BOARD, "--broker", broker.url) as daemon:
        referee = Referee(watcher, "den")
        referee.online()
        until(lambda: "display is at" in daemon.log(), "the pages")
        yield HistoryClient(daemon, referee)


def fits(name: str, value: Any) -> None:
    jsonschema.validate(value, json.loads((DOCS / "schemas" / f"{name}.json").read_text()))


def test_the_schemas_are_made_from_the_types() -> None:
    for name, schema in history_schema_files().items():
        assert json.loads((DOCS / "schemas" / name).read_text()) == schema, f"{name} is old: run scripts/schemas"


def test_every_state_of_a_match_is_the_one_on_the_bus(house: HistoryClient) -> None:
    match = house.play("T20", "S1", ".", "S5", ".", "D10", "D5")
    on_the_bus = [state for state in house.referee.watcher.all("/match") if state is not None]
    record = house.get(f"/history/{match}.json")
    fits("MatchRecord", record)
    assert (record["states"], len(record["actions"])) == (8, 7)
    states = [house.get(f"/history/{match}/{at}.json") for at in range(record["states"])]
    for state in states:
        fits("MatchState", state)
    # What can be corrected is for those who play.
    assert states == [{key: value for key, value in state.items() if key != "earlier"} for state in on_the_bus]
    assert house.ask("GET", f"/history/{match}/8.json")[0] == 404
    assert house.ask("GET", "/history/20200101-000000-000000.json")[1]["reason"] == "no_match"


def test_the_list_and_the_players(house: HistoryClient) -> None:
    first = house.play("T20", "S1", "D20", ".")
    second = house.play("S20", players=("Ann", "Cid"))
    listed = house.get("/history.json")
    for match in listed:
        fits("MatchInfo", match)
    assert [match["id"] for match in listed] == [second, first]
    assert (listed[1]["result"], listed[1]["winners"]) == ("finished", ["Ann"])
    assert "result" not in listed[0]
    assert [match["id"] for match in house.get("/history.json?player=Bob")] == [first]
    assert house.get(f"/history.json?before={second}") == listed[1:]
    players = house.get("/players.json")
    for player in players:
        fits("PlayerFigures", player)
    assert [player["name"] for player in players] == ["Ann", "Bob", "Cid"]
    ann = house.get("/players/Ann.json")
    assert (ann["matches"], ann["won"]) == (2, 1)
    # 101 points with three darts, and 20 with one.
    assert (ann["x01"]["average"], ann["x01"]["checkout_rate"]) == (90.75, 100.0)
    assert ann["beds"] == {"D20": 1, "S1": 1, "S20": 1, "T20": 1}
    assert house.ask("GET", "/players/Zoe.json")[0] == 404
    house.referee.ask({"undo": True})
    assert house.get("/players/Ann.json")["x01"]["average"] == 101.0


def test_an_answer_that_lacks_something_says_when_to_ask_again(house: HistoryClient) -> None:
    """Also when other clients ask for what is complete at the same time."""
    house.play("T20", "S1", "D20", ".")
    house.get("/players/Ann.json")

    def again(path: str) -> str | None:
        connection = http.client.HTTPConnection("127.0.0.1", house.daemon.http)
        with contextlib.closing(connection):
            connection.request("GET", path)
            return connection.getresponse().getheader("Retry-After")

    paths = ["/players/Ann.json", "/history.json"] * 10
    with contextlib.closing(sqlite3.connect(house.daemon.data / NAME, isolation_level=None)) as figures:
        # Achievements are written into the file when they are found.
        figures.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(len(paths)) as clients:
            answers = list(clients.map(again, paths))
    assert answers == ["2", None] * 10
    assert again("/players/Ann.json") is None


def test_bots_have_no_figures(house: HistoryClient) -> None:
    start = {"game": "x01", "players": ["Ann", "Robot"], "bots": {"Robot": 20}}
    house.referee.ask({"start": start})
    assert [player["name"] for player in house.get("/players.json")] == ["Ann"]
    assert house.get("/history.json")[0]["bots"] == {"Robot": 20}


def test_an_exported_match_is_imported_once(house: HistoryClient) -> None:
    match = house.play("T20", "S1", "D20", ".")
    status, text = house.ask("GET", f"/history/{match}.jsonl")
    assert status == 200
    assert house.ask("POST", "/history", text) == (200, {"ok": True, "id": match, "new": False})
    status, said = house.ask("POST", "/history", FILE)
    fits("HistoryReply", said)
    assert (status, said["new"], said["id"][:15]) == (200, True, "20231114-221320")
    assert house.ask("POST", "/history", FILE.replace(": ", ":"))[1] == said | {"new": False}
    imported = house.get("/history.json")[-1]
    assert imported == imported | {"board": "imported", "result": "finished", "winners": ["Ann"], "id": said["id"]}
    assert imported["ended"] == "2023-11-14T22:14:20+00:00"
    again = house.ask("GET", f"/history/{said['id']}.jsonl")[1]
    assert [json.loads(line) for line in again.splitlines()] == [json.loads(line) for line in FILE.splitlines()]
    assert house.get("/players/Ann.json")["won"] == 2
    exported = oche("export", said["id"], "--data", str(house.daemon.data))
    assert exported.stdout == again


@pytest.mark.parametrize(
    ("file", "line", "reason"),
    [
        ("", 1, "not_json"),
        ("no match", 1, "not_json"),
        (HEADER.replace("x01", "no-game"), 1, "unknown_game"),
        (HEADER.replace("101", "5"), 1, "bad_option"),
        (f'{HEADER}\n\n{{"throw": "T20"}}\n{{"throw": "T21"}}', 4, "bad_value"),
        (f'{HEADER}\n{{"choose": {{"wild": 3}}}}', 2, "not_awaited"),
        (f'{HEADER}\n{{"throw": "{"x" * 70_000}"}}', 2, "too_large"),
        (HEADER + '\n{"bounce": true}' * 20_001, 20_000, "too_large"),
    ],
)
def test_a_file_that_is_not_a_match_is_refused(file: str, line: int, reason: str) -> None:
    read = read_match_file(file.encode(), games(), faces())
    assert isinstance(read, BadLine)
    assert (read.line, read.refusal.reason) == (line, reason)
    assert read.refusal.message.endswith(".")


@given(st.binary(max_size=200) | st.binary(max_size=60).map(lambda data: HEADER.encode() + b"\n" + data))
def test_no_file_raises(file: bytes) -> None:
    read_match_file(file, games(), faces())


def test_refusals_are_sentences(house: HistoryClient) -> None:
    status, said = house.ask("POST", "/history", f'{HEADER}\n{{"throw": "T21"}}')
    fits("HistoryReply", said)
    assert (status, said["ok"], said["line"], said["reason"]) == (422, False, 2, "bad_value")
    assert house.ask("POST", "/history", FILE, Origin="http://elsewhere.example")[0] == 403
    assert house.ask("DELETE", "/players/Ann", None, Origin="http://elsewhere.example")[0] == 403
    assert house.get("/history.json") == []


def test_a_running_match_shows_no_deck(house: HistoryClient) -> None:
    house.referee.ask({"start": {"game": "dards", "players": ["Ann", "Bob", "Cid"], "options": {"order": "listed"}}})
    match = house.referee.watcher.last("/match")["match"]
    status, said = house.ask("GET", f"/history/{match}.jsonl")
    assert (status, said["reason"]) == (403, "not_allowed")
    record = house.get(f"/history/{match}.json")
    assert record["actions"][0] == {"deck": []}
    # Only as a key: the name of the mode is "hands".
    states = json.dumps([house.get(f"/history/{match}/{at}.json") for at in range(record["states"])])
    assert '"hand": ' not in states and '"hands": ' not in states


def test_a_player_is_forgotten(house: HistoryClient) -> None:
    played = house.play("T20", "S1", "D20", ".", players=("Änne Ö/x", "Bob"))
    on_disk = [house.daemon.data / name for name in ("oche.db", "oche.db-wal")]
    path = f"/players/{quote('Änne Ö/x', safe='')}"
    status, said = house.ask("DELETE", path)
    assert (status, said["reason"]) == (409, "not_allowed")
    house.referee.ask({"stop": True})
    assert house.ask("DELETE", path) == (200, {"ok": True, "matches": 1})
    assert house.ask("DELETE", path)[0] == 404
    assert house.ask("GET", f"{path}.json")[0] == 404
    match = house.get("/history.json")[0]
    assert (match["id"], match["players"], match["winners"]) == (played, ["Player 1", "Bob"], ["Player 1"])
    assert house.get("/players/Bob.json")["matches"] == 1
    assert not any("Änne" in file.read_bytes().decode(errors="replace") for file in on_disk if file.exists())


def test_forgetting_by_command(house: HistoryClient) -> None:
    house.play("T20")
    house.referee.ask({"stop": True})
    command = [OCHE, "forget", "Ann", "--data", str(house.daemon.data)]
    busy = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (busy.returncode, "daemon is running" in busy.stderr) == (1, True)
    house.daemon.stop()
    gone = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (gone.returncode, gone.stdout) == (0, "Ann is forgotten in 1 match.\n")
    again = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (again.returncode, again.stderr) == (1, "Nobody called Ann has played here.\n")
