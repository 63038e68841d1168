"""`oche learn` in the browser: the page shows the lesson of the terminal, and its buttons say what is typed there."""

import contextlib
from collections.abc import AsyncIterator

from aiohttp import web

from daemon.cli.learn import Teacher
from daemon.pages.local_page import HOST, local_pages


@contextlib.asynccontextmanager
async def served(teacher: Teacher, port: int) -> AsyncIterator[None]:
    """Serves the page until the end of the block."""

    async def lesson(_request: web.Request) -> web.Response:
        return web.json_response(teacher.shown())

    async def told(request: web.Request) -> web.Response:
        teacher.told(request.match_info["what"])
        return web.json_response(teacher.shown())

    routes = (web.get("/lesson.json", lesson), web.post("/lesson/{what:skip|undo}", told))
    async with local_pages(port, "learn", routes):
        print(f"The same in the browser: http://{HOST}:{port}/learn", flush=True)
        yield
