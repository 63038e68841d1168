"""What the daemon publishes: retained states, and hits, events and replies for those who listen now.

States are kept here and sent again after each reconnect. Events and replies are dropped and counted while there is no
broker: nobody wants the sounds of a minute ago. A hit goes back to its board's outbox, which sends it again for a while
(`session/outbox.py`). Messages that wait for their acknowledgement are bounded, for all boards together and for each
board.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from aiomqtt import MqttError

from daemon.mqtt import home_assistant
from daemon.mqtt.client import Client
from daemon.mqtt.message import Message
from daemon.mqtt.topics import may_answer
from engine import jsontext

IN_FLIGHT: Final = 400
"""Messages that may wait for the broker's acknowledgement: those of one dart at each of a hundred boards. Beyond it
states wait, hits go back to their outboxes, and everything else is dropped."""
SHARE: Final = 33
"""Messages of one board that may be in flight before its next dart waits: those of about ten darts. Without a share
a board that floods would fill `IN_FLIGHT`, and messages of other boards would be dropped."""
LONGEST_CORRELATION: Final = 512
"""Bytes; a longer correlation gets no reply on the sender's own topic."""


class Outgoing(ABC):
    """The sending half of the bus. Topics are below `root`, except those of Home Assistant."""

    def __init__(self, root: str, is_player: Callable[[str], bool]) -> None:
        self.root = root
        self.connected = asyncio.Event()
        self._is_player = is_player
        self._client: Client | None = None
        # The node's status first: the rest is then seen of a node that is online.
        self._retained = {"status": ""}
        self._waiting: dict[str, None] = {}
        """Topics of states that wait for room in flight. A state is sent as it is when its turn comes."""
        self._uncleared: dict[str, object] = {}
        """Topics that were removed, until a broker has acknowledged the last removal, which the object stands for."""
        self._in_flight = 0
        self._by_board: Counter[str] = Counter()
        self._acknowledged = asyncio.Event()
        self._unwatched: set[str] = set()
        """Retained topics to which nobody subscribed when they were last sent."""

    # ------------------------------------------------------------------ states

    def retain(self, topic: str, payload: Any) -> None:
        """Sets the state that a topic shows from now on. A state that the topic shows already is not sent again."""
        self.retain_text(topic, jsontext.dump(payload))

    def retain_text(self, topic: str, text: str) -> None:
        """The same for a state that is JSON text already."""
        if self._retained.get(topic) != text:
            self._retained[topic] = text
            self._uncleared.pop(topic, None)
            self._publish(topic, text, retain=True)

    def clear(self, topic: str) -> None:
        """Removes a retained topic."""
        self._unwatched.discard(topic)
        if self._retained.pop(topic, None) is not None:
            self._publish_removal(topic)

    def retained(self, topic: str) -> str | None:
        """Returns what a retained topic shows."""
        return self._retained.get(topic)

    def forget(self, prefix: str) -> None:
        """Removes every retained topic with this prefix."""
        for topic in [topic for topic in self._retained if topic.startswith(prefix)]:
            self.clear(topic)

    def publish_again(self, prefix: str = "") -> None:
        """Sends every state whose topic has this prefix, changed or not."""
        for topic, text in self._retained.items():
            if topic.startswith(prefix):
                self._publish(topic, text, retain=True)

    def is_watched(self, topic: str) -> bool:
        """Whether somebody subscribed to a retained topic when it was last sent. True before MQTT 5, where a broker
        does not tell; False without a broker."""
        return self._client is not None and topic not in self._unwatched

    def ask_who_watches(self, topic: str) -> None:
        """Sends a retained topic to which nobody subscribed again: `is_watched` then tells."""
        if not self.is_watched(topic) and topic in self._retained:
            self._publish(topic, self._retained[topic], retain=True)

    # ------------------------------------------------------------------ messages for those who listen now

    def send(self, topic: str, payload: Any) -> None:
        """Sends a message. It is dropped without a broker, or if the broker does not keep up."""
        self.send_text(topic, jsontext.dump(payload))

    def send_text(
        self,
        topic: str,
        text: str,
        *,
        taken: Callable[[], None] | None = None,
        lost: Callable[[], None] | None = None,
    ) -> None:
        """The same for a message that is JSON text already.

        `taken` is called when the broker has acknowledged it. Where the message would be dropped, or the connection
        ends before that, `lost` is called instead of counting it.
        """
        self._publish(topic, text, retain=False, taken=taken, lost=lost)

    def answer(self, message: Message, topic: str, payload: Any) -> None:
        """Sends a reply on `topic`, and on the response topic of the command's sender if the sender may have it."""
        text = jsontext.dump(payload)
        self._publish(topic, text, retain=False)
        wanted = message.answer_to
        if (
            wanted is not None
            and may_answer(self.root, message.topic, wanted, self._is_player)
            and len(message.correlation or b"") <= LONGEST_CORRELATION
        ):
            self._publish(wanted.removeprefix(f"{self.root}/"), text, retain=False, correlation=message.correlation)

    def flush(self) -> None:
        """Writes what was sent now, not at the end of this round of the event loop: what follows takes time."""
        if self._client is not None:
            self._client.flush()

    @abstractmethod
    def count_dropped(self) -> None:
        """Counts a message that was not sent."""

    def _on_refused(self, reason: int) -> None:
        """Counts a message that the broker has refused; `reason` is the code of MQTT 5."""
        self.count_dropped()

    async def room_for(self, board: str) -> None:
        """Returns when a board has fewer than `SHARE` messages in flight: at once at the pace of people."""
        while self._by_board[board] >= SHARE:
            self._acknowledged.clear()
            await self._acknowledged.wait()

    # ------------------------------------------------------------------ to the connection

    def _connect(self, client: Client) -> None:
        """Sends over this connection from now on, every state first."""
        self._client = client
        client.on_late = self._ask_for_acknowledgement
        client.on_refused = self._on_refused
        self.connected.set()
        self.publish_again()
        for topic in (*self._uncleared,):
            self._publish_removal(topic)

    def _publish_removal(self, topic: str) -> None:
        removal = self._uncleared[topic] = object()

        def taken() -> None:
            if self._uncleared.get(topic) is removal:
                del self._uncleared[topic]

        self._publish(topic, "", retain=True, taken=taken)

    def _ask_for_acknowledgement(self) -> None:
        """Sends the node's status again: the broker may have dropped the acknowledgement of the last message alone."""
        self._publish("status", self._retained["status"], retain=True)

    def _disconnect(self) -> None:
        """Drops what was not acknowledged: the next connection sends every state."""
        client, self._client = self._client, None
        self.connected.clear()
        self._waiting.clear()
        if client is not None:
            client.abandon()

    def _publish(
        self,
        topic: str,
        text: str,
        *,
        retain: bool,
        correlation: bytes | None = None,
        taken: Callable[[], None] | None = None,
        lost: Callable[[], None] | None = None,
    ) -> None:
        if self._client is None:
            self._drop(retain, lost)
        elif self._in_flight >= IN_FLIGHT:
            if retain:
                self._waiting[topic] = None
            else:
                self._drop(retain, lost)
        else:
            board = _board(topic)
            try:
                self._client.send(
                    topic if topic.startswith(home_assistant.PREFIX) else f"{self.root}/{topic}",
                    text,
                    retain=retain,
                    acknowledged=partial(self._handed_over, topic, board, retain, taken, lost),
                    correlation=correlation,
                )
            except (MqttError, ValueError):
                # The connection has just ended, or the library does not take a sender's response topic.
                self._drop(retain, lost)
            else:
                self._in_flight += 1
                self._by_board[board] += 1

    def _drop(self, retain: bool, lost: Callable[[], None] | None) -> None:
        if lost is not None:
            lost()
        elif not retain:
            self.count_dropped()

    def _handed_over(
        self,
        topic: str,
        board: str,
        retain: bool,
        taken: Callable[[], None] | None,
        lost: Callable[[], None] | None,
        watched: bool | None,
    ) -> None:
        self._in_flight -= 1
        self._by_board[board] -= 1
        if not self._by_board[board]:
            del self._by_board[board]
        self._acknowledged.set()
        if watched is None:
            self._drop(retain, lost)
        elif taken is not None:
            taken()
        elif retain:
            (self._unwatched.discard if watched else self._unwatched.add)(topic)
        while self._waiting and self._in_flight < IN_FLIGHT:
            topic = next(iter(self._waiting))
            del self._waiting[topic]
            self._publish(topic, self._retained.get(topic, ""), retain=True)


def _board(topic: str) -> str:
    """Returns the board of a topic; an empty text for topics of the node."""
    kind, _, rest = topic.partition("/")
    return rest.partition("/")[0] if kind == "board" else ""
