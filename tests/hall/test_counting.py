"""Counting while matches are corrected and refused, and over the tables of an older version."""

import asyncio
import json
import threading
from typing import Any

import asyncpg
import pytest

from hall import checks, past, schema, upkeep
from hall.figures import FIGURES_VERSION, Checked, check_file
from hall.installed import faces, games
from hall.ratings import Ratings
from league.digests import digest_of
from tests.hall.centre import ANN, BOB, FILE, Centre, run
from tests.hall.postgres import Postgres
from tests.rig import LIMIT_SECONDS

MATCH = "20260101-193000-4f2a1c"
CORRECTED = FILE.replace('{"next":true}\n', "")
REFUSED = FILE.replace("T17", "T99")


async def counted(db: asyncpg.Connection) -> None:
    """Returns when every match is counted; another process may be at it."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while await db.fetchval("SELECT EXISTS (SELECT FROM to_count)"):
            if not await upkeep.step(db):
                await asyncio.sleep(0.02)


def test_a_match_that_is_corrected_while_it_is_counted_keeps_no_figures_of_before(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, stored = threading.Event(), threading.Event()

    def held(text: str, *more: Any) -> object:
        checked = check_file(text, *more)
        if text == FILE:
            read.set()
            stored.wait(LIMIT_SECONDS)
        return checked

    monkeypatch.setattr(upkeep, "check_file", held)

    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        assert (await node.finish(MATCH))[0] == 200
        counting = asyncio.create_task(counted(hall.db))
        try:
            assert await asyncio.to_thread(read.wait, LIMIT_SECONDS)
            # Whoever stores does not wait for the rules.
            assert (await node.finish(MATCH, CORRECTED, 2))[0] == 200
        finally:
            stored.set()
            await counting
        ((edition, figures),) = await hall.rows("SELECT edition, figures FROM file")
        assert (edition, json.loads(figures)["actions"]) == (2, 2)
        assert await hall.rows("SELECT count(*) FROM result") == [(2,)]

    run(url, test)


def test_a_match_that_is_corrected_while_all_are_counted_again_keeps_no_figures_of_before(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        assert (await node.finish(MATCH))[0] == 200
        await counted(hall.db)
        await hall.db.execute("UPDATE file SET figures = '{}'")
        stored = checks._files

        async def files(db: asyncpg.Connection) -> Any:
            async for row in stored(db):
                assert (await node.finish(MATCH, CORRECTED, 2))[0] == 200
                yield row

        monkeypatch.setattr(checks, "_files", files)
        await checks.count_again(hall.db)
        await counted(hall.db)
        ((edition, figures),) = await hall.rows("SELECT edition, figures FROM file")
        assert (edition, json.loads(figures)["actions"]) == (2, 2)

    run(url, test)


def test_a_match_that_is_refused_again_is_one_refusal(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown, harp = await hall.node("crown"), await hall.node("harp")
        for node in (harp, crown):
            assert (await node.finish(MATCH, REFUSED))[0] == 200
        for _ in range(2):
            await counted(hall.db)
            assert await hall.rows("SELECT name, refusals FROM node ORDER BY name") == [("crown", 1), ("harp", 1)]
            await upkeep.queue_all(hall.db)
        # A later edition that is refused as well is another one.
        assert (await crown.finish(MATCH, REFUSED.replace("T99", "T98"), 2))[0] == 200
        await counted(hall.db)
        assert await hall.rows("SELECT refusals FROM node WHERE name = 'crown'") == [(2,)]

    run(url, test)


def test_a_hall_of_the_version_before_cards_is_counted_and_rated(postgres: Postgres) -> None:
    url = postgres.new_database("older")
    checked = check_file(FILE, games(), faces())
    assert isinstance(checked, Checked)
    known = json.dumps(checked.figures)

    async def fill(db: asyncpg.Connection) -> None:
        await db.execute("INSERT INTO node (name, public_key, token_hash) VALUES ('crown', '\\x01', '\\x02')")
        # The first was counted, the game of the second was not installed, and the rules refuse the third.
        held = [("m1", FILE, known, FIGURES_VERSION), ("m2", FILE, None, 0), ("m3", REFUSED, None, 0)]
        for number, (match, text, found, version) in enumerate(held, 1):
            started = f"2026-01-0{number}T19:30:00+00:00"
            place = await db.fetchval(
                "INSERT INTO match (node, id, board, header, started, have, is_over) "
                "VALUES ('crown', $1, 'lounge', $2, $3, 3, TRUE) RETURNING number",
                *(match, text.split("\n")[0], started),
            )
            await db.execute(
                "INSERT INTO file VALUES ($1, 1, $2, 'signature', $3, $3, $4, $5, $6)",
                *(place, digest_of(text), started, text, found, version),
            )
            for seat, (player, name) in enumerate(((ANN, "Ann"), (BOB, "Bob")), 1):
                await db.execute("INSERT INTO seat VALUES ($1, $2, $3, $4, NULL, '')", place, seat, player, name)

    async def test() -> None:
        db = await asyncpg.connect(url)
        try:
            for path in schema.MIGRATIONS[:3]:
                await db.execute(path.read_text())
            await db.execute("INSERT INTO hall (id) VALUES ('older')")
            await db.execute("CREATE TABLE schema_version AS SELECT 3 AS version")
            await fill(db)
            assert await schema.migrate(db) == len(schema.MIGRATIONS) - 3
            await schema.check_schema(db)
            await counted(db)
            assert await Ratings().step(db)
            found = await past.ladder(db, "", "")
            assert sorted((one.name, one.matches, one.rating is None) for one in found) == [
                ("Ann", 2, False),
                ("Bob", 2, False),
            ]
            assert await db.fetchval("SELECT refusals FROM node") == 1
            # Before any node asks: what a node shows with its first match counts.
            assert await db.fetchval("SELECT id FROM hall WHERE league_key IS NOT NULL") == "older"
        finally:
            await db.close()

    asyncio.run(test())
