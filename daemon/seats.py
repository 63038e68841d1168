"""The boards of a running daemon: each with its table, its players and its port; some of them come while it runs."""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

from daemon import wire
from daemon.bots import Bots
from daemon.bus import Bus, Message
from daemon.finding import BY_ID, judge, look, spec_of, unclaimed
from daemon.journal import Journal
from daemon.links import Link, open_link
from daemon.shelf import faces, games, model, models
from daemon.simulator import Simulator
from daemon.table import Table
from daemon.urls import BoardSpec
from drivers import DRIVERS

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 0.5
"""Between two looks at whether /dev has changed: two calls of the kernel, for rest may cost 1 % at most."""


class Seats:
    """Tables by the names of their boards. `changed` is told when one comes or goes."""

    def __init__(self, journal: Journal, bus: Bus, changed: Callable[[], None]) -> None:
        self.tables: dict[str, Table] = {}
        self.said: dict[str, str] = {}
        """What there is to say about ports that no board has, by port."""
        self._journal, self._bus, self._changed = journal, bus, changed
        self._specs: dict[str, BoardSpec] = {}
        self._players: dict[str, Bots] = {}
        self._at_work: dict[str, list[asyncio.Task[None]]] = {}

    def add(self, spec: BoardSpec) -> Table:
        """A board from now on. UsageError where there is no such model."""
        board = model(spec.model)
        table = Table(spec.name, board, DRIVERS[board.dialect], self._journal, self._bus, games(), faces())
        self.tables[spec.name], self._specs[spec.name] = table, spec
        self._players[spec.name] = Bots(table)
        self._at_work[spec.name] = [begin(table.run()), begin(_keep(spec, table))]
        return table

    async def remove(self, name: str) -> None:
        """A board no more; what the bus shows of it is taken away."""
        self.tables.pop(name)
        self._specs.pop(name)
        self._players.pop(name).stop()
        await _end(self._at_work.pop(name))
        self._bus.forget(f"board/{name}/")

    def route(self, message: Message) -> None:
        """Hands a command to the board that its topic names."""
        table = self.tables.get(message.topic.removeprefix(f"{self._bus.root}/board/").partition("/")[0])
        if table is not None:
            table.hear(message)

    async def watch(self, newcomer: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Looks for boards that say what they are, for ever. `newcomer` is called when the first of them has come."""
        before: object = None
        while True:
            # The pause comes first: what is configured opens, and its first dart lands, before others are looked for.
            await asyncio.sleep(LOOK_SECONDS)
            if (now := _signature()) != before:
                before = now
                if await self.look():
                    await newcomer()
                self._changed()

    async def look(self) -> bool:
        """Seats the boards that say what they are, and says of each other device what can be typed. True: one came."""
        devices = await asyncio.to_thread(look)
        said, came = {}, False
        for device in unclaimed(devices, self._specs.values()):
            verdict = judge(device, models())
            spec = None if verdict.model is None else spec_of(verdict)
            if spec is not None and spec.name not in self.tables:
                self.add(spec)
                came = True
            elif spec is None:
                said[device.port] = verdict.sentence
            if device.port not in self.said:
                print(verdict.sentence, file=sys.stderr, flush=True)
        self.said = said
        return came

    async def close(self) -> None:
        for player in self._players.values():
            player.stop()
        await _end([task for tasks in self._at_work.values() for task in tasks])


def begin(part: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """A part of the house that fails is a fault of the program: said aloud, with the others going on."""
    task = asyncio.create_task(part)
    task.add_done_callback(_look_at)
    return task


def _look_at(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("a part of the daemon failed", exc_info=error)


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _keep(spec: BoardSpec, table: Table) -> None:
    async def opened() -> Link:
        if spec.url.scheme == "sim":
            return Simulator(spec.url)
        return await open_link(spec.url, table.board.baud or table.driver.baud)

    await wire.keep(opened, table.driver, table.inbox.put)


def _signature() -> tuple[int, ...]:
    """Changes when a device comes or goes: when the folders of their names were last written."""
    times = []
    for folder in (Path("/dev"), BY_ID):
        with contextlib.suppress(OSError):
            times.append(folder.stat().st_mtime_ns)
    return tuple(times)
