"""`oche learn` in the browser: the page shows the lesson of the terminal, and its buttons say what is typed there."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any, Protocol

from aiohttp import web

from daemon.web.pages import HOST, local_pages


class Lesson(Protocol):
    """What the page needs of a lesson."""

    def shown(self) -> dict[str, Any]:
        """The lesson as the page draws it."""
        ...

    def told(self, what: str) -> None:
        """Takes `skip` or `undo`, as it is typed in the terminal."""
        ...


@contextlib.asynccontextmanager
async def served(teacher: Lesson, port: int) -> AsyncIterator[None]:
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
