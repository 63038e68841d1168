"""A hint is the game's own advice, given to who may ask for it, and it changes nothing and gives nothing away."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon.session import payloads
from daemon.session.hints import SKILL_MM
from daemon.system.catalogue import faces, games
from engine.match import Header
from engine.matchfile import open_match
from engine.refusals import Refusal
from tests.daemon.house import BOARD, House
from tests.mqtt_clients import Referee, watching
from tests.rig import Daemon, Mosquitto

HINT = {"hint": True}


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    with (
        Mosquitto(tmp_path) as broker,
        watching(broker.port) as watcher,
        Daemon(tmp_path, "--board", "lounge=virtual@sim:", "--broker", broker.url),
    ):
        at_the_board = Referee(watcher, "lounge")
        at_the_board.online()
        yield at_the_board


def advised(game: str, options: dict[str, Any]) -> payloads.HintBody:
    """What the game's own advice is at the start of a match of two."""
    match = open_match(Header(game, ("Ann", "Bob"), options), games(), faces())
    assert not isinstance(match, Refusal)
    return payloads.hint(match.game.advice(match.state, SKILL_MM), SKILL_MM)


def test_a_hint_is_the_games_advice_and_changes_nothing(referee: Referee) -> None:
    assert referee.ask(HINT)["reason"] == "no_match"
    for game, options in (("x01", {}), ("cricket", {}), ("yatzy_dart", {}), ("dart_wars", {"order": "listed"})):
        begun = referee.ask({"start": {"game": game, "players": ["Ann", "Bob"], "options": options}})
        assert begun["ok"], begun
        reply = referee.ask(HINT, revision=begun["revision"])
        assert (reply["ok"], reply["revision"]) == (True, begun["revision"])
        assert reply["hint"] == advised(game, options)
        assert reply["hint"]["aim"]["target"]
    seen = [m.payload for m in referee.watcher.seen if m.topic == f"{BOARD}/match" and m.payload]
    assert len({state["revision"] for state in seen}) == 4, "one state for each start, and none for a hint"
    assert not [topic for topic in (m.topic for m in referee.watcher.seen) if "/hand/" in topic]


def test_there_is_no_hint_where_nothing_is_to_be_done(referee: Referee) -> None:
    begun = referee.ask({"start": {"game": "x01", "players": ["Ann"], "options": {}}})
    for dart in ("T20", "T20", "S1"):
        assert referee.ask({"throw": dart})["ok"]
    assert referee.ask(HINT)["reason"] == "not_awaited"
    assert referee.ask(HINT, revision=begun["revision"])["reason"] == "stale_revision"
    assert referee.ask({"hint": False})["reason"] == "bad_value"
    assert referee.ask({"hint": True, "undo": True})["reason"] == "unknown_action"


def test_a_hint_for_a_bed_that_is_not_known_waits_for_it(referee: Referee) -> None:
    assert referee.ask({"start": {"game": "cricket", "players": ["Ann"], "options": {}}})["ok"]
    points = {"points": 18, "candidates": ["T6", "D9", "S18"]}
    assert referee.ask({"throw": points})["ok"]
    assert referee.ask(HINT)["reason"] == "not_awaited"


def test_a_hint_about_cards_is_seen_by_their_owner_alone(house: House) -> None:
    ann, bob = (house.guest(house.pair("player", name)) for name in ("Ann", "Bob"))
    cards = ann.wait("hand/ann")["hand"]
    bob.publish(f"{BOARD}/command/bob", {"id": "b", "hint": True})
    refused = house.watcher.wait(lambda m: m.topic == f"{BOARD}/reply" and m.payload["id"] == "b", "b").payload
    assert refused["reason"] == "not_your_turn"
    ann.publish(f"{BOARD}/command/ann", {"id": "a", "hint": True})
    reply = house.watcher.wait(lambda m: m.topic == f"{BOARD}/reply" and m.payload["id"] == "a", "a").payload
    assert reply == {"id": "a", "ok": True, "revision": reply["revision"]}
    shown = house.watcher.wait(lambda m: m.topic == f"{BOARD}/hand/ann" and "hint" in m.payload, "the hint").payload
    card = shown["hint"]["action"]["choose"]["card"]
    assert card in cards
    assert house.referee.ask({"choose": {"card": card}})["ok"]
    laid = house.watcher.wait(
        lambda m: m.topic == f"{BOARD}/hand/ann" and m.payload["revision"] > shown["revision"], "the next hand"
    )
    assert "hint" not in laid.payload
    house.quiet()
    hints = {m.topic for m in house.watcher.seen if "hint" in json.dumps(m.payload)}
    assert hints == {f"{BOARD}/hand/1", f"{BOARD}/hand/ann", f"{BOARD}/command/ann", f"{BOARD}/command/bob"}
    assert not [topic for topic, _ in bob.seen if topic.endswith(("hand/1", "hand/ann"))]
