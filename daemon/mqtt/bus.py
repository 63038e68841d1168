"""The bus: the daemon's connection to a broker, kept until the daemon ends.

The daemon is an ordinary client of some broker. Its retained states are sent again after each reconnect, so a display
is right however long the broker was away. Retries of the bus are here and nowhere else.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Mapping
from typing import Final

import aiomqtt
from aiomqtt import MqttError
from paho.mqtt.subscribeoptions import SubscribeOptions

from daemon.mqtt import home_assistant, leftovers
from daemon.mqtt.board_topics import BoardTopics
from daemon.mqtt.client import Client
from daemon.mqtt.connection import ProtocolChoice, connection, refusal_text, why_away
from daemon.mqtt.counters import MISSED, Counters
from daemon.mqtt.message import Message
from daemon.mqtt.namesakes import Namesakes
from daemon.mqtt.node_name import NodeName, Outcome
from daemon.mqtt.outgoing import IN_FLIGHT, SHARE, Outgoing
from daemon.mqtt.topics import is_command
from daemon.system.console import TroublePrinter
from daemon.system.urls import BrokerUrl
from engine import jsontext

__all__ = ["IN_FLIGHT", "SHARE", "Bus", "Message"]

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 0.5
COUNTERS_SECONDS: Final = 1.0
"""Changes of the counters within this time are published together."""
REPAIR_SECONDS: Final = 0.1
"""Delay before a node status that somebody replaced is published again; replacements within it count as one."""
GREETING_SECONDS: Final = 1.0
"""Longest random delay before the answer to Home Assistant's birth message: other devices answer it too."""


