"""The way through the web server to the broker: a WebSocket's bytes, passed on untouched and bounded both ways.

A display that stops reading is put out instead of being queued for: when it
comes back it gets the retained states as they are then, and nothing stale. One
that sends without end is read slowly: it waits, and nobody else.
"""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncIterator, Callable
from typing import Any, Final, Protocol

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSCloseCode, WSMsgType, web

from daemon.mqtt.broker import BrokerEndpoints
from daemon.mqtt.connection import lets_in_strangers
from daemon.system.urls import BrokerUrl
from daemon.web.auth import Authenticator, Handler, refuse
from daemon.web.connect_packet import read_connect
from daemon.web.connection_limits import household
from daemon.web.passwords import Passwords
from daemon.web.rate_limit import RateLimit
from daemon.web.turns import Turns
from engine.refusals import Refusal

log = logging.getLogger(__name__)

MQTT: Final = "mqtt"
PIECE: Final = 64 * 1024
HELLO_SECONDS = 10.0
"""Within these somebody has said who he is, and the broker what it thinks of it: its first bytes answer a CONNECT."""
STUCK_SECONDS = 10.0
"""A display that takes nothing for so long is put out."""
BROKER_AWAY: Final = 4502
"""The code of a WebSocket that is closed because the broker behind it cannot be reached: a page says so."""
GOODBYE_SECONDS = 2.0
"""Within these a display answers that it is put out."""
PACE: Final = 32 * 1024
"""Bytes a second that are taken from one display: a hundred commands, where a person sends one."""
BURST: Final = 256 * 1024
"""Bytes that it may send at once: two messages of the largest size that the embedded broker takes."""
FRAME: Final = 256
"""Bytes that each frame counts as, beside those in it: an empty one is work as well. 128 frames a second."""
CONTROL: Final = 4096
"""Bytes that a ping or a pong counts as: 64 at once, then 8 a second. Ours are answered once in 30 seconds."""


def proxy(doors: BrokerEndpoints, door: Authenticator, stuck: Callable[[], None], turns: Turns) -> Handler:
    """The handler of `/mqtt`. `stuck` is called for each display that was put out because it did not read."""

    async def answer(request: web.Request) -> web.StreamResponse:
        address = household(request.remote or "")
        broker = doors.pages if door.is_here(request) else doors.guests
        if broker is None:
            return refuse(Refusal("not_allowed", "This broker knows no users; only this machine may speak to it."))
        # Our own broker has a door for them apart; one outside has the same for everyone.
        if not door.is_here(request) and broker == doors.daemon and await _is_open(broker):
            return refuse(
                Refusal("not_allowed", "The broker lets everyone in: close it with the files of `oche broker-config`.")
            )
        display = web.WebSocketResponse(
            protocols=(MQTT,), max_msg_size=4 * PIECE, heartbeat=30, compress=False, autoping=False
        )
        line = request.transport
        try:
            await display.prepare(request)
        except (ConnectionError, ValueError):
            return web.Response(status=400)  # It left while we answered, or its key is not even ASCII.
        # An outside broker knows its users itself.
        passwords = door.passwords if doors.own and broker == doors.guests else None
        reached = True
        try:
            reached = await pass_on(display, _said(display, turns, address), broker, passwords, address, stuck)
        finally:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await display.close(code=WSCloseCode.OK if reached else BROKER_AWAY)
            if line is not None:
                # What one does not read would else be kept for it, and its place with it.
                line.abort()
        return display

    return answer


class Client(Protocol):
    """A client at this end, whatever it came by."""

    async def send_bytes(self, data: bytes) -> None: ...


