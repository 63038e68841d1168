"""Serves the files of the pages: with the daemon, with a command alone, and while another daemon has the node name."""

import asyncio
import contextlib
import html
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any, Final

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter

from daemon.network.paced_protocol import BODY_PIECE, PacedTransport
from daemon.web.auth import Authenticator, Handler, guard
from daemon.web.geometry_api import geometry
from daemon.web.not_found import not_found_page
from daemon.web.page_paths import page_paths

PAGES: Final = Path(__file__).parents[2] / "web" / "dist"
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
HOST: Final = "127.0.0.1"
"""The address of `local_pages`."""
REFRESH_SECONDS: Final = 3
CONFLICT_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="{seconds}">
<title>oche: this name is taken</title>
<style>body {{ font: 1.5rem/1.5 system-ui, sans-serif; max-width: 40em; margin: 15vh auto; padding: 0 1em }}</style>
<p role="alert">{message}</p>
"""


def headers(frame_ancestors: Sequence[str]) -> dict[str, str]:
    """The headers of every response; the pages of these sites may embed ours."""
    policy = "Content-Security-Policy"
    return HEADERS | {policy: " ".join([HEADERS[policy], *frame_ancestors])}


class PageFile(web.FileResponse):
    """A file that is written in pieces, each in a turn of its client: who downloads without end delays no dart.

    `loop.sendfile` knows no turns, bypasses the paced transport, and raises if the client has just left. aiohttp has no
    switch for one response, only an environment variable that is read when it is imported; a test pins the private
    method.
    """

    async def _sendfile(self, request: Any, fobj: IO[Any], offset: int, count: int) -> AbstractStreamWriter:
        writer = await web.StreamResponse.prepare(self, request)
        assert writer is not None  # only a response that was sent before has none
        transport: object = request.transport
        await asyncio.to_thread(fobj.seek, offset)
        while count > 0 and (piece := await asyncio.to_thread(fobj.read, min(count, BODY_PIECE))):
            if isinstance(transport, PacedTransport):
                await transport.turn()
            await writer.write(piece)
            count -= len(piece)
        await writer.drain()
        return writer


async def page(request: web.Request) -> web.StreamResponse:
    """A file of the pages; for the path of a page the page itself, which reads its own address; else 404."""
    if (file := _file(request.match_info["path"])) is not None:
        return PageFile(file)
    try:
        is_page = page_paths(PAGES).fullmatch(request.rel_url.raw_path) is not None
    except OSError:
        return web.Response(status=503, text="The pages are not built. Run scripts/setup, then start again.\n")
    if not is_page:
        text = not_found_page(request.headers.get("Accept-Language", ""))
        return web.Response(status=404, text=text, content_type="text/html", headers={"Vary": "Accept-Language"})
    return PageFile(PAGES / "index.html")


def unless_conflict(conflict: Callable[[], str | None], *handlers: Handler) -> Any:
    """A middleware that answers for `handlers` with status 503 while `conflict` returns a message.

    The pages would show the boards of the other daemon, whose topics are the same. All other handlers serve what this
    daemon has on its own disk.
    """

    @web.middleware
    async def answer(request: web.Request, handler: Handler) -> web.StreamResponse:
        message = conflict()
        if message is None or request.match_info.handler not in handlers:
            return await handler(request)
        again = {"Retry-After": str(REFRESH_SECONDS)}
        if "text/html" not in request.headers.get("Accept", ""):
            # A program, such as `oche doctor`.
            return web.Response(status=503, text=f"{message}\n", headers=again)
        text = CONFLICT_PAGE.format(seconds=REFRESH_SECONDS, message=html.escape(message, quote=False))
        return web.Response(status=503, text=text, content_type="text/html", headers=again)

    return answer


@contextlib.asynccontextmanager
async def local_pages(port: int, node: str, routes: Iterable[web.RouteDef]) -> AsyncIterator[None]:
    """Serves the pages and `routes` to this machine alone, until the end of the block. OSError: the port is taken."""

    async def board(_request: web.Request) -> web.Response:
        return web.json_response(geometry() | {"faces": {}, "node": node})

    app = web.Application(middlewares=[guard(Authenticator(HOST, None), frozenset({page}), HEADERS)])
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


def _file(path: str) -> Path | None:
    try:
        wanted = (PAGES / path).resolve()
        return wanted if wanted.is_relative_to(PAGES.resolve()) and wanted.is_file() else None
    except (OSError, ValueError):
        # No file can have this name.
        return None
