"""What waits for a session: one queue in order of arrival, in which a flood of commands does not delay the board."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from daemon.links.supervisor import Arrival
from daemon.mqtt.bus import Message
from daemon.session.commands import Start
from engine.actions import Action

COMMANDS: Final = 1000
"""How many commands may wait; more are counted and dropped."""
COMMAND_BYTES: Final = 2 * 1024 * 1024
"""How many bytes the waiting commands of one board may have together."""
ARRIVALS: Final = 64
"""How many chunks of a board may wait here; more wait in its link, which makes the board wait."""
FLOOD: Final = 20
"""From this many waiting commands on, chunks and internal actions go first: people never send that many at once."""


@dataclass(frozen=True, slots=True)
class InternalAction:
    """An action of a bot, a clock or a game, dropped if the match has moved on from this revision."""

    revision: int
    action: Action
    by: str


@dataclass(frozen=True, slots=True)
class WatchdogProbe:
    """Proves that the session still handles its inbox: handling it releases the semaphore."""

    felt: asyncio.Semaphore


@dataclass(frozen=True, slots=True)
class Call:
    """Something that is done in the session's own order."""

    run: Callable[[], Awaitable[None]]


Item = Arrival | Message | InternalAction | WatchdogProbe | Start | Call


class Inbox:
    """A queue with one reader and many writers."""

    def __init__(self) -> None:
        self._commands: deque[tuple[int, Message]] = deque()
        self._others: deque[tuple[int, Item]] = deque()
        self._bytes = 0
        self._count = 0
        self._reader: asyncio.Future[None] | None = None
        self._room = asyncio.Event()
        self._room.set()

    async def put(self, item: Item) -> None:
        """Adds an item; waits while `ARRIVALS` items are waiting."""
        while len(self._others) >= ARRIVALS:
            self._room.clear()
            await self._room.wait()
        self._count += 1
        self._others.append((self._count, item))
        self._wake()

    def offer(self, message: Message) -> bool:
        """Adds a command; returns false if too many are waiting."""
        if len(self._commands) >= COMMANDS or self._bytes + len(message.payload) > COMMAND_BYTES:
            return False
        self._count += 1
        self._bytes += len(message.payload)
        self._commands.append((self._count, message))
        self._wake()
        return True

    async def get(self, due_ns: int | None = None) -> Item | None:
        """Waits for the item that came first; in a flood of commands, for the first that is not a command.

        Returns `None` when nothing has come by `due_ns`, a time of `time.monotonic_ns`.
        """
        while not self.waits:
            if due_ns is not None and time.monotonic_ns() >= due_ns:
                return None
            await self._wait(due_ns)
        if self._others and (
            not self._commands or len(self._commands) > FLOOD or self._others[0][0] < self._commands[0][0]
        ):
            _, item = self._others.popleft()
            self._room.set()
            return item
        _, message = self._commands.popleft()
        self._bytes -= len(message.payload)
        return message

    async def _wait(self, due_ns: int | None) -> None:
        """Waits until something comes, or until the time."""
        loop = asyncio.get_running_loop()
        self._reader, timer = loop.create_future(), None
        if due_ns is not None:
            timer = loop.call_later((due_ns - time.monotonic_ns()) / 1e9, self._wake)
        try:
            await self._reader
        finally:
            self._reader = None
            if timer is not None:
                timer.cancel()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    @property
    def waits(self) -> bool:
        """Whether an item can be taken without waiting."""
        return bool(self._commands or self._others)

    def take_probes(self) -> list[WatchdogProbe]:
        """Removes and returns the watchdog probes, for a session that waits for the disk: it is alive."""
        found = [item for _, item in self._others if isinstance(item, WatchdogProbe)]
        self._others = deque(entry for entry in self._others if not isinstance(entry[1], WatchdogProbe))
        self._room.set()
        return found
