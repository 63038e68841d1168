"""The history over HTTP. `docs/history.md` describes the addresses, `docs/schemas/` what they answer."""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from aiohttp import web

from daemon.history.archive import Archive, BadLine
from daemon.record.journal import Journal
from daemon.record.journal_file import JournalError
from engine import jsontext
from engine.refusals import Refusal

MOST_BYTES: Final = 8 * 1024 * 1024
"""The longest match file that is taken."""
ID: Final = r"{id:[0-9a-z-]{1,64}}"

T = TypeVar("T")


def routes(
    archive: Archive, journal: Journal, at_work: Callable[[], Collection[str]], count: Callable[[], None]
) -> list[web.RouteDef]:
    """The addresses below `/history` and `/players`; those of the pages are not among them.

    `at_work` says which boards have their match in hand: it must be stopped before anybody in it is forgotten. `count`
    begins to count matches in a process of its own.
    """
    desk = _Desk(archive, journal, at_work, count)
    return [
        web.get("/history.json", desk.matches),
        web.post("/history", desk.bring_in),
        web.get(f"/history/{ID}.json", desk.match),
        web.get(f"/history/{ID}.jsonl", desk.export),
        web.get(f"/history/{ID}/{{at:[0-9]{{1,6}}}}.json", desk.state),
        web.get("/players.json", desk.players),
        web.get("/players/{name}.json", desk.player),
        web.delete("/players/{name}", desk.forget),
    ]


class _Desk:
    """Answers one question after the other in a thread of its own: the darts on the event loop do not wait for it."""

    def __init__(
        self, archive: Archive, journal: Journal, at_work: Callable[[], Collection[str]], count: Callable[[], None]
    ) -> None:
        self._archive, self._journal, self._at_work, self._count = archive, journal, at_work, count
        self._thread = ThreadPoolExecutor(1, "archive")
        self._changing = asyncio.Lock()
        self._changes: set[asyncio.Task[web.Response]] = set()

    async def matches(self, request: web.Request) -> web.Response:
        player, before = request.query.get("player"), request.query.get("before")
        return _answer(await self._ask(lambda: self._archive.matches(player, before)))

    async def match(self, request: web.Request) -> web.Response:
        match_id = request.match_info["id"]
        found = await self._ask(lambda: self._archive.match(match_id))
        return _no_match(match_id) if found is None else _answer(found)

    async def state(self, request: web.Request) -> web.Response:
        match_id, at = request.match_info["id"], int(request.match_info["at"])
        text = await self._ask(lambda: self._archive.state(match_id, at))
        return _no_match(match_id) if text is None else web.Response(text=text, content_type="application/json")

    async def export(self, request: web.Request) -> web.Response:
        match_id = request.match_info["id"]
        text = await self._ask(lambda: self._archive.export(match_id))
        if text is None:
            return _no_match(match_id)
        if isinstance(text, Refusal):
            return _refused(409 if text.reason == "damaged" else 403, text)
        saved = {"Content-Disposition": f'attachment; filename="{match_id}.jsonl"'}
        return web.Response(text=text, content_type="application/jsonl", headers=saved)

    async def players(self, _request: web.Request) -> web.Response:
        found = await self._ask(self._archive.players)
        return self._still_counting(found) if isinstance(found, Refusal) else _answer(found)

    async def player(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        found = await self._ask(lambda: self._archive.player(name))
        if isinstance(found, Refusal):
            return self._still_counting(found)
        return _nobody(name) if found is None else _answer(found)

    def _still_counting(self, refusal: Refusal) -> web.Response:
        self._count()
        answer = _refused(503, refusal)
        answer.headers["Retry-After"] = "10"
        return answer

    async def bring_in(self, request: web.Request) -> web.Response:
        """A match file in, its id out; one that is here already is not taken twice."""
        file = b""
        async for piece in request.content.iter_chunked(64 * 1024):
            file += piece
            if len(file) > MOST_BYTES:
                return _refused(413, Refusal("too_large", "A match file has 8 MiB at most."))
        return await self._to_its_end(self._bring_in(file))

    async def _bring_in(self, file: bytes) -> web.Response:
        async with self._changing:
            read = await self._ask(lambda: self._archive.read(file))
            if isinstance(read, BadLine):
                return _refused(422, read.refusal, line=read.line)
            known = await self._ask(lambda: self._archive.same(read))
            if known is not None:
                return _answer({"ok": True, "id": known, "new": False})
            try:
                await self._journal.write(read)
            except JournalError as error:
                return _refused(507, Refusal("disk", str(error)))
        return _answer({"ok": True, "id": read.match.id, "new": True})

    async def forget(self, request: web.Request) -> web.Response:
        return await self._to_its_end(self._forget(request.match_info["name"], frozenset(self._at_work())))

    async def _forget(self, name: str, at_work: frozenset[str]) -> web.Response:
        async with self._changing:
            changes = await self._ask(lambda: self._archive.without(name, at_work))
            if isinstance(changes, Refusal):
                return _refused(409, changes)
            if not changes:
                return _nobody(name)
            try:
                await self._journal.write(*changes)
            except JournalError as error:
                return _refused(507, Refusal("disk", str(error)))
            await self._ask(self._archive.refresh)
            await self._ask(self._archive.tidy)
        return _answer({"ok": True, "matches": len(changes)})

    async def _to_its_end(self, change: Coroutine[Any, Any, web.Response]) -> web.Response:
        """A change that was begun is made, also where it takes longer than whoever asked may wait."""
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

    async def _ask(self, question: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, question)


def _answer(value: Any) -> web.Response:
    return web.Response(text=jsontext.dump(value), content_type="application/json")


def _refused(status: int, refusal: Refusal, **more: Any) -> web.Response:
    said = {"ok": False, "reason": refusal.reason, "message": refusal.message} | more
    return web.Response(status=status, text=jsontext.dump(said), content_type="application/json")


def _no_match(match_id: str) -> web.Response:
    return _refused(404, Refusal("no_match", f"There is no match {match_id}, or no such moment in it."))


def _nobody(name: str) -> web.Response:
    return _refused(404, Refusal("bad_players", f"Nobody called {name} has played here."))
