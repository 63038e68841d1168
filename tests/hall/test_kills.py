"""Processes of the hall that are killed at any moment lose nothing that a node has committed, and double nothing."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import asyncpg
import pytest

from hall.nodes import new_code
from tests.hall.house import House, settled
from tests.hall.pace import Pace
from tests.hall.postgres import NOT_INSTALLED, Postgres, Standby, programs
from tests.hall.programs import Serving, serving
from tests.hall.soak import evening

KILLS = 4


async def joined(folder: Path, hall: Serving, url: str, count: int) -> list[House]:
    """Houses that have joined the hall, each with something to send."""
    houses = []
    for n in range(count):
        db = await asyncpg.connect(url)
        code = await new_code(db)
        await db.close()
        assert code is not None
        house = House(folder, f"house-{n}")
        await house.join(hall.at, code)
        for _ in range(5):
            await house.throw(match := house.begin(), 40)
            await house.end(match)
        houses.append(house)
    return houses


@pytest.mark.parametrize("seed", [1])
def test_nothing_is_lost_or_doubled_when_processes_are_killed(postgres: Postgres, tmp_path: Path, seed: int) -> None:
    """What `scripts/soak` does at length."""
    pace = Pace(nodes=3, boards=2, every=0.1, lines=(2, 30))
    assert evening(postgres, tmp_path, pace, KILLS, seed, (0.1, 0.8)).darts > 0


@pytest.mark.parametrize("processes", [1, 2])
def test_a_hall_can_be_stopped_as_soon_as_its_port_is_open(postgres: Postgres, processes: int) -> None:
    for _ in range(3):
        with serving(postgres.url("stops"), processes):
            """It ends with 0 at SIGTERM, or `serving` fails."""


def test_a_promoted_standby_that_lacks_what_was_acknowledged_becomes_whole(tmp_path: Path) -> None:
    if programs() is None:
        pytest.skip(NOT_INSTALLED)
    with ExitStack() as servers:
        primary = Postgres()
        servers.callback(primary.close)
        primary.start().new_database("hall")
        standby = Standby(primary)
        servers.callback(standby.close)
        standby.start()
        both = f"postgresql://hall@/hall?host={primary.folder},{standby.folder}&target_session_attrs=read-write"

        async def work(hall: Serving) -> None:
            (house,) = await joined(tmp_path, hall, both, 1)
            async with house.shipping():
                running = house.begin()
                await house.throw(running, 10)
                await settled(primary.url("hall"), [house])
                await asyncio.to_thread(standby.stop_following)
                # Acknowledged, and on the primary alone.
                for _ in range(3):
                    await house.throw(running, 2)
                    await settled(primary.url("hall"), [house])
                await house.end(running)
                await settled(primary.url("hall"), [house])
                primary.kill()
                await asyncio.to_thread(standby.promote)
                last = house.begin()
                await house.throw(last, 3)
                await settled(standby.url("hall"), [house])
            house.close()

        with serving(both) as hall:
            asyncio.run(work(hall))
