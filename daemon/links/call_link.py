"""The link of a board that calls: messages and requests that a server has accepted, in the order of their arrival."""

import asyncio
from dataclasses import replace
from typing import Final, Protocol

from daemon.links.link import Chunk, Disconnected, Link, chunk
from daemon.links.unread import PIECE_BYTES, QueuedLink, Unread
from daemon.system.call_address import CallAddress

UNTAKEN_BYTES: Final = 4096
"""How many bytes may wait for a board to read them, besides those that the system buffers; messages beyond are
dropped."""
STORED_SECONDS: Final = 4.0
"""How long a request waits until its dart is committed. An ESP32 gives up after five seconds."""
LONGEST_REQUEST: Final = PIECE_BYTES
"""Bytes of the longest request with its name: a longer one would be split, and be done before its end is. The longest
known has 48."""


class Socket(Protocol):
    """The open WebSocket of a board."""

    def unsent(self) -> int:
        """Returns how many bytes wait to be sent."""
        ...

    async def send(self, data: bytes) -> None:
        """Sends a message. Raises OSError if the board is gone."""
        ...

    def abort(self) -> None:
        """Ends the connection at once."""
        ...


class CallLink(QueuedLink):
    """A link to a board over its WebSocket; without one, to a board that sends requests, and takes nothing."""

    def __init__(self, since: Chunk, socket: Socket | None = None) -> None:
        self.since = since
        self.socket = socket
        self._room = asyncio.Event()
        self._room.set()
        self._unread = Unread(self._room.clear, self._room.set)
        self._sending: set[asyncio.Task[None]] = set()
        self.has_ended = False

    async def put(self, piece: Chunk) -> None:
        """Adds what has arrived; waits while the board is read more slowly than it sends."""
        await self._room.wait()
        self._unread.put(piece)

    def end(self, message: str) -> None:
        """Ends the link: what arrived before is read first."""
        if not self.has_ended:
            self.has_ended = True
            self._unread.end(Disconnected("gone", message))

    def write(self, data: bytes) -> bool:
        if self.socket is None or self.has_ended:
            return True
        if self.socket.unsent() > UNTAKEN_BYTES or len(self._sending) > UNTAKEN_BYTES // 64:
            return False
        task = asyncio.ensure_future(_send(self.socket, data))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        return True

    def close(self) -> None:
        self.has_ended = True
        for task in self._sending:
            task.cancel()
        if self.socket is not None:
            self.socket.abort()


class CallingBoard:
    """One board that calls, and its link while it has one."""

    def __init__(self, address: CallAddress) -> None:
        self.address = address
        self._since = chunk(b"")
        self._link: CallLink | None = None
        self._given: CallLink | None = None
        """The link that was handed out last; each is handed out once."""
        self._called = asyncio.Event()
        self._was_missed = False

    async def link(self) -> Link:
        """Returns the link once the board has called. Raises Disconnected once, to say where it can call."""
        if self._link is None and not self._was_missed:
            self._was_missed = True
            raise Disconnected("waiting", f"No board has called at {self.address.shown} since the start.")
        # One that has ended meanwhile is handed out too: darts that it brought are still to be read.
        while self._link is None or self._link is self._given:
            self._called.clear()
            await self._called.wait()
        self._given = self._link
        return self._link

    def connect(self, socket: Socket) -> CallLink:
        """Returns the link of a board that has opened a WebSocket. It replaces an earlier connection of this board,
        which may have vanished without a word."""
        return self._replace(CallLink(chunk(b""), socket))

    async def request(self, piece: Chunk) -> bool:
        """Passes on a request; returns whether what it reports is committed now."""
        link = self._link
        if link is None or link.has_ended:
            # Its input counted from the time when the port was open: a board that sends requests says nothing before.
            link = self._replace(CallLink(self._since))
        done = asyncio.Event()
        try:
            async with asyncio.timeout(STORED_SECONDS):
                await link.put(replace(piece, done=done.set))
                await done.wait()
        except TimeoutError:
            return False
        return True

    def _replace(self, link: CallLink) -> CallLink:
        before, self._link = self._link, link
        if before is not None:
            before.end("The board has connected again.")
            if before.socket is not None:
                before.socket.abort()
        self._called.set()
        return link


async def _send(socket: Socket, data: bytes) -> None:
    try:
        await socket.send(data)
    except OSError:
        # The reading side reports that the board is gone.
        return
