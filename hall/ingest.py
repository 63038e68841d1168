"""The HTTP interface to nodes. Stateless: any number of processes can serve one index.

`POST /v1/ship` takes lines of a running match, `PUT /v1/match/<digest>` a finished one, `POST /v1/forget` players to
forget, `POST /v1/join` a new node; `GET /v1/cards` answers with what checks players' cards. What is answered with 200
is committed.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, TypeVar

from aiohttp import web

from engine import jsontext
from engine.refusals import Refusal
from hall.batches import Batches, Busy
from hall.cards import told_to_nodes
from hall.database import AWAY, CONNECTIONS
from hall.figures import read_file
from hall.index import Index
from hall.nodes import Node, join, node_of
from hall.rates import TokenBucket
from hall.requests import MAX_CHUNK, MAX_FILE, read_chunk, read_finished
from league.digests import is_player_id
from league.hall_refusals import HTTP_STATUS, HallRefusal
from league.signatures import key_from_text

log = logging.getLogger(__name__)

KNOWN_SECONDS: Final = 1.0
"""How long a process may take a token for good without asking the database: a node that is shut out is out after it."""
SEEN_SECONDS: Final = 5.0
"""How often it is written when a node was last seen."""
REQUESTS: Final = TokenBucket(per_second=300, most=600)
"""Of each node."""
JOINS: Final = TokenBucket(per_second=5, most=30)
"""Of all who ask to join together: they have no token yet."""
SMALL_BYTES: Final = 256 * 1024
LARGE_AT_ONCE: Final = 4
"""How many bodies above `SMALL_BYTES` a process has in memory."""
STORED_AT_ONCE: Final = CONNECTIONS - 3
"""How many finished matches a process stores at once. Darts and tokens always find a free connection, and wait for no
more signatures than these."""
BODY_SECONDS: Final = 60.0
"""How long a body may take."""
MOST_FORGOTTEN: Final = 1_000
AWAY_REFUSAL: Final = HallRefusal("no_index", "The hall cannot write to its database at present. Try again later.")

_SEEN: Final = """
UPDATE node SET seen = now(), waiting = s.waiting
FROM (SELECT * FROM unnest($1::TEXT[], $2::BIGINT[]) AS u(name, waiting) ORDER BY name) AS s
WHERE node.name = s.name
"""
_LEFT: Final = "UPDATE node SET waiting = $2 WHERE name = $1 AND waiting <> $2"
MOST_WAITING: Final = 2**53
"""More lines than this no node has."""
T = TypeVar("T")
Handler = Callable[[web.Request], Awaitable[web.Response]]


class Refused(Exception):
    """Ends a request with a refusal."""

    def __init__(self, refusal: HallRefusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class Ingest:
    """What nodes send, for one process. `running` must be entered."""

    def __init__(self, pool: Any) -> None:
        self._pool, self.index = pool, Index(pool)
        self._live, self._backlog = Batches(self.index), Batches(self.index)
        self._known: dict[str, tuple[float, Node]] = {}
        self._rates: dict[str, TokenBucket] = {}
        self._joins = JOINS.copy()
        self._storing = asyncio.Semaphore(STORED_AT_ONCE)
        self._large = asyncio.Semaphore(LARGE_AT_ONCE)
        self._seen: dict[str, int] = {}

    def routes(self) -> list[web.RouteDef]:
        """The routes of the interface."""
        return [
            web.post("/v1/ship", self._from_node(self._ship)),
            web.put("/v1/match/{digest}", self._from_node(self._match)),
            web.post("/v1/forget", self._from_node(self._forget)),
            web.post("/v1/join", _answering(self._join)),
            web.get("/v1/cards", self._from_node(self._cards)),
        ]

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Commits what comes while the block runs."""
        work = (self._live.run(), self._backlog.run(), self._note_seen())
        tasks = [asyncio.create_task(one) for one in work]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _from_node(self, handle: Callable[[Node, web.Request], Awaitable[dict[str, Any]]]) -> Handler:
        """A handler of a request that only a node may send; what it is refused is noted."""

        async def checked(request: web.Request) -> dict[str, Any]:
            node = await self._node(request)
            try:
                return await handle(node, request)
            except Refused as error:
                await self._note_refusal(node, error.refusal)
                raise

        return _answering(checked)

    async def _ship(self, node: Node, request: web.Request) -> dict[str, Any]:
        body = await self._body(request, MAX_CHUNK)
        chunk, waiting, live = _accepted(read_chunk(node, body))
        self._seen[node.name] = waiting
        have, epoch = await (self._live if live else self._backlog).take(chunk)
        lines = chunk.body.count("\n") + 1 if chunk.body else 0
        if have >= chunk.first + lines - 1:
            self._seen[node.name] = max(0, waiting - lines)  # The node has counted those that came with this.
        return {"have": have, "epoch": epoch}

    async def _match(self, node: Node, request: web.Request) -> dict[str, Any]:
        body = await self._body(request, MAX_FILE)
        async with self._storing:
            file = _accepted(read_finished(node, request.match_info["digest"], body))
            self._seen[node.name] = file.waiting
            _, lines = _accepted(read_file(file.text))
            # The rules read it later, in a process of its own: a node that is back after weeks holds up no dart.
            epoch = _accepted(await self.index.store(file, len(lines)))
        self._seen[node.name] = max(0, file.waiting - len(lines))
        return {"edition": file.record.edition, "epoch": epoch}

    async def _forget(self, node: Node, request: web.Request) -> dict[str, Any]:
        match await self._json(request):
            case {"players": list(players)} if len(players) <= MOST_FORGOTTEN and all(map(is_player_id, players)):
                return {"gone": players, "epoch": await self.index.forget(node.name, players)}
        raise Refused(HallRefusal("bad_value", f'The body is {{"players": [ID, …]}}, at most {MOST_FORGOTTEN}.'))

    async def _cards(self, node: Node, request: web.Request) -> dict[str, Any]:
        text = request.query.get("waiting", "")
        if text and not (text.isascii() and text.isdecimal() and len(text) < 20 and int(text) <= MOST_WAITING):
            raise Refused(HallRefusal("bad_value", f"waiting is a number from 0 to {MOST_WAITING}."))
        async with self._pool.acquire() as db:
            if text:
                # A node sends lines and finished matches at once, and counts both in both: what the last of these
                # requests leaves may be too much, until the next dart.
                if node.name in self._seen:
                    self._seen[node.name] = int(text)
                else:
                    await db.execute(_LEFT, node.name, int(text))
            return await told_to_nodes(db, node.name)

    async def _join(self, request: web.Request) -> dict[str, Any]:
        if not self._joins.take(time.monotonic()):
            raise Refused(HallRefusal("too_fast", "Too many nodes ask to join at once. Try again in a minute."))
        match await self._json(request):
            case {"code": str(code), "node": str(name), "public_key": str(text), "signature": str(signature)}:
                if (key := key_from_text(text)) is not None:
                    async with self._pool.acquire() as db:
                        return {"token": _accepted(await join(db, code, name, key, signature)), "node": name}
        raise Refused(HallRefusal("bad_value", 'The body is {"code", "node", "public_key", "signature"}.'))

    async def _node(self, request: web.Request) -> Node:
        """The node that sent the request, before its body is read."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Refused(HallRefusal("bad_token", "The request has no token of a node."))
        now = time.monotonic()
        until, node = self._known.get(token, (0.0, None))
        if node is None or until < now:
            self._known.pop(token, None)
            async with self._pool.acquire() as db:
                node = _accepted(await node_of(db, token))
            self._known[token] = (now + KNOWN_SECONDS, node)
        if not self._rates.setdefault(node.name, REQUESTS.copy()).take(now):
            raise Refused(HallRefusal("too_fast", "The node sends too many requests. Try again in a second."))
        return node

    async def _json(self, request: web.Request) -> Any:
        value = jsontext.parse(await self._body(request, jsontext.MAX_BYTES))
        if isinstance(value, Refusal):
            raise Refused(HallRefusal("bad_value", value.message))
        return value

    async def _body(self, request: web.Request, most: int) -> bytes:
        """The body of a request; not read further than its bound."""
        length = request.content_length
        if (length or 0) > most:
            raise Refused(_too_large(most))
        try:
            async with asyncio.timeout(BODY_SECONDS):
                if most <= SMALL_BYTES or (length is not None and length <= SMALL_BYTES):
                    return await _read(request, most)
                async with self._large:
                    return await _read(request, most)
        except TimeoutError:
            raise Refused(HallRefusal("half", f"The body did not come within {BODY_SECONDS:g} s.")) from None

    async def _note_refusal(self, node: Node, refusal: HallRefusal) -> None:
        with contextlib.suppress(*AWAY):
            async with self._pool.acquire() as db:
                await db.execute(
                    "UPDATE node SET refusals = refusals + 1, last_refusal = $2 WHERE name = $1",
                    *(node.name, f"{refusal.reason}: {refusal.message}"),
                )

    async def _note_seen(self) -> None:
        while True:
            await asyncio.sleep(SEEN_SECONDS)
            if not self._seen:
                continue
            seen, self._seen = self._seen, {}
            try:
                async with self._pool.acquire() as db:
                    await db.execute(_SEEN, list(seen), list(seen.values()))
            except AWAY:
                pass  # The next requests of the nodes say it again.
            except Exception:
                log.exception("when nodes were seen cannot be written")


def _answering(handle: Callable[[web.Request], Awaitable[dict[str, Any]]]) -> Handler:
    async def answer(request: web.Request) -> web.Response:
        try:
            return web.json_response(await handle(request), dumps=jsontext.dump)
        except Refused as error:
            refusal = error.refusal
        except (Busy, *AWAY):
            refusal = AWAY_REFUSAL
        return web.json_response(refusal.to_json(), status=HTTP_STATUS[refusal.reason], dumps=jsontext.dump)

    return answer


def _accepted(found: T | HallRefusal) -> T:
    if isinstance(found, HallRefusal):
        raise Refused(found)
    return found


def _too_large(most: int) -> HallRefusal:
    return HallRefusal("too_large", f"The body is longer than {most // 1024} KiB.")


async def _read(request: web.Request, most: int) -> bytes:
    body = bytearray()
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > most:
            raise Refused(_too_large(most))
    return bytes(body)
