"""The HTTP API of the history. `docs/history.md` describes the addresses, `docs/schemas/` the responses."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from aiohttp import web

from daemon.history.archive import Archive
from daemon.history.forgetting import has_namesake, without_player
from daemon.history.leaders import period_of
from daemon.history.match_import import BadLine, read_match_file, same_match
from daemon.houses.invitations import Invitations
from daemon.network.bodies import expect_later, read_body
from daemon.people import cards, hand_files, player_files
from daemon.record.journal import Journal
from daemon.record.journal_file import JournalError
from daemon.shipping.forgetting import forgetting_at_hall
from daemon.shipping.membership import FILE as MEMBERSHIP
from daemon.tournament.director import Director
from daemon.web.hand_api import HandApi
from daemon.web.history_csv import HistoryCsv
from daemon.web.history_query import filter_in, limit_in
from engine import jsontext
from engine.refusals import Refusal

log = logging.getLogger(__name__)

HALL_SECONDS: Final = 5.0
"""How often it is looked whom the hall has forgotten."""
AGAIN_SECONDS: Final = 60.0
"""The same after somebody could not be forgotten: they play, or there is a fault."""
COUNTING_SECONDS: Final = 2
"""When to ask again for figures that are being counted, in whole seconds."""
MAX_BYTES: Final = 8 * 1024 * 1024
"""The largest match file that can be imported."""
ID: Final = r"{id:[0-9a-z-]{1,64}}"

T = TypeVar("T")


def routes(
    app: web.Application,
    archive: Archive,
    journal: Journal,
    boards_in_use: Callable[[], Collection[str]],
    start_count: Callable[[], None],
    hands: HandApi,
    tournament: Director,
    invitations: Invitations,
) -> list[web.RouteDef]:
    """The routes below `/history` and `/players`, without those of the pages. While `app` runs, players whom the hall
    has forgotten are forgotten here as well.

    `boards_in_use` returns the boards whose match may be running: it must be stopped before a player in it can be
    forgotten. `start_count` starts counting matches in a separate process; `hands`, `tournament` and
    `invitations` forget with the history.
    """
    api = _HistoryApi(archive, journal, boards_in_use, start_count, hands, tournament, invitations)
    files = HistoryCsv(archive, api.query, _refused, api.still_counting, _nobody)
    app.cleanup_ctx.append(api.forgetting_with_hall)
    return [
        web.get("/history.csv", files.history),
        web.get("/players.csv", files.players),
        web.get("/players/{name}.csv", files.player),
        web.get("/history.json", api.matches),
        # No match has this id: they begin with a date.
        web.get("/history/choices.json", api.choices),
        web.post("/history", api.import_match, expect_handler=expect_later),
        web.get(f"/history/{ID}.json", api.match),
        web.get(f"/history/{ID}.jsonl", api.export),
        web.get(f"/history/{ID}/{{at:[0-9]{{1,6}}}}.json", api.state),
        web.get("/players.json", api.players),
        web.get("/leaders.json", api.leaders),
        web.get("/players/{name}.json", api.player),
        web.delete("/players/{name}", api.forget),
    ]


class _HistoryApi:
    """Queries the archive in one thread, so that the event loop is free for darts."""

    def __init__(
        self,
        archive: Archive,
        journal: Journal,
        boards_in_use: Callable[[], Collection[str]],
        start_count: Callable[[], None],
        hands: HandApi,
        tournament: Director,
        invitations: Invitations,
    ) -> None:
        self._archive, self._journal = archive, journal
        self._boards_in_use, self._start_count, self._hands = boards_in_use, start_count, hands
        self._tournament, self._invitations = tournament, invitations
        self._thread = ThreadPoolExecutor(1, "archive")
        self._changing = asyncio.Lock()
        self._changes: set[asyncio.Task[web.Response]] = set()

    async def matches(self, request: web.Request) -> web.Response:
        which, limit, before = filter_in(request.query), limit_in(request.query), request.query.get("before")
        if isinstance(which, Refusal):
            return _refused(400, which)
        if isinstance(limit, Refusal):
            return _refused(400, limit)
        found, is_behind = await self._query_counted(lambda: self._archive.matches(which, before, limit))
        return self._counted(found, is_behind)

    async def choices(self, request: web.Request) -> web.Response:
        which = filter_in(request.query)
        if isinstance(which, Refusal):
            return _refused(400, which)
        return _answer(await self.query(lambda: self._archive.choices(which)))

    async def match(self, request: web.Request) -> web.Response:
        match_id = request.match_info["id"]
        found, is_behind = await self._query_counted(lambda: self._archive.match(match_id))
        return _no_match(match_id) if found is None else self._counted(found, is_behind)

    async def state(self, request: web.Request) -> web.Response:
        match_id, at = request.match_info["id"], int(request.match_info["at"])
        text = await self.query(lambda: self._archive.state(match_id, at))
        return _no_match(match_id) if text is None else web.Response(text=text, content_type="application/json")

    async def export(self, request: web.Request) -> web.Response:
        match_id = request.match_info["id"]
        text = await self.query(lambda: self._archive.export(match_id))
        if text is None:
            return _no_match(match_id)
        if isinstance(text, Refusal):
            return _refused(409 if text.reason == "damaged" else 403, text)
        saved = {"Content-Disposition": f'attachment; filename="{match_id}.jsonl"'}
        return web.Response(text=text, content_type="application/jsonl", headers=saved)

    async def players(self, _request: web.Request) -> web.Response:
        found, is_behind = await self._query_counted(self._archive.players)
        return self.still_counting(found) if isinstance(found, Refusal) else self._counted(found, is_behind)

    async def leaders(self, request: web.Request) -> web.Response:
        period = period_of(request.query.get("period") or "all", datetime.now().astimezone())
        if isinstance(period, Refusal):
            return _refused(400, period)
        found, is_behind = await self._query_counted(lambda: self._archive.leaders(period))
        return self.still_counting(found) if isinstance(found, Refusal) else self._counted(found, is_behind)

    async def player(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        found, is_behind = await self._query_counted(lambda: self._archive.player(name))
        if isinstance(found, Refusal):
            return self.still_counting(found)
        return _nobody(name) if found is None else self._counted(found, is_behind)

    async def _query_counted(self, query: Callable[[], T]) -> tuple[T, bool]:
        """Runs a query, and returns whether its answer lacks something; the next query changes what the archive says
        of it."""
        return await self.query(lambda: (query(), self._archive.is_behind))

    def _counted(self, found: object, is_behind: bool) -> web.Response:
        answer = _answer(found)
        if is_behind:
            self._start_count()
            answer.headers["Retry-After"] = str(COUNTING_SECONDS)
        return answer

    def still_counting(self, refusal: Refusal) -> web.Response:
        """The answer while matches are being counted; starts counting them."""
        self._start_count()
        answer = _refused(503, refusal)
        answer.headers["Retry-After"] = str(COUNTING_SECONDS)
        return answer

    async def import_match(self, request: web.Request) -> web.Response:
        """Imports a match file and returns its id; a duplicate gets the id of the match that is there."""
        file = await read_body(request, MAX_BYTES)
        if file is None:
            return _refused(413, Refusal("too_large", "A match file has at most 8 MiB."))
        return await self._to_end(self._import(bytes(file)))

    async def _import(self, file: bytes) -> web.Response:
        async with self._changing:
            read = await self.query(lambda: read_match_file(file, self._archive.games, self._archive.faces))
            if isinstance(read, BadLine):
                return _refused(422, read.refusal, line=read.line)
            known = await self.query(lambda: same_match(read, self._journal))
            if known is not None:
                return _answer({"ok": True, "id": known, "new": False})
            try:
                await self._journal.write(read)
            except JournalError as error:
                return _refused(507, Refusal("disk", str(error)))
        return _answer({"ok": True, "id": read.match.id, "new": True})

    async def forget(self, request: web.Request) -> web.Response:
        return await self._to_end(self._forget(request.match_info["name"], frozenset(self._boards_in_use())))

    async def _forget(self, name: str, in_use: frozenset[str]) -> web.Response:
        async with self._changing:
            archive = self._archive
            changes = await self.query(
                lambda: without_player(name, self._journal, archive.games, archive.faces, in_use)
            )
            if isinstance(changes, Refusal):
                return _refused(409, changes)
            data = self._journal.path.parent
            shared = await self.query(lambda: has_namesake(name, self._journal))
            # A namesake shares the files of a user name, and no hand.
            files = [] if shared else await self.query(lambda: player_files.files_of(data, name))
            # Before the journal: it refuses while a match is called, and then no match of this name can be called.
            played = await self._tournament.forget(name, in_use)
            if isinstance(played, Refusal):
                return _refused(409, played)
            found = changes or files or played.contents or played.stay or self._invitations.names(name)
            found = found or await self.query(lambda: cards.files_of(data, name))
            if not (found or await self.query(lambda: hand_files.files_of(data, name))):
                return _nobody(name)
            try:
                if changes:
                    with forgetting_at_hall(data, name):
                        await self._journal.write(*changes)
            except JournalError as error:
                return _refused(507, Refusal("disk", str(error)))
            # After the journal: a file that cannot be removed must not keep the name in every match.
            stay = [] if shared else await self.query(lambda: player_files.forget(data, name))
            stay += [*await self._hands.forget(name), *played.stay]
            try:
                self._invitations.forget(name)
            except OSError:
                stay.append(self._invitations.path)
            stay += await self.query(lambda: cards.revoke(data, name))
            await self.query(self._archive.refresh)
            await self.query(self._archive.tidy)
            if stay:
                return _refused(507, Refusal("disk", player_files.stays_of(stay, name)))
        return _answer({"ok": True, "matches": len(changes)})

    async def forgetting_with_hall(self, _app: web.Application) -> AsyncIterator[None]:
        """Forgets whom the hall has forgotten; a player in a running match when it is over."""
        task = asyncio.create_task(self._forget_with_hall(self._journal.path.parent))
        yield
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def _forget_with_hall(self, data: Path) -> None:
        logged, seconds = "", HALL_SECONDS
        while True:
            await asyncio.sleep(seconds)
            seconds = HALL_SECONDS
            if not (data / cards.FOLDER).exists() or not (data / MEMBERSHIP).exists():
                continue
            try:
                # Only a node in a hall has the package that this import needs.
                from daemon.shipping.league import to_forget

                for name in await self.query(lambda: to_forget(data)):
                    if (await self._forget(name, frozenset(self._boards_in_use()))).status != 200:
                        seconds = AGAIN_SECONDS
                logged = ""
            except Exception as error:
                # Whatever it is, it must not end this for good, nor fill the log.
                if (text := repr(error)) != logged:
                    log.exception("whom the hall has forgotten cannot be forgotten here")
                logged, seconds = text, AGAIN_SECONDS

    async def _to_end(self, change: Coroutine[Any, Any, web.Response]) -> web.Response:
        """Completes a change even if its request times out."""
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

    async def query(self, query: Callable[[], T]) -> T:
        """Runs a query in the archive's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, query)


def _answer(value: Any) -> web.Response:
    return web.Response(text=jsontext.dump(value), content_type="application/json")


def _refused(status: int, refusal: Refusal, **more: Any) -> web.Response:
    body = {"ok": False, "reason": refusal.reason, "message": refusal.message} | more
    return web.Response(status=status, text=jsontext.dump(body), content_type="application/json")


def _no_match(match_id: str) -> web.Response:
    return _refused(404, Refusal("no_match", f"There is no match {match_id}, or no such moment in it."))


def _nobody(name: str) -> web.Response:
    return _refused(404, Refusal("bad_players", f"No player named {name} has played here."))
