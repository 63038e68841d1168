"""A match in two houses from the invitation to the end: darts, take-outs, commands, leaving, adjourning, rematch."""

import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.houses.pair import House, SharedBroker, invited, two_houses
from tests.rig import OCHE, until

Both = tuple[House, House, SharedBroker]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    with two_houses(tmp_path_factory.mktemp("houses")) as both:
        yield both


@pytest.fixture
def match(both: Both) -> Iterator[str]:
    """A new match, in which Ann has thrown and it is Bob's turn.

    Her darts are commands: a bed that the board reports twice within 1.5 s is a doubt, and no dart. For the same
    reason no test throws a bed that the test before has thrown.
    """
    anna, bob, _ = both
    since = len(bob.watcher.seen)
    match = invited(anna, bob)
    for bed in ("S1", "S2", "S3"):
        assert anna.ask({"throw": bed})["ok"]
    anna.shows("Ann", "S1", "S2", "S3", match=match)
    assert anna.ask({"next": True})["ok"]
    bob.shows("Bob", since=since, match=match)
    yield match
    since = len(bob.watcher.seen)
    anna.ask({"stop": True})
    bob.watcher.wait(lambda m: m.topic.endswith("lounge/match") and m.payload is None, "an empty board", since)


def ignored(house: House, since: int) -> dict[str, Any]:
    """Waits for the event of a dart that does not count."""
    found: dict[str, Any] = house.watcher.wait(
        lambda m: m.topic.endswith("/event") and m.payload["event"] == "ignored", "ignored", since
    ).payload
    return found


def same_record(both: Both, match: str, lines: int) -> None:
    """Waits until both houses have the same record, with this many lines after the header."""
    anna, bob, _ = both
    until(lambda: len(anna.record(match)) == lines + 1 == len(bob.record(match)), f"{lines} lines in both houses")
    assert anna.record(match) == bob.record(match)


def events(house: House) -> list[dict[str, Any]]:
    """The events of the last match in a house since it began there, as far as they are about the match."""
    found = [m.payload for m in tuple(house.watcher.seen) if m.topic.endswith("/event")]
    last = max(n for n, event in enumerate(found) if event["event"] == "started")
    own = [event for event in found[last:] if event["event"] != "ignored"]
    return [{key: value for key, value in event.items() if key not in ("id", "revision")} for event in own]


def _exported(house: House, match: str) -> bytes:
    command = [OCHE, "export", match, "--data", str(house.daemon.data)]
    return subprocess.run(command, capture_output=True, check=True).stdout


def test_each_house_throws_for_its_own_player(both: Both, match: str) -> None:
    anna, bob, _ = both
    assert anna.house("here")["players"][1]["board"] == "bob/lounge"
    assert bob.house("here")["players"][1]["board"] == "lounge"
    since = len(anna.watcher.seen)
    anna.say("T7")
    assert ignored(anna, since)["reason"] == "not_your_turn"
    bob.say("S20", "S19")
    anna.shows("Bob", "S20", "S19", match=match)
    shown = bob.shows("Bob", "S20", "S19", match=match)
    assert "sent" not in shown
    since = len(bob.watcher.seen)
    assert bob.ask({"correct": {"dart": 2, "throw": "D5"}})["ok"]
    anna.shows("Bob", "S20", "D5", match=match)
    bob.say("S17")
    bob.shows("Bob", "S20", "D5", "S17", match=match)
    bob.say("S16")
    assert ignored(bob, since)["reason"] == "not_awaited"
    assert bob.ask({"next": True})["ok"]
    assert bob.ask({"next": True})["reason"] == "not_your_turn"
    anna.shows("Ann", match=match)
    same_record(both, match, 9)
    # Lights and callers of both houses hear the same.
    until(lambda: events(bob) == events(anna), "the same events in both houses")
    assert {"started", "dart", "corrected", "turn"} <= {event["event"] for event in events(bob)}


def test_a_revision_holds_in_both_houses(both: Both, match: str) -> None:
    _, bob, _ = both
    revision = bob.shows("Bob", match=match)["revision"]
    assert bob.ask({"throw": "S4", "revision": revision})["ok"]
    assert bob.ask({"throw": "S5", "revision": revision})["reason"] == "stale_revision"
    assert bob.referee.send({"id": "twice", "throw": "S6"})["ok"]
    assert bob.referee.send({"id": "twice", "throw": "S6"})["ok"]
    bob.shows("Bob", "S4", "S6", match=match)
    same_record(both, match, 6)


