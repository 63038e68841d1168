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
from typing import Any, Final

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMsgType, web

from daemon.mqtt.broker import Doors
from daemon.mqtt.connection import lets_in_strangers
from daemon.pages.door import Door, Handler, refuse
from daemon.urls import BrokerUrl
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
"""Bytes a second that are taken from one display: hundreds of commands, where a person sends one."""
BURST: Final = 256 * 1024
"""Bytes that it may send at once: two messages of the largest size that the embedded broker takes."""


class Pace:
    """How long somebody must wait with what comes next, after what came. Times in seconds that only grow."""

    def __init__(self, now: float) -> None:
        self._at, self._owed = now, 0.0

    def wait(self, size: int, now: float) -> float:
        """Counts `size` bytes; the seconds until more may be taken."""
        self._owed = max(0.0, self._owed - (now - self._at) * PACE) + size
        self._at = now
        return max(0.0, (self._owed - BURST) / PACE)


def through(doors: Doors, door: Door, stuck: Callable[[], None]) -> Handler:
    """The handler of `/mqtt`. `stuck` is called for each display that was put out because it did not read."""

    async def answer(request: web.Request) -> web.StreamResponse:
        broker = doors.pages if door.is_here(request) else doors.guests
        if broker is None:
            return refuse(Refusal("not_allowed", "This broker knows no users; only this machine may speak to it."))
        # Our own broker has a door for them apart; one outside has the same for everyone.
        if not door.is_here(request) and broker == doors.daemon and await _is_open(broker):
            return refuse(
                Refusal("not_allowed", "The broker lets everyone in: close it with the files of `oche broker-config`.")
            )
        display = web.WebSocketResponse(protocols=(MQTT,), max_msg_size=4 * PIECE, heartbeat=30, compress=False)
        line = request.transport
        try:
            await display.prepare(request)
        except (ConnectionError, ValueError):
            return web.Response(status=400)  # It left while we answered, or its key is not even ASCII.
        try:
            async with _opened(broker) as far:
                await _until_one_ends(_down(far, display, stuck), _up(display, far))
        except (OSError, ClientError) as error:
            log.info("a display and the broker did not come together: %s", error)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await display.close(code=BROKER_AWAY)
        finally:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await display.close()
            if line is not None:
                # What one does not read would else be kept for it, and its place with it.
                line.abort()
        return display

    return answer


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


async def _down(far: _Stream | _WebSocket, display: web.WebSocketResponse, stuck: Callable[[], None]) -> None:
    async with asyncio.timeout(HELLO_SECONDS):
        data = await far.read()
    while data:
        try:
            async with asyncio.timeout(STUCK_SECONDS):
                await display.send_bytes(data)
        except TimeoutError:
            stuck()
            return
        data = await far.read()


async def _up(display: web.WebSocketResponse, far: _Stream | _WebSocket) -> None:
    now = asyncio.get_running_loop().time
    pace = Pace(now())
    async for message in display:
        if message.type is not WSMsgType.BINARY:
            return
        await far.write(message.data)
        if (seconds := pace.wait(len(message.data), now())) > 0:
            await asyncio.sleep(seconds)


async def _until_one_ends(*ways: Any) -> None:
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
