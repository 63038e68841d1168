"""A reply goes to who asked and to nobody else, on every broker; a retained command does nothing and does not stay."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from tests.daemon.guest import OVER_THE_NETWORK, Guest
from tests.daemon.house import BOARD, House, OutsideBroker, answers, changed, make_user, outside_files
from tests.mqtt_clients import Watcher, watching
from tests.rig import Daemon, Mosquitto, free_port, until

REPLY = "oche/test/reply"
FORGED = b"forged"


def _tries(asker: Guest, command: str, wanted: list[str]) -> None:
    for n, topic in enumerate(wanted):
        payload = {"id": f"forged {n}", "stop": True, "throw": "T20"}
        asker.publish(command, payload, answer_to=topic, correlation=FORGED)


OTHERS = [f"{REPLY}/bob", f"{REPLY}/bob/x", f"{REPLY}/ann/../bob", f"{REPLY}/annbob", f"{REPLY}//bob", f"{REPLY}/"]


def test_a_player_is_answered_below_his_own_name_alone(house: House) -> None:
    ann, bob = (house.guest(house.pair("player", name)) for name in ("Ann", "Bob"))
    _tries(ann, f"{BOARD}/command/ann", [*OTHERS, f"{REPLY}/ann/mine"])
    assert ann.wait("reply/ann/mine")["id"] == "forged 6"
    house.quiet()
    assert not [topic for topic in bob.topics() if topic.startswith(REPLY)]
    at = {m.topic for m in house.watcher.seen if m.topic.startswith(REPLY)}
    # The second pair of dots is part of the user's own topic: no broker resolves it, and only they may read it.
    assert at == {f"{REPLY}/ann/mine", f"{REPLY}/ann/../bob"}


@pytest.mark.parametrize("way", ["the pages", "the port for programs"])
def test_a_referee_does_not_answer_in_the_daemons_name(house: House, way: str) -> None:
    """A player's client takes messages below their name for replies to it."""
    bob = house.guest(house.pair("player", "Bob"))
    pages = way == "the pages"
    program = Guest(house.http if pages else house.port, host="localhost" if pages else "127.0.0.1", websocket=pages)
    _tries(program, f"{BOARD}/command", [f"{REPLY}/bob", f"{REPLY}/bob/x", f"{REPLY}/program"])
    assert program.wait("reply/program")["id"] == "forged 2"
    house.quiet()
    assert not [topic for topic in bob.topics() if topic.startswith(REPLY)]
    program.close()


def test_the_same_on_a_broker_outside(tmp_path: Path) -> None:
    data, port, http_port = tmp_path / "data", free_port(), free_port()
    passwords = {name: make_user(data, name, "player") for name in ("ann", "bob")}
    url = outside_files(tmp_path, data, port)
    outside = OutsideBroker(tmp_path / "files", port)
    pages = ("--http", f"{OVER_THE_NETWORK}:{http_port}")
    try:
        with Daemon(tmp_path, "--broker", url, "--board", "lounge=virtual@sim:", *pages):
            until(lambda: answers(http_port), "the pages")
            ann = Guest(port, "ann", passwords["ann"], websocket=False)
            bob = Guest(http_port, "bob", passwords["bob"])
            bob.wait("lounge/status")
            _tries(ann, f"{BOARD}/command/ann", [*OTHERS, f"{REPLY}/ann"])
            assert ann.wait("reply/ann")["id"] == "forged 6"
            bob.wait("lounge/reply")
            assert not [topic for topic in bob.topics() if topic.startswith(REPLY)]
            ann.close()
            bob.close()
    finally:
        outside.end()


class Mqtt311Client:
    """An MQTT 3.1.1 client, which cannot ask for the retain flag of live messages."""

    def __init__(self, port: int) -> None:
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv311)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def keep(self, topic: str, payload: Any) -> None:
        self._client.publish(topic, json.dumps(payload), qos=1, retain=True).wait_for_publish(20)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def old(house: House) -> Iterator[Mqtt311Client]:
    client = Mqtt311Client(house.port)
    yield client
    client.close()


