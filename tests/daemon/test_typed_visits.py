"""Totals of visits, darts of earlier turns and the clock of a turn, at a running daemon and over a SIGKILL."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mqtt_clients import Referee, watching
from tests.rig import Daemon, Mosquitto

Table = tuple[Daemon, Referee]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with (
        Mosquitto(tmp_path) as broker,
        watching(broker.port) as watcher,
        Daemon(tmp_path, "--board", "lounge=virtual@sim:", "--broker", broker.url) as daemon,
    ):
        referee = Referee(watcher, "lounge")
        referee.online()
        yield daemon, referee


def done(referee: Referee, command: dict[str, Any]) -> dict[str, Any]:
    """The state after a command that is accepted."""
    reply = referee.ask(command)
    assert reply["ok"], reply
    return referee.state(lambda state: state["revision"] == reply["revision"], str(command))


def test_a_visit_is_entered_as_one_number_and_corrected_two_turns_later(table: Table) -> None:
    _, referee = table
    state = done(referee, {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {}}})
    assert "earlier" not in state
    assert "began" not in state["turn"]
    state = done(referee, {"visit": {"points": 100}})
    assert (state["players"][0]["score"], state["turn"]["awaits"]) == (401, "next")
    state = done(referee, {"visit": {"points": 140}})
    assert state["players"][0]["score"] == 361, "the second total replaces the first"
    done(referee, {"next": True})
    done(referee, {"visit": {"points": 26}})
    state = done(referee, {"next": True})
    assert [(turn["back"], turn["player"]) for turn in state["earlier"]] == [(1, "Bob"), (2, "Ann")]
    assert state["earlier"][1]["darts"] == ["T20", "T20", "20"]
    state = done(referee, {"correct": {"back": 2, "dart": 2, "throw": "MISS"}})
    assert (state["players"][0]["score"], state["turn"]["player"]) == (421, "Ann")
    reply = referee.ask({"visit": {"points": 179}})
    assert (reply["ok"], reply["reason"]) == (False, "no_such_visit")
    for wrong in ({"points": 181}, {"points": True}, {"points": 40, "bed": "X"}, {"points": 40, "darts": 4}, 60):
        assert referee.ask({"visit": wrong})["reason"] == "bad_value"


def test_a_killed_daemon_knows_the_earlier_turns_of_a_long_match(table: Table) -> None:
    """More actions than lie between two stored states."""
    daemon, referee = table
    state = done(referee, {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001}}})
    for n in range(20):
        done(referee, {"visit": {"points": 20 + n}})
        state = done(referee, {"next": True})
    assert len(state["earlier"]) == 3
    since = len(referee.watcher.seen)
    daemon.kill()
    daemon.start()
    referee.online(since)
    again = referee.state(lambda found: found["revision"] >= state["revision"], "the match after the restart", since)
    assert again == state
    corrected = done(referee, {"correct": {"back": 3, "dart": 1, "throw": "MISS"}})
    assert corrected["earlier"][2]["darts"][0] == "MISS"


def test_the_clock_of_a_turn_begins_with_the_turn(table: Table) -> None:
    _, referee = table
    options = {"turn_seconds": 30}
    first = done(referee, {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": options}})
    thrown = done(referee, {"throw": "T20"})
    assert thrown["turn"]["began"] == first["turn"]["began"]
    second = done(referee, {"next": True})
    assert second["turn"]["began"] > first["turn"]["began"]


def test_the_screens_of_a_board_are_switched_over_the_bus(table: Table) -> None:
    _, referee = table
    topic = f"{referee.root}/status"

    def shown(screens: dict[str, bool]) -> None:
        referee.watcher.wait(
            lambda m: m.topic == topic and m.payload and m.payload.get("screens") == screens, str(screens)
        )

    assert referee.ask({"screens": {"sound": True}})["ok"]
    shown({"sound": True})
    assert referee.ask({"screens": {"caller": False}})["ok"]
    shown({"sound": True, "caller": False})
    for wrong in ({}, {"sound": 1}, {"volume": True}, True):
        assert referee.ask({"screens": wrong})["reason"] == "bad_value"
