"""Boards that publish their darts: their topics on the daemon's own connection to the broker, and a link for each.

Not chosen: a connection of each board's own. It would need the broker's address and password again, and it would be
one more thing that is away.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import Final

from daemon.links.link import Disconnected, Link, chunk
from daemon.links.unread import FULL, QueuedLink, Unread
from daemon.mqtt.message import Message
from daemon.network.fair_turns import RateLimit
from daemon.system.template import Template
from daemon.system.topic_address import topic_address
from daemon.system.urls import BoardUrl, UsageError

RATE: Final = 20.0
"""Messages a second that one board may publish after a burst of `BURST`; more are dropped and counted as `lost`."""
BURST: Final = 100.0
UNFIT: Final = b"\xff\n"
"""What a payload puts on the wire that the template does not fit: every dialect of lines counts it as garbage."""
AWAY: Final = "The broker is away, so nothing that the board publishes is heard."


class TopicLink(QueuedLink):
    """The link of a board that publishes; it takes nothing."""

    def __init__(self) -> None:
        # A broker cannot be paused for one topic: what is too much is dropped before it is put here.
        self._unread = Unread(lambda: None, lambda: None)

    @property
    def is_full(self) -> bool:
        return self._unread.count >= FULL

    def put(self, line: bytes) -> None:
        """Adds a line that arrived just now."""
        self._unread.put(chunk(line))

    def end(self) -> None:
        """Ends the link: what arrived before is read first."""
        self._unread.end(Disconnected("broker", AWAY))

    def close(self) -> None:
        """Does nothing: the topic stays subscribed."""


class BoardTopic:
    """One topic with its board."""

    def __init__(self, template: Template, now: float) -> None:
        self.template = template
        self.limit = RateLimit(now, RATE, BURST)
        self.link: TopicLink | None = None
        self.is_subscribed = asyncio.Event()


class BoardTopics:
    """All topics at which boards publish. `lost` is called for each message that is dropped."""

    def __init__(self, lost: Callable[[], None]) -> None:
        self._topics: dict[str, BoardTopic] = {}
        self._lost = lost

    def __iter__(self) -> Iterator[str]:
        return iter(self._topics)

    def add(self, url: BoardUrl) -> None:
        """Adds a board before the connection is made. UsageError if its address is wrong."""
        address = topic_address(url.place, url.settings)
        if isinstance(address, list):
            raise UsageError(f"{url.shown!r} is not a valid board: {'; '.join(address)}.")
        self._topics[address.topic] = BoardTopic(address.template, asyncio.get_running_loop().time())

    async def open(self, url: BoardUrl) -> Link:
        """Returns the link of a board that was added, once its topic is subscribed."""
        topic = self._topics[url.place]
        await topic.is_subscribed.wait()
        topic.link = TopicLink()
        return topic.link

    def subscribed(self) -> None:
        """To be called when the broker has acknowledged the subscriptions."""
        for topic in self._topics.values():
            topic.is_subscribed.set()

    def disconnected(self) -> None:
        """To be called when the connection has ended."""
        for topic in self._topics.values():
            topic.is_subscribed.clear()
            if topic.link is not None:
                topic.link.end()
                topic.link = None

    def take(self, message: Message) -> bool:
        """Passes a message on to its board; returns whether there is one. A retained one is of the past: dropped."""
        topic = self._topics.get(message.topic)
        if topic is None:
            return False
        if message.retained or topic.link is None:
            return True
        if topic.link.is_full or topic.limit.wait(1.0, asyncio.get_running_loop().time()) > 0:
            self._lost()
            return True
        line = topic.template.line(message.payload)
        topic.link.put(UNFIT if line is None else line.encode() + b"\n")
        return True
