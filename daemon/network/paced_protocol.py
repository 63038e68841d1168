"""A connection to the web server whose input is passed on in pieces, each in its turn.

A piece has at most 1 KiB, because the work that its bytes cause is unknown. The
body of a request with a stated length and with the right to send one is the
exception: its bytes are only stored, so they come in pieces of 64 KiB.

The frames of a WebSocket are read by `receive`, and the next piece only after
the last frame of the one before. The web library alone would store a thousand
small frames of each connection, and the garbage collector would stop the loop
for a tenth of a second and more to look at them.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from aiohttp import WSMessage, web

from daemon.network.fair_turns import ClientTurns, Party, Turns

PIECE: Final = 1024
"""Bytes of one read: at most 170 empty frames or chunks of one byte, about 0.2 ms of work. A browser's request has
about as many."""
BODY_PIECE: Final = 64 * 1024
"""Bytes of one read inside an expected body: 128 reads for the largest match file."""
_BUFFER: Final = memoryview(bytearray(BODY_PIECE))
"""Shared by all connections: what was read is copied before the next read."""


class PacedTransport:
    """The server's view of a transport: reading continues when neither the server nor a turn has paused it.

    Its input is passed on in `turns`: those of identified clients while `is_identified`, otherwise those of strangers.
    `party` is who takes them, the address at first.
    """

    def __init__(self, transport: asyncio.Transport, address: str, turns: ClientTurns) -> None:
        self._transport = transport
        self._turns = turns
        self.is_identified = False
        self.party: Party = address
        self._is_paused = self._is_held = False
        self._has_frames = False
        """Whether the input is frames, which `receive` reads."""
        self._reading_on: asyncio.Handle | None = None
        """Reads on, unless `receive` returns before; None while nobody receives."""
        self._unread_body = 0
        self.unpassed = 0
        """Bytes that were read and wait for their turn."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def pause_reading(self) -> None:
        self._is_paused = True
        self._apply()

    def resume_reading(self) -> None:
        self._is_paused = False
        self._apply()

    def is_reading(self) -> bool:
        return not self._is_paused and not self._transport.is_closing()

    def hold(self) -> None:
        """Pauses reading until the next turn, independently of the server."""
        self._is_held = True
        self._apply()

    def passed_on(self) -> None:
        """Reads on after a turn; frames are read first."""
        if not self._has_frames:
            self._read_on()
        elif self._reading_on is not None:
            # Runs only if this piece did not end a message.
            self._reading_on = asyncio.get_running_loop().call_soon(self._read_on)

    def expect_frames(self) -> None:
        """Reads the next piece only for `receive`: what follows a request for a WebSocket is frames."""
        self._has_frames = True

    async def receive(self, socket: web.WebSocketResponse) -> WSMessage:
        """Returns the next message of the WebSocket on this connection, and reads on once no message is left."""
        self.expect_frames()
        # Runs only if `receive` has to wait.
        self._reading_on = asyncio.get_running_loop().call_soon(self._read_on)
        try:
            return await socket.receive()
        finally:
            self._reading_on.cancel()
            self._reading_on = None

    def discard_frames(self) -> None:
        """Reads on without `receive`: for the client's answer to a close, and for another request."""
        self._has_frames = False
        self._read_on()

    @property
    def turns(self) -> Turns:
        return self._turns.identified if self.is_identified else self._turns.strangers

    async def turn(self) -> None:
        """Waits for a turn of this connection's party."""
        await self.turns.turn(self.party)

    def expect_body(self, size: int) -> None:
        """Reads the next `size` bytes in larger pieces: all of them belong to a body."""
        self._unread_body = max(0, size - self.unpassed)

    def next_read(self) -> int:
        """The most bytes of the next read."""
        return max(PIECE, min(self._unread_body, BODY_PIECE))

    def count(self, size: int) -> None:
        """Counts bytes that were read."""
        self.unpassed += size
        self._unread_body = max(0, self._unread_body - size)

    def _read_on(self) -> None:
        # Not while a piece waits for its turn.
        if not self.unpassed:
            self._is_held = False
            self._apply()

    def _apply(self) -> None:
        if self._is_paused or self._is_held:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()


@contextlib.contextmanager
def identified(transport: object, party: Party = None) -> Iterator[None]:
    """Takes the turns of a connection among the identified clients for the length of the block, if it is paced.

    With `party` they are those of this user or board, from whichever address it comes.
    """
    if not isinstance(transport, PacedTransport):
        yield
        return
    address = transport.party
    transport.is_identified, transport.party = True, address if party is None else party
    try:
        yield
    finally:
        transport.is_identified, transport.party = False, address


@contextlib.contextmanager
def frames_expected(transport: object) -> Iterator[None]:
    """Reads nothing but what `receive` asks for, while a request for a WebSocket is handled in the block."""
    if not isinstance(transport, PacedTransport):
        yield
        return
    transport.expect_frames()
    try:
        yield
    finally:
        transport.discard_frames()


class PacedProtocol(asyncio.BufferedProtocol):
    """Paces the input of the protocol `server`. Calls `on_end` once, when the connection has ended."""

    def __init__(self, server: asyncio.Protocol, address: str, turns: ClientTurns, on_end: Callable[[], None]) -> None:
        self._server, self._address, self._turns, self._on_end = server, address, turns, on_end
        self._transport: PacedTransport | None = None
        self._piece = b""
        self._has_ended = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = PacedTransport(cast(asyncio.Transport, transport), self._address, self._turns)
        self._server.connection_made(cast(asyncio.Transport, self._transport))

    def get_buffer(self, sizehint: int) -> memoryview:
        return _BUFFER[: PIECE if self._transport is None else self._transport.next_read()]

    def buffer_updated(self, nbytes: int) -> None:
        assert self._transport is not None  # set by connection_made
        self._piece += bytes(_BUFFER[:nbytes])
        self._transport.count(nbytes)
        self._transport.hold()
        self._transport.turns.schedule(self._transport.party, self._pass_on)

    def _pass_on(self) -> bool:
        piece, self._piece = self._piece, b""
        if not piece or self._has_ended or self._transport is None:
            return False
        self._transport.unpassed = 0
        try:
            self._server.data_received(piece)
        except Exception:
            # As asyncio's transports do when their protocol fails.
            self._transport.abort()
            raise
        self._transport.passed_on()
        return True

    def eof_received(self) -> bool | None:
        # TLS reports the end at once, even while a piece waits for its turn.
        self._pass_on()
        return self._server.eof_received()

    def pause_writing(self) -> None:
        self._server.pause_writing()

    def resume_writing(self) -> None:
        self._server.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.connection_lost(exc)
        self.end()

    def end(self) -> None:
        """Frees the connection's slot. Later calls do nothing."""
        if not self._has_ended:
            self._has_ended = True
            self._on_end()
