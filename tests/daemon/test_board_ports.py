"""Boards that call: what comes through their port, who may use it, and how a board is known to be there or gone."""

import asyncio
import socket
from collections.abc import Awaitable, Callable

import aiohttp
import pytest
from aiohttp import WSMsgType

from daemon.links import call_link
from daemon.links.board_server import BURST, LONGEST_MESSAGE, RATE
from daemon.links.call_link import LONGEST_REQUEST
from daemon.links.link import Disconnected
from daemon.system.urls import UsageError
from tests.daemon.calling import TOKEN, Ports, ports, read

WITH = f"?token={TOKEN}"


def through(act: Callable[[Ports], Awaitable[None]], ping_seconds: float = 10.0) -> None:
    """Runs a test with ports of its own."""

    async def run() -> None:
        async with ports(ping_seconds) as found:
            await act(found)

    asyncio.run(run())


@pytest.mark.parametrize("path", [f"/ws?token={TOKEN}", f"/{TOKEN}/ws", f"/{TOKEN}"])
def test_a_board_opens_a_websocket_and_every_text_is_a_line(path: str) -> None:
    async def act(here: Ports) -> None:
        calling = await here.waiting(WITH)
        board = await here.socket(path, headers={"Origin": "file://"})
        await board.send_str('{"segment":"T20"}')
        await board.send_bytes(b"\x00\x0a\x11")
        link = await calling
        assert [piece.data for piece in await read(link, 2)] == [b'{"segment":"T20"}\n', b"\x00\x0a\x11"]
        assert link.write(b"BAN\n")
        told = await board.receive()
        assert (told.type, told.data) == (WSMsgType.TEXT, "BAN\n")

    through(act)


def test_a_board_that_posts_has_its_token_where_its_firmware_can_have_it() -> None:
    async def act(here: Ports) -> None:
        calling = await here.waiting(WITH)
        requests = [
            here.post(f"/{TOKEN}/new-dart", '{"num":20,"zone":3}'),
            here.post(f"/next-player?token={TOKEN}"),
            here.post("/", "20x3\r\n", headers={"Authorization": f"Bearer {TOKEN}"}),
            here.post(f"/{TOKEN}", "20x3"),
            here.post(f"/{TOKEN}/", b"\x0a\x0d", headers={"Content-Type": "application/octet-stream"}),
        ]
        lines = [b'new-dart {"num":20,"zone":3}\n', b"next-player\n", b"20x3\n", b"20x3\n", b"\x0a\x0d"]
        for request, line in zip(requests, lines, strict=True):
            answered = asyncio.create_task(request)
            link = await calling
            assert [piece.data for piece in await read(link, 1)] == [line]
            assert (await answered)[0] == 200

    through(act)


def test_a_request_is_answered_once_its_dart_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_link, "STORED_SECONDS", 0.2)

    async def act(here: Ports) -> None:
        calling = await here.waiting(WITH)
        assert (await here.post(f"/{TOKEN}/", "20x3", headers={"Idempotency-Key": "a-1"}))[0] == 503
        piece = await (await calling).read()
        assert (piece.data, piece.request) == (b"20x3\n", "request:a-1")
        for wrong in ("x" * 65, "a b", "\u00e9"):
            status, _ = await here.post(f"/{TOKEN}/", "20x3", headers={"Idempotency-Key": wrong})
            assert status == 400

    through(act)


@pytest.mark.parametrize(
    ("settings", "path", "headers"),
    [
        (WITH, "/ws", {}),
        (WITH, "/ws?token=wrong", {}),
        (WITH, f"/ws/{TOKEN}", {}),
        (WITH, "/ws", {"Authorization": f"Basic {TOKEN}"}),
        (WITH, f"/{TOKEN}/ws", {"Origin": "http://evil.example"}),
        (WITH, f"/{TOKEN}/ws", {"Sec-Fetch-Site": "cross-site"}),
        ("?from=192.0.2.7", "/ws", {}),
        ("?from=127.0.0.1", "/ws", {"X-Forwarded-For": "192.0.2.7"}),
        (f"{WITH}&from=192.0.2.7", f"/{TOKEN}/ws", {}),
        ("", "/ws", {"Host": "evil.example"}),
        ("", "/ws", {"Via": "1.1 proxy"}),
    ],
)
def test_who_is_not_the_board_gets_nothing(
    settings: str, path: str, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daemon.links.board_server.REFUSED_SECONDS", 0.0)

    async def act(here: Ports) -> None:
        calling = await here.waiting(settings)
        assert (await here.post(path, "20x3", headers=headers))[0] == 403
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await here.socket(path, headers=headers)
        assert refused.value.status == 403
        assert not calling.done()
        calling.cancel()

    through(act)


@pytest.mark.parametrize("settings", ["", "?from=127.0.0.1", "?from=192.0.2.7,::ffff:127.0.0.1"])
def test_a_board_without_a_token_is_known_by_its_address(settings: str) -> None:
    async def act(here: Ports) -> None:
        calling = await here.waiting(settings)
        board = await here.socket("/ws")
        await board.send_str("20x3")
        assert [piece.data for piece in await read(await calling, 1)] == [b"20x3\n"]

    through(act)


def test_what_no_board_sends_is_refused() -> None:
    async def act(here: Ports) -> None:
        calling = await here.waiting(WITH)
        for method, status in (("GET", 405), ("PUT", 405), ("DELETE", 405), ("OPTIONS", 405)):
            async with here.session.request(method, here.http(f"/{TOKEN}/")) as answer:
                assert answer.status == status
        compressed = {"Content-Encoding": "gzip"}
        assert (await here.post(f"/{TOKEN}/", b"\x1f\x8b", headers=compressed))[0] == 415
        assert (await here.post(f"/{TOKEN}/", "x" * (LONGEST_REQUEST + 1)))[0] == 413
        assert (await here.post(f"/{TOKEN}/new-dart", "x" * (LONGEST_REQUEST - 3)))[0] == 413
        assert (await here.post(f"/{TOKEN}/", " \r\n"))[0] == 400
        board = await here.socket(f"/{TOKEN}/ws", compress=15)
        assert board.compress == 0
        await board.send_bytes(bytes(LONGEST_MESSAGE + 1))
        assert (await board.receive()).type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.ERROR)
        link = await calling
        with pytest.raises(Disconnected):
            await link.read()

    through(act)


