"""The HTTP answers of the pages. They read alone; who may read the league's own page shows a token."""

import asyncio
import logging
from base64 import b64decode
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from engine import jsontext
from hall import database, past
from hall.installed import faces, games
from hall.live_boards import Boards, BoardShown, LiveBoards
from hall.pages.look import LANGUAGE_COOKIE, ago, language_of, rendered, said
from hall.readers import may_read
from hall.told import Told, told
from league.digests import is_line, is_node_name, is_player_id
from league.nameless import seat_name

log = logging.getLogger(__name__)

BUILT: Final = Path(__file__).parents[2] / "web" / "dist"
"""The built pages of the daemon: the style sheet, the script and the typeface of the hall are among them."""
LOOKED_AFTER: Final = ("silent", "late", "never", "good", "revoked")
"""The states of nodes in the order of their page."""
TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
SILENT: Final = timedelta(minutes=15)
"""A node that has not been heard for so long has not answered."""
LANGUAGE_SECONDS: Final = 365 * 24 * 3600
AT_ONCE: Final = 4
"""How many pages a process makes from the database at the same time; others wait."""
SINCE: Final = {"all": None, "month": timedelta(days=30), "day": timedelta(days=1)}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Pages:
    """The pages of a hall, by a pool of connections."""

    def __init__(self, pool: Any) -> None:
        self._pool, self._live = pool, LiveBoards(pool)
        self._turns = asyncio.Semaphore(AT_ONCE)

    def routes(self) -> list[web.RouteDef]:
        """The routes of the pages."""
        by_path: dict[str, Handler] = {
            "/": self._boards,
            "/wall": self._wall,
            "/live": self._changes,
            "/matches": self._matches,
            "/matches/{node}/{match}": self._match,
            "/nodes/{node}": self._node,
            "/ladder": self._ladder,
            "/players/{player}": self._player,
            "/league": self._league,
            "/static/{name}": _static,
            "/{path:.*}": _missing,
        }
        return [web.get(path, self._safe(handler)) for path, handler in by_path.items()]

    def _safe(self, handle: Handler) -> Handler:
        """With the headers of every answer, and a page that says so while the database is away."""

        async def answer(request: web.Request) -> web.StreamResponse:
            try:
                response = await handle(request)
            except database.AWAY as error:
                log.warning("a page cannot be read from the database: %s", error or type(error).__name__)
                response = _html(request, "message.html", 503, page="", key="away")
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            return response

        return answer

    async def _boards(self, request: web.Request) -> web.Response:
        found = await self._live.boards()
        nodes = [(node, list(some)) for node, some in groupby(found.shown.values(), key=lambda board: board.node)]
        return _html(request, "boards.html", page="boards", nodes=nodes, count=len(found.shown), since=_mark(found))

    async def _wall(self, request: web.Request) -> web.Response:
        found = await self._live.boards()
        return _html(request, "wall.html", page="wall", boards=list(found.shown.values()), since=_mark(found))

    async def _changes(self, request: web.Request) -> web.Response:
        """What has changed on the boards since a version, as HTML by board; `again` if the list itself has changed."""
        found = await self._live.boards()
        epoch, _, version = request.query.get("since", "").partition("-")
        since = (
            int(version)
            if epoch == found.epoch and version.isascii() and version.isdigit() and len(version) < 16
            else None
        )
        about: dict[str, Any] = {"since": _mark(found)}
        if since is None or since < found.listed:
            return web.json_response(about | {"again": True})
        node, language = request.query.get("node"), language_of(request)
        changed = [
            board for key, board in found.shown.items() if found.versions[key] > since and node in (None, board.node)
        ]
        tiles = {f"{board.node}/{board.board}": _tile(board, language) for board in changed}
        response = web.json_response(about | {"boards": tiles}, dumps=jsontext.dump)
        response.enable_compression()
        return response

    async def _matches(self, request: web.Request) -> web.Response:
        async with self._turns, self._pool.acquire() as db:
            played = await past.latest(db)
        return _html(request, "matches.html", page="matches", played=played)

    async def _node(self, request: web.Request) -> web.StreamResponse:
        node = request.match_info["node"]
        if not is_node_name(node):
            return await _missing(request)
        async with self._turns, self._pool.acquire() as db:
            played = await past.of_node(db, node)
        if played is None:
            return await _missing(request)
        found = await self._live.boards()
        boards = [board for board in found.shown.values() if board.node == node]
        return _html(request, "node.html", page="node", node=node, played=played, boards=boards, since=_mark(found))

    async def _match(self, request: web.Request) -> web.StreamResponse:
        node, match = request.match_info["node"], request.match_info["match"]
        if not is_node_name(node) or not is_line(match, 64):
            return await _missing(request)
        async with self._turns:
            async with self._pool.acquire() as db:
                found = await past.match_file(db, node, match)
                names = await past.names_of(db, node, match)
            if found is None:
                return await _missing(request)
            story = await asyncio.to_thread(_told, found)
        players = {seat.seat: seat.player for seat in found.played.seats}
        seats = () if story is None else story.players
        return _html(
            request,
            "match.html",
            page="match",
            match=found.played,
            told=story,
            names={player.seat: names.get(player.seat, seat_name(player.seat)) for player in seats},
            players={player.seat: players.get(player.seat) for player in seats},
        )

    async def _ladder(self, request: web.Request) -> web.StreamResponse:
        game, when, by = (
            request.query.get(key, usual) for key, usual in (("game", ""), ("when", "all"), ("by", "points"))
        )
        if by not in ("points", "rating") or when not in SINCE or (game and not is_line(game, 64)):
            return await _missing(request)
        back = SINCE[when]
        since = "" if back is None else (datetime.now(UTC) - back).strftime("%Y-%m-%dT%H:%M:%S")
        async with self._turns, self._pool.acquire() as db:
            ranked, known = await past.ladder(db, game, since, by_rating=by == "rating"), await past.games_played(db)
        return _html(request, "ladder.html", page="ladder", ranked=ranked, games=known, game=game, when=when, by=by)

    async def _player(self, request: web.Request) -> web.StreamResponse:
        player = request.match_info["player"]
        if not is_player_id(player):
            return await _missing(request)
        async with self._turns, self._pool.acquire() as db:
            found = await past.player(db, player)
            played = [] if found is None else await past.of_player(db, player)
        if found is None:
            return await _missing(request)
        name, whole, by_game = found
        return _html(request, "player.html", page="player", name=name, whole=whole, by_game=by_game, played=played)

    async def _league(self, request: web.Request) -> web.Response:
        async with self._turns, self._pool.acquire() as db:
            if not await self._may_read(request, db):
                # Basic authentication: browsers ask for it by themselves, and `curl -u` sends it.
                ask = {"WWW-Authenticate": 'Basic realm="oche hall", charset="UTF-8"'}
                return web.Response(
                    status=401, text="The token of the league is needed: `oche hall token` makes one.\n", headers=ask
                )
            nodes, unconfirmed = await past.nodes(db), await past.unconfirmed(db)
        language, now = language_of(request), datetime.now(UTC)
        rows = []
        for node in nodes:
            state = state_of(node, now)
            since = {} if node.seen is None else {"ago": ago(language, node.seen, now)}
            rows.append((node, state, said(language, f"state.{state}", **since)))
        # Those that somebody has to look after come first.
        rows.sort(key=lambda row: LOOKED_AFTER.index(row[1]))
        return _html(request, "league.html", page="league", nodes=rows, unconfirmed=unconfirmed)

    async def _may_read(self, request: web.Request, db: Any) -> bool:
        """Whether the request has a token, as the password of any name."""
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        try:
            token = b64decode(text, validate=True).decode().partition(":")[2] if scheme.lower() == "basic" else ""
        except ValueError:
            return False
        return await may_read(db, token)


