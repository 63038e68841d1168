"""`oche learn` in the browser: the page shows the same lesson, and its buttons stand for what is typed."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any, Protocol

from aiohttp import web

from daemon.web.pages import HOST, local_pages


class Lesson(Protocol):
    """What the page needs of a lesson: `Teacher` without its imports."""

    def to_json(self) -> dict[str, Any]:
        """Returns the lesson as the page draws it."""
        ...

    def handle_input(self, text: str) -> None:
        """Takes `skip` or `undo`."""
        ...


@contextlib.asynccontextmanager
async def served(teacher: Lesson, port: int) -> AsyncIterator[None]:
    """Serves the page during the block."""

    async def lesson(_request: web.Request) -> web.Response:
        return web.json_response(teacher.to_json())

    async def answer(request: web.Request) -> web.Response:
        teacher.handle_input(request.match_info["what"])
        return web.json_response(teacher.to_json())

    routes = (web.get("/lesson.json", lesson), web.post("/lesson/{what:skip|undo}", answer))
    async with local_pages(port, "learn", routes):
        print(f"The same in the browser: http://{HOST}:{port}/learn", flush=True)
        yield