def _kept(port: int, topic: str) -> bool:
    """Whether the broker retains a message on a topic: a new subscriber gets it before anything else."""
    with watching(port, topic) as fresh:
        fresh.publish(topic.removesuffix("/command") + "/nothing", {})
        return any(m.retain for m in fresh.seen)


def test_a_retained_command_is_taken_from_the_broker(house: House, old: Mqtt311Client) -> None:
    old.keep(f"{BOARD}/command", {"id": "kept", "stop": True})
    house.watcher.wait(lambda m: m.topic == f"{BOARD}/command" and m.payload is None, "the topic is empty again")
    assert not _kept(house.port, f"{BOARD}/command")
    house.quiet()
    assert house.watcher.last("lounge/match") is not None, "the match was not stopped"
    assert not [reply for reply in house.watcher.all("/reply") if reply["id"] == "kept"]


def test_a_board_and_a_player_may_be_called_command(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    """Their topics look like commands to a quick eye; what is retained there stays, and counts for nothing."""
    daemon = Daemon(tmp_path, "--broker", broker.url, "--board", "command=virtual@sim:")
    make_user(daemon.data, "command", "player")
    board = "oche/test/board/command"
    start = {"id": 1, "start": {"game": "dards", "players": ["Command", "Bob"], "options": {"mode": "hands"}}}
    with daemon:
        watcher.wait(lambda m: m.topic == f"{board}/status" and m.payload["state"] == "online", "the board")
        watcher.publish(f"{board}/command", start)
        reply = watcher.wait(lambda m: m.topic == f"{board}/reply", "the reply").payload
        assert reply["ok"], reply
        watcher.wait(lambda m: m.topic == f"{board}/hand/command", "the hand")
        watcher.publish(f"{board}/hand/left", {"behind": True}, retain=True)
        daemon.kill()
        since = len(watcher.seen)
        daemon.start()
        # What a former run left is looked for, and this is looked for last.
        watcher.wait(lambda m: m.topic == f"{board}/hand/left" and m.payload is None, "the sweep", since)
        watcher.publish(f"{board}/command", {"id": 2, "stop": 1})
        watcher.wait(lambda m: m.topic == f"{board}/reply" and m.payload["id"] == 2, "a reply", since)
        for leaf in ("status", "hand/command", "match"):
            assert [m.payload for m in watcher.seen[since:] if m.topic == f"{board}/{leaf}"][-1] is not None, leaf
        counted = watcher.wait(lambda m: m.topic == f"{board}/status" and m.payload["counters"], "the count", since)
        assert counted.payload["counters"] == {"commands_refused": 1}


def test_without_mqtt_5_a_retained_command_is_done_once_and_not_at_the_next_start(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher
) -> None:
    """Over 3.1.1 a broker says `retained` only of what was there before: a live one is a command like another."""
    daemon = Daemon(
        tmp_path, "--board", "lounge=virtual@sim:", "--broker", broker.url, program=_speaks_old_mqtt(tmp_path)
    )
    with daemon:
        watcher.wait(lambda m: m.topic == f"{BOARD}/status" and m.payload["state"] == "online", "the board")
        start = {"start": {"game": "x01", "players": ["Ann"], "options": {"start": 301}}}
        watcher.publish(f"{BOARD}/command", start)
        watcher.publish(f"{BOARD}/command", {"throw": "T20"}, retain=True)
        watcher.wait(lambda m: m.topic == f"{BOARD}/match" and m.payload["turn"]["darts"] == ["T20"], "the dart")
        daemon.kill()
        since = len(watcher.seen)
        daemon.start()
        watcher.wait(lambda m: m.topic == f"{BOARD}/command" and m.payload is None, "taken from the broker", since)
        state = watcher.wait(lambda m: m.topic == f"{BOARD}/match", "the match", since).payload
        assert state["turn"]["darts"] == ["T20"]
        assert not _kept(broker.port, f"{BOARD}/command")


def _speaks_old_mqtt(folder: Path) -> str:
    return changed(
        folder,
        "from dataclasses import replace",
        "from daemon.mqtt.bus import Bus",
        "run = Bus.run",
        "Bus.run = lambda self, url, *more, **named: run(self, replace(url, old=True), *more, **named)",
    )