def state_of(node: past.NodeShown, now: datetime) -> str:
    """How a node is doing: `good`, `late`, `silent`, `never` or `revoked`."""
    if node.revoked:
        return "revoked"
    if node.seen is None:
        return "never"
    if now - node.seen >= SILENT:
        return "silent"
    return "late" if node.waiting else "good"


def _told(match: past.MatchFile) -> Told | None:
    """The story of a match; None also for a game of a package that raises."""
    try:
        return told(match.text, games(), faces())
    except Exception:
        log.exception("the match %s of %s cannot be told", match.played.match, match.played.node)
        return None


def _mark(boards: Boards) -> str:
    return f"{boards.epoch}-{boards.version}"


def _tile(board: BoardShown, language: Any) -> str:
    return rendered("board.html", language, board=board)


def _html(request: web.Request, template: str, status: int = 200, **values: Any) -> web.Response:
    language = language_of(request)
    text = rendered(template, language, **values)
    response = web.Response(
        status=status, text=text, content_type="text/html", headers={"Vary": "Accept-Language, Cookie"}
    )
    if request.query.get("lang") == language:
        response.set_cookie(LANGUAGE_COOKIE, language, max_age=LANGUAGE_SECONDS, httponly=True, samesite="Lax")
    response.enable_compression()
    return response


async def _static(request: web.Request) -> web.StreamResponse:
    name = request.match_info["name"]
    path = BUILT / Path(name).name
    if path.name != name or path.suffix not in TYPES or not path.is_file():
        return await _missing(request)
    return web.FileResponse(path, headers={"Content-Type": TYPES[path.suffix]})


async def _missing(request: web.Request) -> web.Response:
    return _html(request, "message.html", 404, page="", key="missing")
