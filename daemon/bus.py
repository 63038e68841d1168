"""The bus: the only file that knows the MQTT library.

The daemon is an ordinary client of some broker. Retained states are kept here
and sent again after every reconnect, so a display is right however long the
broker was away; hits and events that meet no broker are dropped and counted,
for nobody wants last minute's sounds. Retries of the bus live here and only here.
"""

import asyncio
import logging
import random
import secrets
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import aiomqtt
from aiomqtt import MqttError, ProtocolVersion
from aiomqtt.exceptions import MqttConnectError
from paho.mqtt import client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from daemon import home_assistant
from daemon.urls import BrokerUrl
from engine import jsontext

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 0.5
IN_FLIGHT: Final = 100
"""Messages that may wait for the broker's word; beyond them events are dropped, states wait for a free place."""
INCOMING: Final = 2000
INCOMING_BYTES: Final = 4 * 1024 * 1024
"""Messages, and bytes, that may wait to be looked at; those beyond are counted and dropped."""
LARGEST: Final = 2 * 1024 * 1024
"""The largest packet that an MQTT 5 broker is to hand us: a larger one is not worth a refusal."""
COUNTERS_SECONDS: Final = 1.0
"""Counters that changed are shown after this."""
LONGEST_TOPIC: Final = 512
DEEPEST_TOPIC: Final = 20
"""Of a response topic; mosquitto ends the connection of a client that publishes below 200."""
SWEEP_SECONDS: Final = 2.0
"""How long after a connect retained topics of boards and matches that are gone are looked for."""
WELCOME_SECONDS: Final = 1.0
"""How long Home Assistant, when it has started, waits for us at most: a random moment, for others answer it too."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message that came in, with the response topic and the correlation data that its sender may have given."""

    topic: str
    payload: bytes
    retained: bool
    answer_to: str | None = None
    correlation: bytes | None = None


class _Incoming(asyncio.Queue[aiomqtt.Message]):
    """Bounded in bytes too: the library's own bound counts messages, and one may be as large as the broker allows."""

    lost = 0
    _bytes = 0

    def put_nowait(self, item: aiomqtt.Message) -> None:
        if self._bytes > INCOMING_BYTES or self.full():
            self.lost += 1
        else:
            self._bytes += _size(item)
            super().put_nowait(item)

    def _get(self) -> aiomqtt.Message:
        item: aiomqtt.Message = super()._get()
        self._bytes -= _size(item)
        return item


class _Client(aiomqtt.Client):
    """aiomqtt's client, made to watch and write its socket at once.

    Left to itself it asks the loop to watch the socket one round later; by then the socket can be closed and its number
    another's, whose watcher would be overwritten. And a message that was queued waits for that round.
    """

    @property
    def lost(self) -> int:
        """Messages that came faster than they could be looked at."""
        return self._queue.lost if isinstance(self._queue, _Incoming) else 0

    def forget_lost(self) -> None:
        """They have been counted."""
        if isinstance(self._queue, _Incoming):
            self._queue.lost = 0

    def flush(self, settled: Callable[[], None] | None) -> None:
        """Writes what was just queued, so that `settled` really means that the system has it."""
        self._write()
        if settled is not None:
            settled()

    def _on_socket_register_write(self, client: mqtt.Client, userdata: Any, sock: Any) -> None:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            # The connection is made in another thread, which must leave the loop alone.
            super()._on_socket_register_write(client, userdata, sock)
        else:
            self._loop.add_writer(sock.fileno(), self._write)

    def _write(self) -> None:
        try:
            self._client.loop_write()
        except Exception as error:
            if not self._disconnected.done():
                self._disconnected.set_exception(error)


