"""The MQTT proxy: passes bytes between a client and the broker unchanged, with bounds in both directions.

A display that stops reading is disconnected instead of being queued for: when it
reconnects it gets the current retained states. A client that sends without end
is read slowly, and delays nobody else.
"""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Final, Protocol

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSCloseCode, WSMsgType, web

from daemon.mqtt.broker import BrokerEndpoints
from daemon.mqtt.connection import accepts_anyone
from daemon.network.connection_limits import address_group
from daemon.network.fair_turns import RateLimit
from daemon.network.paced_protocol import PacedTransport, identified
from daemon.system.urls import BrokerUrl
from daemon.web.auth import Authenticator, Handler, refuse
from daemon.web.connect_packet import read_connect
from daemon.web.passwords import Passwords
from engine.refusals import Refusal

log = logging.getLogger(__name__)

MQTT: Final = "mqtt"
PIECE: Final = 64 * 1024
CONNECT_SECONDS = 10.0
"""Time allowed for a client's CONNECT, and for the broker's first bytes, which answer it."""
STUCK_SECONDS = 10.0
"""A client that reads nothing for this long is disconnected."""
BROKER_AWAY: Final = 4502
"""The WebSocket close code while the broker cannot be reached; the pages show a message for it."""
HEARTBEAT_SECONDS: float | None = 30.0
"""How often a client is pinged. One that has not answered after half of it is gone."""
CLOSE_SECONDS = 2.0
"""Time allowed for a client's answer to the close."""
PACE: Final = 32 * 1024
"""Bytes a second read from one client: a hundred commands, where a person sends one."""
BURST: Final = 256 * 1024
"""Bytes that a client may send at once: two messages of the largest size that the embedded broker accepts."""
FRAME: Final = 256
"""Bytes that each frame counts in addition to its content, because an empty one costs work too: 128 frames a second."""
ACKNOWLEDGEMENT: Final = 8
"""Content of a frame that is too short for a command: of an identified client it is an acknowledgement."""
ACKNOWLEDGEMENT_FRAME: Final = 32
"""Bytes that such a frame counts instead of FRAME: 800 a second. mosquitto withholds states from a display that has not
acknowledged the last hundred, and many boards have a hundred states a second."""
CONTROL: Final = 4096
"""Bytes that a ping or a pong counts: 64 at once, then 8 a second. The server itself pings every 30 seconds."""


class Client(Protocol):
    """A connected MQTT client, over a WebSocket or a plain connection."""

    async def send_bytes(self, data: bytes) -> None: ...


def proxy(endpoints: BrokerEndpoints, auth: Authenticator, on_stuck: Callable[[], None]) -> Handler:
    """The handler of `/mqtt`. `on_stuck` is called for each client that was disconnected because it did not read."""

    async def answer(request: web.Request) -> web.StreamResponse:
        address, is_local = address_group(request.remote or ""), auth.is_local(request)
        broker = endpoints.pages if is_local else endpoints.guests
        if broker is None:
            return refuse(Refusal("not_allowed", "This broker has no users; only this machine may connect to it."))
        # The embedded broker has an endpoint with an access list for the network; an outside one is the same for all.
        if not is_local and broker == endpoints.daemon and await _is_open(broker):
            return refuse(
                Refusal(
                    "not_allowed", "The broker accepts clients without a name: secure it with `oche broker-config`."
                )
            )
        transport: object = request.transport
        if not isinstance(transport, PacedTransport):
            return web.Response(status=400)  # The client has disconnected.
        client = web.WebSocketResponse(
            protocols=(MQTT,), max_msg_size=4 * PIECE, heartbeat=HEARTBEAT_SECONDS, compress=False, autoping=False
        )
        try:
            await client.prepare(request)
        except (ConnectionError, ValueError):
            return web.Response(status=400)  # The client has disconnected, or its key is not even ASCII.
        # An outside broker checks its users itself.
        passwords = auth.passwords if endpoints.own and broker == endpoints.guests else None
        is_reached = True
        try:
            incoming = _frames(client, transport)
            with identified(transport) if is_local else contextlib.nullcontext():
                is_reached = await relay(client, incoming, broker, passwords, address, on_stuck, transport)
        finally:
            transport.discard_frames()
            await close(client, transport.abort, WSCloseCode.OK if is_reached else BROKER_AWAY)
        return client

    return answer


class Closing(Protocol):
    """A WebSocket that waits for the answer to its close."""

    async def close(self, *, code: int) -> bool: ...


async def close(client: Closing, abort: Callable[[], None], code: int) -> None:
    """Closes a WebSocket, within CLOSE_SECONDS; then calls `abort`, which ends the connection below it."""
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await client.close(code=code)
    finally:
        # Unread data would keep the connection's slot. Up to Python 3.11.2 a timeout in a task that is cancelled, as
        # when the daemon stops, ends with CancelledError.
        abort()