class Bus(Outgoing):
    """A connection to the broker that is made again whenever it ends. Topics are below `oche/<node>`."""

    def __init__(
        self,
        node: str,
        heard: Callable[[Message], None],
        is_player: Callable[[str], bool] = lambda _name: False,
        *,
        name: NodeName | None = None,
        told: Callable[[bool], None] = lambda _waiting: None,
    ) -> None:
        """`heard` is called with each command.

        With `name`, nothing is published while another daemon at the broker has this node name, and `told` is called
        with True when waiting for it begins, with False when it ends. Without `name` no other daemon is expected.
        """
        super().__init__(f"oche/{node}", is_player)
        self._heard = heard
        self._namesakes = None if name is None else Namesakes(self.root, name, told)
        self._status: Mapping[str, object] = {}
        self._own = False
        self.boards = BoardTopics(self._count_lost)
        """The topics at which boards publish."""
        self._counters = Counters()
        self._trouble = TroublePrinter("Broker")
        self._counting: asyncio.TimerHandle | None = None
        self._greeting: asyncio.TimerHandle | None = None
        self._repairing: asyncio.TimerHandle | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self._leaving = False

    # ------------------------------------------------------------------ the connection

    async def run(self, url: BrokerUrl, status: Mapping[str, object], *, own: bool = False) -> None:
        """Keeps the connection until cancelled; `status` is the node status without state and counters.

        With `own`, messages that the broker drops for its clients are counted: clients of another broker may have
        nothing to do with oche.
        """
        self._status, self._own = status, own
        protocol = ProtocolChoice(url)
        while True:
            try:
                if self._namesakes is not None and self._namesakes.waits:
                    will = self._namesakes.will()
                    async with connection(url, protocol.now, will, self._namesakes.client_id) as client:
                        protocol.accepted()
                        await self._namesakes.wait(client)
                will = aiomqtt.Will(f"{self.root}/status", self._offline(), qos=1, retain=True)
                client_id = None if self._namesakes is None else self._namesakes.client_id
                async with connection(url, protocol.now, will, client_id) as client:
                    protocol.accepted()
                    await self._converse(client)
            except MqttError as error:
                if protocol.failed(error):
                    self._trouble.now(why_away(url, error))
            except OSError as error:
                self._trouble.now(why_away(url, error))
            except Exception:
                # Whatever a broker sends: the next connection is tried as after any other end.
                log.exception("broker")
            finally:
                self._disconnect()
                self.boards.disconnected()
                if self._sweeping is not None:
                    self._sweeping.cancel()
            await asyncio.sleep(RETRY_SECONDS)

    async def goodbye(self) -> None:
        """Publishes `offline`, as the will would: a clean disconnect sends no will."""
        client, self._leaving = self._client, True
        if self._namesakes is not None:
            await self._namesakes.goodbye()
        if client is not None:
            try:
                await client.publish(f"{self.root}/status", self._offline(), qos=1, retain=True, timeout=1)
            except MqttError:
                log.info("the connection ended before the daemon could publish that it is offline")

    async def _converse(self, client: Client) -> None:
        """Returns when the connection ends, or when another daemon has this node name."""
        # Commands are subscribed before anything is published.
        for topic in (
            f"{self.root}/board/+/command",
            f"{self.root}/board/+/command/+",
            home_assistant.BIRTH,
            *([MISSED] if self._own else []),
            *self.boards,
        ):
            await self._subscribe(client, topic)
        if self._namesakes is not None and not await self._namesakes.ask(client, self._online):
            return
        self._trouble.now(None)
        self._retained["status"] = self._online()
        self._connect(client)
        self.boards.subscribed()
        self._sweep(client)
        for message in [] if self._namesakes is None else self._namesakes.take_aside():
            self._take(message)
        async for message in client.received():
            if self._namesakes is not None and (outcome := self._namesakes.hear(message)) is not None:
                self._settle_name(self._namesakes, outcome, client)
                if outcome is Outcome.LOST:
                    return
            else:
                self._take(message)
            if lost := client.take_lost():
                self._counters.lost += lost
                self._count()

    async def _subscribe(self, client: Client, topic: str) -> None:
        # At QoS 0: a command that arrives while the daemon is away is not kept for it anyway. At QoS 1 a flood would
        # silence the connection: mosquitto 2.0 drops packets for a client that does not keep up, and sends no more of
        # QoS 1 until the client acknowledges those.
        if client.is_5:
            await client.subscribe(topic, options=SubscribeOptions(qos=0, retainAsPublished=True))
        else:
            await client.subscribe(topic, qos=0)

    def _sweep(self, client: Client) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()
        self._sweeping = asyncio.create_task(leftovers.show(client, self.root))

    # ------------------------------------------------------------------ messages from others

    def _take(self, received: aiomqtt.Message) -> None:
        message = Message.received(received)
        topic, payload = message.topic, message.payload
        if is_command(self.root, topic):
            # An empty payload clears a retained command, and asks for nothing.
            if payload:
                if message.retained:
                    self._remove(topic)
                self._heard(message)
        elif topic == home_assistant.BIRTH:
            # Once, however often it is published: anyone may publish it.
            if payload == b"online" and self._greeting is None:
                delay = random.uniform(0, GREETING_SECONDS)
                self._greeting = asyncio.get_running_loop().call_later(delay, self._greet_home_assistant)
        elif self.boards.take(message):
            # A board publishes what it likes there.
            return
        elif topic == MISSED:
            if self._counters.missed(payload):
                self._count()
        elif message.retained and payload and leftovers.is_left_behind(self.root, topic, self._retained):
            self._remove(topic)

    def _remove(self, topic: str) -> None:
        """Clears a topic that is not among the retained states, unless too much is in flight: the next connection
        finds it again."""
        if self._in_flight < IN_FLIGHT:
            self._publish(topic.removeprefix(f"{self.root}/"), "", retain=True)

    def _greet_home_assistant(self) -> None:
        self._greeting = None
        self.publish_again(home_assistant.PREFIX)

    def _settle_name(self, namesakes: Namesakes, outcome: Outcome, client: Client) -> None:
        """Does what a message about the node name asks for."""
        match outcome:
            case Outcome.LOST:
                namesakes.lost()
            case Outcome.ANSWER:
                namesakes.when_conflict_ends(self._show_conflict)
                self._publish("claim", namesakes.held(), retain=False)
            case Outcome.REPAIR_ALL if not self._leaving:
                self._publish("claim", namesakes.held(), retain=False)
                self._retained["status"] = self._online()
                self.publish_again()
                # The other daemon may have retained states of boards that this one does not have.
                self._sweep(client)
            case Outcome.REPAIR if not self._leaving and self._repairing is None:
                self._repairing = asyncio.get_running_loop().call_later(REPAIR_SECONDS, self._repair)
        self._show_conflict()

    # ------------------------------------------------------------------ the node status

    def say(self, status: Mapping[str, object]) -> None:
        """Sets the node status, without state and counters."""
        if status != self._status:
            self._status = status
            self._show_status()

    def count_stuck_display(self) -> None:
        """Counts a display that was disconnected because it did not read."""
        self._counters.stuck += 1
        self._count()

    def count_dropped(self) -> None:
        """Counts a message that was not sent."""
        self._counters.dropped += 1
        self._count()

    def _on_refused(self, reason: int) -> None:
        """Says as well why the broker has refused the message."""
        super()._on_refused(reason)
        self._trouble.now(
            f"it refuses messages of this daemon ({refusal_text(reason)}). Its access list must let the daemon write "
            f"below {self.root}/; `oche broker-config` writes one."
        )

    def _count_lost(self) -> None:
        self._counters.lost += 1
        self._count()

    def _count(self) -> None:
        if self._counting is None:
            self._counting = asyncio.get_running_loop().call_later(COUNTERS_SECONDS, self._show_counters)

    def _show_counters(self) -> None:
        self._counting = None
        self._show_status()

    def _repair(self) -> None:
        self._repairing = None
        if self._client is not None and not self._leaving:
            self._show_status()

    def _show_conflict(self) -> None:
        if self._client is not None and not self._leaving and self._online() != self._retained["status"]:
            self._show_status()

    def _show_status(self) -> None:
        self._retained["status"] = text = self._online()
        self._publish("status", text, retain=True)

    def _online(self) -> str:
        names = {} if self._namesakes is None else self._namesakes.shown()
        return jsontext.dump({**self._status, **names, **self._counters.shown()})

    def _offline(self) -> str:
        instance = {} if self._namesakes is None else {"instance": self._namesakes.shown()["instance"]}
        return jsontext.dump({**self._status, **instance, "state": "offline"})
