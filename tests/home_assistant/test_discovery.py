"""Home Assistant finds every board: the discovery messages, the values of their templates, and when they are published.

No Home Assistant runs here. A JSON Schema written from its documentation (`device.json`) and Jinja2, its template
engine, with the filter that it adds, take its place.
"""

import json
import re
from pathlib import Path
from typing import Any, Final

import jinja2.sandbox
import jsonschema
import pytest

from daemon.mqtt import home_assistant
from tests.mqtt_clients import ReceivedMessage, Referee, Watcher, watching
from tests.rig import Daemon, Mosquitto, PtyBoard

SCHEMA: Final = json.loads((Path(__file__).parent / "device.json").read_text())
TOPIC: Final = "homeassistant/device/oche_test_lounge/config"
START: Final = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}}}
EMPTY: Final = ""


def rendered(template: str, payload: str) -> str:
    """Renders a template as the MQTT integration does: `value` is the text; `value_json` exists if that is JSON."""
    templates = jinja2.sandbox.ImmutableSandboxedEnvironment()
    templates.filters["to_json"] = json.dumps
    values: dict[str, Any] = {"value": payload}
    if payload:
        values["value_json"] = json.loads(payload)
    return templates.from_string(template).render(values).strip()


class Device:
    """The device that Home Assistant makes of a discovery message, with the last message of each topic."""

    def __init__(self, about: dict[str, Any], watcher: Watcher) -> None:
        self.components = about["components"]
        self.about = about
        self._watcher = watcher

    def state(self, entity: str) -> str:
        component = self.components[entity]
        return rendered(component["value_template"], self._last(component["state_topic"]))

    def attributes(self, entity: str) -> Any:
        component = self.components[entity]
        return json.loads(
            rendered(component["json_attributes_template"], self._last(component["json_attributes_topic"]))
        )

    def available(self, entity: str) -> bool:
        """Whether every availability topic is `online`. For one topic `all` and `latest` mean the same."""
        wanted = self.components[entity].get("availability", self.about["availability"])
        return all(rendered(w["value_template"], self._last(w["topic"])) == "online" for w in wanted)

    def _last(self, topic: str) -> str:
        payload = self._watcher.last(topic)
        return EMPTY if payload is None else json.dumps(payload)


@pytest.fixture
def home(broker: Mosquitto) -> Any:
    """A subscriber to the topics of Home Assistant."""
    with watching(broker.port, "homeassistant/#") as watcher:
        yield watcher


def is_config(message: ReceivedMessage) -> bool:
    return message.topic == TOPIC


