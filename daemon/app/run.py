"""`oche run`: starts every part of the daemon, waits for a signal, and stops the parts in order."""

import asyncio
import contextlib
import errno
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from daemon.app import interpreter
from daemon.app.board_registry import BoardRegistry, start_task
from daemon.app.demo import BOTS, Demo
from daemon.app.own_status import own_status
from daemon.app.show_process import ShowProcess
from daemon.app.stop import stop_event
from daemon.app.watchdog import feed_watchdog
from daemon.history.upkeep import Upkeep
from daemon.houses.houses import Houses
from daemon.houses.invitations import Invitations
from daemon.links.board_ports import BoardPorts
from daemon.links.link_loop import run_with_links
from daemon.links.simulator import Simulator
from daemon.mqtt.broker import BrokerEndpoints, broker
from daemon.mqtt.broker_process import BrokerError
from daemon.mqtt.bus import Bus, Message
from daemon.mqtt.name_conflict import NameConflict
from daemon.mqtt.node_name import new_node_name
from daemon.network.connection_limits import ConnectionLimits
from daemon.network.fair_turns import ClientTurns
from daemon.people.newcomers import unconfirmed
from daemon.people.pairing import Pairing
from daemon.people.users import Users, UsersError
from daemon.record.journal import Journal
from daemon.record.journal_file import JournalError
from daemon.shipping.process import HallProcess
from daemon.system.catalogue import faces, games
from daemon.system.config import Settings
from daemon.system.console import say
from daemon.system.lan_address import lan_address
from daemon.system.notify import notify, watchdog_seconds
from daemon.system.urls import EMBEDDED, BoardUrl, board_spec, is_this_machine
from daemon.tournament.director import Director

if TYPE_CHECKING:
    from daemon.web.metrics import Figures

USERS_SECONDS: Final = 1.0
"""How often the file of users is checked for changes."""
DEMO: Final = "virtual=virtual@sim:"
"""The board where none is configured: bots play on it until somebody starts a match."""


class AddressError(Exception):
    """The pages cannot be served at the address; the text says what to do."""


@dataclass(frozen=True, slots=True)
class _Daemon:
    """The parts of a running daemon."""

    settings: Settings
    endpoints: BrokerEndpoints
    users: Users
    bus: Bus
    registry: BoardRegistry
    journal: Journal
    conflict: NameConflict
    director: Director
    invitations: Invitations
    limits: ConnectionLimits
    """The bounds of every port at which the daemon itself listens."""
    hall: HallProcess
    tell: Callable[[], None]
    """Publishes the node status."""


