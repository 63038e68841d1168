"""An index that was wiped, restored from an old backup or built again becomes whole, with the same content."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from hall.commands import rebuild
from hall.nodes import new_code
from tests.hall.centre import Centre, centre
from tests.hall.house import House, settled
from tests.hall.postgres import Postgres
from tests.rig import LIMIT_SECONDS

CONTENT = (
    "SELECT node, id, board, header, started, have, is_over FROM match ORDER BY node, id",
    "SELECT node, id, n, line FROM line JOIN match ON number = match ORDER BY node, id, n",
    "SELECT node, id, edition, digest, signature, file.started, ended, text, figures, figures_version "
    "FROM file JOIN match ON number = match ORDER BY node, id",
    "SELECT node, id, seat, player, name, bot, signature "
    "FROM seat JOIN match ON number = match ORDER BY node, id, seat",
    "SELECT node, id, seat, game, result.started, finished, won, drawn, average, darts "
    "FROM result JOIN match ON number = match ORDER BY node, id, seat",
)
"""Everything that pages and ladders show, without the numbers of the database's own."""


@pytest.fixture
def url(postgres: Postgres) -> Iterator[str]:
    yield postgres.new_database("restored")


@asynccontextmanager
async def playing(url: str, folder: Path) -> AsyncIterator[tuple[Centre, House, str]]:
    """A hall, and a house that sends to it: with matches that are over, and one that runs, whose id is given."""
    async with centre(url) as hall:
        house = House(folder, "crown")
        code = await new_code(hall.db)
        assert code is not None
        await house.join(hall.at, code)
        async with house.shipping():
            for result in ("finished", "stopped"):
                match = house.begin(start=101)
                await house.write(match, '{"throw":"T17"}', '{"throw":"DB"}', '{"next":true}')
                await house.end(match, result)
            running = house.begin()
            await house.throw(running, 10)
            await settled(url, [house])
            yield hall, house, running
        house.close()


async def content(hall: Centre) -> list[object]:
    """What is in the index when every match is counted."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while await hall.rows("SELECT 1 FROM file WHERE figures_version = 0 UNION SELECT 1 FROM to_count"):
            pass  # Each look asks the server, and waits for its answer.
    return [await hall.rows(query) for query in CONTENT]


def test_a_wiped_index_is_built_again_from_the_nodes_with_the_same_content(url: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(url, tmp_path) as (hall, house, running):
            before = await content(hall)
            # Nobody says that it was wiped.
            await hall.db.execute("TRUNCATE match CASCADE")
            await house.throw(running)
            await settled(url, [house])
            after = await content(hall)
            assert after[2:] == before[2:]
            assert all(before)

    asyncio.run(test())


def test_the_figures_are_built_again_from_the_files_with_the_same_content(url: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(url, tmp_path) as (hall, _, _):
            before = await content(hall)
            await hall.db.execute("UPDATE file SET figures = '{}'")
            await hall.db.execute("TRUNCATE result")
            assert await asyncio.to_thread(rebuild, url, "files") == 0
            assert await content(hall) == before

    asyncio.run(test())


def test_an_old_backup_that_is_restored_in_place_becomes_whole(postgres: Postgres, url: str, tmp_path: Path) -> None:
    backup = postgres.folder / "backup"

    async def test() -> None:
        async with playing(url, tmp_path) as (hall, house, running):
            await asyncio.to_thread(postgres.run_program, "pg_dump", "-Fc", "-f", backup, "restored")
            # Acknowledged, and not in the backup.
            await house.throw(running, 5)
            await house.end(running)
            last = house.begin()
            await house.throw(last, 3)
            await settled(url, [house])
            before = await content(hall)
            await asyncio.to_thread(
                postgres.run_program, "pg_restore", "--clean", "--if-exists", "-1", "-d", "restored", backup
            )
            await house.throw(last)
            await settled(url, [house])
            await hall.db.reload_schema_state()
            assert (await content(hall))[2:] == before[2:]

    asyncio.run(test())
