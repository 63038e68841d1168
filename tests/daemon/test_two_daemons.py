"""Two daemons with one node name at one broker: the second publishes nothing, says so, and waits for the first."""

import http.client
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mqtt_clients import ReceivedMessage, Referee, Watcher, watching
from tests.rig import Daemon, Mosquitto, oche, until

STATUS = "oche/test/status"
START = {"start": {"game": "x01", "players": ["Ann", "Bob"]}}
WAITS = "Another oche is called test"
SENTENCE_END = "in its configuration."


def _daemon(folder: Path, broker: Mosquitto, board: str) -> Daemon:
    folder.mkdir()
    return Daemon(folder, "--broker", broker.url, "--board", f"{board}=virtual@sim:pace=0")


@pytest.fixture
def first(tmp_path: Path, broker: Mosquitto) -> Iterator[Daemon]:
    with _daemon(tmp_path / "first", broker, "lounge") as daemon:
        yield daemon


@pytest.fixture
def second(tmp_path: Path, broker: Mosquitto) -> Iterator[Daemon]:
    """Not started."""
    daemon = _daemon(tmp_path / "second", broker, "kitchen")
    yield daemon
    daemon.stop()


@pytest.fixture
def conflict(first: Daemon, second: Daemon, watcher: Watcher) -> None:
    """The first daemon holds the name, and knows that the second one waits."""
    Referee(watcher, "lounge").online()
    second.start()
    _conflict(watcher, True)


def _page(daemon: Daemon, path: str = "/") -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", daemon.http)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    except OSError:
        return 0, ""
    finally:
        connection.close()


def _conflict(watcher: Watcher, wanted: bool, since: int = 0) -> ReceivedMessage:
    return watcher.wait(
        lambda m: (
            m.topic == STATUS
            and m.payload is not None
            and m.payload["state"] == "online"
            and m.payload.get("conflict", False) is wanted
        ),
        f"a conflict: {wanted}",
        since,
    )


def _doctor(daemon: Daemon, broker: Mosquitto, *, config: bool = True) -> str:
    """What the doctor says of the name, which it has from the configuration or from the pages."""
    command = ("doctor", "--json", "--broker", broker.url, "--data", daemon.data, "--seconds", "0.1")
    file = daemon.data / "oche.toml"
    file.write_text('node = "test"\n' if config else "")
    pages = () if config else ("--http", f"127.0.0.1:{daemon.http}")
    found = json.loads(oche(*command, "--config", file, *pages, check=False).stdout)
    assert [trouble for trouble in found if trouble["check"] == "daemon"] == []
    return next((trouble["wrong"] for trouble in found if trouble["check"] == "name"), "")


def test_the_second_publishes_nothing_and_says_so(
    first: Daemon, second: Daemon, broker: Mosquitto, watcher: Watcher
) -> None:
    referee = Referee(watcher, "lounge")
    referee.online()
    assert referee.ask(START)["ok"]
    since = len(watcher.seen)
    second.start()
    assert _conflict(watcher, True, since).payload["boards"] == ["lounge"]
    until(lambda: WAITS in second.log(), "a sentence on stderr")
    until(lambda: WAITS in _page(second)[1], "a sentence on its pages")
    assert _page(second, "/board/kitchen")[0] == 503
    assert _page(first)[0] == 200
    for config in (True, False):
        assert WAITS in _doctor(second, broker, config=config)
        assert "publishes nothing" in _doctor(first, broker, config=config)
    # The first one goes on, and a command is for it alone.
    assert referee.ask({"throw": "T20"})["ok"]
    assert second.stop() == 0
    _conflict(watcher, False, since + 1)
    assert _doctor(first, broker) == ""
    seen = watcher.seen[since:]
    assert {m.topic for m in seen if "kitchen" in m.topic} == set()
    assert all(m.payload["state"] == "online" and m.payload["boards"] == ["lounge"] for m in seen if m.topic == STATUS)
    assert all(m.payload is not None for m in seen), "something retained was cleared"


@pytest.mark.usefixtures("conflict")
def test_the_second_takes_over_when_the_first_is_gone_for_good(first: Daemon, second: Daemon, watcher: Watcher) -> None:
    first.kill()
    since = len(watcher.seen)
    Referee(watcher, "kitchen").online(since)
    assert _conflict(watcher, False, since).payload["boards"] == ["kitchen"]
    watcher.wait(
        lambda m: m.topic == "oche/test/board/lounge/status" and m.payload is None, "the old board's end", since
    )
    until(lambda: "this one is test now" in second.log(), "a sentence on stderr")
    until(lambda: _page(second)[0] == 200, "its pages")