async def pass_on(
    client: Client,
    said: AsyncIterator[bytes],
    broker: BrokerUrl,
    passwords: Passwords | None,
    address: str,
    stuck: Callable[[], None],
) -> bool:
    """Passes on what a client has said, and what the broker says to it, until one of them ends.

    False where the broker cannot be reached.

    With `passwords` the client first says who it is; one that is not right gets no further.
    """
    try:
        hello = b"" if passwords is None else await _hello(client, said, passwords, address)
        if hello is not None:
            async with _opened(broker) as far:
                await _until_one_ends(_down(far, client, stuck), _up(hello, said, far))
    except (OSError, ClientError) as error:
        log.info("a client and the broker did not come together: %s", error)
        return False
    return True


async def _is_open(broker: BrokerUrl) -> bool:
    """Whether an outside broker would give strangers the run of the house; one that cannot be asked might."""
    try:
        return await lets_in_strangers(broker)
    except OSError:
        return True


class _Stream:
    """A broker behind a socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read(self) -> bytes:
        return await self._reader.read(PIECE)

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


class _WebSocket:
    """A broker behind a WebSocket."""

    def __init__(self, far: ClientWebSocketResponse) -> None:
        self._far = far

    async def read(self) -> bytes:
        async for message in self._far:
            if message.type is WSMsgType.BINARY and message.data:
                return bytes(message.data)
        return b""

    async def write(self, data: bytes) -> None:
        await self._far.send_bytes(data)


@contextlib.asynccontextmanager
async def _opened(broker: BrokerUrl) -> AsyncIterator[_Stream | _WebSocket]:
    if broker.scheme in ("ws", "wss"):
        url = f"{broker.scheme}://{broker.host}:{broker.port}{broker.path or '/mqtt'}"
        async with ClientSession() as session, session.ws_connect(url, protocols=(MQTT,), max_msg_size=4 * PIECE) as ws:
            yield _WebSocket(ws)
        return
    if broker.scheme == "unix":
        reader, writer = await asyncio.open_unix_connection(broker.path)
    else:
        tls = ssl.create_default_context() if broker.scheme == "mqtts" else None
        reader, writer = await asyncio.open_connection(broker.host, broker.port, ssl=tls)
    try:
        yield _Stream(reader, writer)
    finally:
        writer.close()


async def _down(far: _Stream | _WebSocket, client: Client, stuck: Callable[[], None]) -> None:
    async with asyncio.timeout(HELLO_SECONDS):
        data = await far.read()
    while data:
        try:
            async with asyncio.timeout(STUCK_SECONDS):
                await client.send_bytes(data)
        except TimeoutError:
            stuck()
            return
        data = await far.read()


async def _said(display: web.WebSocketResponse, turns: Turns, address: str) -> AsyncIterator[bytes]:
    """What a display sends, frame by frame: each in its turn, and no faster than the pace."""
    now = asyncio.get_running_loop().time
    pace = RateLimit(now(), PACE, BURST)
    while True:
        message = await display.receive()
        if message.type in (WSMsgType.PING, WSMsgType.PONG):
            size = CONTROL
        elif message.type is WSMsgType.BINARY:
            size = FRAME + len(message.data)
        else:
            return
        await turns.turn(address)
        if message.type is WSMsgType.PING:
            await display.pong(message.data)
        elif message.type is WSMsgType.BINARY and message.data:
            yield message.data
        if (seconds := pace.wait(size, now())) > 0:
            await asyncio.sleep(seconds)


async def _hello(client: Client, said: AsyncIterator[bytes], passwords: Passwords, address: str) -> bytes | None:
    """What a client said up to the end of its CONNECT, if its name and password are right; None if it is to go."""
    data = b""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            while (connect := read_connect(data)) is None:
                data += await anext(said)
            if isinstance(connect, Refusal):
                return None
            if connect.user is not None and await passwords.check(connect.user, connect.password or "", address):
                return data
            await client.send_bytes(connect.refused)
    except (TimeoutError, StopAsyncIteration):
        pass
    return None


async def _up(hello: bytes, said: AsyncIterator[bytes], far: _Stream | _WebSocket) -> None:
    if hello:
        await far.write(hello)
    async for data in said:
        await far.write(data)


async def _until_one_ends(*ways: Any) -> None:
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
