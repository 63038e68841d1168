"""The blueprints, sentences and flow of the guides: their form, and their conditions with the events of matches."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import jinja2.sandbox
import pytest
import yaml

from daemon.mqtt import home_assistant
from engine.awards import AWARDS
from tests.rig import LIMIT_SECONDS, free_port
from tests.show.played import Played

DOCS: Final = Path(__file__).parents[2] / "docs"
GUIDE: Final = DOCS / "home-assistant"
BLUEPRINTS: Final = sorted((GUIDE / "blueprints").glob("*.yaml"))
ACTIONS: Final = re.compile(r"(light|scene|button)\.[a-z_]+")


class Input(str):
    """The name of an input, where a blueprint has `!input NAME`."""


class Loader(yaml.SafeLoader):
    """YAML with Home Assistant's tag for inputs."""


Loader.add_constructor("!input", lambda loader, node: Input(loader.construct_scalar(node)))  # type: ignore[arg-type]


def load(path: Path) -> dict[str, Any]:
    loaded = yaml.load(path.read_text("utf-8"), Loader)
    assert isinstance(loaded, dict)
    return loaded


def parts(value: Any) -> Iterator[Any]:
    """Yields every value in a value of YAML."""
    yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in inner:
        yield from parts(part)


@pytest.mark.parametrize("path", BLUEPRINTS, ids=lambda path: path.stem)
def test_a_blueprint_uses_its_inputs_and_no_others(path: Path) -> None:
    blueprint = load(path)
    about = blueprint.pop("blueprint")
    assert about["domain"] == "automation"
    assert {part for part in parts(blueprint) if isinstance(part, Input)} == set(about["input"])
    assert all(len(given["selector"]) == 1 for given in about["input"].values())
    assert all(ACTIONS.fullmatch(step["service"]) for step in blueprint["action"] if "service" in step)
    for part in parts(blueprint):
        if isinstance(part, str) and not isinstance(part, Input):
            jinja2.Environment().parse(part)


def events() -> list[dict[str, Any]]:
    """The attributes of the entity `Match event` in matches with everything that the blueprints wait for."""
    short = Played("x01", ["Bob", "Ann"], {"start": 301, "legs": 1})
    short.act("T20", "T20", "T20", "next", "DB", "SB", "SB", "next", "T20", "T20", "next", "S1", "next")
    short.act("T20", "T15", "D8", "next")
    return [{"event_type": cue.kind, **cue.event} for cue in short.cues]


def triggered_by(path: Path, **inputs: Any) -> list[str]:
    """The kinds of the events for which all conditions of a blueprint hold."""
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment()
    found = []
    for attributes in events():
        trigger = {"to_state": {"state": "now", "attributes": attributes}, "from_state": {"state": "before"}}
        conditions = [environment.from_string(text) for text in load(path)["condition"]]
        if all(condition.render(trigger=trigger, **inputs).strip() == "True" for condition in conditions):
            found.append(attributes["event_type"])
    return found


@pytest.mark.parametrize(
    ("name", "inputs", "kinds"),
    [
        ("lights_at_total", {"total": 180}, ["score"]),
        ("lights_at_total", {"total": 179}, []),
        ("lights_at_bust", {}, ["bust"]),
        ("announce_winner", {}, ["won"]),
        ("award", {"awards": ["hat_trick"]}, ["award"]),
    ],
)
def test_a_blueprint_acts_on_the_events_of_a_match(name: str, inputs: dict[str, Any], kinds: list[str]) -> None:
    assert triggered_by(GUIDE / "blueprints" / f"{name}.yaml", **inputs) == kinds


def test_every_award_can_be_chosen() -> None:
    options = load(GUIDE / "blueprints" / "award.yaml")["blueprint"]["input"]["awards"]["selector"]["select"]["options"]
    assert set(AWARDS) <= set(options)
    found = [event for event in events() if event["event_type"] == "award"]
    assert {event["award"] for event in found} <= set(options)
    entity = home_assistant.device("test", "lounge", "A board", "1.0", None)["components"]["event"]
    assert "award" in entity["event_types"]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_sentences_have_every_intent(language: str) -> None:
    sentences = load(GUIDE / "sentences" / f"{language}.yaml")
    scripts = load(GUIDE / "sentences" / "intent_script.yaml")["intent_script"]
    assert sentences["language"] == language
    assert sentences["intents"].keys() == scripts.keys()
    entities = home_assistant.device("test", "lounge", "A board", "1.0", None)["components"].values()
    names = {f"{e['platform']}.dartboard_lounge_{e['name'].lower().replace(' ', '_')}" for e in entities}
    assert set(re.findall(r"\w+\.dartboard_lounge_\w+", json.dumps(scripts))) <= names


def test_the_flow_leads_from_events_to_words() -> None:
    nodes = {node["id"]: node for node in json.loads((DOCS / "node-red" / "flow.json").read_text("utf-8"))}
    targets = {target for node in nodes.values() for output in node.get("wires", []) for target in output}
    assert targets | {node["broker"] for node in nodes.values() if "mqtt " in node["type"]} <= nodes.keys()
    [switch] = [node for node in nodes.values() if node["type"] == "switch"]
    entity = home_assistant.device("test", "lounge", "A board", "1.0", None)["components"]["event"]
    assert {rule["v"] for rule in switch["rules"]} <= set(entity["event_types"])
    assert len(switch["wires"]) == switch["outputs"] == len(switch["rules"])


@pytest.mark.skipif("OCHE_HOME_ASSISTANT" not in os.environ, reason="OCHE_HOME_ASSISTANT names no Python with it")
def test_everything_in_a_real_home_assistant(tmp_path: Path) -> None:
    python = os.environ["OCHE_HOME_ASSISTANT"]
    ran = subprocess.run(
        [python, str(Path(__file__).parent / "real.py"), str(tmp_path), str(free_port())],
        capture_output=True,
        text=True,
        timeout=5 * LIMIT_SECONDS,
        check=False,
        env=os.environ | {"PATH": f"{Path(python).parent}:{os.environ['PATH']}"},
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