def run(settings: Settings, record: str | None = None) -> int:
    """Runs until SIGTERM or SIGINT; records what the boards send to the folder `record`.

    Returns exit code 1, after a message on stderr, if the daemon cannot start.
    """
    os.umask(os.umask(0) | 0o022)  # no other user may write to the daemon's files, whatever umask it was started with
    try:
        run_with_links(_run(settings, record))
    except (JournalError, BrokerError, AddressError, UsersError, PermissionError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


async def _run(settings: Settings, record: str | None) -> None:
    stop = stop_event()
    for path in settings.unread:
        say(f"oche: You may not read {path}: it is left out.", sys.stderr)
    for spec in settings.boards:
        _check_settings(spec.url)
    with contextlib.closing(Journal(settings.data)) as journal:
        users = Users(settings.data)
        people = users.by_name.values()
        async with broker(
            settings.broker, settings.data, settings.node, people, settings.tls, settings.topics
        ) as endpoints:

            def route(message: Message) -> None:
                registry.route(message)

            conflict = NameConflict(settings.node, endpoints.public)
            # No other daemon can publish at the broker that this one has started.
            name = None if endpoints.own else new_node_name(settings.data)
            bus = Bus(settings.node, route, users.is_player, name=name, told=conflict.tell)
            records = None if record is None else Path(record)
            limits = ConnectionLimits(ClientTurns())

            def tell() -> None:
                bus.say(own_status(registry, journal, hall.status))

            hall = HallProcess(settings.data, settings.hall, tell)
            journal.on_written = hall.written
            registry = BoardRegistry(
                *(settings, journal, bus, users, records),
                tell,
                BoardPorts(limits),
            )
            invitations = Invitations(settings.data)
            if settings.houses is not None:
                about = (settings.node, settings.houses, invitations)
                registry.houses = Houses(*about, registry.sessions, journal, games(), faces())
            shared = None if endpoints.own else (endpoints.daemon, settings.node)
            director = Director(
                *(settings.data, registry.sessions, bus, games(), faces()),
                shared=shared,
                may_send=lambda: conflict.message is None,
            )
            daemon = _Daemon(
                settings, endpoints, users, bus, registry, journal, conflict, director, invitations, limits, hall, tell
            )
            users.on_change(lambda: _users_changed(daemon))
            _show_unconfirmed(users, bus)
            try:
                for spec in settings.boards:
                    registry.add(spec)
                # If boards are configured, the first dart does not wait for the search for others.
                if not settings.boards and not await registry.look():
                    registry.add(board_spec(DEMO))
                async with _running(daemon):
                    _welcome(settings, endpoints)
                    notify("READY=1")
                    interpreter.set_up()
                    await stop.wait()
                    notify("STOPPING=1")
                    await bus.goodbye()
            finally:
                await registry.close()


@contextlib.asynccontextmanager
async def _running(daemon: _Daemon) -> AsyncIterator[None]:
    """Runs everything but the boards: the bus, the search for boards, the demo, the web server."""
    bus, registry = daemon.bus, daemon.registry
    status = own_status(registry, daemon.journal, daemon.hall.status)
    run_bus = bus.run(daemon.endpoints.daemon, status, own=daemon.endpoints.own)
    tasks = [start_task(run_bus), start_task(_watch(daemon.users)), start_task(daemon.director.run())]
    if registry.houses is not None:
        tasks.append(start_task(registry.houses.run()))
    name = board_spec(DEMO).name
    demo = None
    if not daemon.settings.boards and name in registry.sessions:
        demo = start_task(Demo(registry.sessions[name], registry.bots(name), bus).run())
        tasks.append(demo)

    async def newcomer() -> None:
        """Ends the demo and removes its board, unless people play on it."""
        if demo is None or demo.done():
            return
        demo.cancel()
        recorded = registry.sessions[name].recorded
        if recorded is None or recorded.bots == BOTS:
            await registry.remove(name)

    tasks.append(start_task(registry.watch(newcomer)))
    upkeep = Upkeep(daemon.journal, daemon.tell)
    try:
        show = ShowProcess(daemon.settings, daemon.endpoints.daemon)
        async with _pages(daemon, upkeep, show):
            # After everything else, so that the first dart does not wait for it.
            tasks.append(start_task(upkeep.run()))
            tasks.append(start_task(show.run()))
            tasks.append(start_task(daemon.hall.run()))
            if (seconds := watchdog_seconds()) is not None:
                # Not before: the first ping starts systemd's limit, and a slow machine imports the pages for longer.
                tasks.append(start_task(feed_watchdog(registry.inboxes, seconds)))
            yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def _pages(daemon: _Daemon, upkeep: Upkeep, show: ShowProcess) -> AsyncIterator[None]:
    settings, registry, bus = daemon.settings, daemon.registry, daemon.bus
    # Importing a web server takes longer than everything before it: in a thread, so that the first dart does not wait.
    await asyncio.to_thread(_import_web)
    from daemon.web import server
    from daemon.web.metrics import figures, metrics

    def now() -> "Figures":
        darts = {name: session.darts for name, session in registry.sessions.items()}
        return figures(bus, darts, daemon.journal.times)

    pairing = _pairing(settings, bus)
    async with contextlib.AsyncExitStack() as serving:
        try:
            serve = server.serve(
                *(settings, daemon.endpoints, daemon.users, pairing, games(), faces(), daemon.journal),
                *(registry.inboxes, bus.count_stuck_display, upkeep.want),
                conflict=lambda: daemon.conflict.message,
                limits=daemon.limits,
                more={"/metrics": metrics(now)},
                show_process=show,
                tournament=daemon.director,
                invitations=daemon.invitations,
            )
            await serving.enter_async_context(serve)
        except OSError as error:
            why = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror or error})"
            raise AddressError(
                f"The address {settings.host}:{settings.port} {why}. Name another one with --http."
            ) from error
        yield


def _import_web() -> None:
    from daemon.web import server

    assert server


def _pairing(settings: Settings, bus: Bus) -> Pairing | None:
    """Codes that grant access; `None` if the pages are for this machine alone, or an external broker has the users."""
    if is_this_machine(settings.host) or settings.broker.scheme != EMBEDDED:
        return None
    address = lan_address(settings.host, settings.port, encrypted=settings.tls is not None)

    def show(pairing: Pairing) -> None:
        bus.retain("pairing", pairing.player_code())

    pairing = Pairing(time.monotonic, page=f"{address}/pair", on_change=show)
    show(pairing)
    return pairing


def _users_changed(daemon: _Daemon) -> None:
    """Tells the broker who its users are, and then publishes their hands."""
    daemon.endpoints.renew(daemon.users.by_name.values())
    for session in daemon.registry.sessions.values():
        session.show_hands()
    _show_unconfirmed(daemon.users, daemon.bus)


def _show_unconfirmed(users: Users, bus: Bus) -> None:
    if (shown := unconfirmed(users.by_name)) is None:
        bus.clear("unconfirmed")
    else:
        bus.retain("unconfirmed", shown)


async def _watch(users: Users) -> None:
    while True:
        await asyncio.sleep(USERS_SECONDS)
        users.reload()


def _check_settings(url: BoardUrl) -> None:
    """Checks the settings in a board's address before anything starts. UsageError if one is not valid."""
    if url.scheme == "sim":
        Simulator(url)
    for name in ("baud", "pace"):
        url.number(name, 0)


def _welcome(settings: Settings, endpoints: BrokerEndpoints) -> None:
    address = lan_address(settings.host, settings.port, encrypted=settings.tls is not None)
    said = [f"The display is at {address.replace('//127.0.0.1:', '//localhost:')} - open it in a browser."]
    if not is_this_machine(settings.host):
        said.append("It is open to the network: `oche access code` shows the codes that grant access.")
    said.append(f"Programs subscribe at {endpoints.public} to oche/{settings.node}/#")
    if endpoints.note:
        said.append(f"Note: {endpoints.note}")
    say("\n".join([*said, "Stop with Ctrl-C."]), sys.stdout)