def test_a_killed_guest_and_a_killed_host_go_on(both: Both, match: str) -> None:
    anna, bob, _ = both
    bob.say("S15")
    # Also that the host's answer was heard.
    bob.shows("Bob", "S15", match=match)
    anna.daemon.kill()
    since = len(bob.watcher.seen)
    bob.house("away", since)
    bob.say("S12", "S9")
    bob.shows("Bob", "S15", sent=["S12", "S9"], match=match)
    bob.say("S14")
    assert ignored(bob, since)["reason"] == "not_awaited"
    bob.daemon.kill()
    bob.start()
    bob.shows("Bob", "S15", sent=["S12", "S9"], match=match, since=since)
    anna.start()
    anna.shows("Bob", "S15", "S12", "S9", match=match)
    bob.shows("Bob", "S15", "S12", "S9", match=match)
    same_record(both, match, 7)


def test_both_say_that_the_line_is_down(both: Both, match: str) -> None:
    anna, bob, shared = both
    since = {house.node: len(house.watcher.seen) for house in (anna, bob)}
    shared.kill()
    for house in (anna, bob):
        house.house("away", since[house.node])
    assert bob.ask({"throw": "S1"})["reason"] == "away"
    bob.say("S20", "S19", "S18")
    bob.shows("Bob", sent=["S20", "S19", "S18"], match=match)
    shared.start()
    anna.shows("Bob", "S20", "S19", "S18", match=match)
    for house in (anna, bob):
        house.house("here", since[house.node])
    same_record(both, match, 7)


def test_an_adjourned_match_is_resumed_after_restarts(both: Both, match: str) -> None:
    anna, bob, _ = both
    bob.say("S11")
    anna.shows("Bob", "S11", match=match)
    assert bob.ask({"adjourn": True})["reason"] == "not_allowed"
    since = len(bob.watcher.seen)
    assert anna.ask({"adjourn": True})["ok"]
    bob.watcher.wait(lambda m: m.topic.endswith("lounge/match") and m.payload is None, "an empty board", since)
    for house in (anna, bob):
        house.daemon.kill()
        house.start()
    since = len(bob.watcher.seen)
    assert anna.ask({"resume": True})["ok"]
    bob.shows("Bob", "S11", match=match, since=since)
    bob.say("S8")
    anna.shows("Bob", "S11", "S8", match=match)
    same_record(both, match, 6)


def test_a_guest_leaves_and_comes_back(both: Both, match: str) -> None:
    anna, bob, _ = both
    assert bob.ask({"stop": True})["ok"]
    anna.house("left")
    code = anna.ask({"invite": True})["invitation"]["code"]
    assert code.startswith("anna/lounge/")
    anna.ask({"stop": True})
    invited(anna, bob)


def test_a_match_is_won_and_played_once_more(both: Both, match: str) -> None:
    anna, bob, _ = both
    assert anna.ask({"stop": True})["ok"]
    one = {"invite": {"game": "x01", "players": ["Bob", "Ann"], "options": {"start": 101}, "guests": ["Bob"]}}
    match = invited(anna, bob, one)
    bob.say("T17", "S10", "D20")
    won = anna.shows("Bob", "T17", "S10", "D20", match=match)
    assert won["result"]["winners"] == ["Bob"]
    early = bob.ask({"accept": {"code": anna.ask({"invite": True})["invitation"]["code"]}})
    assert (early["reason"], "is won, and ends with Next" in early["message"]) == ("board_busy", True), early
    assert bob.ask({"next": True})["ok"]
    for house in (anna, bob):
        house.referee.state(lambda s: s["finished"] and s["match"] == match, "the end")
    same_record(both, match, 4)
    exported = [_exported(house, match) for house in (anna, bob)]
    assert exported[0] == exported[1] != b""
    code = anna.ask({"invite": True})["invitation"]
    assert code["players"] == ["Ann", "Bob"]
    assert bob.ask({"accept": {"code": code["code"]}})["ok"]
    again = bob.referee.state(lambda s: s["match"] != match and not s["finished"], "the rematch")
    assert [player["name"] for player in again["players"]] == ["Ann", "Bob"]
