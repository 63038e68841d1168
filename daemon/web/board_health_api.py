"""`GET /board/NAME/health.json`: which beds of a board fail, worked out in the background until more is played there.

Only a referee reads it. The board must have a match in the record, or nothing is worked out.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from aiohttp import web

from daemon.history import board_health_files
from daemon.history.board_health_answer import ENOUGH_DARTS, MOST_MATCHES, VERSION
from daemon.history.player_matches import word_of
from daemon.record.match_list import Filter
from daemon.record.reader import History
from daemon.system.config import Settings
from daemon.web.auth import Authenticator, refuse
from daemon.web.work_queue import WorkQueue
from engine import jsontext
from engine.refusals import Refusal

REFEREE: Final = Refusal("not_allowed", "Only a referee may see which beds of a board fail.")


class BoardHealthApi:
    """Answers at once, with what is known, and has what is missing worked out."""

    def __init__(self, auth: Authenticator, settings: Settings, history: History) -> None:
        self._auth, self._data, self._history = auth, settings.data, history
        self._models: Mapping[str, str] = {spec.name: spec.model for spec in settings.boards}
        self._work = WorkQueue("daemon.history.board_health", "the health of a board", settings.data)

    def add_to(self, app: web.Application) -> None:
        """Adds the route, and ends the work with the application."""
        app.router.add_get("/board/{board:[a-z0-9-]{1,32}}/health.json", self._health)

        async def end(_: web.Application) -> None:
            await self._work.stop()

        app.on_cleanup.append(end)

    async def _health(self, request: web.Request) -> web.StreamResponse:
        if await self._auth.role(request) != "referee":
            return refuse(REFEREE, 401)
        board = request.match_info["board"]
        about, state = await asyncio.to_thread(self._known, board)
        if state:
            more = [self._models[board]] if board in self._models else []
            about = self._work.answer(board, state, about, VERSION, more)
        else:
            about = {"state": "few", "darts": 0, "needed": ENOUGH_DARTS}
        return web.Response(text=jsontext.dump(about), content_type="application/json")

    def _known(self, board: str) -> tuple[dict[str, Any], str]:
        played = word_of(self._history.listed(Filter(board=board), None, MOST_MATCHES, {}))
        # Another model has other lines.
        state = f"{played}-{self._models.get(board, '')}" if played else ""
        return board_health_files.read(self._data, board), state
