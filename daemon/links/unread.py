"""What a board has said and nobody has read yet: one bound for every link."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from daemon.links.link import Chunk, Disconnected

FULL: Final = 1000
FULL_BYTES: Final = 64 * 1024
"""Pieces, and bytes, that may wait to be read. Beyond either the link stops reading from its device, and begins again
when half of it was read: a board that sends faster waits, or the system drops what it sends."""

PIECE_BYTES: Final = 256
"""The longest piece: what arrived as more is read in turns with what other boards say. A line has 64 bytes at most, and
a network board can hand over 256 KiB at once."""


class Unread:
    """Pieces in the order of their arrival, and the end at last.

    `pause` and `resume` stop reading from the device and begin again; `pause` is called by whoever puts.
    """

    def __init__(self, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        self._pieces: asyncio.Queue[Chunk | Disconnected] = asyncio.Queue()
        self._lock = threading.Lock()
        self._count = self._bytes = 0
        self._paused = False
        self._pause, self._resume = pause, resume

    def put(self, piece: Chunk) -> None:
        """Takes what just arrived, in the loop's thread."""
        for part in _parts(piece):
            self._counted(part)
            self._pieces.put_nowait(part)

    def put_from_thread(self, loop: asyncio.AbstractEventLoop, piece: Chunk) -> None:
        """The same in another thread: what is on its way to the loop counts too. RuntimeError where that has ended."""
        for part in _parts(piece):
            self._counted(part)
            loop.call_soon_threadsafe(self._pieces.put_nowait, part)

    def end(self, why: Disconnected) -> None:
        """The board has gone; what arrived before is read first."""
        self._pieces.put_nowait(why)

    async def get(self) -> Chunk:
        """The next piece; Disconnected after the last one."""
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
        """Pieces that wait."""
        return self._count

    def _counted(self, piece: Chunk) -> None:
        with self._lock:
            self._count += 1
            self._bytes += len(piece.data)
            if not self._paused and (self._count > FULL or self._bytes > FULL_BYTES):
                self._paused = True
                self._pause()


def _parts(piece: Chunk) -> Iterator[Chunk]:
    data = piece.data
    if len(data) <= PIECE_BYTES:
        yield piece
        return
    for at in range(0, len(data), PIECE_BYTES):
        yield replace(piece, data=data[at : at + PIECE_BYTES])
