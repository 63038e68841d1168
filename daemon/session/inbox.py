"""What waits for a table: one queue in order of arrival, in which a flood of commands cannot hold up the board."""

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final

from daemon.links.supervisor import Arrival
from daemon.mqtt.bus import Message
from daemon.session.commands import Start
from engine.actions import Action

COMMANDS: Final = 1000
"""Commands that may wait; those beyond are counted and dropped."""
COMMAND_BYTES: Final = 2 * 1024 * 1024
"""What waiting commands may take together, for each board."""
ARRIVALS: Final = 64
"""Pieces of a board that may wait here; the next ones wait in its link, which makes the board wait."""
FLOOD: Final = 20
"""So many commands at once no household sends: from here on the board and the table's own affairs go first."""


@dataclass(frozen=True, slots=True)
class InternalAction:
    """Something that the table has to do by itself, unless the match has moved on from this revision."""

    revision: int
    action: Action
    by: str


@dataclass(frozen=True, slots=True)
class WatchdogProbe:
    """Proves that the table still does what comes: it counts up what is waited for."""

    felt: asyncio.Semaphore


Item = Arrival | Message | InternalAction | WatchdogProbe | Start


class Inbox:
    """One reader, many writers."""

    def __init__(self) -> None:
        self._commands: deque[tuple[int, Message]] = deque()
        self._others: deque[tuple[int, Item]] = deque()
        self._bytes = 0
        self._count = 0
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    async def put(self, item: Item) -> None:
        """Waits where the board is too far ahead."""
        while len(self._others) >= ARRIVALS:
            self._room.clear()
            await self._room.wait()
        self._count += 1
        self._others.append((self._count, item))
        self._news.set()

    def offer(self, message: Message) -> bool:
        """Takes a command, or says that too many wait already."""
        if len(self._commands) >= COMMANDS or self._bytes + len(message.payload) > COMMAND_BYTES:
            return False
        self._count += 1
        self._bytes += len(message.payload)
        self._commands.append((self._count, message))
        self._news.set()
        return True

    async def get(self) -> Item:
        """What came first; in a flood of commands, what is no command."""
        while not self._commands and not self._others:
            self._news.clear()
            await self._news.wait()
        if self._others and (
            not self._commands or len(self._commands) > FLOOD or self._others[0][0] < self._commands[0][0]
        ):
            _, item = self._others.popleft()
            self._room.set()
            return item
        _, message = self._commands.popleft()
        self._bytes -= len(message.payload)
        return message

    @property
    def waits(self) -> bool:
        """Whether there is something to be taken at once."""
        return bool(self._commands or self._others)

    def pulses(self) -> list[WatchdogProbe]:
        """Takes out what asks for a sign of life: a table that waits for the disk is alive, and does nothing else."""
        found = [item for _, item in self._others if isinstance(item, WatchdogProbe)]
        self._others = deque(entry for entry in self._others if not isinstance(entry[1], WatchdogProbe))
        self._room.set()
        return found
