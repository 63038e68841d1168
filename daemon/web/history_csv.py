"""The history as CSV files: `/history.csv`, `/players.csv` and `/players/<name>.csv`."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from aiohttp import web

from daemon.history import tables
from daemon.history.archive import Archive
from daemon.record.match_list import Filter
from daemon.web.history_query import filter_in
from daemon.web.pages import HEADERS
from engine.refusals import Refusal

AT_ONCE: Final = 2000
"""How many matches are read and sent together: other requests wait as long, and so much is in memory."""


class HistoryCsv:
    """Handlers of the files. `refused` makes the answer to a refusal, `counting` to one because matches are counted."""

    def __init__(
        self,
        archive: Archive,
        query: Any,
        refused: Callable[[int, Refusal], web.Response],
        counting: Callable[[Refusal], web.Response],
        nobody: Callable[[str], web.Response],
    ) -> None:
        self._archive, self._query = archive, query
        self._refused, self._counting, self._nobody = refused, counting, nobody

    async def history(self, request: web.Request) -> web.StreamResponse:
        """Every match that passes the filters, the newest first."""
        which = filter_in(request.query)
        if isinstance(which, Refusal):
            return self._refused(400, which)
        missing = await self._query(self._archive.is_counted)
        if missing is not None:
            return self._counting(missing)
        # `guard` adds no headers to a response that is sent in pieces: it has begun before its handler returns.
        response = web.StreamResponse(headers=HEADERS | _headers("history"))
        response.content_type, response.charset = "text/csv", "utf-8"
        await response.prepare(request)
        await response.write(
            (tables.BYTE_ORDER_MARK + tables.text_of([tables.history_columns(self._archive.games)])).encode()
        )
        before: str | None = None
        while True:
            text, before = await self._query(lambda before=before: self._some(which, before))
            await response.write(text.encode())
            if before is None:
                break
        await response.write_eof()
        return response

    def _some(self, which: Filter, before: str | None) -> tuple[str, str | None]:
        """The next lines, and the id of their last match if there may be more."""
        found = self._archive.results(which, before, AT_ONCE)
        return tables.text_of(tables.history_rows(found, self._archive.games)), found[-1][0]["id"] if len(
            found
        ) == AT_ONCE else None

    async def players(self, _request: web.Request) -> web.Response:
        """The figures of each player."""
        found, games = await self._query(self._archive.players), self._archive.games
        if isinstance(found, Refusal):
            return self._counting(found)
        return _file("players", tables.players_columns(games), tables.players_rows(found, games))

    async def player(self, request: web.Request) -> web.Response:
        """All figures of one player."""
        name = request.match_info["name"]
        found = await self._query(lambda: self._archive.player(name))
        if isinstance(found, Refusal):
            return self._counting(found)
        if found is None:
            return self._nobody(name)
        return _file("player", tables.PLAYER_COLUMNS, tables.player_rows(found, self._archive.games))


def _file(name: str, columns: tables.Row, rows: Iterable[tables.Row]) -> web.Response:
    text = tables.BYTE_ORDER_MARK + tables.text_of([columns, *rows])
    return web.Response(text=text, content_type="text/csv", headers=_headers(name))


def _headers(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}.csv"'}
