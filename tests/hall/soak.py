"""A league evening while processes of its hall are killed: what `scripts/soak` runs at length, and a test briefly."""

import asyncio
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.hall.house import settled
from tests.hall.pace import Pace, Times, nodes, played, share
from tests.hall.postgres import Postgres
from tests.hall.programs import Serving, oche, serving
from tests.rig import LIMIT_SECONDS

PROCESSES: Final = 2
GAP_SECONDS: Final = (10.0, 14.0)
"""Between two kills at length."""
CATCH_UP_SECONDS: Final = 10.0
"""What is held up later than this after a kill is not held up by it."""
MEMORY: Final = Path("/dev/shm")
LATE_SECONDS: Final = 0.5
"""A dart that is committed later was held up."""


@dataclass(frozen=True, slots=True)
class Evening:
    """What an evening was like. Seconds; `caught_up` after each kill, 0 if it held up no dart."""

    darts: int
    caught_up: list[float]
    between: list[float]
    """Of each dart that was thrown when no kill held darts up: from its throw to its commit."""

    def told(self) -> str:
        """The figures in a line."""
        p50, p99 = (share(self.between, part) * 1000 for part in (0.5, 0.99))
        late = share(self.caught_up, 1.0)
        return f"between kills p50 {p50:.0f} ms, p99 {p99:.0f} ms; caught up after at most {late:.1f} s"


def long_evening(kills: int, seed: int) -> Evening:
    """200 boards at a dart a second, with a PostgreSQL that flushes its commits to the disk."""
    server = Postgres(flushed=True)
    try:
        server.start()
        # A node has a disk of its own: on one disk the flushes of twenty journals would hold up those of the hall.
        with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
            return evening(server, Path(folder), Pace(), kills, seed, GAP_SECONDS)
    finally:
        server.close()


def evening(server: Postgres, folder: Path, pace: Pace, kills: int, seed: int, gap: tuple[float, float]) -> Evening:
    """Plays while this many processes are killed, with a `gap` in seconds that is drawn before each.

    AssertionError if the index is not what the nodes have written: number, content and order of every match.
    """
    url = server.new_database("evening")
    with serving(url, PROCESSES) as hall:
        return asyncio.run(_evening(server, hall, url, folder, pace, kills, seed, gap))


async def _evening(
    server: Postgres,
    hall: Serving,
    url: str,
    folder: Path,
    pace: Pace,
    kills: int,
    seed: int,
    gap: tuple[float, float],
) -> Evening:
    draws, times = random.Random(seed), Times()
    begun: list[float] = []
    async with nodes(folder, hall.at, url, pace, seed, times) as houses:
        async with played(houses, pace, seed, times):
            for _ in range(kills):
                # The time of a kill is not awaited for anything: it is the moment that is drawn.
                await asyncio.sleep(draws.uniform(*gap))
                begun.append(time.monotonic())
                await asyncio.to_thread(kill_one, server, hall, draws)
            await asyncio.sleep(gap[0])
        await settled(url, houses)
        # The nodes hear of the last commits after the index shows them.
        async with asyncio.timeout(LIMIT_SECONDS):
            while times.open:  # noqa: ASYNC110 -- nobody says it.
                await asyncio.sleep(0.02)
    assert await oche("hall", "verify", "--db", url) == (0, "Every match is as it was signed.\n", "")
    return _figures(times.done, begun)


def kill_one(server: Postgres, hall: Serving, draws: random.Random) -> None:
    """Kills PostgreSQL, which is started again at once, or a process of the hall, which does that by itself."""
    if draws.random() < 0.5:
        hall.kill_one(draws.randrange(PROCESSES))
    else:
        server.kill()
        server.start()


def _figures(done: list[tuple[float, float]], kills: list[float]) -> Evening:
    caught_up = []
    between = list(done)
    for kill, following in zip(kills, [*kills[1:], float("inf")], strict=True):
        until = min(following, kill + CATCH_UP_SECONDS)
        held_up = [at for thrown, at in done if thrown < until and at > kill and at - thrown > LATE_SECONDS]
        caught_up.append(max((at - kill for at in held_up), default=0.0))
        between = [(thrown, at) for thrown, at in between if at < kill or thrown > kill + caught_up[-1]]
    return Evening(len(done), caught_up, [at - thrown for thrown, at in between])