async def relay(
    client: Client,
    incoming: AsyncIterator[bytes],
    broker: BrokerUrl,
    passwords: Passwords | None,
    address: str,
    on_stuck: Callable[[], None],
    transport: object,
) -> bool:
    """Passes bytes between a client and the broker until one of them ends. False if the broker cannot be reached.

    With `passwords` the client's CONNECT is checked first, and an invalid one does not reach the broker. After a valid
    one the turns of its `transport` are those of its user.
    """
    try:
        if passwords is None:
            await _pass_on(b"", client, incoming, broker, on_stuck)
        elif (found := await _authenticated(client, incoming, passwords, address)) is not None:
            connect, user = found
            with identified(transport, ("user", user)):
                await _pass_on(connect, client, incoming, broker, on_stuck)
    except (OSError, ClientError) as error:
        log.info("a client cannot be connected to the broker: %s", error)
        return False
    return True


async def _pass_on(
    connect: bytes, client: Client, incoming: AsyncIterator[bytes], broker: BrokerUrl, on_stuck: Callable[[], None]
) -> None:
    async with _connected(broker) as upstream:
        await _first_of(_receive(upstream, client, on_stuck), _send(connect, incoming, upstream))


async def pace(pieces: AsyncIterator[tuple[bytes, int]]) -> AsyncIterator[bytes]:
    """Yields pieces of input no faster than PACE after BURST. Each comes with the bytes that it counts."""
    now = asyncio.get_running_loop().time
    limit = RateLimit(now(), PACE, BURST)
    async for data, size in pieces:
        if data:
            yield data
        if (seconds := limit.wait(size, now())) > 0:
            await asyncio.sleep(seconds)


def frame_size(data: bytes, *, is_identified: bool) -> int:
    """The bytes that a frame with this content counts."""
    is_acknowledgement = is_identified and 0 < len(data) <= ACKNOWLEDGEMENT
    return len(data) + (ACKNOWLEDGEMENT_FRAME if is_acknowledgement else FRAME)


async def _is_open(broker: BrokerUrl) -> bool:
    """Whether an outside broker accepts clients without a name. True if it cannot be reached."""
    try:
        return await accepts_anyone(broker)
    except OSError:
        return True


class _Stream:
    """A connection to the broker over a socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read(self) -> bytes:
        return await self._reader.read(PIECE)

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


class _WebSocket:
    """A connection to the broker over a WebSocket."""

    def __init__(self, upstream: ClientWebSocketResponse) -> None:
        self._upstream = upstream

    async def read(self) -> bytes:
        async for message in self._upstream:
            if message.type is WSMsgType.BINARY and message.data:
                return bytes(message.data)
        return b""

    async def write(self, data: bytes) -> None:
        await self._upstream.send_bytes(data)


@contextlib.asynccontextmanager
async def _connected(broker: BrokerUrl) -> AsyncIterator[_Stream | _WebSocket]:
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


def _frames(client: web.WebSocketResponse, transport: PacedTransport) -> AsyncIterator[bytes]:
    """The content of a client's frames, paced, each read in its turn. Answers pings."""

    async def read() -> AsyncIterator[tuple[bytes, int]]:
        while True:
            message = await transport.receive(client)
            if message.type not in (WSMsgType.PING, WSMsgType.PONG, WSMsgType.BINARY):
                return
            await transport.turn()
            if message.type is WSMsgType.BINARY:
                yield message.data, frame_size(message.data, is_identified=transport.is_identified)
                continue
            if message.type is WSMsgType.PING:
                await client.pong(message.data)
            yield b"", CONTROL

    return pace(read())


async def _authenticated(
    client: Client, incoming: AsyncIterator[bytes], passwords: Passwords, address: str
) -> tuple[bytes, str] | None:
    """The client's first bytes, up to its CONNECT, and its user, if name and password are valid; `None` if not."""
    data = b""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            while (connect := read_connect(data)) is None:
                data += await anext(incoming)
            if isinstance(connect, Refusal):
                return None
            if connect.user is not None and await passwords.check(connect.user, connect.password or "", address):
                return data, connect.user
            await client.send_bytes(connect.refused)
    except (TimeoutError, StopAsyncIteration):
        pass
    return None


async def _receive(upstream: _Stream | _WebSocket, client: Client, on_stuck: Callable[[], None]) -> None:
    """Passes the broker's bytes to the client."""
    async with asyncio.timeout(CONNECT_SECONDS):
        data = await upstream.read()
    while data:
        try:
            async with asyncio.timeout(STUCK_SECONDS):
                await client.send_bytes(data)
        except TimeoutError:
            on_stuck()
            return
        data = await upstream.read()


async def _send(connect: bytes, incoming: AsyncIterator[bytes], upstream: _Stream | _WebSocket) -> None:
    """Passes the client's bytes to the broker."""
    if connect:
        await upstream.write(connect)
    async for data in incoming:
        await upstream.write(data)


async def _first_of(*directions: Coroutine[Any, Any, None]) -> None:
    """Runs both directions until one ends."""
    tasks = [asyncio.ensure_future(direction) for direction in directions]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
