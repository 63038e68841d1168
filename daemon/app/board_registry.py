"""The boards of a running daemon: each with its table, its players and its port; some of them come while it runs."""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Coroutine
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from daemon.links import supervisor
from daemon.links.discovery import BY_ID, judge, look, spec_of, unclaimed
from daemon.links.hotplug import Hotplug, udev_monitor
from daemon.links.link import Chunk, Disconnected, Link
from daemon.links.opener import open_link
from daemon.links.recorder import Recorder, recorder
from daemon.links.simulator import Simulator
from daemon.mqtt import home_assistant
from daemon.mqtt.bus import Bus, Message
from daemon.people.users import Users
from daemon.record.journal import Journal
from daemon.session.board_session import BoardSession
from daemon.session.bots import Bots, thinker
from daemon.session.hints import Hints
from daemon.session.inbox import Inbox
from daemon.session.scorer import Scorer
from daemon.system.catalogue import dialects, faces, games, model, models
from daemon.system.config import Settings
from daemon.system.console import say
from daemon.system.lan_address import lan_address
from daemon.system.urls import BoardSpec, UsageError, is_this_machine

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 0.5
"""Between two looks at whether /dev has changed: two calls of the kernel, for rest may cost 1 % at most."""


class BoardRegistry:
    """Tables by the names of their boards. `changed` is told when one comes or goes."""

    def __init__(
        self,
        settings: Settings,
        journal: Journal,
        bus: Bus,
        users: Users,
        records: Path | None,
        changed: Callable[[], None],
    ) -> None:
        """`records` is the folder to which what the boards say is recorded."""
        self.tables: dict[str, BoardSession] = {}
        self.said: dict[str, str] = {}
        """What there is to say about ports that no board has, by port."""
        self._settings, self._journal, self._bus, self._users = settings, journal, bus, users
        self._records, self._changed = records, changed
        self._hotplug = Hotplug(udev_monitor())
        self._specs: dict[str, BoardSpec] = {}
        self._players: dict[str, Bots] = {}
        self._hints: dict[str, Hints] = {}
        self._thinks = thinker()
        self._at_work: dict[str, list[asyncio.Task[None]]] = {}

    def add(self, spec: BoardSpec) -> BoardSession:
        """A board from now on. UsageError where there is no such model, or no recording can be written."""
        board = model(spec.model)
        driver = dialects()[board.dialect]
        records = self._records
        writer = None if records is None else recorder(records / f"{spec.name}.jsonl", spec.model, spec.url)
        scorer = Scorer(spec.name, board, self._journal, games(), faces())
        table = BoardSession(scorer, driver, self._journal, self._bus, self._users)
        self.tables[spec.name], self._specs[spec.name] = table, spec
        self._players[spec.name] = Bots(table, self._thinks)
        self._hints[spec.name] = Hints(table, self._thinks)
        self._at_work[spec.name] = [start_task(table.run()), start_task(self._keep(spec, table, writer))]
        if self._settings.home_assistant:
            node = self._settings.node
            about = home_assistant.device(
                node, spec.name, board.title, version("oche"), _seen_from_afar(self._settings)
            )
            self._bus.retain(home_assistant.topic(node, spec.name), about)
        return table

    def inboxes(self) -> dict[str, Inbox]:
        """What waits for each table, by the name of its board."""
        return {name: table.inbox for name, table in self.tables.items()}

    def bots(self, name: str) -> Bots:
        """Who plays on a board for those that do not play by themselves."""
        return self._players[name]

    async def remove(self, name: str) -> None:
        """A board no more; what the bus shows of it is taken away."""
        self.tables.pop(name)
        self._specs.pop(name)
        self._players.pop(name).stop()
        self._hints.pop(name).stop()
        await _end(self._at_work.pop(name))
        self._bus.forget(f"board/{name}/")
        self._bus.clear(home_assistant.topic(self._settings.node, name))

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
                said[device.device] = verdict.message
            if device.device not in self.said:
                say(verdict.message, sys.stderr)
        self.said = said
        return came

    async def close(self) -> None:
        """Lets go of every board, its players and its port."""
        for player in self._players.values():
            player.stop()
        # What has not been thought of yet is not thought of any more.
        self._thinks.shutdown(wait=False, cancel_futures=True)
        await _end([task for tasks in self._at_work.values() for task in tasks])
        self._hotplug.close()

    async def _keep(self, spec: BoardSpec, table: BoardSession, writer: Recorder | None) -> None:
        """Keeps one board connected, and records what it says where that is wanted."""

        async def opened() -> Link:
            if spec.url.scheme == "sim":
                return Simulator(spec.url)
            try:
                return await open_link(spec.url, table.board.baud or table.driver.baud, table.board.report)
            except UsageError as error:
                raise Disconnected("bad-url", str(error), final=True) from error

        async def arrived(what: supervisor.Arrival) -> None:
            if writer is not None and isinstance(what, Chunk):
                writer.write(what)
            await table.inbox.put(what)

        if spec.url.scheme == "replay":
            # A recording can wait, and hits that nobody could hear would be gone.
            await self._bus.connected.wait()
        await supervisor.supervise(opened, table.driver, arrived, self._hotplug.pause(spec.url))


def start_task(part: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
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


def _seen_from_afar(settings: Settings) -> str | None:
    """The address of the pages for other machines; None where they are served to this one alone."""
    if is_this_machine(settings.host):
        return None
    return lan_address(settings.host, settings.port, encrypted=settings.tls is not None)


def _signature() -> tuple[int, ...]:
    """Changes when a device comes or goes: when the folders of their names were last written."""
    times = []
    for folder in (Path("/dev"), BY_ID):
        with contextlib.suppress(OSError):
            times.append(folder.stat().st_mtime_ns)
    return tuple(times)
