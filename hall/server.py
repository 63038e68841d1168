"""Serves one hall: the interface to nodes and the pages, on a socket that several processes may share."""

import asyncio
import contextlib
import resource
import signal
import socket
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import asyncpg
from aiohttp import web

from engine import jsontext
from hall.database import AWAY, epoch, pool
from hall.ingest import AWAY_REFUSAL, Ingest
from hall.pages.answers import Pages
from league.hall_refusals import HTTP_STATUS

KEEPALIVE_SECONDS: Final = 75.0
STOP_SECONDS: Final = 5.0
"""How long requests that have begun may take at the end."""
BACKLOG: Final = 1024


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The certificate with its chain, and its key."""

    certificate: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        """What encrypts the connections. OSError or ssl.SSLError if the files cannot be used."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate, self.key)
        return context


def allow_connections() -> None:
    """Lets this process, and those that it starts, have as many connections as the system permits: often the limit is
    1,024, and each node has one or more."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):  # A service that may not (ValueError), has a limit of its own.
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections. OSError if the address cannot be used.

    Of a name with several addresses, as `localhost` often has, it is the first of IPv4: every client tries that one.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    family, kind, protocol, _, address = next((one for one in found if one[0] == socket.AF_INET), found[0])
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    return made


def application(ingest: Ingest, connections: Any, readers: Any) -> web.Application:
    """The web application of a process. `readers`: the connections of the pages, which anyone can ask for."""
    app = web.Application()
    app.add_routes(ingest.routes())

    async def status(_request: web.Request) -> web.Response:
        """For load balancers: 200 while the database can be reached."""
        try:
            async with connections.acquire() as db:
                about = {"epoch": await epoch(db)}
        except (*AWAY, asyncpg.PostgresError):
            code = HTTP_STATUS[AWAY_REFUSAL.reason]
            return web.json_response(AWAY_REFUSAL.to_json(), status=code, dumps=jsontext.dump)
        return web.json_response(about, dumps=jsontext.dump)

    app.add_routes([web.get("/v1/status", status), *Pages(readers).routes()])
    return app


@contextlib.asynccontextmanager
async def serving(url: str, listener: socket.socket, tls: TlsFiles | None = None) -> AsyncIterator[None]:
    """Serves while the block runs; then ends the requests that have begun."""
    # Pages have connections of their own, so that however many look, what nodes send is taken.
    async with pool(url) as connections, pool(url) as readers:
        ingest = Ingest(connections)
        async with ingest.running():
            runner = web.AppRunner(
                application(ingest, connections, readers),
                access_log=None,
                keepalive_timeout=KEEPALIVE_SECONDS,
                shutdown_timeout=STOP_SECONDS,
                # Nodes send none compressed, and unpacking those of strangers would hold up the loop.
                auto_decompress=False,
            )
            await runner.setup()
            try:
                context = None if tls is None else tls.context()
                await web.SockSite(runner, listener, ssl_context=context, backlog=BACKLOG).start()
                yield
            finally:
                await runner.cleanup()


def stop_event() -> asyncio.Event:
    """An event that SIGTERM or SIGINT sets. Made before a port is open: who sees the port may end the process."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop
