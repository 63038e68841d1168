"""A connection to the web server whose input is passed on in pieces of at most 4 KiB, each in its turn."""

import asyncio
from collections.abc import Callable
from typing import Any, Final, cast

from daemon.web.fair_turns import Turns

PIECE: Final = 4096
"""Bytes of one read: at most 2,000 empty frames or 700 chunks of one byte, about 1 ms of work."""
_BUFFER: Final = memoryview(bytearray(PIECE))
"""Shared by all connections: what was read is copied before the next read."""


class _Transport:
    """The server's view of a transport: reading continues when neither the server nor a turn has paused it."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._is_paused = self._is_held = False

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

    def hold(self, is_held: bool) -> None:
        """Pauses reading until the next turn, independently of the server."""
        self._is_held = is_held
        self._apply()

    def _apply(self) -> None:
        if self._is_paused or self._is_held:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()


class PacedProtocol(asyncio.BufferedProtocol):
    """Paces the input of the protocol `server`. Calls `on_end` once, when the connection has ended."""

    def __init__(self, server: asyncio.Protocol, address: str, turns: Turns, on_end: Callable[[], None]) -> None:
        self._server, self._address, self._turns, self._on_end = server, address, turns, on_end
        self._transport: _Transport | None = None
        self._piece = b""
        self._has_ended = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = _Transport(cast(asyncio.Transport, transport))
        self._server.connection_made(cast(asyncio.Transport, self._transport))

    def get_buffer(self, sizehint: int) -> memoryview:
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        assert self._transport is not None  # set by connection_made
        self._piece += bytes(_BUFFER[:nbytes])
        self._transport.hold(True)
        self._turns.schedule(self._address, self._pass_on)

    def _pass_on(self) -> bool:
        piece, self._piece = self._piece, b""
        if not piece or self._has_ended or self._transport is None:
            return False
        try:
            self._server.data_received(piece)
        except Exception:
            # As asyncio's transports do when their protocol fails.
            self._transport.abort()
            raise
        self._transport.hold(False)
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
