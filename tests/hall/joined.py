"""A hall with a house that has joined it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from hall import nodes
from tests.hall.centre import Centre, centre
from tests.hall.house import House
from tests.rig import LIMIT_SECONDS


def run_with_house(url: str, folder: Path, test: Callable[[Centre, House], Awaitable[None]]) -> None:
    """Runs a test with an empty hall and a house that has joined it."""

    async def work() -> None:
        async with centre(url) as hall:
            house = House(folder, "crown")
            try:
                await house.join(hall.at, await code(hall))
                await test(hall, house)
            finally:
                house.close()

    asyncio.run(work())


async def code(hall: Centre) -> str:
    """A new code."""
    made = await nodes.new_code(hall.db)
    assert made is not None
    return made


async def until(condition: Callable[[], Awaitable[bool]], what: str) -> None:
    """Returns when a condition holds."""
    limit = asyncio.get_running_loop().time() + LIMIT_SECONDS
    while not await condition():
        assert asyncio.get_running_loop().time() < limit, what
        await asyncio.sleep(0.02)
