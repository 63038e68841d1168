"""Nothing is left of a forgotten player: neither their user name nor a match on a board that is gone."""

import asyncio
import contextlib
import http.client
import json
from pathlib import Path

from daemon.history.match_import import read_match_file
from daemon.people.access import user_of
from daemon.record.journal import Imported, Journal
from daemon.system.catalogue import faces, games
from tests.daemon.house import BOARD, House, changed, unremovable
from tests.mqtt_clients import Referee, Watcher, watching
from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto, free_port, oche, until

PLAYER = "Zoë Quark"


def _on_disk(data: Path) -> str:
    return "".join(file.read_bytes().decode(errors="replace") for file in data.glob("oche.db*"))


def _played(data: Path) -> None:
    """Makes a data directory with a match of the player."""
    header = json.dumps({"match": 1, "game": "x01", "players": [PLAYER, "Bob"], "options": {}})
    with contextlib.closing(Journal(data)) as journal:
        read = read_match_file(f'{header}\n{{"throw":"MISS"}}'.encode(), games(), faces())
        assert isinstance(read, Imported)
        asyncio.run(journal.write(read))


def test_nothing_is_left_of_what_a_player_did_from_their_phone(house: House) -> None:
    user = user_of(PLAYER)
    zoe = house.guest(house.pair("player", PLAYER))
    start = {"game": "x01", "players": [PLAYER, "Bob"], "options": {"start": 101}}
    assert house.referee.ask({"start": start})["ok"]
    zoe.publish(f"{BOARD}/command/{user}", {"id": "z1", "throw": "T20"})
    house.watcher.wait(
        lambda m: m.topic == f"{BOARD}/reply" and m.payload == {"id": "z1", "ok": True} | m.payload, "z1"
    )
    assert house.referee.ask({"stop": True})["ok"]
    assert user in _on_disk(house.daemon.data)
    status, said = house.ask("DELETE", "/players/Zo%C3%AB%20Quark", host="localhost")
    assert (status, said) == (200, {"ok": True, "matches": 1})
    left = _on_disk(house.daemon.data)
    assert user not in left
    assert PLAYER not in left
    match = house.ask("GET", "/history.json", host="localhost")[1][0]
    actions = house.ask("GET", f"/history/{match['id']}.json", host="localhost")[1]["actions"]
    assert actions[0]["throw"] == "T20"


def test_a_removed_board_keeps_no_players_name(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    """Its match cannot be stopped: no daemon has that board."""
    with Daemon(tmp_path, "--board", "attic=virtual@sim:", "--broker", broker.url) as daemon:
        attic = Referee(watcher, "attic")
        attic.online()
        assert attic.ask({"start": {"game": "x01", "players": [PLAYER, "Bob"]}})["ok"]
    later = tmp_path / "later"
    later.mkdir()
    with Daemon(later, "--board", "den=virtual@sim:", "--broker", broker.url, data=daemon.data) as house:
        until(lambda: "display is at" in house.log(), "the pages")
        client = http.client.HTTPConnection("localhost", house.http, timeout=LIMIT_SECONDS)
        client.request("DELETE", "/players/Zo%C3%AB%20Quark")
        assert json.load(client.getresponse()) == {"ok": True, "matches": 1}
        client.close()
        assert PLAYER not in _on_disk(daemon.data)


def test_a_match_on_a_board_goes_on_without_the_name_after_a_restart(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher
) -> None:
    daemon = Daemon(tmp_path, "--board", "den=virtual@sim:", "--broker", broker.url)
    den = Referee(watcher, "den")
    with daemon:
        den.online()
        assert den.ask({"start": {"game": "x01", "players": [PLAYER, "Bob"]}})["ok"]
        before = den.ask({"throw": "T20"})["revision"]
    oche("forget", PLAYER, "--data", str(daemon.data))
    assert PLAYER not in _on_disk(daemon.data)
    since = len(watcher.seen)
    with daemon:
        den.online(since)
        shown = den.state(lambda state: state["players"][0]["name"] == "Player 1", "the match", since)
        assert (shown["revision"] > before, shown["players"][0]["score"]) == (True, 441)
        assert den.ask({"throw": "T20"})["ok"]


def test_forgetting_goes_on_when_it_takes_longer_than_an_answer_may(tmp_path: Path, broker: Mosquitto) -> None:
    """Every match of the player is replayed, which on a small machine takes longer than an answer may."""
    _played(tmp_path / "data")
    impatient = changed(
        tmp_path,
        "import time",
        "from daemon.web import history_api, server",
        "server.ANSWER_SECONDS = 0.3",
        "without = history_api.without_player",
        "history_api.without_player = lambda *given: (time.sleep(0.6), without(*given))[1]",
    )
    board = ("--board", "den=virtual@sim:", "--broker", broker.url)
    with Daemon(tmp_path, *board, program=impatient) as daemon:
        until(lambda: "display is at" in daemon.log(), "the pages")

        def is_forgotten() -> bool:
            """Asks again while the name is there: a busy machine may refuse a request before it begins."""
            connection = http.client.HTTPConnection("127.0.0.1", daemon.http, timeout=LIMIT_SECONDS)
            connection.request("DELETE", "/players/Zo%C3%AB%20Quark")
            answer = connection.getresponse()
            answer.read()
            connection.close()
            assert answer.status == 408
            return PLAYER not in _on_disk(daemon.data)

        until(is_forgotten, "that nothing is left")


def test_the_embedded_broker_keeps_nothing_of_a_forgotten_player(tmp_path: Path) -> None:
    """When it exits it stores what it retains, including the match on a board."""
    port = free_port()
    board = ("--board", "den=virtual@sim:", "--broker", f"embedded://127.0.0.1:{port}")
    with Daemon(tmp_path, *board) as daemon, watching(port) as watcher:
        den = Referee(watcher, "den")
        den.online()
        assert den.ask({"start": {"game": "x01", "players": [PLAYER, "Bob"]}})["ok"]
    files = [path for path in daemon.data.rglob("*") if path.is_file()]
    assert any(PLAYER.encode() in path.read_bytes() for path in files if path.name == "mosquitto.db")
    oche("forget", PLAYER, "--data", str(daemon.data))
    assert not [path for path in files if path.exists() and PLAYER.encode() in path.read_bytes()]


def test_a_file_that_cannot_be_removed_is_named_and_the_matches_are_without_the_player(tmp_path: Path) -> None:
    data = tmp_path / "data"
    _played(data)
    stays = unremovable(data, user_of(PLAYER))
    done = oche("forget", PLAYER, "--data", str(data), check=False)
    assert (done.returncode, str(stays) in done.stderr, "Traceback" in done.stderr) == (1, True, False), done.stderr
    assert PLAYER not in _on_disk(data)


def test_over_http_too_a_file_that_stays_keeps_no_name_in_the_matches(tmp_path: Path) -> None:
    _played(tmp_path / "data")
    stays = unremovable(tmp_path / "data", user_of(PLAYER))
    board = ("--board", "den=virtual@sim:", "--broker", f"embedded://127.0.0.1:{free_port()}")
    with Daemon(tmp_path, *board) as daemon:
        until(lambda: "display is at" in daemon.log(), "the pages")
        with contextlib.closing(http.client.HTTPConnection("localhost", daemon.http, timeout=LIMIT_SECONDS)) as client:
            client.request("DELETE", "/players/Zo%C3%AB%20Quark")
            answer = client.getresponse()
            said = json.load(answer)
        assert (answer.status, said["ok"], str(stays) in said["message"]) == (507, False, True), said
        assert PLAYER not in _on_disk(daemon.data)
