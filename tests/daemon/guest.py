"""An MQTT client from the network, with or without a user name and password."""

import json
import ssl
import threading
import time
from pathlib import Path
from typing import Any, Final

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from tests.rig import LIMIT_SECONDS
from tests.tidy import TidyClient

OVER_THE_NETWORK: Final = "127.1"
"""An address of the loopback that the daemon does not trust as local, so that a client counts as remote."""


class Guest:
    """A client over the pages' WebSocket or TCP; `refused` says whether the broker refused the connection."""

    def __init__(
        self,
        port: int,
        user: str | None = None,
        password: str | None = None,
        *,
        topics: tuple[str, ...] = ("#",),
        will: str | None = None,
        will_payload: bytes = b'{"forged": true}',
        will_retain: bool = True,
        trust: Path | None = None,
        host: str = OVER_THE_NETWORK,
        websocket: bool = True,
    ) -> None:
        self.seen: list[tuple[str, Any]] = []
        self.refused = False
        self._topics = topics
        self._said = threading.Condition()
        self._ready = False
        self._client = TidyClient(
            CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5, transport="websockets" if websocket else "tcp"
        )
        if websocket:
            self._client.ws_set_options(path="/mqtt")
        if user is not None:
            self._client.username_pw_set(user, password)
        if will is not None:
            self._client.will_set(will, will_payload, qos=1, retain=will_retain)
        if trust is not None:
            context = ssl.create_default_context(cafile=str(trust))
            context.check_hostname = False
            self._client.tls_set_context(context)
        self._client.on_connect = self._connected
        self._client.on_connect_fail = lambda *_: self._say(refused=True)
        self._client.on_disconnect = lambda *_: self._say(refused=not self._ready)
        self._client.on_subscribe = lambda *_: self._say(ready=True)
        self._client.on_message = self._arrived
        try:
            self._client.connect(host, port)
        except (OSError, mqtt.WebsocketConnectionError):
            self.refused = True
            return
        self._client.loop_start()
        with self._said:
            if not self._said.wait_for(lambda: self._ready or self.refused, LIMIT_SECONDS):
                raise AssertionError("neither connected nor refused")
        if self.refused:
            # The library would try again and again, and hold a place of those that an address may have.
            self.close()

    def _connected(self, client: mqtt.Client, _data: Any, _flags: Any, code: Any, _properties: Any) -> None:
        if code.is_failure:
            self._say(refused=True)
        elif self._topics:
            client.subscribe([(topic, 1) for topic in self._topics])
        else:
            self._say(ready=True)

    def _say(self, *, ready: bool = False, refused: bool = False) -> None:
        with self._said:
            self._ready = self._ready or ready
            self.refused = self.refused or refused
            self._said.notify_all()

    def _arrived(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        try:
            payload = json.loads(message.payload) if message.payload else None
        except ValueError:
            payload = message.payload
        with self._said:
            self.seen.append((message.topic, payload))
            self._said.notify_all()

    def wait(self, leaf: str) -> Any:
        """Returns the first payload on a topic that ends with `leaf`."""

        def found() -> list[Any]:
            return [payload for topic, payload in self.seen if topic.endswith(leaf)]

        with self._said:
            if not self._said.wait_for(found, LIMIT_SECONDS):
                raise AssertionError(f"never seen: {leaf}; {self.seen[-5:]}")
            return found()[0]

    def topics(self) -> set[str]:
        """Returns every topic on which a message arrived."""
        with self._said:
            return {topic for topic, _ in self.seen}

    def publish(
        self, topic: str, payload: Any, *, retain: bool = False, answer_to: str | None = None, correlation: bytes = b""
    ) -> None:
        """Publishes and waits for the broker's acknowledgement, success or not, or for the end of the connection."""
        properties = None
        if answer_to is not None:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.ResponseTopic = answer_to
            if correlation:
                properties.CorrelationData = correlation
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        sent = self._client.publish(topic, body, qos=1, retain=retain, properties=properties)
        end = time.monotonic() + LIMIT_SECONDS
        while not sent.is_published() and self._client.is_connected() and time.monotonic() < end:
            time.sleep(0.005)

    def gone(self) -> bool:
        """Whether the broker disconnects the client within the limit."""
        end = time.monotonic() + LIMIT_SECONDS
        while self._client.is_connected() and time.monotonic() < end:
            time.sleep(0.01)
        return not self._client.is_connected()

    def vanish(self) -> None:
        """Closes the socket without DISCONNECT, so that the broker sends the will."""
        self._client.loop_stop()
        sock = self._client.socket()
        if sock is not None:
            sock.close()

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
