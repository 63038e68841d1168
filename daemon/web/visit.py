"""One connection to the web server: what it sends is handed on in pieces of at most 4 KiB, each in its turn.

The web server's protocol gets a transport whose pauses are its own: reading goes on when neither the web server nor the
turn has paused it.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, cast

from daemon.web.turns import Turns

PIECE: Final = 4096
"""Bytes that are read at once. They hold 2,000 empty frames or 700 chunks of one byte at most, about 1 ms of work."""
_READ: Final = memoryview(bytearray(PIECE))
"""One for all connections: what was read is copied before anything else is read."""


class _Line:
    """A transport with two reasons to pause reading; everything else is the transport's own."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._paused = self._held = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def pause_reading(self) -> None:
        self._paused = True
        self._settle()

    def resume_reading(self) -> None:
        self._paused = False
        self._settle()

    def is_reading(self) -> bool:
        return not self._paused and not self._transport.is_closing()

    def hold(self, held: bool) -> None:
        """Pauses reading, or not, beside what the web server wants."""
        self._held = held
        self._settle()

    def _settle(self) -> None:
        if self._paused or self._held:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()


class Visit(asyncio.BufferedProtocol):
    """A connection in front of the web server's protocol `server_side`. `left` is called once, when it has ended."""

    def __init__(self, server_side: asyncio.Protocol, address: str, turns: Turns, left: Callable[[], None]) -> None:
        self._server_side, self._address, self._turns, self._left = server_side, address, turns, left
        self._line: _Line | None = None
        self._piece = b""
        self._is_over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = _Line(cast(asyncio.Transport, transport))
        self._server_side.connection_made(cast(asyncio.Transport, self._line))

    def get_buffer(self, sizehint: int) -> memoryview:
        return _READ

    def buffer_updated(self, nbytes: int) -> None:
        assert self._line is not None  # it was made
        self._piece += bytes(_READ[:nbytes])
        self._line.hold(True)
        self._turns.ask(self._address, self._hand_on)

    def _hand_on(self) -> bool:
        piece, self._piece = self._piece, b""
        if not piece or self._is_over or self._line is None:
            return False
        try:
            self._server_side.data_received(piece)
        except Exception:
            # As a transport does where its protocol fails.
            self._line.abort()
            raise
        self._line.hold(False)
        return True

    def eof_received(self) -> bool | None:
        # TLS says so at once, also behind a piece that waits.
        self._hand_on()
        return self._server_side.eof_received()

    def pause_writing(self) -> None:
        self._server_side.pause_writing()

    def resume_writing(self) -> None:
        self._server_side.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._server_side.connection_lost(exc)
        self.leave()

    def leave(self) -> None:
        """Gives its place back, once."""
        if not self._is_over:
            self._is_over = True
            self._left()
