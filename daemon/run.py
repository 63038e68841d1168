"""`oche run`: opens the house, keeps it open, and closes it in order."""

import asyncio
import contextlib
import errno
import logging
import signal
import sys
from collections.abc import AsyncIterator, Coroutine, Iterable
from importlib import import_module
from importlib.metadata import version
from typing import Any, Final

from daemon import announce, wire
from daemon.bots import Bots
from daemon.broker import BrokerError, Doors, broker
from daemon.bus import Bus, Message
from daemon.config import Settings
from daemon.demo import Demo
from daemon.inbox import Inbox, Pulse
from daemon.journal import Journal, JournalError
from daemon.links import Disconnected, Link, open_link
from daemon.notify import notify, watchdog_seconds
from daemon.shelf import faces, games, model
from daemon.simulator import Simulator
from daemon.table import Table
from daemon.urls import BoardSpec, BoardUrl, BrokerUrl, UsageError, board_spec
from drivers import DRIVERS

log = logging.getLogger(__name__)

DEMO: Final = "virtual=virtual@sim:"
"""The board of those who have configured none: bots play on it until somebody else wants to."""


class AddressError(Exception):
    """The pages cannot be served where they should be; the text says what to do."""


def run(settings: Settings) -> int:
    """Runs until SIGTERM or SIGINT. Exit code 1 where it cannot begin, with a sentence that says why."""
    try:
        asyncio.run(_run(settings))
    except (JournalError, BrokerError, AddressError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


async def _run(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    specs = settings.boards or (board_spec(DEMO),)
    for spec in specs:
        _check(spec.url)
    journal = Journal(settings.data)
    try:
        async with broker(settings.broker, settings.data) as doors:
            tables: dict[str, Table] = {}
            bus = Bus(settings.node, lambda message: _route(message, bus, tables))
            for spec in specs:
                board = model(spec.model)
                driver = DRIVERS[board.dialect]
                tables[spec.name] = Table(spec.name, board, driver, journal, bus, games(), faces())
            async with _at_work(settings, doors, bus, tables, specs):
                _welcome(settings, doors)
                notify("READY=1")
                await stop.wait()
                notify("STOPPING=1")
                await bus.goodbye()
    finally:
        journal.close()


@contextlib.asynccontextmanager
async def _at_work(
    settings: Settings, doors: Doors, bus: Bus, tables: dict[str, Table], specs: Iterable[BoardSpec]
) -> AsyncIterator[None]:
    """Everything that goes on at once: the bus, the tables, their boards and players, the web server."""
    status = {"state": "online", "version": version("oche"), "schema": announce.SCHEMA}
    status |= {"boards": sorted(tables), "games": sorted(games())}
    players = [Bots(table) for table in tables.values()]
    work = [bus.run(doors.daemon, status), *(table.run() for table in tables.values())]
    work += [_keep(spec, tables[spec.name]) for spec in specs]
    if not settings.boards:
        work.append(Demo(tables[board_spec(DEMO).name]).run())
    if (seconds := watchdog_seconds()) is not None:
        work.append(pulse([table.inbox for table in tables.values()], seconds))
    tasks = [_begin(part) for part in work]
    try:
        async with _pages(settings, doors.pages):
            yield
    finally:
        for player in players:
            player.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def _pages(settings: Settings, pages: BrokerUrl) -> AsyncIterator[None]:
    # Loading a web server takes longer than everything before it, and the first dart does not wait for it.
    web = await asyncio.to_thread(import_module, "daemon.web")
    async with contextlib.AsyncExitStack() as serving:
        try:
            await serving.enter_async_context(web.serve(settings.host, settings.port, settings.node, pages, games()))
        except OSError as error:
            why = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror or error})"
            raise AddressError(
                f"The address {settings.host}:{settings.port} {why}. Name another one with --http."
            ) from error
        yield


def _check(url: BoardUrl) -> None:
    """UsageError where the settings of a board make no sense: said before anything starts."""
    if url.scheme == "sim":
        Simulator(url)
    for name in ("baud", "pace"):
        url.number(name, 0)


def _begin(part: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """A part of the house that fails is a fault of the program: said aloud, with the others going on."""
    task = asyncio.create_task(part)
    task.add_done_callback(_look_at)
    return task


def _look_at(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("a part of the daemon failed", exc_info=error)


async def _keep(spec: BoardSpec, table: Table) -> None:
    async def opened() -> Link:
        if spec.url.scheme == "sim":
            return Simulator(spec.url)
        try:
            return await open_link(spec.url, table.board.baud or table.driver.baud)
        except UsageError as error:
            raise Disconnected("bad-url", str(error), final=True) from error

    await wire.keep(opened, table.driver, table.inbox.put)


async def pulse(tables: list[Inbox], seconds: float) -> None:
    """Feeds systemd's watchdog by way of the tables: one that hangs is a daemon that hangs."""
    while True:
        sign = Pulse(asyncio.Semaphore(0))
        for inbox in tables:
            await inbox.put(sign)
        for _ in tables:
            await sign.felt.acquire()
        notify("WATCHDOG=1")
        await asyncio.sleep(seconds)


def _route(message: Message, bus: Bus, tables: dict[str, Table]) -> None:
    name = message.topic.removeprefix(f"{bus.root}/board/").partition("/")[0]
    table = tables.get(name)
    if table is not None:
        table.hear(message)


def _welcome(settings: Settings, doors: Doors) -> None:
    host = "localhost" if settings.host in ("0.0.0.0", "::", "127.0.0.1") else settings.host  # noqa: S104
    print(f"The display is at http://{host}:{settings.port} - open it in a browser.")
    print(f"Programs subscribe at {doors.public} to oche/{settings.node}/#")
    if doors.note:
        print(f"Note: {doors.note}")
    print("Stop with Ctrl-C.", flush=True)
