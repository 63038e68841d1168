"""How a client connects to the broker at an address: encryption, user, path, bounds; and what an error means."""

import re
import secrets
import socket
import ssl
from dataclasses import replace
from typing import Any, Final

import aiomqtt
from aiomqtt import MqttError, ProtocolVersion
from aiomqtt.exceptions import MqttConnectError
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from daemon.mqtt.client import Client
from daemon.mqtt.incoming import Incoming
from daemon.mqtt.outgoing import IN_FLIGHT
from daemon.system.lan_address import in_brackets
from daemon.system.urls import BrokerUrl

INCOMING: Final = 2000
"""Messages that may wait to be read; messages beyond are counted and dropped."""
LARGEST: Final = 2 * 1024 * 1024
"""The largest packet in bytes that an MQTT 5 broker may send us."""
ANSWER_SECONDS = 5.0
"""How long an acknowledgement may take. The connection to a broker that takes longer is ended."""


def connection(
    url: BrokerUrl, protocol: ProtocolVersion, will: aiomqtt.Will | None, client_id: str | None = None
) -> Client:
    """Returns the daemon's own connection, a context manager."""
    return _client(
        url,
        protocol,
        identifier=client_id,
        will=will,
        keepalive=15,
        max_queued_incoming_messages=INCOMING,
        queue_type=Incoming,
        properties=_limits() if protocol is ProtocolVersion.V5 else None,
        max_inflight_messages=IN_FLIGHT,
    )


def command_client(url: BrokerUrl) -> Client:
    """Returns a connection for a command, a context manager. MqttError if there is no broker."""
    return _client(url, ProtocolVersion.V311)


def watching_client(url: BrokerUrl) -> Client:
    """Returns a connection that reads what the daemon publishes, a context manager. MqttError if there is no broker."""
    return _client(url, ProtocolVersion.V311, max_queued_incoming_messages=INCOMING, queue_type=Incoming)


async def accepts_anyone(url: BrokerUrl) -> bool:
    """Whether a broker accepts a client without a name, or with an invented one: it then cannot tell who may do what.

    OSError if the broker cannot be asked.
    """
    nameless = replace(url, user=None, password=None)
    invented = replace(url, user=secrets.token_hex(8), password=secrets.token_hex(8))
    for stranger in (nameless, invented):
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
        # Without it messages in a row wait up to 40 ms for each other's acknowledgements by TCP.
        socket_options=() if url.scheme == "unix" else ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),),
        timeout=ANSWER_SECONDS,
        **more,
    )


def why_away(url: BrokerUrl, error: Exception) -> str:
    """Returns why a broker cannot be used, in a sentence without the secrets of its address."""
    at = url.path if url.scheme == "unix" else f"{url.scheme}://{in_brackets(url.host)}:{url.port}"
    # The library gives the system's error as text alone.
    why = re.sub(r"^\[(Errno|code:)[^]]*\]\s*", "", str(error)).strip().rstrip(".") or type(error).__name__
    if isinstance(error, MqttConnectError):
        return f"{at} refuses the connection: {why}. Look at the user and the password in --broker."
    return f"{at} cannot be reached: {why}. Does it run, and is --broker right? It is tried again and again."


def refusal_text(reason: int) -> str:
    """Returns the words for the reason code of a refused message."""
    try:
        return str(ReasonCode(PacketTypes.PUBACK, identifier=reason)).lower()
    except (KeyError, ValueError):
        return f"reason {reason}"


class ProtocolChoice:
    """Which version of MQTT to speak with a broker: 3.1.1 where the address says so, or 5 is not answered."""

    def __init__(self, url: BrokerUrl) -> None:
        self.now = ProtocolVersion.V311 if url.old else ProtocolVersion.V5
        self._is_5_known = False

    def accepted(self) -> None:
        """The broker has accepted a connection with this version."""
        self._is_5_known |= self.now is ProtocolVersion.V5

    def failed(self, error: MqttError) -> bool:
        """Chooses what to try next: the other version if the broker refused this one, or hung up without an answer.
        Returns whether the error is to be shown: not before 3.1.1 was tried too."""
        spoken, text = self.now, str(error).lower()
        # A broker that has answered MQTT 5 before hangs: with 3.1.1 it would lack what only 5 has, until the next end.
        if "protocol" in text or ("timed out" in text and not self._is_5_known):
            self.now = ProtocolVersion.V311 if spoken is ProtocolVersion.V5 else ProtocolVersion.V5
        return self.now is spoken or spoken is ProtocolVersion.V311


def _limits() -> Properties:
    limits = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    limits.MaximumPacketSize = LARGEST
    return limits
