"""Bodies of requests: the rights and the length are checked before a body is read, which then comes in large pieces."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from aiohttp import web

from daemon.network.bodies import expect_later, read_body
from daemon.network.connection_limits import ConnectionLimits, listening
from daemon.network.fair_turns import ClientTurns, Party, Turns
from daemon.network.paced_protocol import BODY_PIECE, PIECE
from daemon.people.users import Users
from daemon.web import server
from daemon.web.auth import Authenticator, guard
from daemon.web.history_api import MAX_BYTES
from engine import jsontext
from tests.rig import LIMIT_SECONDS, free_port

ALL_OF_IT: Final = bytes(range(256)) * (MAX_BYTES // 256)


class CountedTurns(Turns):
    """Counts the turns that were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def schedule(self, party: Party, run: Callable[[], bool]) -> None:
        self.count += 1
        super().schedule(party, run)


Client = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def served(
    folder: Path, turns: ClientTurns, got: list[bytes | None]
) -> AsyncIterator[Callable[[], Awaitable[Client]]]:
    """A web server with the guard, the paced transport, and `POST /body`. Yields what connects to it."""

    async def take(request: web.Request) -> web.StreamResponse:
        body = await read_body(request, MAX_BYTES)
        got.append(None if body is None else bytes(body))
        return web.Response(status=413 if body is None else 200)

    auth = Authenticator("0.0.0.0", Users(folder))
    app = web.Application(middlewares=[guard(auth, frozenset(), {})])
    app.router.add_post("/body", take, expect_handler=expect_later)
    runner = web.AppRunner(app, access_log=None, auto_decompress=False, lingering_time=0)
    await runner.setup()
    assert runner.server is not None
    port = free_port()
    async with (
        asyncio.timeout(LIMIT_SECONDS),
        listening(runner.server, "127.0.0.1", port, None, ConnectionLimits(turns)),
    ):
        yield lambda: asyncio.open_connection("127.0.0.1", port)
        await runner.cleanup()


def head(size: str, host: str = "localhost", *more: str) -> bytes:
    return "\r\n".join(("POST /body HTTP/1.1", f"Host: {host}", size, *more, "", "")).encode()


async def status(reader: asyncio.StreamReader) -> bytes:
    """The status of the next response."""
    return (await reader.readuntil(b"\r\n\r\n")).split()[1]


def test_the_largest_file_is_read_in_large_pieces(tmp_path: Path) -> None:
    async def run() -> None:
        counted, got = CountedTurns(), list[bytes | None]()
        async with served(tmp_path, ClientTurns(counted, counted), got) as connect:
            reader, writer = await connect()
            writer.write(head(f"Content-Length: {MAX_BYTES}") + ALL_OF_IT)
            assert await status(reader) == b"200"
            writer.close()
        assert got == [ALL_OF_IT]
        assert MAX_BYTES // BODY_PIECE <= counted.count < MAX_BYTES // PIECE // 4

    asyncio.run(run())


def test_a_body_in_chunks_is_read_in_small_pieces(tmp_path: Path) -> None:
    """A chunk can hold one byte, so that 64 KiB of them would hold the event loop up."""

    async def run() -> None:
        counted, got = CountedTurns(), list[bytes | None]()
        chunks = b"1\r\nx\r\n" * (8 * PIECE) + b"0\r\n\r\n"
        async with served(tmp_path, ClientTurns(counted, counted), got) as connect:
            reader, writer = await connect()
            writer.write(head("Transfer-Encoding: chunked") + chunks)
            assert await status(reader) == b"200"
            writer.close()
        assert got == [b"x" * (8 * PIECE)]
        assert counted.count >= len(chunks) // PIECE

    asyncio.run(run())


@pytest.mark.parametrize(
    ("size", "host", "answer"),
    [
        (f"Content-Length: {MAX_BYTES + 1}", "localhost", b"413"),
        (f"Content-Length: {MAX_BYTES}", "192.0.2.1", b"401"),
        ("Transfer-Encoding: chunked", "192.0.2.1", b"401"),
    ],
)
def test_what_is_refused_is_refused_before_its_body(tmp_path: Path, size: str, host: str, answer: bytes) -> None:
    """No byte of the body is sent, and a client that asks whether to send it is not told to."""

    async def run() -> None:
        async with served(tmp_path, ClientTurns(), []) as connect:
            for expected in ((), ("Expect: 100-continue",)):
                reader, writer = await connect()
                writer.write(head(size, host, *expected))
                assert await status(reader) == answer
                writer.close()

    asyncio.run(run())


def test_a_client_that_asks_is_told_to_send_the_body(tmp_path: Path) -> None:
    async def run() -> None:
        got = list[bytes | None]()
        async with served(tmp_path, ClientTurns(), got) as connect:
            reader, writer = await connect()
            writer.write(head("Content-Length: 4", "localhost", "Expect: 100-continue"))
            assert await status(reader) == b"100"
            writer.write(b"body")
            assert await status(reader) == b"200"
            writer.close()
        assert got == [b"body"]

    asyncio.run(run())


def test_a_second_request_behind_a_body_is_answered(tmp_path: Path) -> None:
    async def run() -> None:
        got = list[bytes | None]()
        async with served(tmp_path, ClientTurns(), got) as connect:
            reader, writer = await connect()
            bodies = [bytes([n]) * size for n, size in enumerate((3 * BODY_PIECE, 1, PIECE + 1, 0, 2 * PIECE))]
            writer.write(b"".join(head(f"Content-Length: {len(body)}") + body for body in bodies))
            for _ in bodies:
                assert await status(reader) == b"200"
            writer.close()
        assert got == bodies

    asyncio.run(run())


def test_the_limits_of_requests() -> None:
    """A longer time would only let slow clients hold their connections longer."""
    assert (server.ANSWER_SECONDS, MAX_BYTES, jsontext.MAX_BYTES) == (30, 8 * 1024 * 1024, 64 * 1024)
