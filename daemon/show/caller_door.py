"""The port for programs that listen to darts-caller: a Socket.IO server, 8079 unless it is configured otherwise.

On this machine's own address it takes every program of the machine. Opened to the network it takes those that send the
token (`?token=` of the address, or `token` of Socket.IO's `auth`), and those from an address that the owner listed, for
the existing programs cannot send one. A browser's page of another site is refused in both cases.

What a stranger causes is bounded as on the other ports: connections, their share of the event loop, the time until
they are accepted, and lines of the log.
"""

import asyncio
import contextlib
import hmac
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs

import socketio
from aiohttp import web

from daemon.network.connection_limits import ConnectionLimits, address_group, listening
from daemon.network.fair_turns import ClientTurns
from daemon.network.http_server import http_server
from daemon.network.paced_protocol import PacedTransport
from daemon.network.requests import host_in, is_compressed, is_name_of_internet
from daemon.show.caller_words import Message
from daemon.system.hosts import is_this_machine, plain_address
from daemon.system.log_text import foreign_line
from daemon.system.show_config import CallerDoor
from daemon.system.urls import http_address

log = logging.getLogger(__name__)

LARGEST: Final = 64 * 1024
"""Bytes of a message of a listener; darts-wled sends all its settings once."""
LISTENERS: Final = 20
PING_SECONDS: Final = 5
"""Pause between two pings, and time for the answer: a listener that does not read is gone after both."""
BURST: Final = 10
"""Commands that a listener may send at once; afterwards one a second. Its greetings have the same bound."""
CONNECT_SECONDS = 10.0
"""Time from the first byte of a request until the listener is accepted. Then the connection ends."""
REFUSED_SECONDS = 2.0
"""How long a listener that is not accepted waits for its answer, so that tokens are guessed slowly."""
SAID_SECONDS: Final = 10.0
"""Pause between two lines of the log about refused listeners: strangers must not fill it."""
EXTENSIONS: Final = "Sec-WebSocket-Extensions"
"""The header with which a client offers compression. The library would accept it."""

Heard = Callable[[object], Awaitable[None]]

# What the library logs are mistakes of clients, each with a traceback.
_library_log = logging.getLogger(f"{__name__}.library")
_library_log.setLevel(logging.CRITICAL + 1)


@dataclass(frozen=True, slots=True)
class _Listener:
    """An accepted listener: its connection, and what it may send."""

    transport: PacedTransport
    commands: "_Allowance"
    greetings: "_Allowance"


class _TextPacket(socketio.packet.Packet):  # type: ignore[misc]
    """A packet without attachments: the library keeps these until all that are announced have come."""

    def decode(self, encoded_packet: str) -> int:
        if encoded_packet[:1] in (str(socketio.packet.BINARY_EVENT), str(socketio.packet.BINARY_ACK)):
            raise ValueError("a packet with attachments")
        return int(super().decode(encoded_packet))


