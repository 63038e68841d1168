"""MQTT clients for tests of the whole daemon: a subscriber that keeps its messages, and a referee that sends commands.

Every wait ends with an AssertionError after `rig.LIMIT_SECONDS`.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from tests import rig
from tests.tidy import TidyClient

RESEND_SECONDS: Final = 10.0
"""After this time without a reply, a command is sent again."""


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message as the subscriber received it. `payload` is the parsed JSON, `None` if empty, or bytes."""

    topic: str
    payload: Any
    retain: bool
    qos: int


class Watcher:
    """A subscriber with a thread of its own; without topics it subscribes to `oche/#`."""

    def __init__(self, port: int, *topics: str, websocket: bool = False) -> None:
        self.seen: list[ReceivedMessage] = []
        self._news = threading.Condition()
        self._topics = topics or ("oche/#",)
        self._subscribed = threading.Event()
        transport: Literal["websockets", "tcp"] = "websockets" if websocket else "tcp"
        self._client = TidyClient(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv311, transport=transport)
        self._client.reconnect_delay_set(0.05, 0.05)  # type: ignore[arg-type]
        self._client.on_connect = self._connected
        self._client.on_subscribe = lambda *_: self._subscribed.set()
        self._client.on_message = self._arrived
        if websocket:
            self._client.ws_set_options(path="/mqtt")
        self._client.connect_async("127.0.0.1", port)
        self._client.loop_start()
        if not self._subscribed.wait(rig.LIMIT_SECONDS):
            raise AssertionError("the broker was never reached")

    def _connected(
        self, client: mqtt.Client, _data: Any, _flags: Any, _code: ReasonCode, _props: Properties | None
    ) -> None:
        client.subscribe([(topic, 1) for topic in self._topics])

    def _arrived(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        try:
            payload = json.loads(message.payload) if message.payload else None
        except (ValueError, RecursionError):
            payload = message.payload
        with self._news:
            self.seen.append(ReceivedMessage(message.topic, payload, message.retain, message.qos))
            self._news.notify_all()

    def wait(self, wanted: Callable[[ReceivedMessage], bool], what: str, since: int = 0) -> ReceivedMessage:
        """Returns the first message from index `since` on for which `wanted` is true."""
        if (found := self.find(wanted, rig.LIMIT_SECONDS, since)) is None:
            raise AssertionError(f"never seen: {what}; the last were {self.seen[-5:]}")
        return found

    def find(self, wanted: Callable[[ReceivedMessage], bool], seconds: float, since: int = 0) -> ReceivedMessage | None:
        """Returns the first wanted message from index `since` on, or `None` after `seconds`."""
        end = time.monotonic() + seconds
        looked_at = since
        with self._news:
            while True:
                for message in self.seen[looked_at:]:
                    if wanted(message):
                        return message
                looked_at = len(self.seen)
                # Not the result of the wait: unwanted messages may keep coming.
                if time.monotonic() > end:
                    return None
                self._news.wait(max(0.0, end - time.monotonic()))

    def last(self, leaf: str) -> Any:
        """Returns the newest payload on topics that end with `leaf`, or `None`."""
        with self._news:
            return next((m.payload for m in reversed(self.seen) if m.topic.endswith(leaf)), None)

    def all(self, leaf: str) -> list[Any]:
        """Returns every payload on topics that end with `leaf`, repeated retained ones too."""
        with self._news:
            return [m.payload for m in self.seen if m.topic.endswith(leaf)]

    def publish(self, topic: str, payload: Any, *, retain: bool = False) -> None:
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self._client.publish(topic, body, qos=1, retain=retain).wait_for_publish(rig.LIMIT_SECONDS)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class Referee:
    """Sends commands to one board and reads the replies."""

    def __init__(self, watcher: Watcher, board: str, node: str = "test") -> None:
        self.watcher = watcher
        self.root = f"oche/{node}/board/{board}"
        self._count = 0

    def online(self, since: int = 0) -> None:
        """Waits until the board is online."""
        topic = f"{self.root}/status"
        self.watcher.wait(lambda m: m.topic == topic and m.payload and m.payload["state"] == "online", topic, since)

    def ask(self, command: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Sends a command with a new id; returns the reply."""
        self._count += 1
        return self.send({"id": f"referee-{id(self)}-{self._count}"} | command | more)

    def send(self, command: dict[str, Any]) -> dict[str, Any]:
        """Sends a command as it is; returns the reply with its id.

        Sends it again while there is no reply: what reaches the broker while the daemon reconnects is lost,
        and the same id is done once.
        """
        since, topic = len(self.watcher.seen), f"{self.root}/reply"
        end = time.monotonic() + rig.LIMIT_SECONDS
        while time.monotonic() < end:
            self.watcher.publish(f"{self.root}/command", command)
            reply = self.watcher.find(
                lambda m: m.topic == topic and m.payload["id"] == command["id"], RESEND_SECONDS, since
            )
            if reply is not None:
                answer: dict[str, Any] = reply.payload
                return answer
        raise AssertionError(f"no reply to {command}; the last messages were {self.watcher.seen[-5:]}")

    def state(self, wanted: Callable[[dict[str, Any]], bool], what: str, since: int = 0) -> dict[str, Any]:
        """Returns the first match state for which `wanted` is true."""
        topic = f"{self.root}/match"
        state = self.watcher.wait(
            lambda m: m.topic == topic and m.payload is not None and wanted(m.payload), what, since
        )
        picture: dict[str, Any] = state.payload
        return picture


@contextmanager
def watching(port: int, *topics: str, websocket: bool = False) -> Iterator[Watcher]:
    """Yields a connected `Watcher` and closes it."""
    watcher = Watcher(port, *topics, websocket=websocket)
    try:
        yield watcher
    finally:
        watcher.close()
