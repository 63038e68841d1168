"""One connection to a broker: the MQTT library's client with our bounds, and a look at whom a broker lets in.

Who wants to be connected comes here, so that an address means the same to all: its encryption, its user, its path.
"""

import asyncio
import os
import re
import secrets
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import aiomqtt
from aiomqtt import MqttError, ProtocolVersion
from aiomqtt.exceptions import MqttCodeError, MqttConnectError
from paho.mqtt import client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from daemon.system.lan_address import in_brackets
from daemon.system.urls import BrokerUrl

INCOMING: Final = 2000
INCOMING_BYTES: Final = 4 * 1024 * 1024
"""Messages, and bytes, that may wait to be looked at; those beyond are counted and dropped."""
LARGEST: Final = 2 * 1024 * 1024
"""The largest packet that an MQTT 5 broker is to hand us: a larger one is not worth a refusal."""
IN_FLIGHT: Final = 100
"""Messages that may wait for the broker's word."""
NO_SUBSCRIBERS: Final = 16
"""The reason code of an acknowledgement that says that nobody subscribes to the topic; MQTT 5.0, 3.4.2.1."""
ANSWER_SECONDS = 5.0
"""A broker that has not answered within these will not."""


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


class Client(aiomqtt.Client):
    """aiomqtt's client, made to watch and write its socket at once.

    Left to itself it asks the loop to watch the socket one round later; by then the socket can be closed and its number
    another's, whose watcher would be overwritten. And a message that was queued waits for that round.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._answers: dict[int, asyncio.Future[bool]] = {}

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

    async def tell(self, topic: str, text: str, *, retain: bool, properties: Properties | None = None) -> bool:
        """Publishes at QoS 1 and waits for the broker's word. False where that is, in MQTT 5, that nobody subscribes.

        The library's own `publish` waits for the same word and forgets it. MqttError where none comes.
        """
        info = self._client.publish(topic, text, 1, retain, properties)
        if info.rc != mqtt.MQTT_ERR_SUCCESS:
            raise MqttCodeError(info.rc, "Could not publish message")
        answer = self._answers[info.mid] = self._loop.create_future()
        try:
            return await self._wait_for(answer, timeout=None)
        finally:
            del self._answers[info.mid]

    def hang_up(self) -> None:
        """Ends the connection as if the line had gone: the next one begins with everything that is to be said."""
        line = self._client.socket()
        if line is not None:
            # A copy: the library closes its own when it sees the end. It may be wrapped, too, and know no shutdown.
            with suppress(OSError), socket.socket(fileno=os.dup(line.fileno())) as end:
                end.shutdown(socket.SHUT_RDWR)

    def _on_publish(self, client: mqtt.Client, userdata: Any, mid: int, reason_code: Any, properties: Any) -> None:
        answer = self._answers.get(mid)
        if answer is not None and not answer.done():
            answer.set_result(getattr(reason_code, "value", 0) != NO_SUBSCRIBERS)
        super()._on_publish(client, userdata, mid, reason_code, properties)

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


def connection(url: BrokerUrl, protocol: ProtocolVersion, will: aiomqtt.Will, client_id: str | None = None) -> Client:
    """The daemon's own connection, to be entered."""
    return _client(
        url,
        protocol,
        identifier=client_id,
        will=will,
        keepalive=15,
        max_queued_incoming_messages=INCOMING,
        queue_type=_Incoming,
        properties=_limits() if protocol is ProtocolVersion.V5 else None,
        max_inflight_messages=IN_FLIGHT,
    )


def visit(url: BrokerUrl) -> Client:
    """A command's connection for the length of a block, to be entered. MqttError where there is no broker."""
    return _client(url, ProtocolVersion.V311)


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


def _client(url: BrokerUrl, protocol: ProtocolVersion, **more: Any) -> Client:
    tls = url.scheme in ("mqtts", "wss")
    return Client(
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
        timeout=ANSWER_SECONDS,
        **more,
    )


def why_away(url: BrokerUrl, error: Exception) -> str:
    """What keeps us from a broker, in a sentence without the secrets of its address."""
    at = url.path if url.scheme == "unix" else f"{url.scheme}://{in_brackets(url.host)}:{url.port}"
    # The library gives the system's error as text alone.
    why = re.sub(r"^\[(Errno|code:)[^]]*\]\s*", "", str(error)).strip().rstrip(".") or type(error).__name__
    if isinstance(error, MqttConnectError):
        return f"{at} refuses the connection: {why}. Look at the user and the password in --broker."
    return f"{at} cannot be reached: {why}. Does it run, and is --broker right? It is tried again and again."


def next_protocol(error: MqttError, now: ProtocolVersion) -> ProtocolVersion:
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


def response(properties: Properties | None) -> tuple[str | None, bytes | None]:
    """The response topic and the correlation data of a message, where it has them."""
    topic = getattr(properties, "ResponseTopic", None)
    correlation = getattr(properties, "CorrelationData", None)
    return topic if isinstance(topic, str) else None, correlation if isinstance(correlation, bytes) else None
