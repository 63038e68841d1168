"""Processes of the hall that are killed at any moment lose nothing that a node has committed, and double nothing."""

import asyncio
import random
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import asyncpg
import pytest

from hall.nodes import new_code
from tests.hall.house import House, settled
from tests.hall.postgres import NOT_INSTALLED, Postgres, Standby, programs
from tests.hall.programs import Serving, oche, serving

HOUSES = 3
ROUNDS = 4


async def evening(houses: list[House], draws: random.Random, stop: asyncio.Event) -> None:
    """Throws darts in all houses until it is stopped. A match is over after some of them."""

    async def play(house: House, mine: random.Random) -> None:
        while not stop.is_set():
            match = house.begin()
            for _ in range(mine.randint(2, 12)):
                await house.throw(match, mine.randint(1, 5))
                await asyncio.sleep(mine.uniform(0, 0.1))
            await house.end(match)

    await asyncio.gather(*(play(house, random.Random(draws.random())) for house in houses))


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
    draws, url = random.Random(seed), postgres.url("kills")

    async def work(hall: Serving) -> None:
        houses = await joined(tmp_path, hall, url, HOUSES)
        stop = asyncio.Event()
        async with AsyncExitStack() as sending:
            for n, house in enumerate(houses):
                await sending.enter_async_context(house.shipping(seed + n))
            playing = asyncio.create_task(evening(houses, draws, stop))
            for kill in range(ROUNDS):
                # The time of a kill is not awaited for anything: it is the moment that is drawn.
                await asyncio.sleep(draws.uniform(0.1, 0.8))
                if kill % 2:
                    hall.kill_one(draws.randrange(2))
                else:
                    postgres.kill()
                    await asyncio.to_thread(postgres.start)
            stop.set()
            await playing
            await settled(url, houses)
        for house in houses:
            house.close()
        assert await oche("hall", "verify", "--db", url) == (0, "Every match is as it was signed.\n", "")

    with serving(url, processes=2) as hall:
        asyncio.run(work(hall))


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
