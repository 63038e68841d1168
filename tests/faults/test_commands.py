"""Promise 3, the bus: no message raises, hangs or grows memory; what is said of commands holds, word by word."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from daemon.record.journal import REMEMBERED_COMMANDS
from daemon.session.commands import read_command
from engine.refusals import Refusal
from tests.faults.memory import MEMORY_MIB, memory_mib
from tests.mqtt_clients import ReceivedMessage, Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard, until

X01 = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001, "legs": 20, "out": "open"}}}


@pytest.fixture
def daemon(tmp_path: Path, broker: Mosquitto, pty: PtyBoard) -> Iterator[Daemon]:
    with Daemon(tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url) as running:
        yield running


@pytest.fixture
def referee(daemon: Daemon, watcher: Watcher) -> Referee:
    somebody = Referee(watcher, "lounge")
    somebody.online()
    return somebody


@pytest.mark.parametrize(
    ("payload", "answered"),
    [
        (b'{"id": "big", "throw": "T20", "pad": "' + b"x" * 70_000 + b'"}', "big"),
        (b'{"throw": "T20", "pad": "' + b"x" * 70_000 + b'", "id": 7}', 7),
        (b'{"throw": "T20", "pad": "' + b"x" * 70_000 + b'"}', None),
        (b"[" * 100_000, None),
    ],
)
def test_what_is_too_large_is_refused_by_its_id(payload: bytes, answered: object) -> None:
    command_id, command = read_command(payload)
    assert isinstance(command, Refusal)
    assert (command_id, command.reason) == (answered, "too_large")


@pytest.mark.parametrize(
    ("payload", "answered"),
    [
        (b'{"id": "a", "throw": {"at": [NaN, 0]}}', "a"),
        (b'{"id": "b", "throw": {"at": [1e999, 0]}}', "b"),
        (b'{"id": "c", "throw": "\\ud800"}', "c"),
        (b'{"id": "d", "throw":', "d"),
        (b'{"throw": "T20", "id": 8}}', None),
        (b"T20", None),
    ],
)
def test_what_is_not_json_is_refused_by_its_id(payload: bytes, answered: object) -> None:
    command_id, command = read_command(payload)
    assert isinstance(command, Refusal)
    assert (command_id, command.reason) == (answered, "not_json")


@pytest.mark.parametrize(
    "payload", [b'{"stop": false}', b'{"hint": 1}', b'{"start": {}}', b'{"fair": {"game": "x01"}}']
)
def test_a_wrong_value_of_a_command_is_no_unknown_action(payload: bytes) -> None:
    _, command = read_command(payload)
    assert isinstance(command, Refusal)
    assert command.reason == "bad_value"
    assert "match file" not in command.message


def test_a_command_that_was_refused_is_not_carried_out_later(referee: Referee) -> None:
    """A broker may deliver it again, when its sender has long been told that it was refused."""
    assert referee.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})["ok"]
    for _ in range(3):
        assert referee.ask({"throw": "T20"})["ok"]
    refused = referee.send({"id": "late", "throw": "T20"})
    assert refused["reason"] == "not_awaited"
    assert referee.ask({"next": True})["ok"]
    seen = len(referee.watcher.seen)
    referee.watcher.publish(f"{referee.root}/command", {"id": "late", "throw": "T20"})
    again = referee.watcher.wait(lambda m: m.topic == f"{referee.root}/reply", "the reply", seen)
    assert again.payload == refused
    assert referee.ask({"throw": "T19"})["ok"]
    assert referee.watcher.last("match")["turn"]["darts"] == ["T19"]


def test_a_command_that_is_too_large_is_answered_and_counted(referee: Referee) -> None:
    reply = referee.send({"id": "big", "throw": "T20", "pad": "x" * 70_000})
    assert (reply["ok"], reply["reason"]) == (False, "too_large")
    referee.watcher.wait(
        lambda m: m.topic == f"{referee.root}/status" and m.payload["counters"].get("commands_refused") == 1,
        "the count in the status",
    )


RUBBISH = (
    b"",
    b"\x00",
    b"\xff\xfe",
    b'{"id": "\xe2\x82"}',
    b'{"id": "\\ud800", "throw": "T20"}',
    b"null",
    b"[" * 60_000,
    b'{"a":' * 10_000,
    b'{"id": 1e999, "throw": "T20"}',
    b'{"id": ' + b"9" * 6000 + b"}",
    b'{"throw": {"at": [1e999, 0]}}',
    b'{"throw": {"at": [[], {}]}}',
    b'{"throw": {"points": 18, "candidates": 5}}',
    b'{"correct": {"dart": 1e30, "throw": "T20"}}',
    b'{"start": []}',
    b'{"start": {"game": 5, "players": "Ann"}}',
    b'{"start": {"game": "x01", "players": ["A", "B"], "options": {"start": 1e999}}}',
    b'{"start": {"game": "x01", "players": [[]], "options": []}}',
    b'{"start": {"game": "x01", "players": ["A"], "bots": {"A": 1e999}}}',
    b'{"stop": 1}',
    b'{"undo": [[[]]]}',
    b'{"id": true, "next": true}',
    b'{"id": "x", "revision": "1", "next": true}',
    b'{"move": {"from": {}, "to": []}}',
    b'{"throw": "T20", "next": true}',
    json.dumps({"start": {"game": "x01", "players": [f"P{n}" for n in range(9000)]}}).encode(),
)


def test_no_rubbish_changes_the_match(daemon: Daemon, referee: Referee, pty: PtyBoard) -> None:
    revision = referee.ask(X01)["revision"]
    for payload in RUBBISH:
        referee.watcher.publish(f"{referee.root}/command", payload)
        referee.watcher.publish(f"{referee.root}/command/Bob", payload)
    pty.say(b"20;3\r\n")
    state = referee.state(lambda s: bool(s["turn"]["darts"]), "the dart")
    assert (state["revision"], state["turn"]["darts"]) == (revision + 1, ["T20"])
    # Behind all of them; the dart may have been before them.
    assert referee.ask({"next": True, "revision": revision})["reason"] == "stale_revision"
    # The table would go on after a fault of the program too: there was none.
    assert "Traceback" not in daemon.log()


def test_in_a_flood_the_board_goes_first(daemon: Daemon, broker: Mosquitto, referee: Referee, pty: PtyBoard) -> None:
    """10,000 messages, 1 MB ones among them, as fast as the wire takes them; a dart in the middle of it."""
    referee.ask(X01)
    command = f"{referee.root}/command"
    # A subscriber of its own, to the state alone: for one that wants everything the broker drops in a flood.
    states, replies = (Watcher(broker.port, f"{referee.root}/{leaf}") for leaf in ("match", "reply"))
    flood = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    flood.connect("127.0.0.1", broker.port)
    flood.loop_start()
    for n in range(10_000):
        flood.publish(command, b'{"id": %d, "next": 1}' % n, qos=0)
        if n % 500 == 0:
            flood.publish(command, b'{"id": "m%d", "pad": "' % n + b"x" * 1_000_000 + b'"}', qos=0)
        if n == 5_000:
            pty.say(b"20;3\r\n")
    states.wait(lambda m: m.payload is not None and m.payload["turn"]["darts"] == ["T20"], "the dart")
    states.close()
    flood.disconnect()
    flood.loop_stop()
    # A command may be among those that were dropped: who gets no answer sends it again, with the same id.
    answers: list[ReceivedMessage] = []

    def answered() -> bool:
        replies.publish(command, {"id": "again", "throw": "T19"})
        answers[:] = replies.seen
        return any(m.payload["id"] == "again" and m.payload["ok"] for m in answers)

    until(answered, "an answer")
    replies.close()
    assert memory_mib(daemon.pid) < MEMORY_MIB


def test_the_last_thousand_ids_are_remembered_over_a_kill(daemon: Daemon, referee: Referee) -> None:
    referee.ask(X01)
    watcher = referee.watcher
    for n in range(REMEMBERED_COMMANDS):
        # Every odd one takes the dart back, so that the match never ends.
        watcher.publish(f"{referee.root}/command", {"id": n} | ({"undo": True} if n % 2 else {"throw": "S1"}))
    last = watcher.wait(
        lambda m: m.topic.endswith("/reply") and m.payload["id"] == REMEMBERED_COMMANDS - 1, "the last reply"
    ).payload
    assert last["ok"]
    daemon.kill()
    since = len(watcher.seen)
    daemon.start()
    referee.online(since)
    before = {m["id"]: m for m in watcher.all("/reply")}
    for n in (0, 1, REMEMBERED_COMMANDS // 2, REMEMBERED_COMMANDS - 1):
        assert referee.send({"id": n, "throw": "S2"}) == before[n]
    assert referee.state(lambda _: True, "the state", since)["revision"] == last["revision"]


def test_one_and_one_in_quotes_are_two_ids(referee: Referee) -> None:
    referee.ask(X01)
    first = referee.send({"id": 1, "throw": "T20"})
    second = referee.send({"id": "1", "throw": "T20"})
    assert second["revision"] == first["revision"] + 1


def test_replies_go_below_ours_alone(broker: Mosquitto, referee: Referee) -> None:
    asker = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    asker.connect("127.0.0.1", broker.port)
    asker.loop_start()
    wanted = ["oche/test/reply/me", "oche/test/board/lounge/match", "oche/other/reply/me", "elsewhere"]
    for topic in wanted:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.ResponseTopic = topic
        properties.CorrelationData = b"\x01\x02"
        asker.publish(f"{referee.root}/command", json.dumps({"id": topic, "dance": 1}), qos=1, properties=properties)
    referee.ask(X01)
    asker.loop_stop()
    asker.disconnect()
    replies = [m for m in referee.watcher.seen if m.payload and "ok" in m.payload and m.payload["id"] in wanted]
    assert {m.topic for m in replies} == {f"{referee.root}/reply", "oche/test/reply/me"}


def test_a_retained_command_is_ignored_now_and_after_a_restart(daemon: Daemon, referee: Referee) -> None:
    referee.ask(X01)
    referee.watcher.publish(f"{referee.root}/command", {"id": "kept", "throw": "T20"}, retain=True)
    referee.watcher.publish(f"{referee.root}/command/Ann", {"id": "kept too", "throw": "T20"}, retain=True)
    daemon.kill()
    since = len(referee.watcher.seen)
    daemon.start()
    referee.online(since)
    assert referee.ask({"throw": "T19"})["ok"]
    assert referee.state(lambda s: bool(s["turn"]["darts"]), "the dart", since)["turn"]["darts"] == ["T19"]


def test_an_empty_user_is_not_the_referee(referee: Referee) -> None:
    since = len(referee.watcher.seen)
    referee.watcher.publish(f"{referee.root}/command/", {"id": "nobody", **X01})
    reply = referee.watcher.wait(lambda m: m.topic.endswith("/reply"), "a reply", since).payload
    assert (reply["ok"], reply["reason"]) == (False, "not_allowed")


def test_a_new_match_in_place_of_another_is_one_step(daemon: Daemon, referee: Referee) -> None:
    first = referee.ask(X01)["revision"]
    before = referee.state(lambda _: True, "the first match")
    assert referee.ask(X01)["revision"] == first + 1
    after = referee.state(lambda s: s["match"] != before["match"], "the second match")
    assert after["revision"] == first + 1
    stopped = referee.watcher.wait(lambda m: m.topic.endswith("/event") and m.payload["event"] == "stopped", "stopped")
    assert stopped.payload["match"] == before["match"]


def test_hands_are_cleared_with_their_match(referee: Referee) -> None:
    referee.ask({"start": {"game": "dards", "players": ["Ann", "Bob", "Cid"]}})
    seats = [f"{referee.root}/hand/{seat}" for seat in (1, 2, 3)]
    for seat in seats:
        referee.watcher.wait(lambda m, seat=seat: m.topic == seat and m.payload is not None, seat)  # type: ignore[misc]
    since = len(referee.watcher.seen)
    referee.ask({"stop": True})
    for topic in (*seats, f"{referee.root}/match"):
        referee.watcher.wait(lambda m, topic=topic: m.topic == topic and m.payload is None, topic, since)  # type: ignore[misc]


def test_hands_that_a_dead_daemon_left_are_cleared(daemon: Daemon, referee: Referee) -> None:
    watcher = referee.watcher
    # First: a daemon that has just come looks for such topics too.
    daemon.kill()
    watcher.publish(f"{referee.root}/hand/9", {"schema": 1, "match": "old"}, retain=True)
    watcher.publish("oche/test/board/gone/match", {"schema": 1, "match": "old"}, retain=True)
    since = len(watcher.seen)
    daemon.start()
    for topic in (f"{referee.root}/hand/9", "oche/test/board/gone/match"):
        watcher.wait(lambda m, topic=topic: m.topic == topic and m.payload is None, topic, since)  # type: ignore[misc]


def test_dice_wait_for_people_where_a_match_says_so(referee: Referee) -> None:
    start: dict[str, Any] = {"game": "cerberus", "players": ["Ann"], "options": {"manual_chance": True}}
    referee.ask({"start": start})
    assert referee.state(lambda _: True, "the match")["turn"]["awaits"] == "roll"
    assert referee.ask({"roll": [7, 16, 10]})["ok"]
    referee.ask({"start": start | {"options": {}}})
    referee.state(lambda s: s["turn"]["awaits"] == "throw", "dice by themselves")
    assert referee.ask({"roll": [7, 16, 10]})["reason"] == "not_awaited"


def test_next_comes_by_itself_only_where_a_match_says_so(referee: Referee, pty: PtyBoard) -> None:
    options: dict[str, Any] = {"start": 301}
    referee.ask({"start": {"game": "x01", "players": ["Ann", "Bob"], "options": options | {"auto_next": 1}}})
    since = len(referee.watcher.seen)
    pty.say(b"20;1\r\n19;1\r\n18;1\r\n")
    referee.state(lambda s: s["turn"]["player"] == "Bob", "Bob's turn", since)


def test_a_match_that_cannot_be_read_is_said_and_the_board_plays_on(daemon: Daemon, referee: Referee) -> None:
    referee.ask(X01)
    daemon.kill()
    with sqlite3.connect(daemon.data / "oche.db") as db:
        db.execute("UPDATE match SET header = '{\"match\": 1'")
    db.close()
    since = len(referee.watcher.seen)
    daemon.start()
    topic = f"{referee.root}/status"
    referee.watcher.wait(lambda m: m.topic == topic and m.payload.get("reason") == "match", "the reason", since)
    assert referee.ask(X01)["ok"]
    assert referee.state(lambda _: True, "a match", since)["revision"] == 2


def test_a_broker_that_was_emptied_is_filled_again(broker: Mosquitto, referee: Referee) -> None:
    referee.ask(X01)
    before = referee.state(lambda _: True, "the match")
    broker.stop()
    since = len(referee.watcher.seen)
    broker.start()
    assert referee.state(lambda _: True, "the match again", since) == before
    referee.watcher.wait(lambda m: m.topic == "oche/test/status" and m.payload["state"] == "online", "online", since)


def test_what_no_broker_took_is_counted(broker: Mosquitto, referee: Referee, pty: PtyBoard) -> None:
    referee.ask(X01)
    broker.stop()
    pty.say(b"20;3\r\n")
    since = len(referee.watcher.seen)
    broker.start()
    referee.state(lambda s: bool(s["turn"]["darts"]), "the dart", since)
    status = referee.watcher.wait(
        lambda m: m.topic == "oche/test/status" and "counters" in (m.payload or {}), "the count", since
    )
    assert status.payload["counters"]["dropped"] >= 1
