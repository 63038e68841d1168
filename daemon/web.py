"""The web server: the pages, a few facts for them, and the way through to the broker.

A display needs one port: `/mqtt` passes a WebSocket's bytes to whichever
broker is in use and back, untouched, so displays and programs in a browser
meet the same broker, with the same rights, as everyone else.
"""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientSession, WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.log import server_logger

from daemon import archive_web, drawn
from daemon.archive import Archive
from daemon.broker import Doors
from daemon.config import Settings
from daemon.connection import lets_in_strangers
from daemon.door import Door, Handler, guard, refuse
from daemon.journal import Journal
from daemon.mosquitto import Tls
from daemon.urls import BrokerUrl
from engine.faces import Faces
from engine.matchfile import Games
from engine.options import MATCH_OPTIONS, Option
from engine.refusals import Refusal

log = logging.getLogger(__name__)

PAGES: Final = Path(__file__).parent.parent / "web" / "dist"
MQTT: Final = "mqtt"
PIECE: Final = 64 * 1024
MOST_CONNECTIONS: Final = 400
"""Each may take a second file, for its way to the broker, of the 1,024 that a process has; boards need theirs."""
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


@contextlib.asynccontextmanager
async def serve(
    settings: Settings, doors: Doors, door: Door, games: Games, faces: Faces, journal: Journal
) -> AsyncIterator[None]:
    """Serves until the end of the block. OSError where the address is taken."""
    about = drawn.geometry() | {"faces": drawn.faces(faces), "node": settings.node}
    free = {
        "/mqtt": _through(doors, door),
        "/geometry.json": _fact(lambda: about),
        "/games.json": _fact(lambda: describe(games)),
        "/pairing.json": door.codes,
        "/{path:.*}": page,
    }
    app = web.Application(middlewares=[guard(door, frozenset((*free.values(), door.pair)), HEADERS)])
    app.router.add_routes(archive_web.routes(Archive(journal, games, faces), journal))
    app.router.add_post("/pair", door.pair)
    for path, handler in free.items():
        app.router.add_get(path, handler)
    server_logger.addFilter(_is_ours)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    server = runner.server
    assert server is not None  # it was set up
    try:
        listener = await asyncio.get_running_loop().create_server(
            lambda: server() if len(server.connections) < MOST_CONNECTIONS else _Crowded(),
            settings.host,
            settings.port,
            ssl=None if settings.tls is None else _encrypted(settings.tls),
            backlog=128,
            reuse_address=True,
        )
        try:
            yield
        finally:
            listener.close()
    finally:
        await runner.cleanup()


def _encrypted(tls: Tls) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tls.certificate, tls.key)
    return context


def describe(games: Games) -> list[dict[str, Any]]:
    """Every game with its players and options, enough to make a form of."""
    return [
        {
            "name": game.name,
            "title": game.title,
            "players": [game.seats.start, game.seats.stop - 1],
            "options": [_option(option) for option in game.options + MATCH_OPTIONS],
        }
        for game in games.values()
    ]


def _option(option: Option) -> dict[str, Any]:
    about = {"name": option.name, "help": option.help, "schema": option.kind.schema()}
    return about if option.default is None else about | {"default": option.default}


def _fact(make: Callable[[], Any]) -> Handler:
    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.json_response(make())

    return answer


async def page(request: web.Request) -> web.StreamResponse:
    """A file of the pages, or the page itself: it looks at its own address to know what to show."""
    file = _asked_for(request.match_info["path"]) or PAGES / "index.html"
    if not file.is_file():
        return web.Response(status=503, text="The pages are not built. Run scripts/setup, then start again.\n")
    return web.FileResponse(file)


def _is_ours(record: logging.LogRecord) -> bool:
    """False for what the other side did wrong: it is told so with a status, and the log is no place to fill."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError | ConnectionError)


def _asked_for(path: str) -> Path | None:
    try:
        wanted = (PAGES / path).resolve()
        return wanted if wanted.is_relative_to(PAGES.resolve()) and wanted.is_file() else None
    except (OSError, ValueError):
        # No file can be called like this.
        return None


class _Crowded(asyncio.Protocol):
    """One connection too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


def _through(doors: Doors, door: Door) -> Handler:
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
        try:
            await display.prepare(request)
        except ConnectionError:
            return web.Response(status=400)  # It left while we answered.
        try:
            if broker.scheme in ("ws", "wss"):
                await _join_websocket(display, broker)
            else:
                await _join_stream(display, broker)
        except OSError as error:
            log.info("a display and the broker did not come together: %s", error)
        finally:
            await display.close()
        return display

    return answer


async def _is_open(broker: BrokerUrl) -> bool:
    """Whether an outside broker would give strangers the run of the house; one that cannot be asked might."""
    try:
        return await lets_in_strangers(broker)
    except OSError:
        return True


async def _join_stream(display: web.WebSocketResponse, broker: BrokerUrl) -> None:
    if broker.scheme == "unix":
        reader, writer = await asyncio.open_unix_connection(broker.path)
    else:
        tls = ssl.create_default_context() if broker.scheme == "mqtts" else None
        reader, writer = await asyncio.open_connection(broker.host, broker.port, ssl=tls)

    async def down() -> None:
        while data := await reader.read(PIECE):
            await display.send_bytes(data)

    async def up() -> None:
        async for message in display:
            if message.type is not WSMsgType.BINARY:
                return
            writer.write(message.data)
            await writer.drain()

    try:
        await _until_one_ends(down(), up())
    finally:
        writer.close()


async def _join_websocket(display: web.WebSocketResponse, broker: BrokerUrl) -> None:
    url = f"{broker.scheme}://{broker.host}:{broker.port}{broker.path or '/mqtt'}"
    async with ClientSession() as session, session.ws_connect(url, protocols=(MQTT,), max_msg_size=4 * PIECE) as far:

        async def down() -> None:
            async for message in far:
                if message.type is WSMsgType.BINARY:
                    await display.send_bytes(message.data)

        async def up() -> None:
            async for message in display:
                if message.type is WSMsgType.BINARY:
                    await far.send_bytes(message.data)

        await _until_one_ends(down(), up())


async def _until_one_ends(*ways: Any) -> None:
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
