"""`GET /players/NAME/hand.json`: a player's hand, worked out in the background and kept until they have thrown more."""

import asyncio
from pathlib import Path
from typing import Any

from aiohttp import web

from daemon.history.hand_answer import VERSION
from daemon.history.player_matches import state_of
from daemon.people import hand_files
from daemon.record.reader import History
from daemon.web.work_queue import WorkQueue
from engine import jsontext


class HandApi:
    """Answers at once, with what is known, and has what is missing worked out."""

    def __init__(self, data: Path, history: History) -> None:
        self._data, self._history = data, history
        self._work = WorkQueue("daemon.history.coach", "the hand of a player", data)

    def add_to(self, app: web.Application) -> None:
        """Adds the route, and ends the work with the application."""
        app.router.add_get("/players/{name}/hand.json", self._hand)

        async def end(_: web.Application) -> None:
            await self._work.stop()

        app.on_cleanup.append(end)

    async def forget(self, name: str) -> list[Path]:
        """Removes what is known of a player's hand. Returns the files that cannot be removed."""
        await self._work.stop(name)
        return await asyncio.to_thread(hand_files.forget, self._data, name)

    async def _hand(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        about, state = await asyncio.to_thread(self._known, name)
        about.pop("player", None)
        about.pop("legs", None)
        about = self._work.answer(name, state, about, VERSION) if state else {"state": "few", "darts": 0}
        return web.Response(text=jsontext.dump(about), content_type="application/json")

    def _known(self, name: str) -> tuple[dict[str, Any], str]:
        return hand_files.read(self._data, name) or {}, state_of(self._history, name)
