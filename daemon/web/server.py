"""The web server: the pages, a few facts for them, and the way through to the broker.

A display needs one port: `/mqtt` passes a WebSocket's bytes to whichever
broker is in use and back (`through.py`), so displays and programs in a browser
meet the same broker, with the same rights, as everyone else.
"""

import asyncio
import contextlib
import errno
import json
import logging
import ssl
from collections.abc import AsyncIterator, Callable, Collection
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.log import server_logger

from daemon.history.archive import Archive
from daemon.mqtt.broker import BrokerEndpoints
from daemon.people.users import Users
from daemon.record.journal import Journal
from daemon.system.config import Settings, Tls
from daemon.web import geometry_api, history_api
from daemon.web.auth import Authenticator, Handler, guard
from daemon.web.connection_limits import ConnectionLimits, household, listening
from daemon.web.mqtt_proxy import proxy
from daemon.web.name_taken import unless_waiting
from daemon.web.newcomers_api import newcomers
from daemon.web.program_port import program_port
from daemon.web.turns import Turns
from engine.faces import Faces
from engine.matchfile import Games
from engine.options import MATCH_OPTIONS, Option

log = logging.getLogger(__name__)

PAGES: Final = Path(__file__).parents[2] / "web" / "dist"
HEADERS_SECONDS = 15.0
"""Within these a request's headers have come, the first one's and the next one's."""
ANSWER_SECONDS = 30.0
"""Within these a request has said all that it has to say, and knows its answer."""
LINGER_SECONDS = 2.0
"""So long what is still sent is thrown away after an answer: ended at once, the answer could be lost with it."""
GONE: Final = (errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN)
"""How a connection ends besides being closed or reset: nobody at the other end took anything, or the way is cut."""
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


@contextlib.asynccontextmanager
async def serve(
    settings: Settings,
    doors: BrokerEndpoints,
    door: Authenticator,
    users: Users,
    games: Games,
    faces: Faces,
    journal: Journal,
    at_work: Callable[[], Collection[str]],
    stuck: Callable[[], None],
    count: Callable[[], None],
    waiting: Callable[[], str | None] = lambda: None,
) -> AsyncIterator[None]:
    """Serves until the end of the block. OSError where the address is taken.

    `at_work` says which boards there are now; `stuck` is called for each display that was put out because it did not
    read; `count` begins to count matches in the background. `waiting` says why this daemon shows nothing, while
    another one has its node name.
    """
    turns = Turns()
    free = {
        "/mqtt": (passing := proxy(doors, door, stuck, turns)),
        "/geometry.json": _fact(geometry_api.geometry() | {"faces": geometry_api.faces(faces), "node": settings.node}),
        "/games.json": _fact(describe(games)),
        "/pairing.json": door.codes,
        "/{path:.*}": page,
    }
    guarded = guard(door, frozenset((*free.values(), door.pair)), HEADERS)
    app = web.Application(middlewares=[_in_time(passing, turns), guarded, unless_waiting(waiting, passing, page)])
    app.router.add_routes(history_api.routes(Archive(journal, games, faces), journal, at_work, count))
    app.router.add_post("/pair", door.pair)
    app.router.add_post("/unconfirmed", newcomers(door, users))
    for path, handler in free.items():
        app.router.add_get(path, handler)
    server_logger.addFilter(_is_ours)
    runner = web.AppRunner(
        app,
        access_log=None,
        shutdown_timeout=0.2,
        keepalive_timeout=HEADERS_SECONDS,
        lingering_time=LINGER_SECONDS,
        auto_decompress=False,
    )
    await runner.setup()
    server = runner.server
    assert server is not None  # it was set up
    try:
        tls = None if settings.tls is None else _encrypted(settings.tls)
        crowd = ConnectionLimits(turns)
        async with (
            listening(server, settings.host, settings.port, tls, crowd),
            program_port(doors, door.passwords, stuck, tls, crowd),
        ):
            yield
    finally:
        await runner.cleanup()


def _in_time(passing: Handler, turns: Turns) -> Any:
    """Answers each request in its turn, and ends one that never comes to its end; the way to the broker has limits of
    its own."""

    @web.middleware
    async def hurry(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await turns.turn(household(request.remote or ""))
                if request.match_info.handler is not passing:
                    return await handler(request)
        except TimeoutError:
            late = web.Response(status=408, text="This took too long.\n")
            late.force_close()
            return late
        return await handler(request)

    return hurry


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
    about: dict[str, Any] = {"name": option.name, "help": option.help, "schema": option.kind.schema()}
    if option.presets:
        about["presets"] = [{"name": preset.name, "value": preset.value} for preset in option.presets]
    return about if option.default is None else about | {"default": option.default}


def _fact(value: Any) -> Handler:
    # Made once: who asks for it without end gets bytes that are there.
    body = json.dumps(value).encode()

    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.Response(body=body, content_type="application/json", charset="utf-8")

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
    gone = isinstance(error, ConnectionError) or (isinstance(error, OSError) and error.errno in GONE)
    return not gone and not isinstance(error, HttpProcessingError)


def _asked_for(path: str) -> Path | None:
    try:
        wanted = (PAGES / path).resolve()
        return wanted if wanted.is_relative_to(PAGES.resolve()) and wanted.is_file() else None
    except (OSError, ValueError):
        # No file can be called like this.
        return None
