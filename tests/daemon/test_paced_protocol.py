"""What a connection sends comes in small pieces, each in its turn, and not at all while the server has paused it."""

import asyncio
import socket
from typing import Any

import pytest

from daemon.web.fair_turns import Turns
from daemon.web.paced_protocol import PIECE, PacedProtocol

MUCH = bytes(range(256)) * 400


class Server(asyncio.Protocol):
    """Keeps what came; pauses after the first piece, if it is to."""

    def __init__(self, *, pauses: bool) -> None:
        self.pieces: list[bytes] = []
        self.ended = asyncio.Event()
        self.news = asyncio.Event()
        self.transport: Any = None
        self._pauses = pauses

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.pieces.append(data)
        self.news.set()
        if self._pauses:
            self._pauses = False
            self.transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended.set()


@pytest.mark.parametrize("pauses", [False, True])
def test_all_of_it_comes_in_pieces_and_in_order(pauses: bool) -> None:
    left: list[int] = []

    async def run() -> None:
        turns, server = Turns(), Server(pauses=pauses)
        loop = asyncio.get_running_loop()
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        await loop.connect_accepted_socket(lambda: PacedProtocol(server, "a", turns, lambda: left.append(1)), ours)
        sending = asyncio.create_task(loop.sock_sendall(theirs, MUCH))
        if pauses:
            await server.news.wait()
            # Turns of others go by, and nothing more comes.
            for _ in range(50):
                await turns.turn("b")
            assert len(server.pieces) == 1
            assert not server.transport.is_reading()
            server.transport.resume_reading()
        await sending
        theirs.close()
        await server.ended.wait()
        assert b"".join(server.pieces) == MUCH
        assert max(map(len, server.pieces)) <= PIECE

    asyncio.run(run())
    assert left == [1]


def test_a_fault_of_the_server_ends_its_connection_alone() -> None:
    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
        turns, loop = Turns(), asyncio.get_running_loop()

        class Faulty(Server):
            def data_received(self, data: bytes) -> None:
                raise ValueError

        faulty, sound = Faulty(pauses=False), Server(pauses=False)
        ends = []
        for server in (faulty, sound):
            ours, theirs = socket.socketpair()
            paced = PacedProtocol(server, "a", turns, lambda: None)
            await loop.connect_accepted_socket(lambda paced=paced: paced, ours)  # type: ignore[misc]
            theirs.send(b"x")
            ends.append(theirs)
        await faulty.ended.wait()
        await sound.news.wait()
        assert sound.pieces == [b"x"]
        for end in ends:
            end.close()
        await sound.ended.wait()

    asyncio.run(run())
