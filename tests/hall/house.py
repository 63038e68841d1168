"""A node for tests: a real journal, and the product's own way out of it."""

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import asyncpg

from daemon.record.changes import BoardRow, Entry, MatchRow
from daemon.record.journal import Journal
from daemon.shipping.hall_client import HallClient
from daemon.shipping.join import join
from daemon.shipping.membership import load
from daemon.shipping.sent_file import SentFile
from daemon.shipping.shipper import Shipper
from daemon.shipping.unsent_matches import UnsentMatches
from daemon.system.catalogue import faces, games
from engine.match import Header
from hall.database import AWAY
from league.nameless import nameless_action, nameless_header
from tests.rig import LIMIT_SECONDS

VISIT: Final = ("S1", "S2", "S1")
"""Few enough points that nobody wins within 400 lines of 501."""


def line(n: int) -> str:
    """Line `n` (from 1) of a match in which nothing happens."""
    action: dict[str, Any] = {"next": True} if n % 4 == 0 else {"throw": VISIT[n % 4 - 1], "by": "ann"}
    return json.dumps(action | {"at_ms": n})


@dataclass(slots=True)
class Played:
    """A match of a house, as it was committed."""

    row: MatchRow
    lines: list[str]

    def nameless(self) -> list[str]:
        """The lines as they leave the node."""
        header = Header("x01", tuple(json.loads(self.row.header)["players"]), {})
        return [json.dumps(nameless_action(json.loads(text), header), separators=(",", ":")) for text in self.lines]

    def file(self) -> str:
        """The file as it leaves the node."""
        value = json.loads(self.row.header)
        header = nameless_header(Header(value["game"], tuple(value["players"]), value["options"], value["rules"]))
        return "\n".join((json.dumps(header, separators=(",", ":")), *self.nameless(), ""))


class House:
    """A node. What it plays is in `played`, by the id of the match."""

    def __init__(self, folder: Path, name: str, players: tuple[str, str] = ("Ann", "Bob")) -> None:
        self.folder, self.name = folder / name, name
        self.journal = Journal(self.folder)
        self.played: dict[str, Played] = {}
        self.shipper: Shipper | None = None
        self._players, self._count = players, 0
        self._boards: dict[str, BoardRow] = {}
        self.journal.on_written = self._written

    def _written(self) -> None:
        if self.shipper is not None:
            self.shipper.written()

    def close(self) -> None:
        """Closes the journal."""
        self.journal.close()

    def begin(
        self, game: str = "x01", *, board: str = "lounge", bots: dict[str, float] | None = None, **options: Any
    ) -> str:
        """Begins a match in place of the one on the board. Returns its id; it is written with its first line."""
        self._count += 1
        match_id = f"{self.name}-{self._count}"
        header = Header(game, self._players, options).to_json()
        row = MatchRow(match_id, board, json.dumps(header), json.dumps(bots or {}), "2026-01-01T19:30:00+00:00")
        self.played[match_id] = Played(row, [])
        return match_id

    async def write(self, match_id: str, *texts: str) -> None:
        """Commits lines of a match."""
        match = self.played[match_id]
        first = len(match.lines) + 1
        await self._commit(match, tuple(enumerate(texts, first)))
        match.lines += texts

    async def throw(self, match_id: str, count: int = 1) -> None:
        """Commits the next lines of a match in which nothing happens, as one entry."""
        first = len(self.played[match_id].lines) + 1
        await self.write(match_id, *(line(n) for n in range(first, first + count)))

    async def end(self, match_id: str, result: str = "stopped") -> None:
        """Ends a match."""
        match = self.played[match_id]
        match.row = replace(match.row, ended="2026-01-01T19:50:00+00:00", result=result)
        await self._commit(match, ())

    async def _commit(self, match: Played, actions: tuple[tuple[int, str], ...]) -> None:
        before = self._boards.get(match.row.board, BoardRow(match.row.board))
        board = replace(before, match=match.row.id, revision=before.revision + 1)
        self._boards[board.name] = board
        await self.journal.write(Entry(board, match.row, actions))

    async def join(self, at: str, code: str) -> None:
        """Joins a hall."""
        await asyncio.to_thread(join, self.folder, at, code, self.name)

    @asynccontextmanager
    async def shipping(
        self, seed: int = 0, unsent: Callable[..., UnsentMatches] = UnsentMatches, gather: float = 0.0, **how: Any
    ) -> AsyncIterator[Shipper]:
        """Sends while the block runs."""
        member = load(self.folder)
        assert member is not None
        sent, client = SentFile(self.folder), HallClient(member)
        made = unsent(self.journal, sent, member, games(), faces(), **how)
        self.shipper = Shipper(made, client, sent, gather=gather, draws=random.Random(seed))
        task = asyncio.create_task(self.shipper.run())
        try:
            yield self.shipper
        finally:
            self.shipper = None
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await client.close()


async def differences(db: asyncpg.Connection, houses: list[House], *, hidden: tuple[str, ...] = ()) -> list[str]:
    """How the index differs from what the houses have played: number, content and order of every match."""
    held = {}
    query = "SELECT node, id, number, is_over, have, text, edition FROM match LEFT JOIN file ON file.match = number"
    for row in await db.fetch(query):
        lines = await db.fetch("SELECT n, line FROM line WHERE match = $1 ORDER BY n", row["number"])
        held[row["node"], row["id"]] = (row["is_over"], row["have"], row["text"], [tuple(found) for found in lines])
    wanted: dict[tuple[str, str], object] = {}
    for house in houses:
        for match_id, match in house.played.items():
            if not match.lines or match_id in hidden:
                continue
            count = len(match.lines)
            if match.row.ended is None:
                wanted[house.name, match_id] = (False, count, None, list(enumerate(match.nameless(), 1)))
            else:
                wanted[house.name, match_id] = (True, count, match.file(), [])
    return sorted(f"{key}" for key in wanted.keys() | held.keys() if wanted.get(key) != held.get(key))


async def settled(url: str, houses: list[House], *, hidden: tuple[str, ...] = ()) -> None:
    """Returns when the index is what the houses have played. AssertionError if it never is."""
    limit = asyncio.get_running_loop().time() + LIMIT_SECONDS
    while True:
        try:
            db = await asyncpg.connect(url)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            found = ["the database is away"]
        else:
            try:
                found = await differences(db, houses, hidden=hidden)
            except asyncpg.UndefinedTableError:
                found = ["the tables are not there yet"]
            except AWAY as error:
                found = [f"the database went away: {error!r}"]
            finally:
                await db.close()
        if not found:
            return
        assert asyncio.get_running_loop().time() < limit, found[:5]
        await asyncio.sleep(0.1)
