"""The bus: what the daemon tells everyone, and what it is told, by way of a broker.

The daemon is an ordinary client of some broker. Retained states are kept here
and sent again after every reconnect, so a display is right however long the
broker was away; hits and events that meet no broker are dropped and counted,
for nobody wants last minute's sounds. Retries of the bus live here and only here.
"""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import aiomqtt
from aiomqtt import MqttError, ProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from daemon.mqtt import home_assistant
from daemon.mqtt.connection import IN_FLIGHT, Client, connection, next_protocol, response, why_away
from daemon.mqtt.counters import MISSED, Counters
from daemon.mqtt.namesakes import Namesakes
from daemon.mqtt.node_name import NodeName, Outcome
from daemon.mqtt.topics import is_command, may_answer
from daemon.system.console import Trouble
from daemon.system.urls import BrokerUrl
from engine import jsontext

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 0.5
SHARE: Final = IN_FLIGHT // 3
"""Messages of one board that may wait for the broker's word before its next dart waits too: those of some ten darts.
Without it a board that floods would have all of `IN_FLIGHT`, and what others say would be dropped."""
COUNTERS_SECONDS: Final = 1.0
"""Counters that changed are shown after this."""
LONGEST_CORRELATION: Final = 512
SWEEP_SECONDS: Final = 2.0
"""How long after a connect retained topics of boards and matches that are gone are looked for."""
REPAIR_SECONDS: Final = 0.1
"""After this a status that somebody replaced is published again; several in this time are one."""
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


