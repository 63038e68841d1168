"""From bytes on a serial port to the state at a subscriber, and what becomes of it when the daemon is killed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.thrown import each_once
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

X01 = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}}}


@pytest.fixture
def daemon(tmp_path: Path, broker: Mosquitto, pty: PtyBoard) -> Iterator[Daemon]:
    running = Daemon(tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url)
    with running:
        yield running


def test_a_match_is_scored_from_bytes(daemon: Daemon, watcher: Watcher, pty: PtyBoard) -> None:
    referee = Referee(watcher, "lounge")
    referee.online()
    assert referee.ask(X01)["ok"]
    pty.say(b"20;3\r\n")
    state = referee.state(lambda s: s["turn"]["darts"] == ["T20"], "the dart in the state")
    assert state["players"][0]["score"] == 241
    hit = watcher.wait(lambda m: m.topic.endswith("/hit"), "the hit").payload
    assert (hit["id"], hit["seq"], hit["segment"]) == ("lounge-1", 1, "T20")
    watcher.wait(lambda m: m.topic.endswith("/event") and m.payload["event"] == "dart", "the event of the dart")


def test_a_kill_loses_nothing_that_was_shown(daemon: Daemon, watcher: Watcher, pty: PtyBoard) -> None:
    referee = Referee(watcher, "lounge")
    referee.online()
    referee.ask(X01)
    pty.say(b"20;3\r\n19;3\r\n")
    before = referee.state(lambda s: s["turn"]["darts"] == ["T20", "T19"], "two darts")
    daemon.kill()
    since = len(watcher.seen)
    daemon.start()
    referee.online(since)
    after = referee.state(lambda _: True, "the state after the restart", since)
    assert after == before
    pty.say(b"5;1\r\n")
    referee.state(lambda s: s["turn"]["darts"] == ["T20", "T19", "S5"], "the third dart", since)
    watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] == 3, "the third hit")
    assert [hit["id"] for hit in each_once(watcher.all("/hit"))] == ["lounge-1", "lounge-2", "lounge-3"]


def test_a_dart_that_no_throw_awaits_is_published_and_not_applied(
    daemon: Daemon, watcher: Watcher, pty: PtyBoard
) -> None:
    referee = Referee(watcher, "lounge")
    referee.online()
    pty.say(b"20;1\r\n")
    event = watcher.wait(lambda m: m.topic.endswith("/event"), "the ignored event").payload
    assert (event["event"], event["hit"], event["reason"]) == ("ignored", "lounge-1", "no_match")
    assert watcher.last("/hit")["segment"] == "S20"
    assert watcher.last("/match") is None


def test_commands_are_answered_once_done_once(daemon: Daemon, watcher: Watcher) -> None:
    referee = Referee(watcher, "lounge")
    referee.online()
    referee.ask(X01)
    throw = {"id": "the-same", "throw": "T20"}
    first, second = referee.send(throw), referee.send(throw)
    assert first == second
    assert first["ok"]
    assert watcher.last("/match")["turn"]["darts"] == ["T20"]
    daemon.kill()
    since = len(watcher.seen)
    daemon.start()
    referee.online(since)
    assert referee.send(throw) == first
    assert referee.state(lambda _: True, "the state", since)["turn"]["darts"] == ["T20"]


def test_a_stale_revision_is_refused(daemon: Daemon, watcher: Watcher) -> None:
    referee = Referee(watcher, "lounge")
    referee.online()
    revision = referee.ask(X01)["revision"]
    assert referee.ask({"throw": "T20"}, revision=revision)["ok"]
    refused = referee.ask({"throw": "T19"}, revision=revision)
    assert (refused["ok"], refused["reason"]) == (False, "stale_revision")


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ({"id": "x", "throw": "T21"}, "bad_value"),
        ({"id": "x", "dance": True}, "unknown_action"),
        ({"id": "x", "next": True}, "no_match"),
        ({"id": "x", "start": {"game": "skittles", "players": ["Ann"]}}, "unknown_game"),
        ({"id": "x", "start": {"game": "x01", "players": ["Ann", "Ann"]}}, "bad_players"),
        ({"id": "x", "start": {"game": "x01", "players": ["Ann"], "options": {"start": 5}}}, "bad_option"),
    ],
)
def test_what_cannot_be_done_is_said(daemon: Daemon, watcher: Watcher, payload: dict[str, object], reason: str) -> None:
    referee = Referee(watcher, "lounge")
    referee.online()
    reply = referee.send(payload)
    assert (reply["ok"], reply["reason"]) == (False, reason)
    assert reply["message"].endswith(".")


def test_rubbish_on_the_bus_harms_nothing(daemon: Daemon, watcher: Watcher) -> None:
    referee = Referee(watcher, "lounge")
    referee.online()
    for rubbish in (b"", b"{", b"\xff\xfe", b"[" * 10_000, b'{"id": {}}', b'"' + b"x" * 100_000 + b'"', b"null"):
        watcher.publish(f"{referee.root}/command", rubbish)
    watcher.publish(f"{referee.root}/command", X01 | {"id": "kept"}, retain=True)
    assert referee.ask(X01)["ok"]
    assert referee.state(lambda _: True, "a match")["revision"] == 1


def test_the_match_goes_on_without_the_broker(
    daemon: Daemon, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    referee = Referee(watcher, "lounge")
    referee.online()
    referee.ask(X01)
    broker.stop()
    pty.say(b"20;3\r\n")
    since = len(watcher.seen)
    broker.start()
    state = referee.state(lambda s: bool(s["turn"]["darts"]), "the dart that was thrown meanwhile", since)
    assert state["turn"]["darts"] == ["T20"]
    assert daemon.stop() == 0


def test_a_board_comes_back_under_its_link(daemon: Daemon, watcher: Watcher, pty: PtyBoard) -> None:
    referee = Referee(watcher, "lounge")
    referee.online()
    referee.ask(X01)
    pty.say(b"20;3\r\n1")
    referee.state(lambda s: s["turn"]["darts"] == ["T20"], "the first dart")
    since = len(watcher.seen)
    pty.unplug()
    topic = f"{referee.root}/status"
    watcher.wait(lambda m: m.topic == topic and m.payload["state"] == "offline", "offline", since)
    pty.plug()
    referee.online(since)
    pty.say(b"9;3\r\n")
    state = referee.state(lambda s: len(s["turn"]["darts"]) == 2, "the dart after it", since)
    assert state["turn"]["darts"] == ["T20", "T9"]


def test_a_clean_stop_says_offline_and_clears_nothing(daemon: Daemon, watcher: Watcher) -> None:
    referee = Referee(watcher, "lounge")
    referee.online()
    assert daemon.stop() == 0
    watcher.wait(lambda m: m.topic == "oche/test/status" and m.payload["state"] == "offline", "goodbye")


def test_a_match_can_be_exported_and_replayed(
    daemon: Daemon, watcher: Watcher, pty: PtyBoard, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from daemon.main import main

    referee = Referee(watcher, "lounge")
    referee.online()
    referee.ask(X01)
    pty.say(b"20;3\r\n7;2\r\n")
    state = referee.state(lambda s: len(s["turn"]["darts"]) == 2, "two darts")
    assert main(["export", state["match"], "--data", str(daemon.data)]) == 0
    file = tmp_path / "match.jsonl"
    file.write_text(capfd.readouterr().out)
    assert main(["replay", "--json", str(file)]) == 0
    replayed = json.loads(capfd.readouterr().out)
    assert replayed == {
        key: value for key, value in state.items() if key not in ("match", "revision", "schema", "options")
    }


def test_bots_without_pauses_do_not_prevent_a_stop(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    boards = [f"--board=b{n}=virtual@sim:?pace=0&seed={n}" for n in range(5)]
    start = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001}, "bots": {"Ann": 20, "Bob": 20}}
    with Daemon(tmp_path, *boards, "--broker", broker.url) as daemon:
        for n in range(5):
            referee = Referee(watcher, f"b{n}")
            referee.online()
            assert referee.ask({"start": start})["ok"]
        watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] > 50, "bots at play")
        assert daemon.stop() == 0


def test_the_broker_comes_and_goes_while_bots_play(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    start = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001, "legs": 99}}
    boards = [f"--board=b{n}=virtual@sim:?pace=0&seed={n}" for n in range(3)]
    with Daemon(tmp_path, *boards, "--broker", broker.url) as daemon:
        referees = [Referee(watcher, f"b{n}") for n in range(3)]
        for referee in referees:
            referee.online()
            assert referee.ask({"start": start | {"bots": {"Ann": 20, "Bob": 20}}})["ok"]
        for _ in range(4):
            broker.stop()
            since = len(watcher.seen)
            broker.start()
            for referee in referees:
                referee.online(since)
                shown = referee.state(lambda _: True, "a match", since)["revision"]
                referee.state(lambda s, shown=shown: s["revision"] > shown, "and how it goes on", since)  # type: ignore[misc]
        assert daemon.stop() == 0
    assert "Traceback" not in daemon.log()
