"""A connection's input arrives in pieces, each in its turn, and not while the server has paused it."""

import asyncio
import contextlib
import socket
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.network.fair_turns import ClientTurns
from daemon.network.paced_protocol import BODY_PIECE, PIECE, PacedProtocol, identified

DATA = bytes(range(256)) * 400


UPGRADE: Final = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Server(asyncio.Protocol):
    """Stores the input; pauses after the first piece if `pauses` is true."""

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
def test_input_arrives_in_pieces_and_in_order(pauses: bool) -> None:
    left: list[int] = []

    async def run() -> None:
        turns, server = ClientTurns(), Server(pauses=pauses)
        loop = asyncio.get_running_loop()
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        await loop.connect_accepted_socket(lambda: PacedProtocol(server, "a", turns, lambda: left.append(1)), ours)
        sending = asyncio.create_task(loop.sock_sendall(theirs, DATA))
        if pauses:
            await server.news.wait()
            # Other addresses get turns, but no more input arrives.
            for _ in range(50):
                await turns.strangers.turn("b")
            assert len(server.pieces) == 1
            assert not server.transport.is_reading()
            server.transport.resume_reading()
        await sending
        theirs.close()
        await server.ended.wait()
        assert b"".join(server.pieces) == DATA
        assert max(map(len, server.pieces)) <= PIECE

    asyncio.run(run())
    assert left == [1]


def test_an_error_of_the_server_ends_only_its_connection() -> None:
    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
        turns, loop = ClientTurns(), asyncio.get_running_loop()

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


@given(st.integers(0, 4 * BODY_PIECE), st.lists(st.integers(1, BODY_PIECE), max_size=20))
def test_only_an_expected_body_is_read_in_larger_pieces(body: int, reads: list[int]) -> None:
    async def run() -> None:
        ours, theirs = socket.socketpair()
        server = Server(pauses=False)
        paced = PacedProtocol(server, "a", ClientTurns(), lambda: None)
        transport, _ = await asyncio.get_running_loop().connect_accepted_socket(lambda: paced, ours)
        assert len(paced.get_buffer(-1)) == PIECE
        server.transport.expect_body(body)
        left = body
        for size in reads:
            room = len(paced.get_buffer(-1))
            assert room == max(PIECE, min(left, BODY_PIECE))
            assert room <= max(PIECE, left), "what follows the body comes in small pieces"
            paced.buffer_updated(min(size, room))
            left = max(0, left - min(size, room))
        transport.abort()
        theirs.close()
        await server.ended.wait()

    asyncio.run(run())


def test_bytes_that_were_read_before_are_not_expected_again() -> None:
    async def run() -> None:
        ours, theirs = socket.socketpair()
        server = Server(pauses=False)
        paced = PacedProtocol(server, "a", ClientTurns(), lambda: None)
        transport, _ = await asyncio.get_running_loop().connect_accepted_socket(lambda: paced, ours)
        paced.get_buffer(-1)
        paced.buffer_updated(PIECE)
        server.transport.expect_body(3 * PIECE)
        assert len(paced.get_buffer(-1)) == 2 * PIECE
        transport.abort()
        theirs.close()
        await server.ended.wait()

    asyncio.run(run())


def test_an_identified_client_does_not_wait_for_strangers_at_its_address() -> None:
    async def run() -> None:
        turns, loop = ClientTurns(), asyncio.get_running_loop()
        waiting = [asyncio.create_task(turns.strangers.turn("a")) for _ in range(1000)]
        await asyncio.sleep(0)
        known, theirs = Server(pauses=False), socket.socketpair()
        await loop.connect_accepted_socket(lambda: PacedProtocol(known, "a", turns, lambda: None), theirs[0])
        with identified(known.transport):
            theirs[1].send(b"x")
            await known.news.wait()
        assert not all(task.done() for task in waiting), "the strangers had their turns first"
        theirs[1].close()
        await known.ended.wait()
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(run())


def test_connections_of_one_user_take_one_turn_together() -> None:
    """A display takes turns with a user that floods over many connections, even at its own address."""

    async def run() -> None:
        turns, loop = ClientTurns(), asyncio.get_running_loop()
        ends: list[socket.socket] = []

        async def connect(party: object) -> Server:
            server, (ours, theirs) = Server(pauses=False), socket.socketpair()
            await loop.connect_accepted_socket(lambda: PacedProtocol(server, "a", turns, lambda: None), ours)
            held.enter_context(identified(server.transport, party))
            ends.append(theirs)
            return server

        with contextlib.ExitStack() as held:
            loud = [await connect(("user", "bar")) for _ in range(20)]
            display = await connect(None)
            for end in ends[:-1]:
                end.send(bytes(4 * PIECE))
            await loud[0].news.wait()
            ends[-1].send(b"x")
            await display.news.wait()
            # One read makes all of them wait; the display is the second party in rotation.
            assert sum(len(server.pieces) for server in loud) <= 4
        for end in ends:
            end.close()
        for server in (*loud, display):
            await server.ended.wait()

    asyncio.run(run())