@pytest.mark.usefixtures("conflict")
def test_a_first_one_that_is_started_again_keeps_its_name(first: Daemon, watcher: Watcher) -> None:
    first.kill()
    since = len(watcher.seen)
    first.start()
    Referee(watcher, "lounge").online(since)
    _conflict(watcher, True, since)
    assert not any("kitchen" in m.topic for m in watcher.seen)


@pytest.mark.usefixtures("conflict")
def test_a_killed_second_daemon_is_no_longer_a_conflict(second: Daemon, watcher: Watcher) -> None:
    waiting = {"state": "waiting"}
    watcher.wait(lambda m: m.topic.endswith("/claim") and m.payload == m.payload | waiting, "the second one's wait")
    since = len(watcher.seen)
    second.kill()
    _conflict(watcher, False, since)
    statuses = [m.payload["state"] for m in watcher.seen if m.topic == STATUS]
    assert set(statuses) == {"online"}, "the second one's will was the status of the first"


@pytest.mark.usefixtures("conflict")
def test_a_broker_that_comes_back_empty_finds_the_first_one_first(
    second: Daemon, broker: Mosquitto, watcher: Watcher
) -> None:
    until(lambda: WAITS in second.log(), "a sentence on stderr")
    broker.stop()
    since = len(watcher.seen)
    broker.start()
    _conflict(watcher, True, since)
    assert not any("kitchen" in m.topic for m in watcher.seen)


def test_of_two_that_start_at_once_one_publishes(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    with _daemon(tmp_path / "a", broker, "lounge") as a, _daemon(tmp_path / "b", broker, "kitchen") as b:
        holder = _conflict(watcher, True).payload["boards"]
        loser, waits = ("kitchen", b) if holder == ["lounge"] else ("lounge", a)
        until(lambda: WAITS in waits.log(), "a sentence on stderr")
        assert not any(loser in m.topic for m in watcher.seen)


@pytest.mark.usefixtures("conflict")
def test_of_two_that_both_hold_the_name_one_yields(
    first: Daemon, second: Daemon, broker: Mosquitto, watcher: Watcher
) -> None:
    """The first was stopped, its broker said that it had gone, and its connection is still there when it wakes."""
    os.kill(first.pid, signal.SIGSTOP)
    try:
        since = len(watcher.seen)
        watcher.publish(STATUS, {"state": "offline"}, retain=True)
        Referee(watcher, "kitchen").online(since)
    finally:
        os.kill(first.pid, signal.SIGCONT)

    def waits(daemon: Daemon) -> bool:
        return daemon.log().rstrip().endswith(SENTENCE_END)

    # The second one had said so at its start, and that it took over since.
    until(lambda: waits(first) or waits(second), "a sentence on stderr")
    gone, holder = ("lounge", ["kitchen"]) if waits(first) else ("kitchen", ["lounge"])
    with watching(broker.port, f"oche/test/board/{gone}/#", STATUS) as late:
        late.wait(
            lambda m: m.topic == STATUS and m.payload["boards"] == holder and m.payload.get("conflict", False),
            "the holder's status",
        )
        until(lambda: late.last(f"{gone}/status") is None, "the end of what the other one retained")


def _retained(broker: Mosquitto, topic: str, payload: dict[str, Any]) -> None:
    with watching(broker.port, topic) as watcher:
        watcher.publish(topic, payload, retain=True)


@pytest.mark.usefixtures("first")
def test_a_status_that_others_replace_is_put_right(broker: Mosquitto, watcher: Watcher) -> None:
    """The will of a connection that was cut comes late, and would leave the node offline."""
    Referee(watcher, "lounge").online()
    since = len(watcher.seen)
    _retained(broker, STATUS, {"state": "offline", "instance": "of-another-time"})
    watcher.wait(lambda m: m.topic == STATUS and m.payload["state"] == "offline", "what was forged", since)
    since = len(watcher.seen)
    watcher.wait(lambda m: m.topic == STATUS and m.payload["state"] == "online", "the status", since - 1)
    assert watcher.last(STATUS)["boards"] == ["lounge"]


def test_a_retained_claim_does_not_keep_a_daemon_from_its_name(tmp_path: Path, broker: Mosquitto) -> None:
    for state in ("asking", "held"):
        _retained(broker, "oche/test/claim", {"instance": "0", "state": state})
        with _daemon(tmp_path / state, broker, "lounge"), watching(broker.port) as watcher:
            Referee(watcher, "lounge").online()
