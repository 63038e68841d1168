"""The port for programs that listen to darts-caller: a Socket.IO server, 8079 unless it is configured otherwise.

On this machine's own address it takes every program of the machine. Opened to the network it takes those that send the
token (`?token=` of the address, or `token` of Socket.IO's `auth`), and those from an address that the owner listed, for
the existing programs cannot send one. A browser's page of another site is refused in both cases.
"""

import hmac
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import parse_qs

import socketio
from aiohttp import web

from daemon.network.requests import host_in, is_name_of_internet
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
"""Commands that a listener may send at once; afterwards one a second."""

Heard = Callable[[object], Awaitable[None]]


class Door:
    """The listeners of one board."""

    def __init__(self, settings: CallerDoor, heard: Heard, clock: Callable[[], float]) -> None:
        """`heard` gets what a listener sends; `clock` has seconds."""
        self._settings, self._heard, self._clock = settings, heard, clock
        self._host, self._port = http_address(settings.address)
        self._listeners: dict[str, tuple[float, float]] = {}
        """By their id: commands that each may send, and when that was counted."""
        self._server = socketio.AsyncServer(
            async_mode="aiohttp",
            transports=["websocket"],
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
            max_http_buffer_size=LARGEST,
            http_compression=False,
            logger=False,
            engineio_logger=False,
        )
        self._server.on("connect", self._connect)
        self._server.on("disconnect", self._disconnect)
        self._server.on("message", self._message)
        self._welcome: Message = {"event": "welcome", "callersAvailable": [], "callersFavoured": [], "caller": "oche"}

    async def open(self) -> web.AppRunner:
        """Listens; the caller closes what is returned. OSError if the address cannot be used."""
        app = web.Application()
        self._server.attach(app)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self._port).start()
        except OSError:
            await runner.cleanup()
            raise
        return runner

    async def tell(self, message: Message) -> None:
        """Sends a message to every listener; does not wait for them."""
        await self._server.emit("message", message)

    async def _connect(self, listener: str, environ: dict[str, Any], auth: object = None) -> bool:
        if len(self._listeners) >= LISTENERS or not self._is_allowed(environ, auth):
            log.warning("a listener from %s is refused", foreign_line(_address(environ)))
            return False
        self._listeners[listener] = BURST, self._clock()
        return True

    async def _disconnect(self, listener: str, *_reason: object) -> None:
        self._listeners.pop(listener, None)

    async def _message(self, listener: str, message: object = None, *_more: object) -> None:
        if isinstance(message, str) and message.startswith("hello"):
            await self._server.emit("message", self._welcome, to=listener)
        elif self._may_command(listener):
            await self._heard(message)

    def _may_command(self, listener: str) -> bool:
        left, since = self._listeners.get(listener, (0.0, 0.0))
        now = self._clock()
        left = min(float(BURST), left + now - since)
        if listener in self._listeners:
            self._listeners[listener] = max(0.0, left - 1), now
        return left >= 1

    def _is_allowed(self, environ: dict[str, Any], auth: object) -> bool:
        # The library refuses a page whose Origin is not the Host; its name may still resolve to this machine.
        if is_name_of_internet(host_in(str(environ.get("HTTP_HOST", "")))):
            return False
        if is_this_machine(self._host) or plain_address(_address(environ)) in self._settings.sources:
            return True
        given = auth.get("token") if isinstance(auth, dict) else None
        given = given or next(iter(parse_qs(str(environ.get("QUERY_STRING", ""))).get("token", [])), None)
        wanted = self._settings.token
        return isinstance(given, str) and wanted is not None and hmac.compare_digest(given.encode(), wanted.encode())


def _address(environ: dict[str, Any]) -> str:
    request = environ.get("aiohttp.request")
    remote = request.remote if isinstance(request, web.Request) else None
    return str(remote or environ.get("REMOTE_ADDR", ""))