class Bus:
    """A connection to the broker that is always being kept. `node` is the first part of all our topics."""

    def __init__(
        self,
        node: str,
        heard: Callable[[Message], None],
        is_player: Callable[[str], bool] = lambda _name: False,
        *,
        name: NodeName | None = None,
        told: Callable[[bool], None] = lambda _waiting: None,
    ) -> None:
        """With `name`, nothing is published while another daemon at the broker has this node name, and `told` is
        called with True when waiting for that begins, with False when it ends. Without it nobody else is expected."""
        self.root = f"oche/{node}"
        self.connected = asyncio.Event()
        self._counters = Counters()
        self._counting: asyncio.TimerHandle | None = None
        self._heard, self._is_player = heard, is_player
        # The node's own first: what follows is then seen of a node that is there.
        self._retained = {"status": ""}
        self._waiting: dict[str, None] = {}
        self._in_flight: set[asyncio.Task[None]] = set()
        self._client: Client | None = None
        self._protocol = ProtocolVersion.V5
        self._status: dict[str, Any] = {}
        self._own = False
        self._welcome: asyncio.TimerHandle | None = None
        self._namesakes = None if name is None else Namesakes(self.root, name, told)
        self._repairing: asyncio.TimerHandle | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self._leaving = False
        self._trouble = Trouble("Broker")
        self._by_board: Counter[str] = Counter()
        self._handed = asyncio.Event()
        self._unheard: set[str] = set()
        """Retained topics to which nobody subscribed when they were sent last."""

    def retain(self, topic: str, payload: Any) -> None:
        """Sets the state that a topic (below the root, or one of Home Assistant's) shows from now on.

        What the topic shows already is not sent again.
        """
        self.retain_text(topic, jsontext.dump(payload))

    def retain_text(self, topic: str, text: str) -> None:
        """The same with JSON that is written already."""
        if self._retained.get(topic) != text:
            self._retained[topic] = text
            self._publish(topic, text, retain=True)

    def clear(self, topic: str) -> None:
        """Takes a retained topic away: what it was about is gone."""
        self._unheard.discard(topic)
        if self._retained.pop(topic, None) is not None:
            self._publish(topic, "", retain=True)

    def forget(self, prefix: str) -> None:
        """Takes away every retained topic that begins so."""
        for topic in [topic for topic in self._retained if topic.startswith(prefix)]:
            self.clear(topic)

    async def room_for(self, board: str) -> None:
        """Returns when a board has less than its share under way: at once, unless it sends more than people throw."""
        while self._by_board[board] >= SHARE:
            self._handed.clear()
            await self._handed.wait()

    def is_watched(self, topic: str) -> bool:
        """Whether somebody subscribed to a retained topic when it was sent last. True with a broker that does not say:
        one before MQTT 5."""
        return self._client is not None and topic not in self._unheard

    def ask_who_watches(self, topic: str) -> None:
        """Sends what a retained topic shows once more, where nobody subscribed: `is_watched` then tells."""
        if not self.is_watched(topic) and topic in self._retained:
            self._publish(topic, self._retained[topic], retain=True)

    def say(self, status: dict[str, Any]) -> None:
        """What the node says of itself from now on."""
        if status != self._status:
            self._status = status
            self._show_status()

    def send(self, topic: str, payload: Any, settled: Callable[[], None] | None = None) -> None:
        """Tells those who listen now. Dropped where no broker is, or where it does not keep up.

        `settled` is called as soon as it is on its way, and when it was dropped.
        """
        self.send_text(topic, jsontext.dump(payload), settled)

    def send_text(self, topic: str, text: str, settled: Callable[[], None] | None = None) -> None:
        """The same with JSON that is written already."""
        self._publish(topic, text, retain=False, settled=settled)

    def answer(self, message: Message, topic: str, payload: Any) -> None:
        """Sends a reply on its topic, and on the sender's own where he named one of his."""
        text = jsontext.dump(payload)
        self._publish(topic, text, retain=False)
        wanted = message.answer_to
        if (
            wanted is not None
            and may_answer(self.root, message.topic, wanted, self._is_player)
            and len(message.correlation or b"") <= LONGEST_CORRELATION
        ):
            self._publish(wanted.removeprefix(f"{self.root}/"), text, retain=False, correlation=message.correlation)

    async def run(self, url: BrokerUrl, status: dict[str, Any], *, own: bool = False) -> None:
        """Keeps the connection until cancelled; `status` is what the node says of itself.

        What our `own` broker drops for others is counted: an outside one may have clients that are not ours.
        """
        self._status, self._own = status, own
        self._protocol = ProtocolVersion.V311 if url.old else ProtocolVersion.V5
        while True:
            try:
                if self._namesakes is not None and self._namesakes.waits:
                    async with self._open_to_wait(url, self._namesakes) as client:
                        await self._namesakes.wait(client)
                async with self._open(url) as client:
                    if await self._greet(client):
                        sweep = asyncio.create_task(self._sweep(client))
                        try:
                            await self._listen(client)
                        finally:
                            sweep.cancel()
            except MqttError as error:
                spoken, self._protocol = self._protocol, next_protocol(error, self._protocol)
                # The other protocol is tried before anybody is told.
                if spoken is self._protocol or spoken is ProtocolVersion.V311:
                    self._trouble.now(why_away(url, error))
            except OSError as error:
                self._trouble.now(why_away(url, error))
            except Exception:
                # Whatever a broker may say: the next connection is tried as after any other end.
                log.exception("broker")
            finally:
                self._client = None
                self.connected.clear()
                if self._sweeping is not None:
                    self._sweeping.cancel()
            await asyncio.sleep(RETRY_SECONDS)

    async def goodbye(self) -> None:
        """Says offline, as the will would; a clean disconnect sends no will."""
        client, self._leaving = self._client, True
        if self._namesakes is not None:
            await self._namesakes.goodbye()
        if client is not None:
            try:
                offline = self._offline()
                await client.publish(f"{self.root}/status", offline, qos=1, retain=True, timeout=1)
            except MqttError:
                log.info("the broker was gone before we could say goodbye")

    def _open(self, url: BrokerUrl) -> Client:
        will = aiomqtt.Will(f"{self.root}/status", self._offline(), qos=1, retain=True)
        return connection(url, self._protocol, will, None if self._namesakes is None else self._namesakes.client_id)

    def _open_to_wait(self, url: BrokerUrl, namesakes: Namesakes) -> Client:
        return connection(url, self._protocol, namesakes.will(), namesakes.client_id)

    def _offline(self) -> str:
        instance = {} if self._namesakes is None else {"instance": self._namesakes.shown()["instance"]}
        return jsontext.dump(self._status | instance | {"state": "offline"})

    def _online(self) -> str:
        names = {} if self._namesakes is None else self._namesakes.shown()
        return jsontext.dump(self._status | names | self._counters.shown())

    async def _greet(self, client: Client) -> bool:
        """Publishes everything, once commands are subscribed; False if another daemon has this node name."""
        await self._subscribe(client, f"{self.root}/board/+/command")
        await self._subscribe(client, f"{self.root}/board/+/command/+")
        await self._subscribe(client, home_assistant.BIRTH)
        if self._own:
            await self._subscribe(client, MISSED)
        if self._namesakes is not None and not await self._namesakes.ask(client, self._online):
            return False
        self._client = client
        self.connected.set()
        self._trouble.now(None)
        self._publish_all()
        return True

    def _publish_all(self) -> None:
        self._retained["status"] = self._online()
        for topic, text in self._retained.items():
            self._publish(topic, text, retain=True)

    async def _subscribe(self, client: aiomqtt.Client, topic: str) -> None:
        # At QoS 0: a command that comes while we are away is not kept for us anyway. At QoS 1 a flood would make us
        # deaf: mosquitto 2.0 drops packets for a client that does not keep up, and sends no more of QoS 1 until the
        # client says that it has those.
        if self._protocol is ProtocolVersion.V5:
            await client.subscribe(topic, options=SubscribeOptions(qos=0, retainAsPublished=True))
        else:
            await client.subscribe(topic, qos=0)

    async def _listen(self, client: Client) -> None:
        """Takes messages until the connection ends, or another daemon has this node name."""
        for message in [] if self._namesakes is None else self._namesakes.take_aside():
            self._take(message)
        async for message in client.messages:
            if self._namesakes is not None and (outcome := self._namesakes.hear(message)) is not None:
                if self._settle_name(self._namesakes, outcome, client) is Outcome.LOST:
                    return
            else:
                self._take(message)
            if client.lost:
                self._counters.lost += client.lost
                client.forget_lost()
                self._count()

    def _take(self, message: aiomqtt.Message) -> None:
        payload = message.payload if isinstance(message.payload, bytes) else b""
        topic = str(message.topic)
        if is_command(self.root, topic):
            if message.retain and payload:
                self._take_away(topic)
            answer_to, correlation = response(message.properties)
            # An empty one takes away a retained one, and asks for nothing.
            if payload:
                self._heard(Message(topic, payload, bool(message.retain), answer_to, correlation))
        elif topic == home_assistant.BIRTH:
            # Once, however often it is said: anyone may say it.
            if payload == b"online" and self._welcome is None:
                wait = random.uniform(0, WELCOME_SECONDS)
                self._welcome = asyncio.get_running_loop().call_later(wait, self._introduce)
        elif topic == MISSED:
            if self._counters.missed(payload):
                self._count()
        elif message.retain and payload and self._is_left_behind(topic):
            self._take_away(topic)

    def _settle_name(self, namesakes: Namesakes, outcome: Outcome, client: Client) -> Outcome:
        """Does what a message about the node name asks for."""
        match outcome:
            case Outcome.LOST:
                namesakes.lost()
            case Outcome.ANSWER:
                namesakes.when_conflict_ends(self._show_conflict)
                self._publish("claim", namesakes.held(), retain=False)
            case Outcome.REPAIR_ALL if not self._leaving:
                self._publish("claim", namesakes.held(), retain=False)
                self._publish_all()
                # What the other one retained, of boards that this one does not have.
                self._sweeping = asyncio.create_task(self._sweep(client))
            case Outcome.REPAIR if not self._leaving and self._repairing is None:
                self._repairing = asyncio.get_running_loop().call_later(REPAIR_SECONDS, self._repair)
        self._show_conflict()
        return outcome

    def _repair(self) -> None:
        self._repairing = None
        if self._client is not None and not self._leaving:
            self._publish("status", self._online(), retain=True)

    def _show_conflict(self) -> None:
        if self._client is not None and not self._leaving and self._online() != self._retained["status"]:
            self._show_status()

    def _take_away(self, topic: str) -> None:
        """Clears a topic that is not kept here. One too many waits for the next connection, not in our memory."""
        if len(self._in_flight) < IN_FLIGHT:
            self._publish(topic.removeprefix(f"{self.root}/"), "", retain=True)

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
        """Clears what a former run left on the broker of boards, matches, hands and codes that are gone."""
        ours = (f"{self.root}/board/+/{leaf}" for leaf in ("status", "match", "hand/+"))
        topics = (*ours, f"{self.root}/pairing", f"{self.root}/unconfirmed", home_assistant.EVERY_TOPIC)
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
        board = _board(topic)
        self._by_board[board] += 1
        task.add_done_callback(lambda task: self._handed_over(task, board))
        asyncio.get_running_loop().call_soon(self._client.flush, settled)

    def _drop(self, retain: bool, settled: Callable[[], None] | None) -> None:
        if not retain:
            self._counters.dropped += 1
            self._count()
        if settled is not None:
            settled()

    def put_out(self) -> None:
        """A display did not read what it was sent, and was put out: the node's status says how many."""
        self._counters.stuck += 1
        self._count()

    def _count(self) -> None:
        """Says in the node's status, soon, what was counted."""
        if self._counting is None:
            self._counting = asyncio.get_running_loop().call_later(COUNTERS_SECONDS, self._show_counters)

    def _show_counters(self) -> None:
        self._counting = None
        self._show_status()

    def _show_status(self) -> None:
        self._retained["status"] = text = self._online()
        self._publish("status", text, retain=True)

    async def _hand_over(self, client: Client, topic: str, text: str, retain: bool, correlation: bytes | None) -> None:
        properties = None
        if correlation is not None and self._protocol is ProtocolVersion.V5:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.CorrelationData = correlation
        address = topic if topic.startswith(home_assistant.PREFIX) else f"{self.root}/{topic}"
        try:
            heard = await client.tell(address, text, retain=retain, properties=properties)
            if retain:
                (self._unheard.discard if heard else self._unheard.add)(topic)
        except MqttError:
            self._drop(retain, None)
            # No word that it came: in a flood mosquitto drops that, too, and a hundred of them would keep us silent.
            client.hang_up()
        except ValueError:
            # A response topic that the library does not take.
            self._drop(retain, None)

    def _handed_over(self, task: asyncio.Task[None], board: str) -> None:
        self._in_flight.discard(task)
        self._by_board[board] -= 1
        if not self._by_board[board]:
            del self._by_board[board]
        self._handed.set()
        while self._waiting and len(self._in_flight) < IN_FLIGHT:
            topic = next(iter(self._waiting))
            del self._waiting[topic]
            self._publish(topic, self._retained.get(topic, ""), retain=True)


def _board(topic: str) -> str:
    """The board that a topic is of; empty for those of the node."""
    kind, _, rest = topic.partition("/")
    return rest.partition("/")[0] if kind == "board" else ""
