"""A board that calls: its WebSocket and its requests, and the ports at which it does so, in the process of the test."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp

from daemon.links.board_ports import BoardPorts
from daemon.links.link import Chunk, Disconnected, Link
from daemon.system.urls import BoardUrl, board_url
from tests.rig import LIMIT_SECONDS, free_port

TOKEN = "0123456789abcdef"


class Ports:
    """Ports with their boards; every link is read by the test."""

    def __init__(self, ports: BoardPorts, session: aiohttp.ClientSession) -> None:
        self.ports, self.session = ports, session
        self.port = free_port()
        self.sockets: list[aiohttp.ClientWebSocketResponse] = []

    def url(self, settings: str = "", host: str = "127.0.0.1") -> BoardUrl:
        return board_url(f"listen://{host}:{self.port}{settings}")

    def http(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    async def waiting(self, settings: str = "") -> "asyncio.Task[Link]":
        """Opens the port for a board, and returns the task that waits for its call."""
        url = self.url(settings)
        try:
            await self.ports.open(url)
        except Disconnected as gone:
            assert gone.reason == "waiting"
        else:
            raise AssertionError("the board has called already")
        return asyncio.create_task(self.ports.open(url))

    async def post(self, path: str, body: bytes | str = b"", **more: Any) -> tuple[int, str]:
        async with self.session.post(self.http(path), data=body, **more) as answer:
            return answer.status, await answer.text()

    async def socket(self, path: str, **more: Any) -> aiohttp.ClientWebSocketResponse:
        opened: aiohttp.ClientWebSocketResponse = await self.session.ws_connect(self.http(path), **more)
        self.sockets.append(opened)
        return opened


@contextlib.asynccontextmanager
async def ports(ping_seconds: float = 10.0) -> AsyncIterator[Ports]:
    """Yields ports that are closed at the end of the block."""
    found = BoardPorts(ping_seconds=ping_seconds)
    async with asyncio.timeout(LIMIT_SECONDS), aiohttp.ClientSession() as session:
        here = Ports(found, session)
        try:
            yield here
        finally:
            await found.close()
            for opened in here.sockets:
                await opened.close()


async def read(link: Link, count: int) -> list[Chunk]:
    """Returns the next chunks; each is done at once."""
    found = []
    for _ in range(count):
        found.append(await link.read())
        found[-1].done()
    return found
