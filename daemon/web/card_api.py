"""HTTP handlers for the cards of players. All of them are for referees: a card takes a seat in a referee's form."""

import asyncio
import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from aiohttp import web

from daemon.network.bodies import expect_later, read_json
from daemon.people import cards
from daemon.web.auth import Authenticator, refuse
from daemon.web.people_api import MAX_NAME
from engine.refusals import Refusal

OF_LEAGUE = "oche-card-"
"""What a league's card begins with."""
NO_CARD = Refusal("not_allowed", "This card is not valid any more: make another one on the player's page.")


class CardApi:
    """Handlers of `/players/NAME/card` and `/card`."""

    def __init__(self, auth: Authenticator, data: Path) -> None:
        self._auth, self._data = auth, data
        self._changing = asyncio.Lock()

    def routes(self) -> list[web.RouteDef]:
        """The routes; `guard` admits only referees to those that are not GET."""
        return [
            web.get("/players/{name}/card", self._has),
            web.put("/players/{name}/card", self._make, expect_handler=expect_later),
            web.delete("/players/{name}/card", self._revoke),
            web.post("/card", self._whose, expect_handler=expect_later),
        ]

    async def _has(self, request: web.Request) -> web.StreamResponse:
        """Whether a player has a card, for a referee: `{"card": true}`, and `"league": true` with one of the league.

        Never the card: that of this node is not stored.
        """
        if await self._auth.role(request) != "referee":
            return refuse(Refusal("not_allowed", "Only a referee may see who has a card."))
        found = await asyncio.to_thread(cards.files_of, self._data, request.match_info["name"])
        of_league = [path for path in found if "id" in cards.about(path)]
        has = {"card": len(found) > len(of_league)}
        return web.json_response(has | ({"league": True} if of_league else {}))

    async def _make(self, request: web.Request) -> web.StreamResponse:
        """Makes a card in place of the one before: `{"card": "1.…"}`. It is told this once."""
        name = request.match_info["name"]
        if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
            return refuse(Refusal("bad_value", f"A name has 1 to {MAX_NAME} characters that can be printed."), 422)
        made = await self._changed(lambda: cards.make(self._data, name))
        return made if isinstance(made, web.Response) else web.json_response({"card": made})

    async def _revoke(self, request: web.Request) -> web.StreamResponse:
        stay = await self._changed(lambda: cards.revoke(self._data, request.match_info["name"]))
        if isinstance(stay, web.Response):
            return stay
        if stay:
            return refuse(Refusal("disk", f"The card cannot be removed: {', '.join(map(str, stay))}."), 507)
        return web.json_response({"ok": True})

    async def _whose(self, request: web.Request) -> web.StreamResponse:
        """Returns whose card it is: `{"card": "1.…"}` is answered with `{"player": "Ann"}`; 404 if it is not valid."""
        asked = await read_json(request)
        card = asked.get("card") if isinstance(asked, dict) else None
        if not isinstance(card, str):
            return refuse(Refusal("bad_value", 'Send {"card": "1.…"}.'), 400)
        if card.strip().startswith(OF_LEAGUE):
            return await self._of_league(card)
        player = await asyncio.to_thread(cards.player_of, self._data, card)
        return refuse(NO_CARD, 404) if player is None else web.json_response({"player": player})

    async def _of_league(self, text: str) -> web.StreamResponse:
        """Answers with the player of a league's card, who is the same person at all nodes from now on."""
        # Imported here: only a node in a hall needs the package that checks signatures.
        from daemon.shipping.league import take_card

        def take() -> str | Refusal:
            try:
                return take_card(self._data, text, datetime.now().astimezone().date())
            except sqlite3.Error as error:
                raise OSError(0, str(error)) from error

        player = await self._changed(take)
        return player if isinstance(player, web.Response) else web.json_response({"player": player})

    async def _changed(self, work: Callable[[], Any]) -> Any:
        """Changes cards, one after the other; a response if the disk does not take it."""
        async with self._changing:
            try:
                done = await asyncio.to_thread(work)
            except OSError as error:
                return refuse(Refusal("disk", f"The card cannot be kept: {error.strerror}."), 507)
        return refuse(done, 422) if isinstance(done, Refusal) else done
