"""Puts all chunks that wait into one transaction: a thousand nodes cost one commit."""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from hall.database import AWAY
from hall.index import Chunk, Index

log = logging.getLogger(__name__)

CHUNKS_AT_ONCE: Final = 200
"""How many chunks one transaction takes at most; the rest waits for the next one."""
MOST_WAITING: Final = 5_000
"""How many chunks wait at most; a node that sends more tries again later."""


class Busy(Exception):
    """Too many chunks wait, or the database is away. The node tries again later."""


@dataclass(slots=True)
class Waiting:
    """A chunk, and who waits for its commit: how many lines the index has of its match, and the epoch."""

    chunk: Chunk
    done: asyncio.Future[tuple[int, str]] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Batches:
    """A queue of chunks with one transaction at a time. `run` must run."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._waiting: deque[Waiting] = deque()
        self._wake = asyncio.Event()

    async def take(self, chunk: Chunk) -> tuple[int, str]:
        """Returns after the commit how many lines the index has of the match, and the epoch. Raises Busy."""
        if len(self._waiting) >= MOST_WAITING:
            raise Busy
        waiting = Waiting(chunk)
        self._waiting.append(waiting)
        self._wake.set()
        return await waiting.done

    async def run(self) -> None:
        """Commits what waits, for ever. When cancelled, whoever still waits gets Busy."""
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._waiting:
                    some = [self._waiting.popleft() for _ in range(min(len(self._waiting), CHUNKS_AT_ONCE))]
                    await self._commit(some)
        finally:
            for waiting in self._waiting:
                _fail(waiting)

    async def _commit(self, some: Sequence[Waiting]) -> None:
        try:
            have, epoch = await self._index.take([waiting.chunk for waiting in some])
        except AWAY as error:
            log.warning("the index is away: %s", error or type(error).__name__)
            for waiting in some:
                _fail(waiting)
        except asyncio.CancelledError:
            for waiting in some:
                _fail(waiting)
            raise
        except Exception:
            if len(some) == 1:
                log.exception("lines of %s cannot be stored", some[0].chunk.node)
                _fail(some[0])
                return
            # One chunk that cannot be stored must not keep the others out.
            for waiting in some:
                await self._commit([waiting])
        else:
            for waiting, lines in zip(some, have, strict=True):
                if not waiting.done.done():
                    waiting.done.set_result((lines, epoch))


def _fail(waiting: Waiting) -> None:
    if not waiting.done.done():
        waiting.done.set_exception(Busy())
