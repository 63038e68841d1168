"""Bounds on what clients of the web server may use: fair turns on the event loop, and rates.

All work that a client causes on the loop is cut into units: one accepted
connection, one read of at most 1 KiB, one request, one WebSocket frame. Each
unit waits for its turn. Each iteration of the loop grants one turn, to each
party in rotation, so a dart waits for at most one unit. While units wait, the
loop's processor time is charged to a budget that refills slowly; when it is
used up, the next turn waits.

Clients that have identified themselves take turns and have a budget apart from
strangers. mosquitto withholds states from a display that has acknowledged too
few, so a display whose acknowledgements waited behind strangers would be late.

The party of a stranger is the address. All connections of one user, or of one
board, are one party, from whichever addresses they come: a display takes turns
with a board that floods, not with each of its connections.

Not chosen: a rate for each connection alone. 400 connections at a harmless
rate are together more than a small machine can do, and the cost of a unit
differs by a factor of ten between machines. Not chosen: wall-clock time. On a
busy machine it would charge clients for the work of other processes.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

T = TypeVar("T")

Party = Hashable
"""Who shares turns: an address, a user, a board."""

SHARE: Final = 0.2
"""The part of the loop's time that clients get together when they want more."""
SAVED_SECONDS: Final = 0.1
"""Processor time that an idle server accumulates: enough for a page with all its files, without a pause."""
MAX_PAUSE: Final = 0.05
"""Seconds until the next turn, whatever was charged: 20 turns a second even while boards keep the loop busy."""


class FairQueue(Generic[T]):
    """A queue that serves parties in rotation, and the items of one party in order of arrival."""

    def __init__(self) -> None:
        self._waiting: dict[Party, deque[T]] = {}

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, party: Party, item: T) -> None:
        """Appends an item for a party."""
        self._waiting.setdefault(party, deque()).append(item)

    def pop(self) -> T:
        """Removes and returns the next item. KeyError if the queue is empty."""
        if not self._waiting:
            raise KeyError("the queue is empty")
        party = next(iter(self._waiting))
        items = self._waiting.pop(party)
        item = items.popleft()
        if items:
            self._waiting[party] = items
        return item


class Budget:
    """Processor time for clients, refilled at `SHARE`. Times are seconds of a monotonic clock."""

    def __init__(self, now: float) -> None:
        self._at, self._left = now, SAVED_SECONDS

    def pause(self, cost: float, now: float) -> float:
        """Charges `cost` seconds of processor time; returns the seconds until the budget is positive again."""
        self._left = min(SAVED_SECONDS, self._left + (now - self._at) * SHARE) - cost
        # A charge beyond the longest pause is mostly the boards' own work, and is dropped.
        self._left = max(self._left, -MAX_PAUSE * SHARE)
        self._at = now
        return max(0.0, -self._left / SHARE)


class Turns:
    """Grants turns while units wait. Not thread-safe: used in the loop's own thread.

    `used` returns the processor time of that thread, in seconds.
    """

    def __init__(self, used: Callable[[], float] = time.thread_time) -> None:
        self._used = used
        self._waiting: FairQueue[Callable[[], bool]] = FairQueue()
        self._budget: Budget | None = None
        self._is_running = self._has_paused = False
        self._charged = 0.0

    def schedule(self, party: Party, run: Callable[[], bool]) -> None:
        """Calls `run` in a turn of this party. `run` returns False if nothing was left to do."""
        self._waiting.put(party, run)
        if not self._is_running:
            self._is_running = True
            self._charged = self._used()
            asyncio.get_running_loop().call_soon(self._grant)

    async def turn(self, party: Party) -> None:
        """Waits for a turn of this party."""
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def run() -> bool:
            if granted.done():
                return False
            granted.set_result(None)
            return True

        self.schedule(party, run)
        await granted

    def _grant(self) -> None:
        loop, now = asyncio.get_running_loop(), self._used()
        if self._budget is None:
            self._budget = Budget(loop.time())
        pause = self._budget.pause(now - self._charged, loop.time())
        self._charged = now
        if not self._waiting:
            self._is_running = self._has_paused = False
            return
        # At most one pause before each turn: otherwise a loop that boards keep busy would pause for ever.
        self._has_paused = pause > 0 and not self._has_paused
        if self._has_paused:
            loop.call_later(pause, self._grant)
            return
        try:
            # A unit whose client has disconnected takes no turn.
            while self._waiting and not self._waiting.pop()():
                pass
        finally:
            # Runs after the callbacks that this turn has scheduled.
            loop.call_soon(self._grant)


@dataclass(frozen=True, slots=True)
class ClientTurns:
    """The turns of clients that have identified themselves, and those of all others."""

    identified: Turns = field(default_factory=Turns)
    strangers: Turns = field(default_factory=Turns)


class RateLimit:
    """A rate of `rate` units a second, after a burst of `burst` units. Times are seconds of a monotonic clock."""

    def __init__(self, now: float, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._at, self._owed = now, 0.0

    def wait(self, size: float, now: float) -> float:
        """Counts `size` units; returns the seconds until more may be taken."""
        self._owed = max(0.0, self._owed - (now - self._at) * self._rate) + size
        self._at = now
        return max(0.0, (self._owed - self._burst) / self._rate)
