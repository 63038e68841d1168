"""A house that takes more than it may at the shared broker is refused with a reason, or not heard at all.

The broker has oche's own configuration and is encrypted, as on the internet.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from tests.houses.pair import INVITE, House, SharedBroker
from tests.rig import LIMIT_SECONDS, again_and_again, self_signed, until
from tests.tidy import TidyClient


class Forger:
    """A client at the shared broker with the password of a house."""

    def __init__(self, shared: SharedBroker, house: str) -> None:
        self.house, self.heard, self._count, self.denied = house, list[tuple[str, Any]](), 0, 0
        url = urlsplit(shared.url(house))
        assert url.scheme == "mqtts"
        assert url.hostname is not None
        self._client = TidyClient(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.username_pw_set(url.username, url.password)
        self._client.on_connect = lambda client, *_: client.subscribe("oche/#")
        self._subscribed = False
        self._client.on_subscribe = lambda *_: setattr(self, "_subscribed", True)
        self._client.on_publish = self._published
        self._client.on_message = lambda _c, _d, m: self.heard.append((m.topic, json.loads(m.payload)))
        self._trusted, self._port = str(shared.certificate), shared.port
        self._client.tls_set(self._trusted)
        self._client.connect_async(url.hostname, shared.port)
        self._client.loop_start()
        until(lambda: self._subscribed, "the subscription")

    def _published(self, _client: Any, _data: Any, _mid: int, code: Any, _properties: Any) -> None:
        self.denied += code.is_failure

    def ask(self, body: dict[str, Any], board: str = "lounge") -> dict[str, Any]:
        """Asks anna's board, once; returns the answer."""
        self._count += 1
        number = f"{self.house}-forged-{self._count}"
        found: list[dict[str, Any]] = []

        def answered() -> bool:
            found.extend(value for _, value in tuple(self.heard) if value.get("id") == number)
            return bool(found)

        self.say(f"oche/anna/board/{board}/command/{self.house}", {"id": number, "board": "lounge", **body})
        until(answered, f"an answer to {body}")
        return found[0]

    def reach(self) -> None:
        """Waits until the daemon of the host hears questions. One that is asked earlier is lost."""
        question = {"id": f"{self.house}-first", "board": "lounge", "follow": True}

        def answered() -> bool:
            return any(value.get("id") == question["id"] for _, value in tuple(self.heard))

        with again_and_again(lambda: self.say(f"oche/anna/board/lounge/command/{self.house}", question), 0.2):
            until(answered, "the daemon at the shared broker")

    def answers(self, *, encrypted: bool) -> str:
        """What the broker answers a client of this house without its password; empty if it ends the connection."""
        said: list[str] = []
        client = TidyClient(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        client.username_pw_set(self.house, "wrong")
        if encrypted:
            client.tls_set(self._trusted)
        client.on_connect = lambda _c, _d, _f, code, _p: said.append(f"CONNACK {code}")
        ended = threading.Event()
        client.on_disconnect = lambda *_: ended.set()
        client.connect("localhost", self._port)
        client.loop_start()
        assert ended.wait(LIMIT_SECONDS)
        client.disconnect()
        client.loop_stop()
        return "".join(said)

    def say(self, topic: str, body: dict[str, Any]) -> None:
        self._client.publish(topic, json.dumps(body), qos=1).wait_for_publish(30)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Forger, Forger]]:
    """The host, and clients with the passwords of two other houses."""
    folder = tmp_path_factory.mktemp("forged")
    with ExitStack() as stack:
        shared = SharedBroker(folder / "hub", "anna", "bob", "eve", encrypted=self_signed(folder))
        shared.start()
        stack.callback(shared.kill)
        anna = House(folder / "anna", "anna", shared.url("anna"), shared.certificate)
        stack.callback(anna.close)
        anna.start()
        forgers = [Forger(shared, "bob"), Forger(shared, "eve")]
        for forger in forgers:
            stack.callback(forger.close)
        forgers[0].reach()
        yield anna, forgers[0], forgers[1]


