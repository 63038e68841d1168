"""A tournament in the daemon: commands, rights, boards, the bus, SIGKILLs, the command line."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from daemon.main import main
from daemon.tournament import tournament_file
from daemon.tournament.payloads import TournamentEvent, TournamentState
from tests.daemon.tournament_evening import SETUP, Organizer, done, evening, lasting
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto


@pytest.fixture(scope="module")
def bus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path_factory.mktemp("bus")) as bus:
        yield bus


@pytest.fixture(scope="module")
def organizer(tmp_path_factory: pytest.TempPathFactory, bus: Mosquitto) -> Iterator[Organizer]:
    """A daemon with two boards that throw only for bots."""
    boards = ("--board", "one=virtual@sim:?pace=0", "--board", "two=virtual@sim:?pace=0")
    with Daemon(tmp_path_factory.mktemp("tournament"), *boards, "--broker", bus.url) as daemon:
        organizer = Organizer(daemon)
        organizer.ask()  # returns when the pages are served
        yield organizer


@pytest.fixture
def watcher(bus: Mosquitto) -> Iterator[Watcher]:
    watcher = Watcher(bus.port)
    yield watcher
    watcher.close()


@pytest.fixture
def made(organizer: Organizer, watcher: Watcher) -> Iterator[Organizer]:
    """The same, with a new tournament of four: `best_of` 1, so that one leg decides."""
    organizer.do(**SETUP, best_of=1)
    for name in ("Ann", "Bob", "Cem", "Dora"):
        organizer.do(enter={"name": name})
    yield organizer
    organizer.do(close=True)
    # Matches that were called go on: the next tournament needs their boards.
    for board in ("one", "two"):
        referee = Referee(watcher, board)
        referee.online()
        referee.ask({"stop": True})


def calls(state: dict[str, Any]) -> dict[str, str]:
    """Which fixture is on which board."""
    return {fixture["id"]: fixture["board"] for fixture in state["fixtures"] if "board" in fixture}


def test_matches_are_called_started_and_their_results_taken(made: Organizer, watcher: Watcher) -> None:
    made.do(draw="x")
    state = made.until(lambda state: len(calls(state)) == 2, "two calls")
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    fixture = next(fixture for fixture in state["fixtures"] if fixture.get("board") == "one")
    one = Referee(watcher, "one")
    one.online()
    players = [names[fixture["home"]], names[fixture["away"]]]
    one.state(lambda match: [p["name"] for p in match["players"]] == players and not match.get("finished"), "the match")
    for bed in ("T20", "S20", "S20", "next", "S1", "S1", "S1", "next", "S1", "next"):
        assert one.ask({"next": True} if bed == "next" else {"throw": bed})["ok"]
    state = made.until(lambda state: len(done(state)) == 1, "the result")
    ended = done(state)[0]
    assert (ended["id"], ended["winner"], ended["score"]) == (fixture["id"], fixture["home"], [1, 0])
    called = watcher.wait(
        lambda m: m.topic.endswith("/tournament/event") and m.payload["event"] == "result", "the event"
    )
    assert called.payload["winner"] == players[0]
    watcher.wait(lambda m: m.topic == "oche/test/tournament" and lasting(m.payload) == lasting(state), "the state")
    TypeAdapter(TournamentState).validate_python(state)
    TypeAdapter(TournamentEvent).validate_python(called.payload)
    # Who takes back the end of a match takes back its result as well.
    one.ask({"undo": True})
    state = made.until(lambda state: not done(state), "the result taken back")
    assert calls(state)[fixture["id"]] == "one"
    one.ask({"next": True})
    made.until(lambda state: len(done(state)) == 1, "the result again")


def test_a_match_that_a_referee_stops_waits_for_another_call(made: Organizer, watcher: Watcher) -> None:
    made.do(draw="x")
    state = made.until(lambda state: len(calls(state)) == 2, "two calls")
    fixture = next(fixture["id"] for fixture in state["fixtures"] if fixture.get("board") == "two")
    two = Referee(watcher, "two")
    two.online()
    two.state(lambda match: not match.get("finished"), "the match")
    two.ask({"stop": True})
    made.until(lambda state: fixture not in calls(state), "the call taken back")
    made.do(call={"fixture": fixture, "board": "two"})
    two.state(lambda match: not match.get("finished"), "the match again")
    made.do(result={"fixture": fixture, "score": [1, 0]})


def test_a_called_match_moves_to_another_board(made: Organizer, watcher: Watcher) -> None:
    made.do(withdraw="Cem")
    made.do(withdraw="Dora")
    one, two = Referee(watcher, "one"), Referee(watcher, "two")
    one.online()
    two.online()
    made.do(draw="x")
    state = made.until(lambda state: len(calls(state)) == 1, "the call")
    (fixture, board), players = calls(state).popitem(), {"Ann", "Bob"}
    other, name = (two, "two") if board == "one" else (one, "one")
    first = one if board == "one" else two
    since = len(watcher.seen)

    def begun(match: dict[str, Any]) -> bool:
        return {player["name"] for player in match["players"]} == players and not match.get("finished")

    first.state(begun, "the match")
    made.do(call={"fixture": fixture, "board": name})
    # The match on the first board ends before the other one begins: nobody plays on two boards.
    gone = watcher.wait(lambda m: m.topic == f"oche/test/board/{board}/match" and not m.payload, "the end", since)
    begins = other.state(begun, "the match on the other board", since)
    assert watcher.seen.index(gone) < next(
        index for index, m in enumerate(watcher.seen) if m.payload == begins and m.topic.endswith(f"{name}/match")
    )
    for bed in ("T20", "S20", "S20", "next", "S1", "S1", "S1", "next", "S1", "next"):
        assert other.ask({"next": True} if bed == "next" else {"throw": bed})["ok"]
    state = made.until(lambda state: len(done(state)) == 1, "the result")
    assert calls(state) == {}


def test_a_command_is_done_once_and_a_stale_one_refused(made: Organizer) -> None:
    first = made.do(id="a", enter={"name": "Eve"})
    assert made.do(id="a", enter={"name": "Eve"}) == first
    assert made.refused(enter={"name": "Eve"}) == "bad_players"
    assert made.refused(revision=first - 1, enter={"name": "Fin"}) == "stale_revision"
    assert made.do(revision=first, enter={"name": "Fin"}) == first + 1


@pytest.mark.parametrize(
    "command",
    [
        {"tournament": 1, "name": "x", "format": "knockout"},
        {"dance": True},
        {"enter": {"name": " x"}},
        {"result": {"fixture": "R1-1", "score": [1, 0]}},
        {"call": {"fixture": "R1-1", "board": "three"}},
        {"undo": True},
        {"id": 7, "undo": True},
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(made: Organizer, command: dict[str, Any]) -> None:
    before = made.state()
    made.refused(**command)
    assert made.state() == before


@pytest.mark.parametrize(
    "keys", [{"game": "nothing"}, {"options": {"start": -1}}, {"late": [{"best_of": 2}]}, {"format": "cup"}]
)
def test_a_tournament_whose_matches_could_not_be_played_is_not_made(organizer: Organizer, keys: dict[str, Any]) -> None:
    organizer.refused(**SETUP | keys)
    assert organizer.ask()[0] == 404


def test_the_command_line(organizer: Organizer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def oche(*words: str) -> tuple[int, str]:
        """The exit code, and what was printed to stdout or else to stderr."""
        code = main(["tournament", *words, "--http", f"127.0.0.1:{organizer.daemon.http}"])
        said = capsys.readouterr()
        assert not (said.out and said.err)
        return code, said.out or said.err

    names = tmp_path / "list.csv"
    names.write_text("name,seed\nAnn,1\nBob,2\n=1+1,\n")
    assert oche("show") == (1, "oche: There is no tournament.\n")
    assert oche("new", "Cup", "--best-of", "1", "--set", '{"boards": ["none"], "third_place": true}') == (0, "")
    assert oche("enter", "--csv", str(names)) == (0, "")
    assert oche("enter", "Dora/Eve") == (0, "")
    code, said = oche("enter", "Fin", "Ann")
    assert code == 1
    assert "1 of 2 done" in said
    assert oche("withdraw", "Fin") == (0, "")
    assert oche("draw", "--seed", "x") == (0, "")
    assert oche("result", "R1-1", "1:0") == (0, "")
    assert oche("correct", "R1-1", "0:1", "--keep") == (0, "")
    assert oche("result", "R1-2", "1")[0] == 2
    assert oche("new", "Cup", "--options", "{")[0] == 2
    assert oche("enter")[0] == 2
    assert "R1-1" in oche("show")[1]
    assert json.loads(oche("show", "--json")[1])["name"] == "Cup"
    exported = oche("export")[1]
    assert "'=1+1" in exported
    assert exported == organizer.ask("/tournament.csv")[1]
    assert oche("undo") == (0, "")
    assert oche("withdraw", "Ann") == (0, "")
    assert oche("close") == (0, "")
    assert oche("show")[0] == 1


def test_the_forecast_is_printed_in_local_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = {"name": "Cup", "format": "knockout", "state": "running", "entrants": [], "fixtures": [], "tables": {}}
    monkeypatch.setattr("daemon.cli.tournament._ask", lambda _http: state | {"ends": "2026-11-27T20:25:51Z"})
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert main(["tournament", "show"]) == 0
    finally:
        monkeypatch.undo()
        time.tzset()
    assert "It ends at about 05:25." in capsys.readouterr().out


def test_a_tournament_survives_kills_and_every_result_is_in_the_history(tmp_path: Path) -> None:
    state = evening(tmp_path, players=6, boards=2, kills=2, best_of=1)
    assert len(done(state)) == 5
    path = tournament_file.newest(tmp_path / "data")
    assert path is not None
    loaded = tournament_file.load(path)
    assert loaded.damaged == ()
    assert loaded.record.tournament is not None
    assert loaded.record.tournament.winner == state["winner"]


def test_the_daemon_starts_although_tournaments_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tournaments").touch()
    with Daemon(tmp_path, "--board", "one=virtual@sim:?pace=0") as daemon:
        organizer = Organizer(daemon)
        assert organizer.ask()[0] == 404
        assert organizer.refused(**SETUP) == "disk"