def lounge(pty: PtyBoard, broker: Mosquitto) -> tuple[str, ...]:
    return ("--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url)


def test_the_message_matches_the_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for pages in (None, "http://pi.local:8080"):
        message = home_assistant.device("test", "lounge", "A board", "1.0", pages, battery=pages is not None)
        jsonschema.validate(message, SCHEMA)
        assert ("configuration_url" in message["device"]) == (pages is not None)


@pytest.mark.parametrize(
    ("entity", "change"),
    [
        ("hit", {"event_types": []}),
        ("hit", {"stat_topic": "x"}),
        ("state", {"device_class": None}),
        ("next", {"command_topic": "oche/+/command"}),
        ("board", {"device_class": "wobbly"}),
    ],
)
def test_the_schema_rejects_a_wrong_message(entity: str, change: dict[str, Any]) -> None:
    message = home_assistant.device("test", "lounge", "A board", "1.0", None)
    component = message["components"][entity] | change
    message["components"][entity] = {key: value for key, value in component.items() if value is not None}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(message, SCHEMA)


@pytest.mark.parametrize(
    ("hit", "kind"),
    [
        ({"segment": "SI20"}, "single"),
        ({"segment": "S5"}, "single"),
        ({"segment": "D16"}, "double"),
        ({"segment": "T20"}, "triple"),
        ({"segment": "SB"}, "outer_bull"),
        ({"segment": "DB"}, "inner_bull"),
        ({"segment": "MISS"}, "miss"),
        ({"points": 18, "candidates": ["T6", "D9", "S18"]}, "points"),
    ],
)
def test_every_hit_has_an_event_type(hit: dict[str, Any], kind: str) -> None:
    event = home_assistant.device("test", "lounge", "A board", "1.0", None)["components"]["hit"]
    seen = json.loads(rendered(event["value_template"], json.dumps(hit | {"id": "lounge-1"})))
    assert seen == hit | {"id": "lounge-1", "event_type": kind}
    assert seen["event_type"] in event["event_types"]


def test_a_match_as_home_assistant_shows_it(
    tmp_path: Path, broker: Mosquitto, home: Watcher, watcher: Watcher, pty: PtyBoard
) -> None:
    with Daemon(tmp_path, *lounge(pty, broker)) as daemon:
        found = home.wait(is_config, "the discovery message")
        jsonschema.validate(found.payload, SCHEMA)
        assert found.qos == 1
        device, referee = Device(found.payload, watcher), Referee(watcher, "lounge")
        referee.online()
        assert (device.state("state"), device.state("turn"), device.state("score")) == ("no_match", "None", "None")
        assert (device.state("board"), device.state("fault"), device.attributes("score")) == ("ON", "OFF", {})
        referee.ask(START)
        pty.say(b"20;3\r\n5;1\r\n")
        referee.state(lambda s: len(s["turn"]["darts"]) == 2, "two darts")
        shown = {entity: device.state(entity) for entity in ("state", "turn", "score", "darts")}
        assert shown == {"state": "throw", "turn": "Ann", "score": "236", "darts": "T20 S5"}
        assert device.attributes("score") == {"Ann": 236, "Bob": 301}
        assert device.attributes("state")["game"] == "x01"
        assert json.loads(device.state("hit"))["event_type"] == "single"
        assert json.loads(device.state("event"))["event_type"] == "dart"
        for entity in device.components:
            assert device.available(entity)
        press(device, "undo", watcher)
        referee.state(lambda s: s["turn"]["darts"] == ["T20"] and s["revision"] == 4, "the dart was taken back")
        press(device, "next", watcher)
        referee.state(lambda s: s["turn"]["player"] == "Bob", "Bob's turn")
        since = len(watcher.seen)
        pty.unplug()
        watcher.wait(lambda m: m.topic.endswith("lounge/status") and m.payload["state"] == "offline", "offline", since)
        assert (device.state("board"), device.available("hit"), device.available("score")) == ("OFF", False, True)
        pty.plug()
        referee.online(since)
        referee.ask({"stop": True})
        watcher.wait(lambda m: m.topic.endswith("/match") and m.payload is None, "no match", since)
        assert (device.state("state"), device.state("darts"), device.attributes("state")) == ("no_match", "None", {})
        daemon.stop()
        watcher.wait(lambda m: m.topic == "oche/test/status" and m.payload["state"] == "offline", "goodbye")
        assert not any(device.available(entity) for entity in device.components)


def press(device: Device, entity: str, watcher: Watcher) -> None:
    """Presses a button of Home Assistant: publishes its text, not retained."""
    button = device.components[entity]
    watcher.publish(button["command_topic"], button["payload_press"].encode())


def test_a_board_with_a_battery_has_an_entity_for_it() -> None:
    assert "battery" not in home_assistant.device("test", "lounge", "A board", "1.0", None)["components"]
    battery = home_assistant.device("test", "lounge", "A board", "1.0", None, battery=True)["components"]["battery"]
    assert rendered(battery["value_template"], '{"state": "online", "battery": 87}') == "87"
    assert rendered(battery["value_template"], '{"state": "offline"}') == "None"


def test_the_guide_has_every_entity() -> None:
    guide = (Path(__file__).parents[2] / "docs/home-assistant.md").read_text()
    rows = re.findall(r"^\| ([A-Z].*?) \|", guide, re.MULTILINE)
    components = home_assistant.device("test", "lounge", "A board", "1.0", None, battery=True)["components"]
    assert {name for row in rows for name in row.split(", ")} == {entity["name"] for entity in components.values()}


def test_the_sensor_of_the_guide_shows_the_score() -> None:
    guide = (Path(__file__).parents[2] / "docs/home-assistant.md").read_text()
    template = re.findall(r"value_template: >-\n(.*?)```", guide, re.DOTALL)[0].strip()
    match = {"turn": {"player": "Bob"}, "players": [{"name": "Ann", "score": 1}, {"name": "Bob", "score": 2}]}
    assert (rendered(template, json.dumps(match)), rendered(template, EMPTY)) == ("2", "None")


def test_every_state_of_a_match_is_an_option() -> None:
    sensor = home_assistant.device("test", "lounge", "A board", "1.0", None)["components"]["state"]
    for awaits in ("roll", "deck", "throw", "choose", "move", "combat", "defend", "next"):
        shown = rendered(sensor["value_template"], json.dumps({"finished": False, "turn": {"awaits": awaits}}))
        assert shown == awaits
        assert shown in sensor["options"]
    over = json.dumps({"finished": True, "turn": {"awaits": "nothing"}})
    assert rendered(sensor["value_template"], over) == "finished"


def test_the_message_is_sent_again_when_home_assistant_starts(
    tmp_path: Path, broker: Mosquitto, home: Watcher, pty: PtyBoard
) -> None:
    with Daemon(tmp_path, *lounge(pty, broker)):
        first = home.wait(is_config, "the discovery message")
        since = len(home.seen)
        for _ in range(20):
            home.publish(home_assistant.BIRTH, b"online")
        again = home.wait(is_config, "the message again", since)
        assert again.payload == first.payload
        # A random moment can come between two of the twenty, but not after each of them.
        assert len(home.all(TOPIC)) < 10


def test_it_is_published_again_after_the_broker_lost_it(
    tmp_path: Path, broker: Mosquitto, home: Watcher, pty: PtyBoard
) -> None:
    with Daemon(tmp_path, *lounge(pty, broker)):
        home.wait(is_config, "the discovery message")
        broker.stop()
        since = len(home.seen)
        broker.start()
        home.wait(is_config, "the message again", since)


def test_the_message_of_a_removed_board_is_cleared(
    tmp_path: Path, broker: Mosquitto, home: Watcher, pty: PtyBoard
) -> None:
    others = ("homeassistant/device/oche_test2_den/config", "homeassistant/device/kettle/config")
    for other in others:
        home.publish(other, {"somebody": "else"}, retain=True)
    gone = "homeassistant/device/oche_test_den/config"
    with Daemon(tmp_path, *lounge(pty, broker), "--board", "den=virtual@sim:?pace=0"):
        home.wait(lambda m: m.topic == gone and m.payload, "both boards")
    since = len(home.seen)
    with Daemon(tmp_path, *lounge(pty, broker)):
        home.wait(lambda m: m.topic == gone and m.payload is None, "the removed board is cleared", since)
        assert {m.topic for m in home.seen[since:] if m.payload is None} == {gone}


def test_discovery_can_be_switched_off(tmp_path: Path, broker: Mosquitto, home: Watcher, pty: PtyBoard) -> None:
    with Daemon(tmp_path, *lounge(pty, broker)):
        home.wait(is_config, "the discovery message")
    config = tmp_path / "oche.toml"
    config.write_text("home_assistant = false\n")
    since = len(home.seen)
    with Daemon(tmp_path, *lounge(pty, broker), "--config", str(config)):
        home.wait(lambda m: is_config(m) and m.payload is None, "the message is cleared", since)
        assert [m for m in home.seen[since:] if m.payload is not None] == []
