"""A client that sends forged messages at the port for programs, as fast as paho takes them."""

import json
import socket
from typing import Any

from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from tests.daemon.guest import Guest
from tests.faults.forged import ROOT, Forged
from tests.rig import LIMIT_SECONDS


class ForgedSender(Guest):
    """One of the cast, at the port for programs."""

    def __init__(self, port: int, user: str, password: str, topics: tuple[str, ...], **more: Any) -> None:
        self._known: dict[int, str] = {}
        self.replies: dict[tuple[str, str], Any] = {}
        super().__init__(port, user, password, topics=topics, websocket=False, **more)

    def _connected(self, client: Any, *about: Any) -> None:
        # Aliases end with their connection.
        self._known.clear()
        # Nagle's algorithm would delay each message by an acknowledgement.
        client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super()._connected(client, *about)

    def _arrived(self, client: Any, data: Any, message: Any) -> None:
        if message.topic.endswith("/reply"):
            payload = json.loads(message.payload)
            with self._said:
                self.replies[message.topic, str(payload["id"])] = payload
        super()._arrived(client, data, message)

    def send(self, message: Forged) -> Any:
        """Publishes without waiting."""
        properties, topic = None, message.topic
        if message.answer_to is not None or message.alias is not None:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if properties is not None and message.answer_to is not None:
            properties.ResponseTopic = message.answer_to
        if properties is not None and message.alias is not None:
            properties.TopicAlias = message.alias
            if self._known.get(message.alias) == topic:
                topic = ""
            self._known[message.alias] = message.topic
        return self._client.publish(
            topic, message.payload, qos=message.qos, retain=message.retain, properties=properties
        )

    def sync(self) -> None:
        """Waits until the broker has processed everything published before."""
        self._client.publish(f"{ROOT}/nowhere", b"", qos=1).wait_for_publish(LIMIT_SECONDS)

    def take(self) -> list[tuple[str, Any]]:
        """Returns and clears the messages received so far."""
        with self._said:
            seen, self.seen, self.replies = self.seen, [], {}
        return seen
