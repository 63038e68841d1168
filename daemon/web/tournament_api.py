"""The tournament over HTTP: `/tournament.json`, `/tournament.csv`, and the sign-up by phone, `/tournament/enter`."""

from typing import Final

from aiohttp import web

from daemon.network.bodies import expect_later, read_json
from daemon.people.access import user_of
from daemon.tournament.csv_text import results_csv
from daemon.tournament.director import Director
from daemon.web.auth import Authenticator, refuse
from engine.refusals import Refusal

NONE: Final = Refusal("no_match", "There is no tournament.")
STATUS: Final = {"not_allowed": 409, "stale_revision": 409, "no_match": 404, "disk": 507}
"""The status of a refusal by its reason; 422 for all others."""


class TournamentApi:
    """Everybody with a role looks; a referee commands; a player enters and withdraws under their own name alone."""

    def __init__(self, auth: Authenticator, director: Director) -> None:
        self._auth, self._director = auth, director

    def routes(self) -> list[web.RouteDef]:
        """The routes; `guard` admits only referees to `command`, and `enter` checks the rights itself."""
        return [
            web.get("/tournament.json", self.state),
            web.get("/tournament.csv", self.results),
            web.post("/tournament.json", self.command, expect_handler=expect_later),
            web.post("/tournament/enter", self.enter, expect_handler=expect_later),
        ]

    async def state(self, _request: web.Request) -> web.StreamResponse:
        """The state as it is on the bus; waits at a start until it is read."""
        await self._director.loaded.wait()
        found = self._director.state()
        return refuse(NONE, 404) if found is None else web.json_response(found)

    async def results(self, _request: web.Request) -> web.StreamResponse:
        """The matches as a table for a spreadsheet."""
        await self._director.loaded.wait()
        if (found := self._director.state()) is None:
            return refuse(NONE, 404)
        headers = {"Content-Disposition": 'attachment; filename="tournament.csv"'}
        return web.Response(text=results_csv(found), content_type="text/csv", charset="utf-8", headers=headers)

    async def command(self, request: web.Request) -> web.StreamResponse:
        """Carries out a command of a referee."""
        value = await read_json(request)
        return refuse(value, 400) if isinstance(value, Refusal) else await self._do(value)

    async def enter(self, request: web.Request) -> web.StreamResponse:
        """A player signs up, `{"enter": NAME}`, or leaves, `{"withdraw": NAME}`."""
        role, user = await self._auth.role(request), await self._auth.user(request)
        if role not in ("player", "referee"):
            return refuse(Refusal("not_allowed", "Log in as a player."), 401)
        match await read_json(request):
            case {"enter": str() as name, **rest} if not rest:
                command: dict[str, object] = {"enter": {"name": name}}
            case {"withdraw": str() as name, **rest} if not rest:
                command = {"withdraw": name}
            case _:
                return refuse(Refusal("bad_value", 'Send {"enter": "Ann"} or {"withdraw": "Ann"}.'), 400)
        if role == "player" and (user is None or user_of(name) != user.name):
            return refuse(Refusal("not_allowed", "You can enter and withdraw under your own name only."))
        if role == "player" and "enter" in command and (other := self._entered_as(user_of(name))) is not None:
            return refuse(Refusal("bad_players", f"You have entered already, as {other}."), 422)
        return await self._do(command)

    def _entered_as(self, user: str) -> str | None:
        """The name under which a user takes part: `Ann` and `ann` are one person."""
        tournament = self._director.tournament
        players = [player for entrant in tournament.entrants for player in entrant.players] if tournament else []
        return next((player for player in players if user_of(player) == user), None)

    async def _do(self, command: object) -> web.StreamResponse:
        done = await self._director.command(command)
        if isinstance(done, Refusal):
            return refuse(done, STATUS.get(done.reason, 422))
        return web.json_response({"ok": True, "revision": done})
