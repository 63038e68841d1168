"""`oche run`: opens the house, keeps it open, and closes it in order."""

import asyncio
import contextlib
import errno
import gc
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from daemon.app.board_registry import BoardRegistry, start_task
from daemon.app.demo import BOTS, Demo
from daemon.history.upkeep import Upkeep
from daemon.links.simulator import Simulator
from daemon.mqtt.broker import BrokerEndpoints, broker
from daemon.mqtt.broker_process import BrokerError
from daemon.mqtt.bus import Bus, Message
from daemon.mqtt.name_conflict import Waiting
from daemon.mqtt.node_name import new_node_name
from daemon.people.newcomers import unconfirmed
from daemon.people.pairing import Pairing
from daemon.people.users import Users, UsersError
from daemon.record.chain import Damage
from daemon.record.journal import Journal
from daemon.record.journal_file import JournalError
from daemon.session import payloads
from daemon.session.inbox import Inbox, WatchdogProbe
from daemon.system.catalogue import faces, games
from daemon.system.config import Settings
from daemon.system.console import say
from daemon.system.lan_address import lan_address
from daemon.system.notify import notify, watchdog_seconds
from daemon.system.urls import EMBEDDED, BoardUrl, board_spec, is_this_machine

USERS_SECONDS: Final = 1.0
"""How often the file of users is looked at."""
SWITCH_SECONDS: Final = 0.0005
"""How long a thread that computes keeps the interpreter while another waits for it. A dart changes threads twice, and
with Python's 5 ms it would wait that long each time while a bot works out its first aim."""
DAMAGE_SHOWN: Final = 20
"""How much of what is damaged the node's status lists; `oche matches` has every match."""
DEMO: Final = "virtual=virtual@sim:"
"""The board of those who have configured none: bots play on it until somebody else wants to."""


class AddressError(Exception):
    """The pages cannot be served where they should be; the text says what to do."""


def run(settings: Settings, record: str | None = None) -> int:
    """Runs until SIGTERM or SIGINT; what the boards say is recorded to the folder `record`.

    Exit code 1 where it cannot begin, with a sentence that says why.
    """
    os.umask(os.umask(0) | 0o022)  # nobody else changes what is written here, whoever starts it
    try:
        asyncio.run(_run(settings, record))
    except (JournalError, BrokerError, AddressError, UsersError, PermissionError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


async def _run(settings: Settings, record: str | None) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    for path in settings.unread:
        say(f"oche: You may not read {path}: it is left out.", sys.stderr)
    for spec in settings.boards:
        _check(spec.url)
    journal = Journal(settings.data)
    try:
        users = Users(settings.data)
        people = users.by_name.values()
        async with broker(settings.broker, settings.data, settings.node, people, settings.tls) as doors:

            def heard(message: Message) -> None:
                registry.route(message)

            waiting = Waiting(settings.node, doors.public)
            # Nobody else can publish at a broker of our own.
            name = None if doors.own else new_node_name(settings.data)
            bus = Bus(settings.node, heard, users.is_player, name=name, told=waiting.tell)
            records = None if record is None else Path(record)
            registry = BoardRegistry(
                settings, journal, bus, users, records, lambda: bus.say(_status(registry, journal))
            )
            users.on_change(lambda: _let_in(users, doors, registry, bus))
            _show_unconfirmed(users, bus)
            try:
                for spec in settings.boards:
                    registry.add(spec)
                # Where boards are configured the first dart does not wait for a look at what else there is.
                if not settings.boards and not await registry.look():
                    registry.add(board_spec(DEMO))
                async with _at_work(settings, doors, users, bus, registry, journal, waiting):
                    _welcome(settings, doors)
                    notify("READY=1")
                    sys.setswitchinterval(SWITCH_SECONDS)
                    gc.freeze()
                    gc.enable()
                    await stop.wait()
                    notify("STOPPING=1")
                    await bus.goodbye()
            finally:
                await registry.close()
    finally:
        journal.close()


@contextlib.asynccontextmanager
async def _at_work(
    settings: Settings,
    doors: BrokerEndpoints,
    users: Users,
    bus: Bus,
    registry: BoardRegistry,
    journal: Journal,
    waiting: Waiting,
) -> AsyncIterator[None]:
    """Everything that goes on beside the boards: the bus, the look-out for boards, the web server."""
    tasks = [start_task(bus.run(doors.daemon, _status(registry, journal), own=doors.own)), start_task(_watch(users))]
    name = board_spec(DEMO).name
    demo = (
        None
        if settings.boards or name not in registry.sessions
        else start_task(Demo(registry.sessions[name], registry.bots(name), bus).run())
    )
    if demo is not None:
        tasks.append(demo)

    async def newcomer() -> None:
        """The bots make room for people, unless people already play on their board."""
        if demo is None or demo.done():
            return
        demo.cancel()
        recorded = registry.sessions[name].recorded
        if recorded is None or recorded.bots == BOTS:
            await registry.remove(name)

    tasks.append(start_task(registry.watch(newcomer)))
    upkeep = Upkeep(journal, lambda: bus.say(_status(registry, journal)))
    if (seconds := watchdog_seconds()) is not None:
        tasks.append(start_task(pulse(registry.inboxes, seconds)))
    try:
        async with _pages(settings, doors, users, bus, registry, journal, waiting, upkeep):
            # When everything else is there: the first dart does not wait for it.
            tasks.append(start_task(upkeep.run()))
            yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _status(registry: BoardRegistry, journal: Journal) -> dict[str, Any]:
    """What the node says of itself."""
    status: dict[str, Any] = {"state": "online", "version": version("oche"), "schema": payloads.SCHEMA}
    status |= {"boards": sorted(registry.sessions), "games": sorted(games())}
    if registry.said:
        status["unknown"] = [{"port": port, "message": message} for port, message in sorted(registry.said.items())]
    if journal.found:
        status["damaged"] = [_damaged(damage) for damage in journal.found[:DAMAGE_SHOWN]]
    return status


def _damaged(damage: Damage) -> dict[str, Any]:
    about: dict[str, Any] = {"message": damage.message}
    return about if damage.match is None else about | {"match": damage.match, "first_bad_action": damage.action}


@contextlib.asynccontextmanager
async def _pages(
    settings: Settings,
    doors: BrokerEndpoints,
    users: Users,
    bus: Bus,
    registry: BoardRegistry,
    journal: Journal,
    waiting: Waiting,
    upkeep: Upkeep,
) -> AsyncIterator[None]:
    # Loading a web server takes longer than everything before it: in a thread, so that the first dart does not wait.
    await asyncio.to_thread(_load_web)
    from daemon.web import server

    pairing = _pairing(settings, bus)
    async with contextlib.AsyncExitStack() as serving:
        try:
            serve = server.serve(
                *(settings, doors, users, pairing, games(), faces(), journal),
                *(registry.inboxes, bus.put_out, upkeep.want),
                conflict=lambda: waiting.message,
            )
            await serving.enter_async_context(serve)
        except OSError as error:
            why = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror or error})"
            raise AddressError(
                f"The address {settings.host}:{settings.port} {why}. Name another one with --http."
            ) from error
        yield