def test_what_a_house_may_not_do_is_refused(houses: tuple[House, Forger, Forger]) -> None:
    anna, bob, eve = houses
    code = anna.ask(INVITE)["invitation"]["code"].rpartition("/")[2]
    # A wrong code, and one of another board.
    assert eve.ask({"accept": "ABCDEFGH"})["reason"] == "not_invited"
    assert bob.ask({"accept": code, "look": True})["invitation"]["game"] == "x01"
    joined = bob.ask({"accept": code})
    assert joined["ok"]
    match = joined["match"]
    # An invitation that another house has used.
    assert eve.ask({"accept": code})["reason"] == "not_invited"
    assert eve.ask({"accept": code, "look": True})["reason"] == "not_invited"
    # A match of others, one that there is not, and an old state.
    assert eve.ask({"match": match, "throw": "T20"})["reason"] == "not_allowed"
    assert eve.ask({"match": match, "follow": True})["reason"] == "not_allowed"
    assert bob.ask({"match": "20200101-000000-aaaaaa", "throw": "T20"})["reason"] == "no_match"
    assert bob.ask({"match": match, "throw": "T20", "board": "kitchen"})["reason"] == "not_allowed"
    # Another's player, and what the referee of the host does.
    assert bob.ask({"match": match, "throw": "T20", "dart": 1})["reason"] == "not_your_turn"
    others: list[dict[str, Any]] = [{"stop": True}, {"start": {}}, {"adjourn": True}, {"undo": True}, {"deck": [1]}]
    for command in others:
        assert not bob.ask({"match": match, **command})["ok"], command
    assert anna.ask({"throw": "S1"})["ok"]
    assert anna.ask({"throw": "S1"})["ok"]
    assert anna.ask({"throw": "S1"})["ok"]
    assert bob.ask({"match": match, "next": True})["reason"] == "not_your_turn"
    assert anna.ask({"next": True})["ok"]
    # More darts than are due, and one that is not the next.
    assert bob.ask({"match": match, "throw": "S2", "dart": 2})["reason"] == "not_awaited"
    earlier = bob.ask({"match": match, "throw": "S2", "dart": 1, "turn": 0})
    assert (earlier["reason"], "earlier visit" in earlier["message"]) == ("not_awaited", True)
    for number in (1, 2, 3):
        assert bob.ask({"match": match, "throw": "S2", "dart": number})["ok"]
    assert bob.ask({"match": match, "throw": "S2", "dart": 4})["reason"] == "not_awaited"
    assert bob.ask({"match": match, "correct": {"dart": 1, "back": 1, "throw": "T20"}})["reason"] == "not_allowed"
    anna.shows("Bob", "S2", "S2", "S2", match=match)


def test_the_broker_keeps_houses_apart(houses: tuple[House, Forger, Forger]) -> None:
    _, bob, eve = houses
    heard = len(eve.heard)
    for topic in (
        "oche/anna/board/lounge/command/bob",
        "oche/anna/board/lounge/command",
        "oche/anna/board/lounge/reply/bob",
        "oche/anna/board/lounge/record/bob",
        "oche/bob/board/lounge/command/bob",
    ):
        denied = eve.denied
        eve.say(topic, {"id": "forged", "board": "lounge", "match": "x", "throw": "T20"})
        until(lambda before=denied: eve.denied > before, f"a refusal of {topic}")  # type: ignore[misc]
    assert bob.ask({"follow": True})["reason"] == "no_match"
    assert eve.ask({"follow": True})["reason"] == "no_match"
    assert [topic for topic, _ in eve.heard[heard:]] == ["oche/anna/board/lounge/reply/eve"]
    assert all(topic.endswith("/eve") for topic, _ in eve.heard)


def test_ten_wrong_codes_are_enough(houses: tuple[House, Forger, Forger]) -> None:
    anna, bob, eve = houses
    anna.ask({"stop": True})
    code = anna.ask(INVITE)["invitation"]["code"].rpartition("/")[2]
    for _ in range(10):
        eve.ask({"accept": "AAAAAAAA"})
    assert "ten minutes" in eve.ask({"accept": code})["message"]
    assert bob.ask({"accept": code, "look": True})["ok"]


def test_nobody_comes_in_without_encryption_or_without_a_password(houses: tuple[House, Forger, Forger]) -> None:
    _, bob, _ = houses
    assert "CONNACK" not in bob.answers(encrypted=False)
    assert "Not authorized" in bob.answers(encrypted=True)


def test_hands_do_not_leave_their_house(houses: tuple[House, Forger, Forger]) -> None:
    anna, bob, eve = houses
    game = {"game": "dards", "players": ["Ann", "Bob"], "options": {"mode": "hands"}}
    assert anna.ask({"invite": game | {"guests": ["Bob"]}})["reason"] == "not_allowed"
    # Nor by a match that is started without an invitation.
    for board in ("lounge", "anna/lounge"):
        assert anna.ask({"start": game | {"boards": [board, "bob/lounge"]}})["reason"] == "bad_boards"
    anna.ask({"stop": True})
    heard = [len(forger.heard) for forger in (bob, eve)]
    assert anna.ask({"start": game})["ok"]
    hand = anna.watcher.wait(lambda m: m.topic.endswith("lounge/hand/2") and m.payload is not None, "Bob's hand")
    match = hand.payload["match"]
    assert anna.ask({"throw": "S1"})["ok"]
    for forger in (bob, eve):
        for body in ({"follow": True}, {"throw": "S20", "dart": 1}, {"hint": True}, {"leave": True}):
            answer = forger.ask({"match": match, "have": 0, **body})
            assert (answer["reason"], "lines" in answer) == ("not_allowed", False), body
    assert anna.ask({"stop": True})["ok"]
    # When it is over, it is still nobody else's.
    assert bob.ask({"match": match, "have": 0, "follow": True})["reason"] == "no_match"
    for forger, before in zip((bob, eve), heard, strict=True):
        said = forger.heard[before:]
        assert {topic for topic, _ in said} == {f"oche/anna/board/lounge/reply/{forger.house}"}
        assert not any({"lines", "header"} & value.keys() for _, value in said)
