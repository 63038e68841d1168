"""Claims the node name over a connection to the broker. The rules are in `node_name.py`."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any, Final

import aiomqtt
from aiomqtt import MqttError

from daemon.mqtt.client import Client
from daemon.mqtt.connection import ANSWER_SECONDS, INCOMING
from daemon.mqtt.node_name import CLAIM_SECONDS, RIVAL_SECONDS, NodeName, Outcome, Phase, claim
from engine import jsontext
from engine.refusals import Refusal

log = logging.getLogger(__name__)

GOODBYE_SECONDS: Final = 1.0


class Namesakes:
    """Asks for the node name below `root` and waits for it. `told` is called when waiting begins and ends."""

    def __init__(self, root: str, name: NodeName, told: Callable[[bool], None]) -> None:
        self.status_topic, self.claim_topic = f"{root}/status", f"{root}/claim"
        self._name, self._told = name, told
        self._said = False
        self._waiting: Client | None = None
        self._expiry: asyncio.TimerHandle | None = None
        self._aside: list[aiomqtt.Message] = []

    @property
    def waits(self) -> bool:
        """Whether another daemon holds the name."""
        return self._name.phase is Phase.WAITING

    @property
    def client_id(self) -> str:
        """The same for every connection of this process: the broker ends an earlier one that it still has."""
        return f"oche-{self._name.instance}"

    def shown(self) -> dict[str, Any]:
        """The part of the node status that tells daemons apart."""
        conflict = self._name.phase is Phase.HOLDING and self._name.conflict(time.monotonic())
        return {"instance": self._name.instance} | ({"conflict": True} if conflict else {})

    def will(self) -> aiomqtt.Will:
        """The will of a connection that waits: never the node status, which is the holder's."""
        return aiomqtt.Will(self.claim_topic, claim(self._name.instance, "gone"), qos=1)

    async def ask(self, client: Client, status: Callable[[], str]) -> bool:
        """Asks for the name, and publishes the `status` if nobody has it. Returns whether this daemon holds it now."""
        self._aside = []
        await self._subscribe(client)
        # MqttError without an acknowledgement: of a broker that stalls, silence says nothing about who has the name.
        await self._say(client, "asking")
        outcome = await self._answer(client)
        if outcome is Outcome.ANNOUNCE:
            await client.publish(self.status_topic, status(), qos=1, retain=True)
            outcome = await self._answer(client)
        self._tell(waiting=outcome is Outcome.LOST)
        return outcome is Outcome.WON

    async def wait(self, client: Client) -> None:
        """Returns when the name may be free, on a connection that has `will` as its will."""
        await self._subscribe(client)
        self._waiting = client
        try:
            while not self._name.may_ask_again(time.monotonic()):
                await self._say(client, "waiting")
                try:
                    async with asyncio.timeout(CLAIM_SECONDS):
                        while not self._name.may_ask_again(time.monotonic()):
                            self.hear(await anext(client.messages))
                except TimeoutError:
                    continue
            self._name.ask_again()
        finally:
            self._waiting = None

    async def goodbye(self) -> None:
        """Tells the holder that nobody waits any more; a clean disconnect sends no will."""
        if self._waiting is not None:
            try:
                text = claim(self._name.instance, "gone")
                await self._waiting.publish(self.claim_topic, text, qos=1, timeout=GOODBYE_SECONDS)
            except MqttError:
                log.info("the broker was gone before the daemon could say that it no longer waits")

    def hear(self, message: aiomqtt.Message) -> Outcome | None:
        """Takes a message and returns what it asks for; `None` if it is on neither of the two topics."""
        topic = str(message.topic)
        if topic not in (self.status_topic, self.claim_topic):
            return None
        found = jsontext.parse(message.payload) if isinstance(message.payload, bytes) and message.payload else None
        payload, now = None if isinstance(found, Refusal) else found, time.monotonic()
        if topic == self.claim_topic:
            # Claims are never retained: a retained one is a mistake, and would arrive after each connect.
            return Outcome.NOTHING if message.retain else self._name.heard_claim(payload, now)
        return self._name.heard_status(payload, now, retained=bool(message.retain))

    def held(self) -> str:
        """Returns the holder's claim."""
        return claim(self._name.instance, "held")

    def when_conflict_ends(self, show: Callable[[], None]) -> None:
        """Calls `show` once every waiting daemon has been silent for `RIVAL_SECONDS`."""
        if self._expiry is not None:
            self._expiry.cancel()
        self._expiry = asyncio.get_running_loop().call_later(RIVAL_SECONDS + 0.1, show)

    def lost(self) -> None:
        """Reports that another daemon has the name."""
        self._tell(waiting=True)

    async def _subscribe(self, client: Client) -> None:
        self._name.connected(time.monotonic())
        await client.subscribe(self.status_topic, qos=0)
        await client.subscribe(self.claim_topic, qos=0)

    async def _say(self, client: Client, state: Any) -> None:
        await client.publish(self.claim_topic, claim(self._name.instance, state), qos=1)

    def take_aside(self) -> list[aiomqtt.Message]:
        """Returns, once, the messages on other topics that arrived while this daemon asked: commands among them."""
        aside, self._aside = self._aside, []
        return aside

    async def _answer(self, client: Client) -> Outcome:
        """Returns what is to be done after what was said and acknowledged."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._next(client)
        except TimeoutError:
            log.warning(
                "the broker does not let this daemon read %s and %s: another daemon with the same node name would not "
                "be noticed; `oche broker-config` writes an access list that allows it",
                *(self.status_topic, self.claim_topic),
            )
            return self._name.unanswered(time.monotonic())

    async def _next(self, client: Client) -> Outcome:
        while True:
            message = await anext(client.messages)
            outcome = self.hear(message)
            if outcome is None and len(self._aside) < INCOMING:
                self._aside.append(message)
            elif outcome not in (None, Outcome.NOTHING):
                return outcome

    def _tell(self, *, waiting: bool) -> None:
        if waiting != self._said:
            self._said = waiting
            self._told(waiting)
