"""A host at the shared broker that says what no host says: the guest's house refuses it, or goes on without it."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from daemon.houses.messages import read_news, refusal_in
from engine.refusals import Refusal
from tests.houses.pair import House, SharedBroker
from tests.rig import until
from tests.tidy import TidyClient

GAME: dict[str, Any] = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}}
HEADER: dict[str, Any] = {"match": 1, **GAME, "rules": 1, "boards": ["anna/lounge", "bob/lounge"]}
ANN: list[dict[str, Any]] = [{"throw": "S1"}, {"throw": "S2"}, {"throw": "S3"}, {"next": True}]


class ForgedHost:
    """A client with the password of the house anna. `answer` gives its answer to a question about a match."""

    def __init__(self, shared: SharedBroker) -> None:
        self.asked: list[dict[str, Any]] = []
        self.match, self.header, self.lines = "", HEADER, list[str]()
        self.answer: Callable[[dict[str, Any]], dict[str, Any]] = lambda _: {}
        self._matches, self._subscribed = 0, False
        url = urlsplit(shared.url("anna"))
        self._client = TidyClient(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.username_pw_set(url.username, url.password)
        self._client.on_connect = lambda client, *_: client.subscribe("oche/anna/board/lounge/command/#", 1)
        self._client.on_subscribe = lambda *_: setattr(self, "_subscribed", True)
        self._client.on_message = lambda _c, _d, message: self._reply(json.loads(message.payload))
        self._client.connect_async("127.0.0.1", shared.port)
        self._client.loop_start()
        until(lambda: self._subscribed, "the subscription")

    def begin(self, *actions: dict[str, Any]) -> None:
        """Has a new match with these actions."""
        self._matches += 1
        self.match, self.header = f"20260101-000000-{self._matches:06x}", HEADER
        self.lines = [json.dumps(action) for action in actions]
        self.answer, self.asked = lambda _: {}, []

    def known(self, have: int) -> dict[str, Any]:
        """The lines after the first `have`, as a host sends them."""
        lines = self.lines[have:]
        return {"match": self.match, "count": len(self.lines), **({"first": have + 1, "lines": lines} if lines else {})}

    def _reply(self, question: dict[str, Any]) -> None:
        found: dict[str, Any]
        if question.get("look"):
            found = {"invitation": {"code": "anna/lounge/AAAAAAAA", **GAME, "guests": ["Bob"], "expires": ""}}
        elif "accept" in question:
            about: dict[str, Any] = {
                "header": json.dumps(self.header),
                "bots": "{}",
                "started": "2026-01-01T00:00:00+00:00",
            }
            found = {**about, **self.known(0)}
        elif question.get("match") == self.match:
            self.asked.append(question)
            found = self.answer(question)
            found = {**self.known(question.get("have", 0)), **found}
        else:
            found = {"match": question.get("match", ""), "state": "over"}
        self.say("reply", {"ok": True, "id": question["id"], "board": "lounge", **found})

    def say(self, leaf: str, body: dict[str, Any] | str) -> None:
        text = body if isinstance(body, str) else json.dumps(body)
        self._client.publish(f"oche/anna/board/lounge/{leaf}/bob", text, qos=1)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ForgedHost, House]]:
    folder = tmp_path_factory.mktemp("forged_host")
    with ExitStack() as stack:
        shared = SharedBroker(folder / "hub", "anna", "bob")
        shared.start()
        stack.callback(shared.kill)
        host = ForgedHost(shared)
        stack.callback(host.close)
        bob = House(folder / "bob", "bob", shared.url("bob"))
        stack.callback(bob.close)
        bob.start()
        yield host, bob


def accepted(bob: House) -> dict[str, Any]:
    return bob.ask({"accept": {"code": "anna/lounge/AAAAAAAA"}})


def test_a_line_that_cannot_be_written_is_left_out(houses: tuple[ForgedHost, House]) -> None:
    host, bob = houses
    host.begin(*ANN)
    assert accepted(bob)["ok"]
    bob.shows("Bob", match=host.match)
    line = '{"throw":"S4","by":"\ud800"}'
    host.say("record", {"board": "lounge", "match": host.match, "count": 5, "first": 5, "lines": [line]})
    escaped = '{"throw":"S4","by":"\\ud800"}'
    host.say("record", {"board": "lounge", "match": host.match, "count": 5, "first": 5, "lines": [escaped]})
    since = len(bob.watcher.seen)
    assert bob.ask({"stop": True})["ok"]
    bob.watcher.wait(lambda m: m.topic.endswith("lounge/match") and m.payload is None, "an empty board", since)
    local = {"start": {"game": "x01", "players": ["Cy", "Dee"], "options": {"start": 301}}}
    assert bob.ask(local)["ok"]
    bob.say("S9")
    bob.shows("Cy", "S9")
    assert bob.ask({"stop": True})["ok"]


def test_what_is_no_message_of_a_host_is_not_read() -> None:
    assert read_news(b'{"board": "lounge", "x": 1}') == {"board": "lounge", "x": 1}
    for payload in (
        b'{"board": "lounge", "x": "\\ud800"}',
        b'{"board": "lounge", "x": NaN}',
        b"{",
        b"[]",
        b'{"board": 1}',
    ):
        assert read_news(payload) is None


def test_a_dart_waits_until_the_hosts_disk_has_room(houses: tuple[ForgedHost, House]) -> None:
    host, bob = houses
    host.begin(*ANN)
    full = {"ok": False, "reason": "disk", "message": "The disk is full."}
    host.answer = lambda question: full if "throw" in question else {}
    assert accepted(bob)["ok"]
    bob.shows("Bob", match=host.match)
    bob.say("S20")
    until(lambda: sum("throw" in question for question in tuple(host.asked)) > 1, "the dart is sent again")
    bob.shows("Bob", sent=["S20"], match=host.match)

    def counts(question: dict[str, Any]) -> dict[str, Any]:
        if "throw" in question and len(host.lines) == len(ANN):
            host.lines.append('{"throw":"S20"}')
        return {**host.known(question["have"]), "last": question["id"]}

    host.answer = counts
    bob.shows("Bob", "S20", match=host.match)
    assert bob.ask({"stop": True})["ok"]


def test_another_match_than_the_one_looked_at_does_not_begin(houses: tuple[ForgedHost, House]) -> None:
    host, bob = houses
    since = len(bob.watcher.seen)
    assert bob.ask({"start": {"game": "x01", "players": ["Cy", "Dee"], "options": {"start": 301}}})["ok"]
    local = bob.shows("Cy", since=since)["match"]
    assert bob.ask({"stop": True})["ok"]
    for match, changed in (
        (local, {}),
        ("../lounge", {}),
        (None, {"options": {"start": 501}}),
        (None, {"players": ["Eve", "Bob"]}),
        (None, {"game": "count_up", "options": {}}),
        (None, {"boards": ["anna/lounge", "eve/lounge"]}),
    ):
        host.begin()
        host.match, host.header = match or host.match, {**HEADER, **changed}
        assert accepted(bob)["reason"] == "not_invited", (match, changed)
    host.begin()
    assert accepted(bob)["ok"]
    bob.shows("Ann", match=host.match)
    assert bob.ask({"stop": True})["ok"]


def test_a_reason_is_a_short_word() -> None:
    assert refusal_in({"ok": False, "reason": "away", "message": "Gone."}) == Refusal("away", "Gone.")
    for reason in (None, 1, ["away"], "a" * 33):
        assert refusal_in({"ok": False, "reason": reason}) == Refusal("not_allowed", "")


def test_a_dart_waits_until_its_line_is_there(houses: tuple[ForgedHost, House]) -> None:
    host, bob = houses
    host.begin(*ANN)
    # The answer to the dart is lost.
    host.answer = lambda question: {"id": "lost"} if "throw" in question else {}
    assert accepted(bob)["ok"]
    bob.shows("Bob", match=host.match)
    bob.say("S18")
    until(lambda: any("throw" in question for question in tuple(host.asked)), "the dart")
    dart = next(question for question in host.asked if "throw" in question)
    about = {"board": "lounge", "ok": True, "match": host.match, "last": dart["id"]}
    host.say("record", {**about, "count": 6, "first": 6, "lines": ['{"throw":"S19"}']})
    asked = len(host.asked)
    until(lambda: len(host.asked) > asked + 1, "the dart is sent again")
    bob.shows("Bob", sent=["S18"], match=host.match)
    assert bob.watcher.last("board/lounge/match")["sent"] == ["S18"]
    host.lines.append('{"throw":"S18"}')
    host.answer = lambda question: {"last": dart["id"]}
    bob.shows("Bob", "S18", match=host.match)
    assert bob.ask({"stop": True})["ok"]


def test_a_dart_outlives_an_adjourned_match(houses: tuple[ForgedHost, House]) -> None:
    host, bob = houses
    host.begin(*ANN)
    assert accepted(bob)["ok"]
    bob.shows("Bob", match=host.match)
    since = len(bob.watcher.seen)
    host.answer = lambda question: {"state": "adjourned"} if host.asked[-1] is question else {}
    bob.say("S16")
    bob.watcher.wait(lambda m: m.topic.endswith("lounge/match") and m.payload is None, "an empty board", since)
    since = len(bob.watcher.seen)
    host.answer = lambda _: {}
    bob.referee.state(lambda s: s["match"] == host.match and s.get("sent") == ["S16"], "the dart waits", since)
    # It is over: the last lines come all the same.
    host.answer = lambda _: {"state": "adjourned"}
    since = len(bob.watcher.seen)
    bob.watcher.wait(lambda m: m.topic.endswith("lounge/match") and m.payload is None, "an empty board", since)
    host.lines.append('{"throw":"S7"}')
    host.answer = lambda _: {"state": "over"}
    until(lambda: len(bob.record(host.match)) == len(ANN) + 2, "the last line")
    since = len(bob.watcher.seen)
    until(lambda: bob.watcher.last("board/lounge/match") is None, "an empty board")