class Bus:
    """A connection to the broker that is always being kept. `node` is the first part of all our topics."""

    def __init__(self, node: str, heard: Callable[[Message], None]) -> None:
        self.root = f"oche/{node}"
        self.connected = asyncio.Event()
        self.dropped = 0
        """Messages that met no broker, or one that did not keep up."""
        self._lost = 0
        self._counting: asyncio.TimerHandle | None = None
        self._heard = heard
        self._retained: dict[str, str] = {}
        self._waiting: dict[str, None] = {}
        self._in_flight: set[asyncio.Task[None]] = set()
        self._client: _Client | None = None
        self._protocol = ProtocolVersion.V5
        self._status: dict[str, Any] = {}
        self._welcome: asyncio.TimerHandle | None = None

    def retain(self, topic: str, payload: Any) -> None:
        """Sets the state that a topic (below the root, or one of Home Assistant's) shows from now on."""
        self._retained[topic] = text = jsontext.dump(payload)
        self._publish(topic, text, retain=True)

    def clear(self, topic: str) -> None:
        """Takes a retained topic away: what it was about is gone."""
        if self._retained.pop(topic, None) is not None:
            self._publish(topic, "", retain=True)

    def forget(self, prefix: str) -> None:
        """Takes away every retained topic that begins so."""
        for topic in [topic for topic in self._retained if topic.startswith(prefix)]:
            self.clear(topic)

    def say(self, status: dict[str, Any]) -> None:
        """What the node says of itself from now on."""
        if status != self._status:
            self._status = status
            if self.connected.is_set():
                self._publish("status", jsontext.dump(status), retain=True)

    def send(self, topic: str, payload: Any, settled: Callable[[], None] | None = None) -> None:
        """Tells those who listen now. Dropped where no broker is, or where it does not keep up.

        `settled` is called as soon as it is on its way, and when it was dropped.
        """
        self._publish(topic, jsontext.dump(payload), retain=False, settled=settled)

    def answer(self, message: Message, topic: str, payload: Any) -> None:
        """Sends a reply on its topic, and on the sender's own where he named one of ours."""
        text = jsontext.dump(payload)
        self._publish(topic, text, retain=False)
        wanted = message.answer_to
        if wanted is not None and self._is_for_replies(wanted) and len(message.correlation or b"") <= LONGEST_TOPIC:
            self._publish(wanted.removeprefix(f"{self.root}/"), text, retain=False, correlation=message.correlation)

    def _is_for_replies(self, topic: str) -> bool:
        # Nobody has looked at a response topic, and a broker puts out who publishes to one that it does not like.
        return (
            topic.startswith(f"{self.root}/reply/")
            and not set("+#") & set(topic)
            and topic.isprintable()
            and len(topic) <= LONGEST_TOPIC
            and topic.count("/") <= DEEPEST_TOPIC
        )

    async def run(self, url: BrokerUrl, status: dict[str, Any]) -> None:
        """Keeps the connection until cancelled; `status` is what the node says of itself."""
        self._status = status
        self._protocol = ProtocolVersion.V311 if url.old else ProtocolVersion.V5
        while True:
            try:
                async with self._open(url) as client:
                    await self._greet(client)
                    sweep = asyncio.create_task(self._sweep(client))
                    try:
                        await self._listen(client)
                    finally:
                        sweep.cancel()
            except MqttError as error:
                self._protocol = _next_protocol(error, self._protocol)
                log.info("broker: %s", error)
            except OSError as error:
                log.info("broker: %s", error)
            except Exception:
                # Whatever a broker may say: the next connection is tried as after any other end.
                log.exception("broker")
            finally:
                self._client = None
                self.connected.clear()
            await asyncio.sleep(RETRY_SECONDS)

    async def goodbye(self) -> None:
        """Says offline, as the will would; a clean disconnect sends no will."""
        client = self._client
        if client is not None:
            try:
                offline = jsontext.dump(self._status | {"state": "offline"})
                await client.publish(f"{self.root}/status", offline, qos=1, retain=True, timeout=1)
            except MqttError:
                log.info("the broker was gone before we could say goodbye")

    def _open(self, url: BrokerUrl) -> _Client:
        offline = jsontext.dump(self._status | {"state": "offline"})
        return _client(
            url,
            self._protocol,
            will=aiomqtt.Will(f"{self.root}/status", offline, qos=1, retain=True),
            keepalive=15,
            max_queued_incoming_messages=INCOMING,
            queue_type=_Incoming,
            properties=_limits() if self._protocol is ProtocolVersion.V5 else None,
            max_inflight_messages=IN_FLIGHT,
        )

    async def _greet(self, client: _Client) -> None:
        await self._subscribe(client, f"{self.root}/board/+/command")
        await self._subscribe(client, f"{self.root}/board/+/command/+")
        await self._subscribe(client, home_assistant.BIRTH)
        self._client = client
        self.connected.set()
        self._retained = {"status": jsontext.dump(self._status | self._counters())} | self._retained
        for topic, text in self._retained.items():
            self._publish(topic, text, retain=True)

    async def _subscribe(self, client: aiomqtt.Client, topic: str) -> None:
        if self._protocol is ProtocolVersion.V5:
            await client.subscribe(topic, options=SubscribeOptions(qos=1, retainAsPublished=True))
        else:
            await client.subscribe(topic, qos=1)

    async def _listen(self, client: _Client) -> None:
        async for message in client.messages:
            payload = message.payload if isinstance(message.payload, bytes) else b""
            topic = str(message.topic)
            if topic.startswith(f"{self.root}/board/") and "/command" in topic:
                answer_to, correlation = _response(message.properties)
                self._heard(Message(topic, payload, bool(message.retain), answer_to, correlation))
            elif topic == home_assistant.BIRTH:
                # Once, however often it is said: anyone may say it.
                if payload == b"online" and self._welcome is None:
                    wait = random.uniform(0, WELCOME_SECONDS)
                    self._welcome = asyncio.get_running_loop().call_later(wait, self._introduce)
            elif message.retain and payload and self._is_left_behind(topic):
                self._publish(topic.removeprefix(f"{self.root}/"), "", retain=True)
            if client.lost:
                self._lost += client.lost
                client.forget_lost()
                self._count()

    def _introduce(self) -> None:
        self._welcome = None
        for topic, text in self._retained.items():
            if topic.startswith(home_assistant.PREFIX):
                self._publish(topic, text, retain=True)

    def _is_left_behind(self, topic: str) -> bool:
        if topic.startswith(f"{self.root}/"):
            return topic.removeprefix(f"{self.root}/") not in self._retained
        return home_assistant.of_node(self.root.removeprefix("oche/"), topic) and topic not in self._retained

    async def _sweep(self, client: aiomqtt.Client) -> None:
        """Clears what a former run left on the broker of boards, matches and hands that are gone."""
        topics = [f"{self.root}/board/+/{leaf}" for leaf in ("status", "match", "hand/+")]
        topics.append(home_assistant.EVERY_TOPIC)
        try:
            for topic in topics:
                await client.subscribe(topic, qos=0)
            await asyncio.sleep(SWEEP_SECONDS)
            for topic in topics:
                await client.unsubscribe(topic)
        except MqttError:
            return

    def _publish(
        self,
        topic: str,
        text: str,
        *,
        retain: bool,
        correlation: bytes | None = None,
        settled: Callable[[], None] | None = None,
    ) -> None:
        if self._client is None:
            self._drop(retain, settled)
            return
        if len(self._in_flight) >= IN_FLIGHT:
            # A state that could not go out now goes out as it then is.
            if retain:
                self._waiting[topic] = None
            else:
                self._drop(retain, settled)
            return
        task = asyncio.create_task(self._hand_over(self._client, topic, text, retain, correlation))
        self._in_flight.add(task)
        task.add_done_callback(self._handed_over)
        asyncio.get_running_loop().call_soon(self._client.flush, settled)

    def _drop(self, retain: bool, settled: Callable[[], None] | None) -> None:
        if not retain:
            self.dropped += 1
            self._count()
        if settled is not None:
            settled()

    def _counters(self) -> dict[str, Any]:
        counters = {"dropped": self.dropped, "lost": self._lost}
        shown = {name: count for name, count in counters.items() if count}
        return {"counters": shown} if shown else {}

    def _count(self) -> None:
        """Says in the node's status, soon, how much was dropped."""
        if self._counting is None:
            self._counting = asyncio.get_running_loop().call_later(COUNTERS_SECONDS, self._show_counters)

    def _show_counters(self) -> None:
        self._counting = None
        self.retain("status", self._status | self._counters())

    async def _hand_over(
        self, client: aiomqtt.Client, topic: str, text: str, retain: bool, correlation: bytes | None
    ) -> None:
        properties = None
        if correlation is not None and self._protocol is ProtocolVersion.V5:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.CorrelationData = correlation
        address = topic if topic.startswith(home_assistant.PREFIX) else f"{self.root}/{topic}"
        try:
            await client.publish(address, text, qos=1, retain=retain, properties=properties)
        except MqttError:
            self._drop(retain, None)
        except ValueError:
            # A response topic that the library does not take.
            self._drop(retain, None)

    def _handed_over(self, task: asyncio.Task[None]) -> None:
        self._in_flight.discard(task)
        while self._waiting and len(self._in_flight) < IN_FLIGHT:
            topic = next(iter(self._waiting))
            del self._waiting[topic]
            self._publish(topic, self._retained.get(topic, ""), retain=True)


