"""`oche run`: opens the house, keeps it open, and closes it in order."""

import asyncio
import contextlib
import errno
import signal
import sys
from collections.abc import AsyncIterator
from importlib import import_module
from importlib.metadata import version
from typing import Any, Final

from daemon import announce
from daemon.broker import Doors, broker
from daemon.bus import Bus, Message
from daemon.config import Settings
from daemon.demo import BOTS, Demo
from daemon.journal import Journal, JournalError
from daemon.notify import notify, watchdog_seconds
from daemon.seats import Seats, begin
from daemon.shelf import games
from daemon.table import Pulse
from daemon.urls import BrokerUrl, board_spec

DEMO: Final = "virtual=virtual@sim:"
"""The board of those who have configured none: bots play on it until somebody else wants to."""


def run(settings: Settings) -> int:
    """Runs until SIGTERM or SIGINT. Exit code 1 where it cannot begin, with a sentence that says why."""
    try:
        asyncio.run(_run(settings))
    except JournalError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        print(f"The address {settings.host}:{settings.port} is taken. Name another one with --http.", file=sys.stderr)
        return 1
    return 0


async def _run(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    journal = Journal(settings.data)
    try:
        async with broker(settings.broker, settings.data) as doors:

            def heard(message: Message) -> None:
                seats.route(message)

            bus = Bus(settings.node, heard)
            seats = Seats(journal, bus, lambda: bus.say(_status(seats)))
            try:
                for spec in settings.boards:
                    seats.add(spec)
                # Where boards are configured the first dart does not wait for a look at what else there is.
                if not settings.boards and not await seats.look():
                    seats.add(board_spec(DEMO))
                async with _at_work(settings, doors, bus, seats):
                    _welcome(settings, doors)
                    notify("READY=1")
                    await stop.wait()
                    notify("STOPPING=1")
                    await bus.goodbye()
            finally:
                await seats.close()
    finally:
        journal.close()


@contextlib.asynccontextmanager
async def _at_work(settings: Settings, doors: Doors, bus: Bus, seats: Seats) -> AsyncIterator[None]:
    """Everything that goes on beside the boards: the bus, the look-out for boards, the web server."""
    tasks = [begin(bus.run(doors.daemon, _status(seats)))]
    name = board_spec(DEMO).name
    demo = None if settings.boards or name not in seats.tables else begin(Demo(seats.tables[name]).run())
    if demo is not None:
        tasks.append(demo)

    async def newcomer() -> None:
        """The bots make room for people, unless people already play on their board."""
        if demo is None or demo.done():
            return
        demo.cancel()
        live = seats.tables[name].live
        if live is None or live.bots == BOTS:
            await seats.remove(name)

    tasks.append(begin(seats.watch(newcomer)))
    if (seconds := watchdog_seconds()) is not None:
        tasks.append(begin(_pulse(seats, seconds)))
    try:
        async with _pages(settings, doors.pages):
            yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _status(seats: Seats) -> dict[str, Any]:
    """What the node says of itself."""
    status: dict[str, Any] = {"state": "online", "version": version("oche"), "schema": announce.SCHEMA}
    status |= {"boards": sorted(seats.tables), "games": sorted(games())}
    if seats.said:
        status["unknown"] = [{"port": port, "message": sentence} for port, sentence in sorted(seats.said.items())]
    return status


@contextlib.asynccontextmanager
async def _pages(settings: Settings, pages: BrokerUrl) -> AsyncIterator[None]:
    # Loading a web server takes longer than everything before it, and the first dart does not wait for it.
    web = await asyncio.to_thread(import_module, "daemon.web")
    async with web.serve(settings.host, settings.port, settings.node, pages, games()):
        yield


async def _pulse(seats: Seats, seconds: float) -> None:
    """Feeds systemd's watchdog by way of the tables: one that hangs is a daemon that hangs."""
    while True:
        pulses = [(table, Pulse(asyncio.Semaphore(0))) for table in seats.tables.values()]
        for table, pulse in pulses:
            await table.inbox.put(pulse)
        for table, pulse in pulses:
            answered = False
            # A table that was removed meanwhile has nobody to answer.
            while not answered and seats.tables.get(table.name) is table:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        answered = await pulse.felt.acquire()
        notify("WATCHDOG=1")
        await asyncio.sleep(seconds)


def _welcome(settings: Settings, doors: Doors) -> None:
    host = "localhost" if settings.host in ("0.0.0.0", "::", "127.0.0.1") else settings.host  # noqa: S104
    print(f"The display is at http://{host}:{settings.port} - open it in a browser.")
    print(f"Programs subscribe at {doors.public} to oche/{settings.node}/#")
    if doors.note:
        print(f"Note: {doors.note}")
    print("Stop with Ctrl-C.", flush=True)