class _Allowance:
    """`BURST` messages at once, then one a second; those beyond are dropped. Times are seconds."""

    def __init__(self, now: float) -> None:
        self._left, self._since = float(BURST), now

    def take(self, now: float) -> bool:
        """Counts a message; returns whether it may be sent."""
        self._left, self._since = min(float(BURST), self._left + now - self._since), now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Door:
    """The listeners of one board."""

    def __init__(self, settings: CallerDoor, heard: Heard, clock: Callable[[], float]) -> None:
        """`heard` gets what a listener sends; `clock` has seconds."""
        self._settings, self._heard, self._clock = settings, heard, clock
        self._host, self._port = http_address(settings.address)
        self._limits = ConnectionLimits(ClientTurns())
        self._waiting: dict[PacedTransport, asyncio.TimerHandle] = {}
        """Connections without a listener, each with its end."""
        self._listeners: dict[str, _Listener] = {}
        self._silent_until = 0.0
        self._server = socketio.AsyncServer(
            async_mode="aiohttp",
            transports=["websocket"],
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
            max_http_buffer_size=LARGEST,
            http_compression=False,
            # One after the other: a refused listener waits before its next try.
            async_handlers=False,
            serializer=_TextPacket,
            logger=_library_log,
            engineio_logger=_library_log,
        )
        self._server.on("connect", self._connect)
        self._server.on("disconnect", self._disconnect)
        self._server.on("message", self._message)
        self._welcome: Message = {"event": "welcome", "callersAvailable": [], "callersFavoured": [], "caller": "oche"}

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Listens until the end of the block. OSError if the address cannot be used."""
        app = web.Application(middlewares=[self._bounded])
        self._server.attach(app)
        async with http_server(app) as server, listening(server, self._host, self._port, None, self._limits):
            yield

    async def tell(self, message: Message) -> None:
        """Sends a message to every accepted listener; does not wait for them."""
        # Not a broadcast: the library's reaches clients that wait for their refusal as well.
        for listener in list(self._listeners):
            await self._server.emit("message", message, to=listener)

    @web.middleware
    async def _bounded(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Ends a connection that has no listener in time, and accepts nothing compressed."""
        await self._limits.turns.strangers.turn(address_group(request.remote or ""))
        transport: object = request.transport
        if not isinstance(transport, PacedTransport):
            return web.Response(status=400)  # The client has disconnected.
        if is_compressed(request):
            refused = web.Response(status=415, text="Send it without Content-Encoding.\n")
            refused.force_close()
            return refused
        headers = request.headers.copy()
        headers.popall(EXTENSIONS, None)
        self._waiting[transport] = asyncio.get_running_loop().call_later(CONNECT_SECONDS, transport.abort)
        try:
            response = await handler(request.clone(headers=headers))
        except Exception as error:
            # The library raises on odd requests; with a traceback for each a stranger could fill the log.
            log.debug("an odd request at the port for callers", exc_info=error)
            response = web.Response(status=400)
        finally:
            if (late := self._waiting.pop(transport, None)) is not None:
                late.cancel()
            transport.is_identified = False
        # Requests one after the other would hold a connection for ever.
        response.force_close()
        return response

    async def _connect(self, listener: str, environ: dict[str, Any], auth: object = None) -> bool:
        transport = _transport(environ)
        late = None if transport is None else self._waiting.get(transport)
        if transport is None or late is None:
            return False  # It has a listener already, or is gone.
        if len(self._listeners) >= LISTENERS or not self._is_allowed(environ, auth):
            self._say_refused(environ)
            await asyncio.sleep(REFUSED_SECONDS)
            return False
        late.cancel()
        del self._waiting[transport]
        transport.is_identified = True
        now = self._clock()
        self._listeners[listener] = _Listener(transport, _Allowance(now), _Allowance(now))
        return True

    async def _disconnect(self, listener: str, *_reason: object) -> None:
        if (found := self._listeners.pop(listener, None)) is not None:
            # Without a listener nothing bounds the time of a connection.
            found.transport.abort()

    async def _message(self, listener: str, message: object = None, *_more: object) -> None:
        if (found := self._listeners.get(listener)) is None:
            return
        if isinstance(message, str) and message.startswith("hello"):
            if found.greetings.take(self._clock()):
                await self._server.emit("message", self._welcome, to=listener)
        elif found.commands.take(self._clock()):
            await self._heard(message)

    def _is_allowed(self, environ: dict[str, Any], auth: object) -> bool:
        # The library refuses a page whose Origin is not the Host; its name may still resolve to this machine.
        if is_name_of_internet(host_in(str(environ.get("HTTP_HOST", "")))):
            return False
        if is_this_machine(self._host) or plain_address(_address(environ)) in self._settings.sources:
            return True
        given = auth.get("token") if isinstance(auth, dict) else None
        given = given or next(iter(parse_qs(str(environ.get("QUERY_STRING", ""))).get("token", [])), None)
        wanted = self._settings.token
        return (
            isinstance(given, str)
            and wanted is not None
            and hmac.compare_digest(given.encode("utf-8", "surrogatepass"), wanted.encode())
        )

    def _say_refused(self, environ: dict[str, Any]) -> None:
        now = self._clock()
        if now >= self._silent_until:
            self._silent_until = now + SAID_SECONDS
            log.warning("a listener from %s is refused", foreign_line(_address(environ)))


def _transport(environ: dict[str, Any]) -> PacedTransport | None:
    request = environ.get("aiohttp.request")
    transport: object = request.transport if isinstance(request, web.Request) else None
    return transport if isinstance(transport, PacedTransport) else None


def _address(environ: dict[str, Any]) -> str:
    request = environ.get("aiohttp.request")
    remote = request.remote if isinstance(request, web.Request) else None
    return str(remote or environ.get("REMOTE_ADDR", ""))
