"""A connection to a broker that several houses or nodes share, for the topics that its owner names, and no more.

Nothing is retained over it, and nothing waits for the broker: who sends says everything again each second. Not chosen:
a bridge of the houses' own brokers, which is slower by half and has queues of its own.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from aiomqtt import MqttError

from daemon.mqtt.client import Client
from daemon.mqtt.connection import ProtocolChoice, connection, why_away
from daemon.mqtt.message import Message
from daemon.mqtt.outgoing import IN_FLIGHT
from daemon.system.console import TroublePrinter
from daemon.system.urls import BrokerUrl
from engine import jsontext

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 0.5


class SharedBroker:
    """A connection that is made again whenever it ends. `heard` is called with each message of the `topics`, also with
    retained ones if `retained`. `name` is what messages on stderr call the broker."""

    def __init__(
        self,
        url: BrokerUrl,
        topics: Sequence[str],
        heard: Callable[[Message], None],
        name: str,
        *,
        retained: bool = False,
    ) -> None:
        self._url, self._topics, self._heard = url, topics, heard
        self._name, self._retained = name, retained
        self._client: Client | None = None
        self._in_flight = 0
        self._trouble = TroublePrinter(name)
        self.on_connect: Callable[[], None] = lambda: None
        """Called before the topics are subscribed: what is retained comes after it."""
        self.on_subscribed: Callable[[], None] = lambda: None
        self.on_disconnect: Callable[[], None] = lambda: None
        """Called when a connection whose topics were subscribed has ended."""

    async def run(self) -> None:
        """Keeps the connection until cancelled."""
        protocol = ProtocolChoice(self._url)
        while True:
            try:
                async with connection(self._url, protocol.now, None) as client:
                    protocol.accepted()
                    await self._converse(client)
            except MqttError as error:
                if protocol.failed(error):
                    self._trouble.now(why_away(self._url, error))
            except OSError as error:
                self._trouble.now(why_away(self._url, error))
            except Exception:
                # Whatever a broker sends: the next connection is tried as after any other end.
                log.exception("%s", self._name)
            finally:
                client_before, self._client = self._client, None
                if client_before is not None:
                    client_before.abandon()
                    self.on_disconnect()
            await asyncio.sleep(RETRY_SECONDS)

    async def _converse(self, client: Client) -> None:
        self.on_connect()
        for topic in self._topics:
            await client.subscribe(topic, qos=0)
        self._trouble.now(None)
        self._client = client
        self.on_subscribed()
        async for received in client.received():
            message = Message.received(received)
            if self._retained or not message.retained:
                self._heard(message)

    def send(self, topic: str, payload: object) -> None:
        """Sends a message; it is dropped without a broker, or where the broker does not keep up."""
        if self._client is None or self._in_flight >= IN_FLIGHT:
            return
        try:
            self._client.send(topic, jsontext.dump(payload), retain=False, acknowledged=self._acknowledged)
        except (MqttError, ValueError):
            return
        self._in_flight += 1
        # At once: what this house does next takes longer than a system call, and somebody in the other one waits.
        self._client.flush()

    def _acknowledged(self, _: bool | None) -> None:
        self._in_flight -= 1
