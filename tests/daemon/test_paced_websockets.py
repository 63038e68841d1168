"""WebSockets on a connection whose input arrives in pieces."""

import asyncio
import socket
from typing import Any

import pytest
from aiohttp import WSMsgType, web

from daemon.network.fair_turns import ClientTurns
from daemon.network.http_server import http_server
from daemon.network.paced_protocol import PIECE, PacedProtocol, PacedTransport, frames_expected
from tests.daemon.test_paced_protocol import UPGRADE
from tests.rig import LIMIT_SECONDS


class _Counted(asyncio.Protocol):
    """Passes everything on to the server's protocol, and counts the bytes."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._server.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        self.count += len(data)
        self._server.data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.connection_lost(exc)


def _frame(number: int) -> bytes:
    """A client's frame with two bytes, and a mask of zeros, which changes nothing."""
    return b"\x82\x82" + bytes(4) + number.to_bytes(2)


def test_frames_are_read_before_more_of_them_are_stored() -> None:
    """Otherwise each connection stores a thousand of them, and collecting the garbage stops the loop."""
    frames = 5_000

    async def run() -> None:
        turns, loop = ClientTurns(), asyncio.get_running_loop()
        may_read, got = asyncio.Event(), list[int]()
        counted = list[_Counted]()

        async def talk(request: web.Request) -> web.WebSocketResponse:
            transport: object = request.transport
            assert isinstance(transport, PacedTransport)
            client = web.WebSocketResponse()
            with frames_expected(transport):
                # Others have their turns first.
                for _ in range(50):
                    await turns.strangers.turn("b")
                await client.prepare(request)
                await may_read.wait()
                while (message := await transport.receive(client)).type is WSMsgType.BINARY:
                    got.append(int.from_bytes(message.data))
            return client

        app = web.Application()
        app.router.add_get("/", talk)

        def paced() -> PacedProtocol:
            counted.append(_Counted(server()))
            return PacedProtocol(counted[0], "a", turns, lambda: None)

        async with http_server(app) as server:
            ours, theirs = socket.socketpair()
            theirs.setblocking(False)
            await loop.connect_accepted_socket(paced, ours)
            flood = UPGRADE + b"".join(map(_frame, range(frames)))
            sending = asyncio.create_task(loop.sock_sendall(theirs, flood))
            assert (await loop.sock_recv(theirs, 1000)).startswith(b"HTTP/1.1 101 ")
            for _ in range(50):
                await turns.strangers.turn("b")
            # The request comes with the first of them, and a piece may be under way when it is handled.
            assert counted[0].count <= 2 * PIECE
            may_read.set()
            await sending
            # A CLOSE without a reason; the answer is the same without the mask.
            await loop.sock_sendall(theirs, b"\x88\x80" + bytes(4))
            assert (await loop.sock_recv(theirs, 1000))[:1] == b"\x88"
            theirs.close()
        assert got == list(range(frames))

    asyncio.run(asyncio.wait_for(run(), LIMIT_SECONDS))


@pytest.mark.parametrize("size", [PIECE - 8, PIECE, 4 * PIECE + 1, 60_000])
def test_a_message_of_many_pieces_arrives_between_small_ones(size: int) -> None:
    async def run() -> None:
        turns, loop, got = ClientTurns(), asyncio.get_running_loop(), list[int]()

        async def talk(request: web.Request) -> web.WebSocketResponse:
            transport: object = request.transport
            assert isinstance(transport, PacedTransport)
            client = web.WebSocketResponse()
            with frames_expected(transport):
                await client.prepare(request)
                while (message := await transport.receive(client)).type is WSMsgType.BINARY:
                    got.append(len(message.data))
            return client

        app = web.Application()
        app.router.add_get("/", talk)
        async with http_server(app) as server:
            ours, theirs = socket.socketpair()
            theirs.setblocking(False)
            await loop.connect_accepted_socket(lambda: PacedProtocol(server(), "a", turns, lambda: None), ours)
            large = b"\x82\xfe" + size.to_bytes(2) + bytes(4 + size)
            # A CLOSE without a reason ends the talk.
            sending = loop.sock_sendall(
                theirs, UPGRADE + _frame(1) + large + _frame(2) + large + b"\x88\x80" + bytes(4)
            )
            await asyncio.gather(sending, _until_closed(theirs))
            theirs.close()
        assert got == [2, size, 2, size]

    asyncio.run(asyncio.wait_for(run(), LIMIT_SECONDS))


async def _until_closed(line: socket.socket) -> None:
    """Reads until the server's CLOSE has come."""
    said = b""
    while not said.endswith(b"\x88\x02\x03\xe8") and not said.endswith(b"\x88\x00"):
        piece = await asyncio.get_running_loop().sock_recv(line, 4096)
        assert piece
        said += piece


def test_a_refused_request_for_a_websocket_is_followed_by_others() -> None:
    async def run() -> None:
        turns, loop = ClientTurns(), asyncio.get_running_loop()

        async def refuse(request: web.Request) -> web.Response:
            with frames_expected(request.transport):
                return web.Response(text="no")

        app = web.Application()
        app.router.add_get("/", refuse)
        async with http_server(app) as server:
            ours, theirs = socket.socketpair()
            theirs.setblocking(False)
            await loop.connect_accepted_socket(lambda: PacedProtocol(server(), "a", turns, lambda: None), ours)
            for _ in range(3):
                await loop.sock_sendall(theirs, UPGRADE)
                assert (await loop.sock_recv(theirs, 1000)).endswith(b"no")
            theirs.close()

    asyncio.run(asyncio.wait_for(run(), LIMIT_SECONDS))
