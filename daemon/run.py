"""`oche run`: opens the house, keeps it open, and closes it in order."""

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Iterable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from daemon import announce, home_assistant, wire
from daemon.address import lan_address
from daemon.bots import Bots
from daemon.broker import Doors, broker
from daemon.bus import Bus, Message
from daemon.config import Settings
from daemon.demo import Demo
from daemon.hotplug import Hotplug, udev_monitor
from daemon.journal import Journal, JournalError
from daemon.links import Chunk, Link, open_link
from daemon.notify import notify, watchdog_seconds
from daemon.pairing import Pairing
from daemon.recorder import Recorder, recorder
from daemon.shelf import faces, games, model
from daemon.simulator import Simulator
from daemon.table import Pulse, Table
from daemon.urls import EMBEDDED, BoardSpec, board_spec, is_this_machine
from daemon.users import Users, UsersError
from drivers import DRIVERS

log = logging.getLogger(__name__)

USERS_SECONDS: Final = 1.0
"""How often the file of users is looked at."""
DEMO: Final = "virtual=virtual@sim:"
"""The board of those who have configured none: bots play on it until somebody else wants to."""


def run(settings: Settings, record: str | None = None) -> int:
    """Runs until SIGTERM or SIGINT; what the boards say is recorded to the folder `record`.

    Exit code 1 where it cannot begin, with a sentence that says why.
    """
    os.umask(os.umask(0) | 0o022)  # nobody else changes what is written here, whoever starts it
    try:
        asyncio.run(_run(settings, record))
    except JournalError as error:
        print(error, file=sys.stderr)
        return 1
    except (UsersError, PermissionError) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            why = "is taken"
        elif error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
            why = "is none of this machine's"
        else:
            raise
        print(f"The address {settings.host}:{settings.port} {why}. Name another one with --http.", file=sys.stderr)
        return 1
    return 0


async def _run(settings: Settings, record: str | None) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    specs = settings.boards or (board_spec(DEMO),)
    journal = Journal(settings.data)
    try:
        users = Users(settings.data)
        people = users.by_name.values()
        async with broker(settings.broker, settings.data, settings.node, people, settings.tls) as doors:
            tables: dict[str, Table] = {}
            recorders = {} if record is None else {s.name: _recorder(Path(record), s) for s in specs}
            bus = Bus(settings.node, lambda message: _route(message, bus, tables))
            for spec in specs:
                board = model(spec.model)
                driver = DRIVERS[board.dialect]
                tables[spec.name] = Table(spec.name, board, driver, journal, bus, games(), faces(), users)
                if settings.home_assistant:
                    about = home_assistant.device(
                        settings.node, spec.name, board.title, version("oche"), _seen_from_afar(settings)
                    )
                    bus.retain(home_assistant.topic(settings.node, spec.name), about)
            users.changed = lambda: _let_in(users, doors, tables.values())
            async with _at_work(settings, doors, users, bus, tables, recorders, specs, journal):
                _welcome(settings, doors)
                notify("READY=1")
                await stop.wait()
                notify("STOPPING=1")
                await bus.goodbye()
    finally:
        journal.close()


@contextlib.asynccontextmanager
async def _at_work(
    settings: Settings,
    doors: Doors,
    users: Users,
    bus: Bus,
    tables: dict[str, Table],
    recorders: dict[str, Recorder],
    specs: Iterable[BoardSpec],
    journal: Journal,
) -> AsyncIterator[None]:
    """Everything that goes on at once: the bus, the tables, their boards and players, the web server."""
    status = {"state": "online", "version": version("oche"), "schema": announce.SCHEMA}
    status |= {"boards": sorted(tables), "games": sorted(games())}
    players = [Bots(table) for table in tables.values()]
    work = [bus.run(doors.daemon, status), *(table.run() for table in tables.values())]
    work.append(_watch(users))
    hotplug = Hotplug(udev_monitor())
    work += [_keep(spec, tables[spec.name], hotplug, recorders.get(spec.name), bus) for spec in specs]
    if not settings.boards:
        work.append(Demo(tables[board_spec(DEMO).name]).run())
    if (seconds := watchdog_seconds()) is not None:
        work.append(_pulse(list(tables.values()), seconds))
    tasks = [_begin(part) for part in work]
    try:
        async with _pages(settings, doors, users, bus, journal):
            yield
    finally:
        for player in players:
            player.stop()
        hotplug.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def _pages(settings: Settings, doors: Doors, users: Users, bus: Bus, journal: Journal) -> AsyncIterator[None]:
    # Loading a web server takes longer than everything before it, and the first dart does not wait for it.
    web = await asyncio.to_thread(import_module, "daemon.web")
    door = import_module("daemon.door").Door(settings.host, users, _pairing(settings, bus))
    async with web.serve(settings, doors, door, games(), faces(), journal):
        yield