async def lets_in_strangers(url: BrokerUrl) -> bool:
    """Whether a broker takes somebody without a name, or with a made-up one: then it cannot tell who may do what.

    OSError where it cannot be asked.
    """
    nameless = replace(url, user=None, password=None)
    made_up = replace(url, user=secrets.token_hex(8), password=secrets.token_hex(8))
    for stranger in (nameless, made_up):
        try:
            async with _client(stranger, ProtocolVersion.V311):
                return True
        except MqttConnectError:
            continue
        except MqttError as error:
            raise OSError(str(error)) from error
    return False


def _client(url: BrokerUrl, protocol: ProtocolVersion, **more: Any) -> _Client:
    tls = url.scheme in ("mqtts", "wss")
    return _Client(
        hostname=url.path if url.scheme == "unix" else url.host,
        port=url.port,
        transport="unix" if url.scheme == "unix" else "websockets" if url.scheme in ("ws", "wss") else "tcp",
        websocket_path=(url.path or "/mqtt") if url.scheme in ("ws", "wss") else None,
        username=url.user,
        password=url.password,
        protocol=protocol,
        tls_context=ssl.create_default_context() if tls else None,
        # Without it three messages in a row wait 40 ms for each other.
        socket_options=() if url.scheme == "unix" else ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),),
        timeout=5,
        **more,
    )


def _next_protocol(error: MqttError, now: ProtocolVersion) -> ProtocolVersion:
    """MQTT 5 first; the other one after a broker that refused it by name, or hung up on it without a word."""
    said = str(error).lower()
    if "protocol" in said or "timed out" in said:
        return ProtocolVersion.V311 if now is ProtocolVersion.V5 else ProtocolVersion.V5
    return now


def _size(message: aiomqtt.Message) -> int:
    return len(message.payload) if isinstance(message.payload, bytes) else 0


def _limits() -> Properties:
    limits = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    limits.MaximumPacketSize = LARGEST
    return limits


def _response(properties: Properties | None) -> tuple[str | None, bytes | None]:
    topic = getattr(properties, "ResponseTopic", None)
    correlation = getattr(properties, "CorrelationData", None)
    return topic if isinstance(topic, str) else None, correlation if isinstance(correlation, bytes) else None
