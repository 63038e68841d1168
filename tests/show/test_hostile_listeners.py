"""Hostile clients at the port for callers: held connections, odd messages, floods of greetings, compression."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse

from daemon.network.connection_limits import MAX_FROM_ONE_ADDRESS
from daemon.show.caller_door import BURST, LISTENERS
from tests.show.test_caller_door import Clock, door, listener, run

STRANGER: Final = "127.0.0.2"
"""An address of the loopback that counts as the network's."""
ODD: Final = ("451-[]", "4" + "[" * 200, "44{}", "9", "42[", "4x", "0", "")
"""Messages that Socket.IO has no use for."""


@asynccontextmanager
async def socket(session: ClientSession, port: int, **more: Any) -> AsyncIterator[ClientWebSocketResponse]:
    """A WebSocket without a listener, after the server's first message."""
    at = f"http://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
    async with session.ws_connect(at, **more) as opened:
        assert (await opened.receive_str()).startswith("0{")
        yield opened


async def ended(opened: ClientWebSocketResponse) -> None:
    """Waits until the server has ended the connection."""
    while not (await opened.receive()).type.name.startswith("CLOS"):
        pass


def test_an_address_cannot_take_all_connections() -> None:
    async def work() -> None:
        async with door(Clock(), []) as (_, port):
            held = [
                await asyncio.open_connection("127.0.0.1", port, local_addr=(STRANGER, 0))
                for _ in range(MAX_FROM_ONE_ADDRESS + 10)
            ]
            reads = [asyncio.create_task(reader.read()) for reader, _ in held]
            while sum(read.done() for read in reads) < 10:
                await asyncio.wait([read for read in reads if not read.done()], return_when=asyncio.FIRST_COMPLETED)
            async with listener(port):
                pass
            assert sum(read.done() for read in reads) == 10
            for (_, writer), read in zip(held, reads, strict=True):
                read.cancel()
                writer.transport.abort()

    run(work)


def test_a_connection_without_a_listener_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("daemon.show.caller_door.CONNECT_SECONDS", 0.1)

    async def work() -> None:
        async with door(Clock(), []) as (_, port), ClientSession() as session, socket(session, port) as opened:
            await ended(opened)

    run(work)


def test_a_connection_ends_with_its_listener() -> None:
    async def work() -> None:
        async with door(Clock(), []) as (_, port), ClientSession() as session, socket(session, port) as opened:
            await opened.send_str("40")
            assert (await opened.receive_str()).startswith("40{")
            await opened.send_str("41")
            await ended(opened)

    run(work)


def test_a_connection_has_one_listener() -> None:
    async def work() -> None:
        async with door(Clock(), []) as (_, port), ClientSession() as session, socket(session, port) as opened:
            for _ in range(LISTENERS + 1):
                await opened.send_str("40")
            answers = [await opened.receive_str() for _ in range(LISTENERS + 1)]
            assert [answer.startswith("40{") for answer in answers] == [True] + [False] * LISTENERS
            async with listener(port):
                pass

    run(work)


@pytest.mark.parametrize("is_accepted", [False, True])
def test_odd_messages_are_not_logged(is_accepted: bool, caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with door(Clock(), []) as (_, port), ClientSession() as session:
            for odd in ODD:
                async with socket(session, port) as opened:
                    if is_accepted:
                        await opened.send_str("40")
                        assert (await opened.receive_str()).startswith("40{")
                    await opened.send_str(odd)
                    await opened.send_bytes(odd.encode())
                    # Closing waits for the server's answer, which comes after all that was sent before.
                    await opened.close()

    with caplog.at_level(logging.INFO):
        run(work)
    assert [record for record in caplog.records if record.levelno >= logging.INFO] == []


@pytest.mark.parametrize(
    "headers", [{"Sec-WebSocket-Key": "é"}, {"Sec-WebSocket-Version": "x"}, {"Upgrade": "h2c"}, {"Content-Length": "x"}]
)
def test_odd_requests_are_not_logged(headers: dict[str, str], caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with door(Clock(), []) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            lines = {"Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade"}
            lines |= {"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="} | headers
            head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
            writer.write(f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n{head}\r\n".encode())
            assert b" 40" in await reader.readline()
            writer.transport.abort()

    with caplog.at_level(logging.INFO):
        run(work)
    assert [record for record in caplog.records if record.levelno >= logging.INFO] == []


def test_refused_listeners_are_logged_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr("daemon.show.caller_door.is_this_machine", lambda _host: False)
    monkeypatch.setattr("daemon.show.caller_door.REFUSED_SECONDS", 0.0)

    async def work() -> None:
        settings: dict[str, Any] = {"token": "a-token-of-24-characters"}
        async with door(Clock(), [], **settings) as (_, port), ClientSession() as session:
            for _ in range(5):
                async with socket(session, port) as opened:
                    for _ in range(5):
                        await opened.send_str("40")
                        assert (await opened.receive_str()).startswith("44")

    run(work)
    assert [record.getMessage() for record in caplog.records] == ["a listener from 127.0.0.1 is refused"]


def test_greetings_are_bounded() -> None:
    async def work() -> None:
        async with door(Clock(), []) as (opened, port), listener(port) as (client, messages):
            for _ in range(3 * BURST):
                await client.emit("message", "hello")
            # An answer to an event comes after everything that was sent before.
            answered = asyncio.Event()
            await client.emit("message", "board-start", callback=lambda *_: answered.set())
            await answered.wait()
            await opened.tell({"event": "match-ended"})
            heard = [await messages.get() for _ in range(BURST + 1)]
            assert [message["event"] for message in heard] == ["welcome"] * BURST + ["match-ended"]

    run(work)


@pytest.mark.parametrize("compressed", ["deflate", "gzip"])
def test_nothing_is_decompressed(compressed: str) -> None:
    async def work() -> None:
        async with door(Clock(), []) as (_, port), ClientSession() as session:
            async with socket(session, port, compress=15) as opened:
                assert opened.compress == 0
            at = f"http://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
            async with session.post(at, data=b"\x00", headers={"Content-Encoding": compressed}) as answer:
                assert answer.status == 415

    run(work)


@pytest.mark.parametrize("greeting", ["40", '40{"token":"\\ud800"}', '40{"token":"wrong"}'])
def test_who_is_refused_hears_nothing(
    greeting: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("daemon.show.caller_door.is_this_machine", lambda _host: False)
    monkeypatch.setattr("daemon.show.caller_door.REFUSED_SECONDS", 0.3)

    async def work() -> None:
        settings: dict[str, Any] = {"token": "a-token-of-24-characters"}
        async with (
            door(Clock(), [], **settings) as (opened, port),
            ClientSession() as session,
            socket(session, port) as stranger,
        ):
            await stranger.send_str(greeting)
            while not caplog.records:  # noqa: ASYNC110 (the log has no event)
                await asyncio.sleep(0)
            await opened.tell({"event": "dart1-thrown"})
            assert (await stranger.receive_str()).startswith("44")

    run(work)


def test_packets_with_attachments_are_not_kept() -> None:
    async def work() -> None:
        async with door(Clock(), []) as (opened, port), ClientSession() as session, socket(session, port) as sending:
            await sending.send_str("40")
            assert (await sending.receive_str()).startswith("40{")
            await sending.send_str('459999999-["message",{"_placeholder":true,"num":0}]')
            await sending.send_bytes(b"\x04" + b"x" * 1000)
            await sending.close()
            assert opened._server._binary_packet == {}

    run(work)
