"""Fair turns on the event loop for the web server's clients, and the bound on the loop's time that they get.

Everything that a client causes on the loop is cut into small units: one
accepted connection, one read of at most 4 KiB, one request, one WebSocket
frame. A unit waits for its turn. One turn is given in each round of the loop,
to each address in rotation, so a dart never waits for more than one unit. While units wait,
the loop's processor time is charged to a budget that refills slowly; when it
is used up, the next turn waits.

Not chosen: a rate for each connection alone. 400 connections at a harmless
rate are together more than a small machine can do, and what a unit costs
differs by a factor of ten from machine to machine. Not chosen: the wall clock.
On a busy machine it charges clients for what other processes do.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

SHARE: Final = 0.2
"""Part of the loop's time that clients of the web server get when they want more than there is."""
SAVED_SECONDS: Final = 0.1
"""Processor time that an idle web server saves up: a page with all its files, without a pause."""
LONGEST_PAUSE: Final = 0.05
"""Seconds until the next turn, whatever was charged: 20 turns a second also while boards keep the loop busy."""


class FairQueue(Generic[T]):
    """A queue in which each address takes its turn after all others that wait; in order of arrival for one address."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[T]] = {}

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, address: str, item: T) -> None:
        """Appends an item for an address."""
        self._waiting.setdefault(address, deque()).append(item)

    def pop(self) -> T:
        """Removes the next item. KeyError if the queue is empty."""
        address = next(iter(self._waiting), None)
        if address is None:
            raise KeyError("nothing waits")
        items = self._waiting.pop(address)
        item = items.popleft()
        if items:
            self._waiting[address] = items
        return item


class Budget:
    """Processor time that may be used, refilled at `SHARE`. Times in seconds that only grow."""

    def __init__(self, now: float) -> None:
        self._at, self._left = now, SAVED_SECONDS

    def pause(self, cost: float, now: float) -> float:
        """Charges `cost` seconds of processor time; the seconds until there is some left again."""
        self._left = min(SAVED_SECONDS, self._left + (now - self._at) * SHARE) - cost
        # What was charged beyond the longest pause is forgiven: it was mostly the boards' own work.
        self._left = max(self._left, -LONGEST_PAUSE * SHARE)
        self._at = now
        return max(0.0, -self._left / SHARE)


class Turns:
    """Gives turns while anybody waits for one. To be used on the loop's own thread alone.

    `used` is the processor time of that thread, in seconds.
    """

    def __init__(self, used: Callable[[], float] = time.thread_time) -> None:
        self._used = used
        self._waiting: FairQueue[Callable[[], bool]] = FairQueue()
        self._budget: Budget | None = None
        self._at_work = self._has_paused = False
        self._charged = 0.0

    def ask(self, address: str, go: Callable[[], bool]) -> None:
        """Calls `go` when it is the turn of this address. `go` returns whether it still had something to do."""
        self._waiting.put(address, go)
        if not self._at_work:
            self._at_work = True
            self._charged = self._used()
            asyncio.get_running_loop().call_soon(self._next)

    async def turn(self, address: str) -> None:
        """Waits for a turn of this address."""
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def go() -> bool:
            if mine.done():
                return False
            mine.set_result(None)
            return True

        self.ask(address, go)
        await mine

    def _next(self) -> None:
        loop, now = asyncio.get_running_loop(), self._used()
        if self._budget is None:
            self._budget = Budget(loop.time())
        pause = self._budget.pause(now - self._charged, loop.time())
        self._charged = now
        if not self._waiting:
            self._at_work = self._has_paused = False
            return
        # One pause before each turn at most: a loop that boards keep busy would else pause for ever.
        self._has_paused = pause > 0 and not self._has_paused
        if self._has_paused:
            loop.call_later(pause, self._next)
            return
        try:
            # Whoever has left meanwhile takes no turn.
            while self._waiting and not self._waiting.pop()():
                pass
        finally:
            # Behind what this turn has begun.
            loop.call_soon(self._next)
