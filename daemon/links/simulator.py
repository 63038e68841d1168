"""The virtual board's link: its bytes arrive when somebody throws, with the pauses of a real board."""

import asyncio
import time
from typing import Final

from daemon.links.link import Chunk, chunk
from daemon.links.unread import QueuedLink, Unread
from daemon.system.urls import BoardUrl, UsageError
from drivers.simulated import VirtualBoard
from engine.darts import Position

SETTINGS: Final = ("skill", "seed", "pace", "bounce", "hold", "ghosts")
BETWEEN_NS: Final = 1_100_000_000
"""Ns from one dart to the next in the arrival times of a board with `pace=0`."""
BEST_AND_WORST: Final = (0.0, 200.0)


class Simulator(QueuedLink):
    """A virtual board that is plugged in. With `skill` (mm of spread) it throws for people as well as for bots."""

    def __init__(self, url: BoardUrl) -> None:
        unknown = set(url.settings) - set(SETTINGS)
        if unknown:
            raise UsageError(f"The virtual board has no setting {min(unknown)!r}; it has: {', '.join(SETTINGS)}.")
        self.skill = url.number("skill", 0.0) if "skill" in url.settings else None
        self.pace = url.number("pace", 1.0)
        if self.skill is not None and not BEST_AND_WORST[0] <= self.skill <= BEST_AND_WORST[1]:
            raise UsageError("The skill of the virtual board is a spread in mm, from 0 to 200.")
        if not 0 <= self.pace <= 3600:
            raise UsageError("The pace of the virtual board is in seconds from dart to dart, from 0 to 3600.")
        self._board = VirtualBoard(
            seed=int(url.number("seed", time.time_ns() % 2**32)),
            skill_mm=30.0 if self.skill is None else self.skill,
            bounce=bool(url.number("bounce", 0)),
            hold=bool(url.number("hold", 0)),
            ghosts=bool(url.number("ghosts", 0)),
        )
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._unread = Unread(self._has_room.clear, self._has_room.set)
        self._sending: set[asyncio.Task[None]] = set()
        self._throwing = asyncio.Lock()
        self._clock_ns = 0

    def close(self) -> None:
        for task in self._sending:
            task.cancel()

    async def throw(self, aim: Position, skill_mm: float | None = None) -> None:
        """Throws a dart at a point. Returns when all of its bytes have arrived."""
        await self._send(self._board.throw(aim, skill_mm))

    async def take_out(self) -> None:
        """Pulls the darts."""
        await self._send(self._board.take_out())

    async def _send(self, pieces: tuple[tuple[int, bytes], ...]) -> None:
        """Sends the bytes of a dart, even if the caller is cancelled: a dart that was thrown lands."""
        if not self.pace and self._has_room.is_set() and not self._throwing.locked():
            # No task for each dart of a hundred boards at full pace.
            self._arrive_now(pieces)
            return
        sending = asyncio.create_task(self._arrive(pieces))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)
        await asyncio.shield(sending)

    async def _arrive(self, pieces: tuple[tuple[int, bytes], ...]) -> None:
        async with self._throwing:
            if not self.pace:
                await self._has_room.wait()
                self._arrive_now(pieces)
                return
            for pause_ns, data in pieces:
                await self._has_room.wait()
                await asyncio.sleep(pause_ns / 1e9)
                self._unread.put(chunk(data))

    def _arrive_now(self, pieces: tuple[tuple[int, bytes], ...]) -> None:
        """Puts in the bytes of a dart at once: the pauses between contacts and throws are in the arrival times only."""
        self._clock_ns += BETWEEN_NS
        for pause_ns, data in pieces:
            now = chunk(data)
            self._clock_ns = max(now.at_ns, self._clock_ns + pause_ns)
            self._unread.put(Chunk(data, self._clock_ns, now.wall_ns))
