"""The bounded queue of every link: what a board has sent and nobody has read yet. And the links that read from it."""

import asyncio
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from daemon.links.link import Chunk, Disconnected

FULL: Final = 1000
FULL_BYTES: Final = 64 * 1024
"""How many pieces, and bytes, may wait. Beyond either the link stops reading from its device until half of them were
read: a board that sends faster waits, or the system drops what it sends."""

PIECE_BYTES: Final = 256
"""Bytes of the longest piece. Longer input is split, so that other boards have their turn in between: a line has at
most 64 bytes, and a network board can deliver 256 KiB at once."""


class Unread:
    """Pieces in the order of their arrival, then the end.

    `pause` and `resume` stop and restart reading from the device; `pause` is called in the thread that puts.
    """

    def __init__(self, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        self._pieces: asyncio.Queue[Chunk | Disconnected] = asyncio.Queue()
        self._lock = threading.Lock()
        self._count = self._bytes = 0
        self._paused = False
        self._pause, self._resume = pause, resume

    def put(self, piece: Chunk) -> None:
        """Adds what just arrived. To be called in the loop's thread."""
        for part in _parts(piece):
            self._counted(part)
            self._pieces.put_nowait(part)

    def put_from_thread(self, loop: asyncio.AbstractEventLoop, piece: Chunk) -> None:
        """The same from another thread; pieces on their way count too. RuntimeError if the loop has ended."""
        for part in _parts(piece):
            self._counted(part)
            loop.call_soon_threadsafe(self._pieces.put_nowait, part)

    def end(self, why: Disconnected) -> None:
        """Ends the queue: the board is gone. What arrived before is read first."""
        self._pieces.put_nowait(why)

    async def get(self) -> Chunk:
        """Returns the next piece. Raises Disconnected after the last one."""
        piece = await self._pieces.get()
        if isinstance(piece, Disconnected):
            raise piece
        with self._lock:
            self._count -= 1
            self._bytes -= len(piece.data)
            if self._paused and self._count <= FULL // 2 and self._bytes <= FULL_BYTES // 2:
                self._paused = False
                self._resume()
        return piece

    @property
    def count(self) -> int:
        """How many pieces wait."""
        return self._count

    def _counted(self, piece: Chunk) -> None:
        with self._lock:
            self._count += 1
            self._bytes += len(piece.data)
            if not self._paused and (self._count > FULL or self._bytes > FULL_BYTES):
                self._paused = True
                self._pause()


class QueuedLink:
    """A link whose bytes come from a queue, to a board that takes none: others replace `write`."""

    _unread: Unread

    async def read(self) -> Chunk:
        return await self._unread.get()

    def write(self, data: bytes) -> bool:
        """Drops the bytes."""
        return True


def _parts(piece: Chunk) -> Iterable[Chunk]:
    data = piece.data
    if len(data) <= PIECE_BYTES:
        return (piece,)
    return (replace(piece, data=data[at : at + PIECE_BYTES]) for at in range(0, len(data), PIECE_BYTES))