def test_boards_of_one_port_are_told_apart_by_their_tokens() -> None:
    async def act(here: Ports) -> None:
        one, two = await here.waiting("?token=first"), await here.waiting("?token=second")
        second = await here.socket("/ws?token=second")
        first = await here.socket("/ws?token=first")
        await first.send_str("1x3")
        await second.send_str("2x3")
        assert [piece.data for piece in await read(await one, 1)] == [b"1x3\n"]
        assert [piece.data for piece in await read(await two, 1)] == [b"2x3\n"]

    through(act)


def test_the_newest_connection_of_a_board_counts() -> None:
    async def act(here: Ports) -> None:
        calling = await here.waiting(WITH)
        before = await here.socket(f"/{TOKEN}/ws")
        await before.send_str("1x3")
        link = await calling
        after = await here.socket(f"/{TOKEN}/ws")
        assert [piece.data for piece in await read(link, 1)] == [b"1x3\n"]
        with pytest.raises(Disconnected, match="again"):
            await link.read()
        assert (await before.receive()).type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING)
        await after.send_str("2x3")
        assert [piece.data for piece in await read(await here.ports.open(here.url(WITH)), 1)] == [b"2x3\n"]

    through(act)


def test_a_board_that_vanishes_without_a_word_is_missed() -> None:
    async def act(here: Ports) -> None:
        calling = await here.waiting(WITH)
        with socket.create_connection(("127.0.0.1", here.port)) as line:
            line.sendall(
                f"GET /{TOKEN}/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
            )
            link = await calling
            with pytest.raises(Disconnected, match="does not answer"):
                await link.read()

    through(act, ping_seconds=0.2)


def test_a_board_that_hangs_up_is_gone_and_comes_back() -> None:
    async def act(here: Ports) -> None:
        calling = await here.waiting(WITH)
        for _ in range(3):
            board = await here.socket(f"/{TOKEN}/ws")
            link = await calling
            await board.close()
            with pytest.raises(Disconnected, match="disconnected") as gone:
                await link.read()
            assert gone.value.reason == "gone"
            link.close()
            calling = asyncio.create_task(here.ports.open(here.url(WITH)))
        calling.cancel()

    through(act)


def test_a_board_that_posts_is_there_from_the_opening_of_its_port() -> None:
    """Otherwise its first dart would be one that arrives at the start, which may be a repeat of the last one."""

    async def act(here: Ports) -> None:
        calling = await here.waiting(WITH)
        sent = asyncio.create_task(here.post(f"/{TOKEN}/", "20x3"))
        link = await calling
        (piece,) = await read(link, 1)
        assert isinstance(link, call_link.CallLink)
        assert link.since.at_ns < piece.at_ns
        assert (await sent)[0] == 200

    through(act)


def test_a_flood_waits_in_the_line_of_its_board() -> None:
    """A board that sends more than anyone throws is read at a steady rate: its bytes wait outside the daemon."""

    async def act(here: Ports) -> None:
        flooding, other = await here.waiting("?token=flood"), await here.waiting("?token=other")
        flood, board = await here.socket("/ws?token=flood"), await here.socket("/ws?token=other")
        now = asyncio.get_running_loop().time
        start = now()
        for number in range(int(BURST) * 3):
            await flood.send_str(str(number))
        await board.send_str("20x3")
        assert [piece.data for piece in await read(await other, 1)] == [b"20x3\n"]
        link = await flooding
        assert [piece.data for piece in await read(link, int(BURST))] == [b"%d\n" % n for n in range(int(BURST))]
        assert isinstance(link, call_link.CallLink)
        assert BURST + link._unread.count <= BURST + RATE * (now() - start) + 1

    through(act)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("listen://0.0.0.0:8765", ["anyone on the network could throw"]),
        ("listen://8765", ["a host and a port"]),
        ("listen://0.0.0.0:99999?token=a", ["a host and a port"]),
        ("listen://0.0.0.0:8765?token=", ["1 to 128"]),
        ("listen://:0?token=a!!b&from=board.local&tokn=x", ["host and a port", "1 to 128", "IP addresses", "'tokn'"]),
    ],
)
def test_every_mistake_in_an_address_is_said_and_no_token(address: str, words: list[str]) -> None:
    from daemon.system.urls import board_url

    with pytest.raises(UsageError) as wrong:
        board_url(address)
    assert all(word in str(wrong.value) for word in words), wrong.value
    assert "a!!b" not in str(wrong.value)
