"""The function that takes lines: whatever chunks come, each match has its lines once and in order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hall.schema import NoSchema, check_schema, migrate
from tests.hall.postgres import Postgres

TAKE = "SELECT take($1, $2, $3, $4)"
MATCHES = ("a", "b", "c")


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to a hall with the matches `MATCHES`, without lines."""
    db = await asyncpg.connect(url)
    try:
        await migrate(db)
        await db.execute("TRUNCATE node CASCADE")
        await db.execute("INSERT INTO node (name, public_key, token_hash) VALUES ('n', '', '')")
        for match in MATCHES:
            await db.execute(
                "INSERT INTO match (node, id, board, header, started) VALUES ('n', $1, 'lounge', '{}', '')", match
            )
        yield db
    finally:
        await db.close()


def line(match: str, n: int) -> str:
    """Line `n` of a match."""
    return f'{{"throw":"{match}{n}"}}'


def body(match: str, first: int, last: int) -> str:
    """The lines of a chunk."""
    return "\n".join(line(match, n) for n in range(first, last + 1))


async def take(db: asyncpg.Connection, chunks: list[tuple[str, int, int]]) -> list[int]:
    """Hands over chunks of a match, from its first to its last line."""
    ids = [match for match, _, _ in chunks]
    firsts = [first for _, first, _ in chunks]
    found: list[int] = await db.fetchval(TAKE, ["n"] * len(chunks), ids, firsts, [body(*chunk) for chunk in chunks])
    return found


async def stored(db: asyncpg.Connection) -> dict[str, list[str]]:
    """The lines of each match in order."""
    query = "SELECT id, n, line FROM match LEFT JOIN line ON line.match = match.number ORDER BY id, n"
    found: dict[str, list[str]] = {}
    for match, n, text in await db.fetch(query):
        lines = found.setdefault(match, [])
        if n is not None:
            assert n == len(lines) + 1
            lines.append(text)
    return found


chunks = st.lists(
    st.tuples(st.sampled_from(MATCHES), st.integers(1, 12), st.integers(-1, 8)).map(
        lambda chunk: (chunk[0], chunk[1], chunk[1] + chunk[2])
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=30)
@given(calls=st.lists(chunks, max_size=8))
def test_each_line_is_stored_once_and_in_order(url: str, calls: list[list[tuple[str, int, int]]]) -> None:
    async def run() -> None:
        async with opened(url) as db:
            expected = dict.fromkeys(MATCHES, 0)
            for call in calls:
                answers = await take(db, call)
                wanted = [0] * len(call)
                for place, (match, first, last) in sorted(enumerate(call), key=lambda found: found[1][:2]):
                    if first <= expected[match] + 1:
                        expected[match] = max(expected[match], last)
                    wanted[place] = expected[match]
                # Chunks of one match that begin at the same line have no order between them.
                if len({chunk[:2] for chunk in call}) == len(call):
                    assert answers == wanted
            found = await stored(db)
            assert found == {match: [line(match, n) for n in range(1, last + 1)] for match, last in expected.items()}

    asyncio.run(run())


@settings(max_examples=8)
@given(seed=st.randoms(use_true_random=False))
def test_two_writers_at_once_neither_double_nor_lose_a_line(url: str, seed: object) -> None:
    import random

    assert isinstance(seed, random.Random)

    async def write(draws: random.Random, last: int) -> None:
        db = await asyncpg.connect(url)
        try:
            have = dict.fromkeys(MATCHES, 0)
            while min(have.values()) < last:
                some = draws.sample(MATCHES, draws.randint(1, 3))
                call = [(match, have[match] + 1, min(have[match] + draws.randint(1, 9), last)) for match in some]
                have |= dict(zip(some, await take(db, call), strict=True))
        finally:
            await db.close()

    async def run() -> None:
        async with opened(url) as db:
            await asyncio.gather(*(write(random.Random(seed.random()), 60) for _ in range(2)))
            assert await stored(db) == {match: [line(match, n) for n in range(1, 61)] for match in MATCHES}

    asyncio.run(run())


def test_a_match_that_is_unknown_or_over_takes_nothing(url: str) -> None:
    async def run() -> None:
        async with opened(url) as db:
            await take(db, [("a", 1, 5)])
            await db.execute("UPDATE match SET is_over = TRUE WHERE id = 'a'")
            assert await take(db, [("a", 6, 7), ("z", 1, 2), ("b", 1, 0)]) == [5, 0, 0]
            assert await db.fetchval("SELECT count(*) FROM line") == 5

    asyncio.run(run())


def test_the_schema_is_made_once_and_a_newer_one_is_refused(postgres: Postgres) -> None:
    url = postgres.new_database("schema")

    async def run() -> None:
        db = await asyncpg.connect(url)
        try:
            with pytest.raises(NoSchema, match="oche hall init"):
                await check_schema(db)
            assert await migrate(db) > 0
            assert await migrate(db) == 0
            await check_schema(db)
            await db.execute("UPDATE schema_version SET version = 999")
            with pytest.raises(NoSchema, match="Update oche"):
                await check_schema(db)
            with pytest.raises(NoSchema, match="Update oche"):
                await migrate(db)
        finally:
            await db.close()

    asyncio.run(run())