def _pairing(settings: Settings, bus: Bus) -> Pairing | None:
    """Codes that let people in, where there are others to let in, and it is our broker that knows them."""
    if is_this_machine(settings.host) or settings.broker.scheme != EMBEDDED:
        return None
    pairing = Pairing(time.monotonic)
    address = lan_address(settings.host, settings.port, encrypted=settings.tls is not None)

    def show() -> None:
        code = pairing.codes["player"]
        bus.retain("pairing", {"code": code, "url": f"{address}/pair?code={code}"})

    pairing.changed = show
    show()
    return pairing


def _let_in(users: Users, doors: Doors, tables: Iterable[Table]) -> None:
    """First the broker knows them, then they get their hands."""
    doors.renew(users.by_name.values())
    for table in tables:
        table.show_hands()


async def _watch(users: Users) -> None:
    while True:
        await asyncio.sleep(USERS_SECONDS)
        users.look()


def _begin(part: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """A part of the house that fails is a fault of the program: said aloud, with the others going on."""
    task = asyncio.create_task(part)
    task.add_done_callback(_look_at)
    return task


def _look_at(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("a part of the daemon failed", exc_info=error)


async def _keep(spec: BoardSpec, table: Table, hotplug: Hotplug, recorder: Recorder | None, bus: Bus) -> None:
    async def opened() -> Link:
        if spec.url.scheme == "sim":
            return Simulator(spec.url)
        return await open_link(spec.url, table.board.baud or table.driver.baud, table.board.report)

    async def arrived(what: wire.Arrival) -> None:
        if recorder is not None and isinstance(what, Chunk):
            recorder.write(what)
        await table.inbox.put(what)

    if spec.url.scheme == "replay":
        # A recording can wait, and hits that nobody could hear would be gone.
        await bus.connected.wait()
    await wire.keep(opened, table.driver, arrived, hotplug.pause(spec.url))


def _recorder(folder: Path, spec: BoardSpec) -> Recorder:
    return recorder(folder / f"{spec.name}.jsonl", spec.model, spec.url)


async def _pulse(tables: list[Table], seconds: float) -> None:
    """Feeds systemd's watchdog by way of the tables: one that hangs is a daemon that hangs."""
    while True:
        pulse = Pulse(asyncio.Semaphore(0))
        for table in tables:
            await table.inbox.put(pulse)
        for _ in tables:
            await pulse.felt.acquire()
        notify("WATCHDOG=1")
        await asyncio.sleep(seconds)


def _route(message: Message, bus: Bus, tables: dict[str, Table]) -> None:
    name = message.topic.removeprefix(f"{bus.root}/board/").partition("/")[0]
    table = tables.get(name)
    if table is not None:
        table.hear(message)


def _seen_from_afar(settings: Settings) -> str | None:
    """The address of the pages for other machines; None where they are served to this one alone."""
    if is_this_machine(settings.host):
        return None
    return lan_address(settings.host, settings.port, encrypted=settings.tls is not None)


def _welcome(settings: Settings, doors: Doors) -> None:
    address = lan_address(settings.host, settings.port, encrypted=settings.tls is not None)
    print(f"The display is at {address.replace('//127.0.0.1:', '//localhost:')} - open it in a browser.")
    if not is_this_machine(settings.host):
        print("It is open to the network: `oche access code` shows the codes that let people in.")
    print(f"Programs subscribe at {doors.public} to oche/{settings.node}/#")
    if doors.note:
        print(f"Note: {doors.note}")
    print("Stop with Ctrl-C.", flush=True)
