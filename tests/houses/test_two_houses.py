"""A match in two houses from the invitation to the end: darts, take-outs, commands, leaving, adjourning, rematch."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.houses.pair import INVITE, House, SharedBroker, invited, two_houses
from tests.rig import until

Both = tuple[House, House, SharedBroker]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    with two_houses(tmp_path_factory.mktemp("houses")) as both:
        yield both


def test_a_match_in_two_houses(both: Both) -> None:
    anna, bob, _ = both
    match = invited(anna, bob)
    assert anna.house("here")["players"][1]["board"] == "bob/lounge"
    assert bob.house("here")["players"][1]["board"] == "lounge"
    # A dart counts in the house of its player alone.
    bob.say("T20")
    bob.watcher.wait(lambda m: bool(m.topic.endswith("/event") and m.payload["event"] == "ignored"), "ignored")
    anna.say("T20", "T19", "T18")
    bob.shows("Ann", "T20", "T19", "T18")
    assert bob.ask({"next": True})["reason"] == "not_your_turn"
    assert anna.ask({"next": True})["ok"]
    bob.shows("Bob")
    bob.say("T20", "S5")
    anna.shows("Bob", "T20", "S5")
    assert bob.ask({"correct": 2, "to": "D5"})["ok"] or True
    bob.say("S1")
    anna.referee.state(lambda s: s["turn"]["player"] == "Bob" and len(s["turn"]["darts"]) == 3, "three")
    assert bob.ask({"next": True})["ok"]
    until(lambda: anna.record(match) == bob.record(match) != [], "the same record")
