"""What is written to the index: lines of running matches, files of finished ones, and who is forgotten.

Every method is one transaction, does nothing twice, and returns after its commit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from hall import cards, ratings
from hall.database import epoch
from league.digests import MatchRecord, Seat
from league.hall_refusals import HallRefusal

_FORGETTING: Final = 0x666F7267
"""The advisory lock of forgetting: a seat is not stored while its player is being forgotten."""

_OPEN: Final = """
INSERT INTO match (node, id, board, header, started)
SELECT * FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[], $5::TEXT[]) AS m(node, id, board, header, started)
ORDER BY node, id
ON CONFLICT DO NOTHING
"""
_SEAT: Final = """
INSERT INTO seat (match, seat, player, name, bot, signature)
SELECT m.number, s.seat, s.player, s.name, s.bot, s.signature
FROM unnest(
        $1::TEXT[], $2::TEXT[], $3::INTEGER[], $4::TEXT[], $5::TEXT[], $6::DOUBLE PRECISION[], $7::TEXT[], $8::BOOL[]
    ) AS s(node, id, seat, player, name, bot, signature, has_card)
JOIN match AS m ON m.node = s.node AND m.id = s.id
WHERE NOT EXISTS (SELECT FROM forgotten AS f WHERE f.player = s.player AND f.node = s.node)
    AND (s.has_card OR NOT EXISTS (SELECT FROM card WHERE card.player = s.player))
ORDER BY m.number, s.seat
ON CONFLICT (match, seat) DO UPDATE SET
    player = excluded.player, name = excluded.name, bot = excluded.bot, signature = excluded.signature
WHERE (seat.player, seat.name, seat.bot) IS DISTINCT FROM (excluded.player, excluded.name, excluded.bot)
"""
_FORGOTTEN: Final = """
INSERT INTO forgotten (player, node, everywhere)
SELECT asked.player, $2, EXISTS (
    SELECT FROM seat JOIN match ON match.number = seat.match WHERE seat.player = asked.player AND match.node = $2
)
FROM unnest($1::TEXT[]) AS asked(player)
ON CONFLICT DO NOTHING
"""
"""Before the seats are deleted: a node can name any player, and must not hide those who have never played there."""
_FILE: Final = """
INSERT INTO file (match, edition, digest, signature, started, ended, text)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (match) DO UPDATE SET
    edition = excluded.edition, digest = excluded.digest, signature = excluded.signature, started = excluded.started,
    ended = excluded.ended, text = excluded.text, figures = NULL, figures_version = 0, refused = NULL
