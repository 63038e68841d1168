"""`oche show`: reads the bus, and sends what the rules say. `oche run` starts it where something is configured."""

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from typing import Final

import aiomqtt
from aiohttp import ClientSession

from daemon.mqtt.connection import watching_client, why_away
from daemon.show.app import DoorClosed, Show
from daemon.show.requests import answer_requests
from daemon.system.config import Settings, load_settings
from daemon.system.console import TroublePrinter
from daemon.system.exit_codes import Exit
from daemon.system.show_config import BROKER_VARIABLE, REQUESTS_VARIABLE
from daemon.system.show_file import read_rules
from daemon.system.urls import DEMO, EMBEDDED, UsageError

RETRY_SECONDS: Final = 1.0
NICENESS: Final = 5
"""A third of the daemon's share of a busy processor, not the least: a light is still to be in time."""


def show(arguments: argparse.Namespace) -> int:
    """Runs until SIGTERM or SIGINT. Returns 1, after a sentence on stderr, if the door cannot be opened."""
    broker = arguments.broker or os.environ.get(BROKER_VARIABLE)
    settings = load_settings(arguments.config, [], broker, None, arguments.data, arguments.node, encrypts=False)
    is_asked = REQUESTS_VARIABLE in os.environ
    if not (settings.show or settings.rings or settings.caller_door or read_rules(settings.data).rules or is_asked):
        raise UsageError(
            "There is nothing to show: the configuration has no [[show]], no [[ring]] and no [caller_door]."
        )
    if settings.broker.scheme in (EMBEDDED, DEMO):
        raise UsageError("Name the daemon's broker: --broker mqtt://127.0.0.1:1884. `oche run` does so by itself.")
    _yield_to_the_daemon()
    try:
        asyncio.run(_show(settings, is_asked=is_asked))
    except DoorClosed as error:
        print(error, file=sys.stderr)
        return Exit.FAILED
    return Exit.DONE


def _yield_to_the_daemon() -> None:
    """Lowers this process's priority: a dart wakes the daemon, the broker and this process, and two cores are few.

    SCHED_BATCH takes no processor from a process that runs, even when a message wakes this one. Without both a dart
    took a seventh longer on two busy cores (`scripts/bench --only show`).
    """
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


async def _show(settings: Settings, *, is_asked: bool) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with ClientSession() as session:
        at_work = Show(settings, session)
        async with contextlib.AsyncExitStack() as open_things:
            open_things.push_async_callback(at_work.close)
            if at_work.door is not None and settings.caller_door is not None:
                try:
                    await open_things.enter_async_context(at_work.door.open())
                except OSError as error:
                    why = error.strerror or error
                    raise DoorClosed(
                        f"The port for callers, {settings.caller_door.address}, cannot be used ({why}). "
                        "Name another one in [caller_door]."
                    ) from error
            working = {asyncio.create_task(_follow(settings, at_work))}
            if is_asked:
                working.add(asyncio.create_task(answer_requests(at_work.stage())))
            stopped = asyncio.create_task(stop.wait())
            ended, _ = await asyncio.wait({stopped, *working}, return_when=asyncio.FIRST_COMPLETED)
            for task in ended - {stopped}:
                task.result()  # May raise: `oche run` says so, and starts the process again.
            for task in working:
                task.cancel()
            await asyncio.gather(*working, return_exceptions=True)


async def _follow(settings: Settings, at_work: Show) -> None:
    """Reads the bus for ever; a broker that is away is tried again every second."""
    trouble = TroublePrinter("oche show")
    boards = f"oche/{settings.node}/board/+"
    while True:
        try:
            async with watching_client(settings.broker) as client, asyncio.TaskGroup() as tasks:
                await client.subscribe([(f"{boards}/match", 1), (f"{boards}/event", 1)])
                trouble.now(None)
                at_work.connected.set()
                tasks.create_task(at_work.publish_all(client))
                tasks.create_task(at_work.read_all(client))
        except* (aiomqtt.MqttError, OSError) as errors:
            trouble.now(why_away(settings.broker, next(_leaves(errors))))
        finally:
            at_work.connected.clear()
        await asyncio.sleep(RETRY_SECONDS)


def _leaves(errors: BaseExceptionGroup[Exception]) -> Iterator[Exception]:
    for error in errors.exceptions:
        yield from _leaves(error) if isinstance(error, BaseExceptionGroup) else (error,)
