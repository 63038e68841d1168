"""The ports at which boards call, each shared by the boards that are configured there."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from daemon.links.call_link import CallingBoard
from daemon.links.link import Link
from daemon.network.connection_limits import ConnectionLimits, listening
from daemon.network.fair_turns import ClientTurns
from daemon.system.call_address import CallAddress, call_address
from daemon.system.urls import BoardUrl, UsageError

PING_SECONDS: Final = 10.0
"""How often a WebSocket is pinged. A board that has not answered after half of it is gone, with or without a word."""


class BoardPort:
    """One port with its boards, open until `close`."""

    def __init__(self, limits: ConnectionLimits, ping_seconds: float) -> None:
        self.callers: dict[CallAddress, CallingBoard] = {}
        self._limits, self._ping_seconds = limits, ping_seconds
        self._task: asyncio.Task[None] | None = None

    async def listen(self, host: str, port: int) -> None:
        """Opens the port. Raises OSError if that cannot be done; every caller that waits for it gets the same error."""
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._serve(host, port, opened))
        await opened

    async def close(self) -> None:
        """Closes the port and ends all connections."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _serve(self, host: str, port: int, opened: "asyncio.Future[None]") -> None:
        try:
            async with self._listening(host, port):
                opened.set_result(None)
                await asyncio.Event().wait()
        except Exception as error:
            # Also UnicodeError, which a host like `a..b` raises: whoever waits for the port gets it.
            if opened.done():
                raise
            opened.set_exception(error)

    @contextlib.asynccontextmanager
    async def _listening(self, host: str, port: int) -> AsyncIterator[None]:
        # Importing the HTTP library takes longer than the rest of the start: darts of other boards do not wait for it.
        await asyncio.to_thread(_import_server)
        from daemon.links.board_server import application
        from daemon.network.http_server import http_server

        app = application(self.callers, self._limits.turns, self._ping_seconds)
        async with http_server(app) as server, listening(server, host, port, None, self._limits):
            yield


class BoardPorts:
    """All ports. Each is opened with its first board."""

    def __init__(self, limits: ConnectionLimits | None = None, ping_seconds: float = PING_SECONDS) -> None:
        """`limits` are shared with the other ports of the daemon."""
        self._limits = limits or ConnectionLimits(ClientTurns())
        self._ping_seconds = ping_seconds
        self._ports: dict[tuple[str, int], BoardPort] = {}
        self._lock = asyncio.Lock()

    async def open(self, url: BoardUrl) -> Link:
        """Waits until the board at this address has called, and returns its link.

        OSError if the port cannot be opened, UsageError if the address is wrong. The first time it raises Disconnected
        if the board has not called yet.
        """
        address = call_address(url.place, url.settings)
        if isinstance(address, list):
            raise UsageError(f"{url.shown!r} is not a valid board: {'; '.join(address)}.")
        async with self._lock:
            port = self._ports.get((address.host, address.port))
            if port is None:
                port = BoardPort(self._limits, self._ping_seconds)
                await port.listen(address.host, address.port)
                self._ports[address.host, address.port] = port
        return await port.callers.setdefault(address, CallingBoard(address)).link()

    async def close(self) -> None:
        """Closes all ports."""
        for port in self._ports.values():
            await port.close()


def _import_server() -> None:
    from daemon.links import board_server

    assert board_server
