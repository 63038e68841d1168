"""The pages without a daemon: a command shows one of them in the browser of this machine, while it runs."""

import contextlib
from collections.abc import AsyncIterator, Iterable
from typing import Final

from aiohttp import web

from daemon.web.auth import Authenticator, guard
from daemon.web.geometry_api import geometry
from daemon.web.server import HEADERS, page

HOST: Final = "127.0.0.1"


@contextlib.asynccontextmanager
async def local_pages(port: int, node: str, routes: Iterable[web.RouteDef]) -> AsyncIterator[None]:
    """Serves the pages and `routes` at this machine alone, until the end of the block. OSError: the port is taken."""

    async def board(_request: web.Request) -> web.Response:
        return web.json_response(geometry() | {"node": node})

    app = web.Application(middlewares=[guard(Authenticator(HOST, None, None), frozenset({page}), HEADERS)])
    app.router.add_get("/geometry.json", board)
    app.router.add_routes(routes)
    app.router.add_get("/{path:.*}", page)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2, auto_decompress=False)
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, port).start()
        yield
    finally:
        await runner.cleanup()