def _load_web() -> None:
    from daemon.web import server

    assert server


def _pairing(settings: Settings, bus: Bus) -> Pairing | None:
    """Codes that let people in, where there are others to let in, and it is our broker that knows them."""
    if is_this_machine(settings.host) or settings.broker.scheme != EMBEDDED:
        return None
    address = lan_address(settings.host, settings.port, encrypted=settings.tls is not None)

    def show(pairing: Pairing) -> None:
        bus.retain("pairing", {"code": pairing.codes["player"], "url": pairing.link("player")})

    pairing = Pairing(time.monotonic, page=f"{address}/pair", on_change=show)
    show(pairing)
    return pairing


def _let_in(users: Users, doors: BrokerEndpoints, registry: BoardRegistry, bus: Bus) -> None:
    """First the broker knows them, then they get their hands."""
    doors.renew(users.by_name.values())
    for session in registry.sessions.values():
        session.show_hands()
    _show_unconfirmed(users, bus)


def _show_unconfirmed(users: Users, bus: Bus) -> None:
    if (shown := unconfirmed(users.by_name)) is None:
        bus.clear("unconfirmed")
    else:
        bus.retain("unconfirmed", shown)


async def _watch(users: Users) -> None:
    while True:
        await asyncio.sleep(USERS_SECONDS)
        users.reload()


def _check(url: BoardUrl) -> None:
    """UsageError where the settings of a board make no sense: said before anything starts."""
    if url.scheme == "sim":
        Simulator(url)
    for name in ("baud", "pace"):
        url.number(name, 0)


async def pulse(inboxes: Callable[[], Mapping[str, Inbox]], seconds: float) -> None:
    """Feeds systemd's watchdog by way of the tables: one that hangs is a daemon that hangs."""
    while True:
        signs = [(name, inbox, WatchdogProbe(asyncio.Semaphore(0))) for name, inbox in inboxes().items()]
        for _, inbox, sign in signs:
            await inbox.put(sign)
        for name, inbox, sign in signs:
            felt = False
            # A table that was removed meanwhile has nobody to answer.
            while not felt and inboxes().get(name) is inbox:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        felt = await sign.felt.acquire()
        notify("WATCHDOG=1")
        await asyncio.sleep(seconds)


def _welcome(settings: Settings, doors: BrokerEndpoints) -> None:
    address = lan_address(settings.host, settings.port, encrypted=settings.tls is not None)
    said = [f"The display is at {address.replace('//127.0.0.1:', '//localhost:')} - open it in a browser."]
    if not is_this_machine(settings.host):
        said.append("It is open to the network: `oche access code` shows the codes that let people in.")
    said.append(f"Programs subscribe at {doors.public} to oche/{settings.node}/#")
    if doors.note:
        said.append(f"Note: {doors.note}")
    say("\n".join([*said, "Stop with Ctrl-C."]), sys.stdout)
