"""A hall for tests: its tables, its server in this process, and a node that speaks its protocol by hand."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import asyncpg

from hall import nodes, upkeep
from hall.database import pool
from hall.schema import migrate
from hall.server import listen, serving
from league.digests import MatchRecord, Seat, digest_of, join_text
from league.signatures import key_text, new_key, public_key, sign

HEADER = '{"match":1,"rules":1,"game":"x01","players":["Player 1","Player 2"],"options":{"start":101}}'
LINES = ('{"throw":"T17","at_ms":5}', '{"throw":"DB"}', '{"next":true}')
FILE = "\n".join((HEADER, *LINES, ""))
ANN, BOB = "a" * 32, "b" * 32
MATCH = "20260101-193000-4f2a1c"

Answer = tuple[int, dict[str, Any]]


async def empty(url: str) -> None:
    """Makes the tables of a hall, without rows."""
    db = await asyncpg.connect(url)
    try:
        await migrate(db)
        await db.execute("TRUNCATE node, code CASCADE")
    finally:
        await db.close()


@dataclass(slots=True)
class HandMadeNode:
    """A node that sends what a test wants."""

    http: aiohttp.ClientSession
    at: str
    name: str
    key: bytes = field(default_factory=new_key)
    token: str = ""

    async def join(self, code: str) -> Answer:
        """Asks to join; a token is kept."""
        about = {
            "code": code,
            "node": self.name,
            "public_key": key_text(public_key(self.key)),
            "signature": sign(self.key, join_text(code, self.name)),
        }
        status, answer = await self.send("POST", "/v1/join", json.dumps(about))
        self.token = answer.get("token", self.token)
        return status, answer

    async def send(self, method: str, path: str, body: str | bytes) -> Answer:
        """Sends any request."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        async with self.http.request(method, self.at + path, data=body, headers=headers) as response:
            return response.status, await response.json()

    def seats(self, match: str, *seats: Seat) -> list[dict[str, Any]]:
        """Signed seats."""
        return [
            seat.to_json() | {"signature": sign(self.key, seat.signed_text(self.name, match))}
            for seat in seats or (Seat(1, "Ann", ANN), Seat(2, "Bob", BOB))
        ]

    async def ship(self, match: str, first: int, *lines: str, **changes: Any) -> Answer:
        """Sends lines of a running match."""
        opening = {
            "board": "lounge",
            "header": HEADER,
            "started": "2026-01-01T19:30:00+00:00",
            "seats": self.seats(match),
        }
        about = {"match": match, "first": first, "waiting": 0, "live": True, "opening": opening} | changes
        return await self.send("POST", "/v1/ship", "\n".join((json.dumps(about), *lines)))

    def record(self, match: str, text: str = FILE, edition: int = 1) -> MatchRecord:
        """What is signed of a finished match."""
        times = ("2026-01-01T19:30:00+00:00", "2026-01-01T19:50:00+00:00")
        return MatchRecord(self.name, match, edition, digest_of(text), *times)

    async def finish(self, match: str, text: str = FILE, edition: int = 1, /, **changes: Any) -> Answer:
        """Sends a finished match."""
        record = self.record(match, text, edition)
        body = {
            "record": record.to_json(),
            "signature": sign(self.key, record.signed_text()),
            "board": "lounge",
            "file": text,
            "seats": self.seats(match),
            "waiting": 0,
        }
        return await self.send("PUT", f"/v1/match/{record.digest}", json.dumps(body | changes))


def reason(answer: Answer) -> str:
    """Why something was refused."""
    assert answer[0] >= 400
    assert answer[1]["message"]
    return str(answer[1]["reason"])


@dataclass(slots=True)
class Centre:
    """A running hall."""

    url: str
    at: str
    db: asyncpg.Connection
    http: aiohttp.ClientSession

    async def node(self, name: str) -> HandMadeNode:
        """A node that has joined."""
        node = HandMadeNode(self.http, self.at, name)
        code = await nodes.new_code(self.db)
        assert code is not None
        status, answer = await node.join(code)
        assert status == 200, answer
        return node

    async def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return [tuple(row) for row in await self.db.fetch(query)]


@asynccontextmanager
async def centre(url: str) -> AsyncIterator[Centre]:
    """An empty hall, served by this process."""
    await empty(url)
    db = await asyncpg.connect(url)
    try:
        with listen("127.0.0.1", 0) as listener:
            at = f"http://127.0.0.1:{listener.getsockname()[1]}"
            async with pool(url) as connections, serving(url, listener), aiohttp.ClientSession() as http:
                counting = asyncio.create_task(upkeep.run(connections))
                try:
                    yield Centre(url, at, db, http)
                finally:
                    counting.cancel()
                    await asyncio.gather(counting, return_exceptions=True)
    finally:
        await db.close()


def run(url: str, test: Callable[[Centre], Awaitable[None]]) -> None:
    """Runs a test with an empty hall."""

    async def work() -> None:
        async with centre(url) as hall:
            await test(hall)

    asyncio.run(work())