"""


@dataclass(frozen=True, slots=True)
class SignedSeat:
    """Who sat in a seat, and the node's signature under it. `has_card`: whether the node has shown their card."""

    seat: Seat
    signature: str
    has_card: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """What the index needs to know of a match before its first line. `header` is JSON without names."""

    board: str
    header: str
    started: str
    seats: tuple[SignedSeat, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines of a running match from line `first` on, joined by line breaks; `opening` at least with the first one."""

    node: str
    match: str
    first: int
    body: str
    opening: Opening | None = None


@dataclass(frozen=True, slots=True)
class SignedFile:
    """A finished match: its signed record, its nameless file, and who played. `waiting`: how much the node has left."""

    record: MatchRecord
    signature: str
    board: str
    text: str
    seats: tuple[SignedSeat, ...]
    waiting: int = 0


class Index:
    """The index of a hall, by connections of asyncpg."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool

    async def take(self, chunks: Sequence[Chunk]) -> tuple[list[int], str]:
        """Stores the lines that are missing. Returns how many lines of each match are committed, and the epoch."""
        async with self._pool.acquire() as db:
            async with db.transaction():
                openings = [(chunk.node, chunk.match, chunk.opening) for chunk in chunks if chunk.opening is not None]
                if openings:
                    rows = [(node, match, about.board, about.header, about.started) for node, match, about in openings]
                    await db.execute(_OPEN, *map(list, zip(*rows, strict=True)))
                    await _seat(db, [(node, match, seat) for node, match, about in openings for seat in about.seats])
                columns = [(chunk.node, chunk.match, chunk.first, chunk.body) for chunk in chunks]
                have = await db.fetchval("SELECT take($1, $2, $3, $4)", *map(list, zip(*columns, strict=True)))
            return have, await epoch(db)

    async def store(self, file: SignedFile, lines: int) -> str | HallRefusal:
        """Stores a finished match in place of its lines. Refusal `stale_edition` or `edition_taken`."""
        record = file.record
        async with self._pool.acquire() as db:
            async with db.transaction():
                header = file.text.split("\n", 1)[0]
                await db.execute(_OPEN, [record.node], [record.match], [file.board], [header], [record.started])
                number = await db.fetchval(
                    "SELECT number FROM match WHERE node = $1 AND id = $2 FOR NO KEY UPDATE", record.node, record.match
                )
                held = await db.fetchrow("SELECT edition, digest FROM file WHERE match = $1", number)
                if held is not None and (refusal := _outdated(record, held["edition"], held["digest"])) is not None:
                    return refusal
                if held is None or held["edition"] != record.edition:
                    await self._write(db, number, header, file, lines)
                if await _seat(db, [(record.node, record.match, seat) for seat in file.seats]):
                    # Who played has changed, perhaps without the file: what they are worth is worked out again.
                    await db.execute("INSERT INTO to_count (match) VALUES ($1)", number)
            return await epoch(db)

    async def _write(self, db: Any, number: int, header: str, file: SignedFile, lines: int) -> None:
        record = file.record
        await db.execute(
            _FILE,
            *(number, record.edition, record.digest, file.signature, record.started, record.ended, file.text),
        )
        await db.execute(
            "INSERT INTO edition VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", number, record.edition, record.digest
        )
        await db.execute("DELETE FROM line WHERE match = $1", number)
        await db.execute(
            "UPDATE match SET is_over = TRUE, have = $2, header = $3, started = $4, changed = now() WHERE number = $1",
            *(number, lines, header, record.started),
        )

    async def forget(self, node: str, players: Sequence[str]) -> str:
        """Deletes the seats of players for ever, in every match of the node. Returns the epoch.

        Who has had a match there is no longer named at other nodes either.
        """
        async with self._pool.acquire() as db:
            async with db.transaction():
                await db.execute("SELECT pg_advisory_xact_lock($1)", _FORGETTING)
                await db.execute(
                    _FORGOTTEN,
                    *(list(players), node),
                )
                await db.execute(
                    "DELETE FROM seat USING match WHERE seat.match = match.number AND match.node = $2 "
                    "AND seat.player = ANY($1)",
                    *(list(players), node),
                )
                await cards.forget(db, players)
                await ratings.forget(db, players)
            return await epoch(db)


async def _seat(db: Any, seats: Sequence[tuple[str, str, SignedSeat]]) -> bool:
    """Stores seats. Whether one has changed."""
    if not seats:
        return False
    await db.execute("SELECT pg_advisory_xact_lock_shared($1)", _FORGETTING)
    # Each once: a statement cannot write one row twice.
    once = {(node, match, signed.seat.seat): signed for node, match, signed in seats}
    rows = [
        (
            *(node, match, number, signed.seat.player, signed.seat.name, signed.seat.bot),
            *(signed.signature, signed.has_card),
        )
        for (node, match, number), signed in once.items()
    ]
    status: str = await db.execute(_SEAT, *map(list, zip(*rows, strict=True)))
    return status != "INSERT 0 0"


def _outdated(record: MatchRecord, edition: int, digest: str) -> HallRefusal | None:
    if record.edition < edition:
        return HallRefusal("stale_edition", f"The hall has edition {edition} of this match, a later one.", edition)
    if record.edition == edition and record.digest != digest:
        return HallRefusal("edition_taken", f"The hall has another edition {edition} of this match.", edition)
    return None
