"""What goes over the bus is what the documentation says: payloads, the AsyncAPI page, the schemas, the reasons."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from boards import board_shape
from daemon.app.payload_schemas import CHANNELS, Channel, asyncapi, schema_files
from engine.game import EventKind
from engine.refusals import Reason
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

DOCS = Path(__file__).parent.parent.parent / "docs"


def channel_of(topic: str) -> Channel:
    """The channel whose address fits a topic."""
    for channel in CHANNELS:
        pattern = "oche/[^/]+/" + re.sub(r"\{\w+\}", "[^/]+", channel.address)
        if re.fullmatch(pattern, topic):
            return channel
    raise AssertionError(f"no channel is described for {topic}")


def test_every_payload_is_as_described(tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard) -> None:
    seen: set[str] = set()
    boards = ("--board", f"lounge=maddarts@{pty.path}", "--board", "den=virtual@sim:?pace=0&seed=1&skill=5")
    with Daemon(tmp_path, *boards, "--broker", broker.url):
        lounge, den = Referee(watcher, "lounge"), Referee(watcher, "den")
        lounge.online()
        den.online()
        pty.say(b"20;3\r\n")
        # The line and the broker are two ways: the command could come first, and the dart would be one of the match.
        watcher.wait(lambda message: message.topic.endswith("lounge/hit"), "the dart before the match")
        lounge.ask({"start": {"game": "cerberus", "players": ["Ann"]}})
        den.ask({"start": {"game": "dards", "players": ["Ann", "Bob", "Cid"], "bots": {"Bob": 20}}})
        lounge.ask({"dance": True})
        pty.say(b"19;3\r\n")
        lounge.state(lambda s: s["turn"]["darts"] == ["T19"], "the dart")
        watcher.wait(lambda m: m.topic.startswith(f"{den.root}/hand/"), "a hand")
    for message in list(watcher.seen):
        if message.payload is not None:
            channel = channel_of(message.topic)
            TypeAdapter(channel.payload).validate_python(message.payload)
            assert None not in message.payload.values(), "absent fields are left out, never null"
            assert message.qos == 1
            seen.add(channel.name)
    # tests/show/test_daemon.py has the payload of `show`, and test_tournament.py those of tournaments.
    unseen = {"userCommand", "userHand", "pairing", "unconfirmed", "show", "tournament", "tournamentEvent"}
    assert seen == {channel.name for channel in CHANNELS} - unseen


def test_the_documents_are_made_from_the_types() -> None:
    made = {f"schemas/{name}": schema for name, schema in schema_files().items()} | {"asyncapi.yaml": asyncapi()}
    made |= {"schemas/board-file.json": board_shape.schema()}
    for name, value in made.items():
        assert json.loads((DOCS / name).read_text()) == value, f"docs/{name} is old: run scripts/schemas"


@pytest.mark.parametrize(("page", "names"), [("reasons.md", get_args(Reason)), ("bus.md", get_args(EventKind))])
def test_every_name_is_explained(page: str, names: tuple[str, ...]) -> None:
    text = (DOCS / page).read_text()
    assert [name for name in names if f"`{name}`" not in text] == []


def test_the_payload_of_a_hit_has_what_a_display_needs(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    with Daemon(tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url):
        Referee(watcher, "lounge").online()
        pty.say(b"25;2\r\n")
        hit: dict[str, Any] = watcher.wait(lambda m: m.topic.endswith("/hit"), "the hit").payload
    assert hit["segment"] == "DB"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", hit["time"])
    assert hit["source"]["model"] == "maddarts"
