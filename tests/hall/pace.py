"""Boards of many nodes that play a dart a second, and how long each dart takes until the hall has committed it."""

import asyncio
import contextlib
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg

from daemon.shipping.to_send import Finished, Lines
from daemon.shipping.unsent_matches import UnsentMatches
from hall.nodes import new_code
from tests.hall.house import House


@dataclass(frozen=True, slots=True)
class Pace:
    """Who plays and how fast: `boards` of each node, a dart on each board `every` second, matches of `lines`."""

    nodes: int = 20
    boards: int = 10
    every: float = 1.0
    lines: tuple[int, int] = (40, 120)


@dataclass(slots=True)
class Times:
    """The lines that were written: when, and when the node heard that they are committed. Seconds of `monotonic`."""

    done: list[tuple[float, float]] = field(default_factory=list)
    """When a line was written, and when it was known to be committed."""
    _waiting: dict[str, deque[float]] = field(default_factory=dict)
    _have: dict[str, int] = field(default_factory=dict)

    def written(self, match: str, count: int) -> None:
        """Notes the next lines of a match."""
        self._waiting.setdefault(match, deque()).extend([time.monotonic()] * count)

    def committed(self, match: str, have: int | None = None) -> None:
        """Notes how many lines of a match the hall has; all of them if that is not said."""
        waiting, before = self._waiting.get(match, deque()), self._have.get(match, 0)
        count = len(waiting) if have is None else min(have - before, len(waiting))
        now = time.monotonic()
        if count > 0:
            self.done += [(waiting.popleft(), now) for _ in range(count)]
            self._have[match] = before + count

    @property
    def open(self) -> int:
        """How many lines are not known to be committed."""
        return sum(map(len, self._waiting.values()))


class TimedUnsentMatches(UnsentMatches):
    """The unsent matches of a node, which note in `times` what the hall has acknowledged."""

    times: Times

    def taken(self, lines: Lines, have: int) -> bool:
        """As `UnsentMatches` does."""
        self.times.committed(lines.match, have)
        return super().taken(lines, have)

    def stored(self, match: Finished, refused: str | None = None) -> None:
        """As `UnsentMatches` does."""
        assert refused is None, refused
        self.times.committed(match.record.match)
        super().stored(match, refused)


@asynccontextmanager
async def nodes(folder: Path, at: str, url: str, pace: Pace, seed: int, times: Times) -> AsyncIterator[list[House]]:
    """Nodes that have joined a hall and send to it."""
    db = await asyncpg.connect(url)
    codes = [await new_code(db) for _ in range(pace.nodes)]
    await db.close()

    def unsent(*args: object, **how: object) -> UnsentMatches:
        made = TimedUnsentMatches(*args, **how)  # type: ignore[arg-type]
        made.times = times
        return made

    async with AsyncExitStack() as stack:
        houses = []
        for n, code in enumerate(codes):
            assert code is not None
            house = House(folder, f"node-{n}")
            stack.callback(house.close)
            await house.join(at, code)
            await stack.enter_async_context(house.shipping(seed + n, unsent=unsent))
            houses.append(house)
        yield houses


@asynccontextmanager
async def played(houses: Sequence[House], pace: Pace, seed: int, times: Times) -> AsyncIterator[None]:
    """Darts at this pace while the block runs; then the last ones are written."""
    stop = asyncio.Event()

    async def play(house: House, board: str, draws: random.Random) -> None:
        await _pause(stop, pace.every * draws.random())
        due = time.monotonic()
        while not stop.is_set():
            match = house.begin(board=board)
            for _ in range(draws.randint(*pace.lines)):
                if stop.is_set():
                    return
                times.written(match, 1)
                await house.throw(match)
                due += pace.every
                await _pause(stop, due - time.monotonic())
            await house.end(match)

    async with asyncio.TaskGroup() as group:
        for house in houses:
            for n in range(pace.boards):
                group.create_task(play(house, f"board-{n}", random.Random(f"{seed} {house.name} {n}")))
        try:
            yield
        finally:
            stop.set()


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(max(0.0, seconds)):
            await stop.wait()


def share(times: Sequence[float], part: float) -> float:
    """The value below which this part of the values is."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]
