"""The boards of a running daemon, each with its session, its bots and its link; boards may be added and removed."""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, Final

from daemon.houses.houses import Houses
from daemon.links import supervisor
from daemon.links.board_ports import BoardPorts
from daemon.links.discovery import BY_ID, judge, look, spec_of, unclaimed
from daemon.links.hotplug import Hotplug, udev_monitor
from daemon.links.link import Chunk, Disconnected, Link
from daemon.links.opener import open_board
from daemon.links.recorder import Recorder, recorder
from daemon.links.simulator import Simulator
from daemon.mqtt import home_assistant
from daemon.mqtt.bus import Bus, Message
from daemon.people import hand_files
from daemon.people.users import Users
from daemon.record.journal import Journal
from daemon.session.board_session import BoardSession
from daemon.session.bot_advice import BotAdvice, thinker
from daemon.session.bots import Bots
from daemon.session.chance_work import ChanceWork
from daemon.session.inbox import Inbox
from daemon.session.live_chance import LiveChance
from daemon.session.node_boards import NodeBoards
from daemon.session.scorer import Scorer
from daemon.session.x01_plans import X01Plans
from daemon.system.catalogue import dialects, faces, games, model, models
from daemon.system.config import Settings
from daemon.system.console import say
from daemon.system.lan_address import lan_address
from daemon.system.urls import BoardSpec, UsageError, is_this_machine
from daemon.system.version import version

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 0.5
"""How often /dev is checked for changes, by two system calls: at rest the daemon may use 1 % of a core at most."""


class BoardRegistry:
    """Sessions by the names of their boards. `changed` is called when a board is added or removed."""

    def __init__(
        self,
        settings: Settings,
        journal: Journal,
        bus: Bus,
        users: Users,
        records: Path | None,
        changed: Callable[[], None],
        ports: BoardPorts,
        chance_work: ChanceWork | None = None,
    ) -> None:
        """`records` is the folder for recordings of what the boards send; `None` to record nothing. `ports`
        are those at which boards call."""
        self.sessions: dict[str, BoardSession] = {}
        self.said: dict[str, str] = {}
        """A sentence about each port without a board, by port."""
        self._settings, self._journal, self._bus, self._users = settings, journal, bus, users
        self._records, self._changed, self._ports = records, changed, ports
        self.houses: Houses | None = None
        """Matches with other houses; `None` where no broker is configured for them."""
        self._hotplug = Hotplug(udev_monitor())
        self._boards = NodeBoards()
        self._specs: dict[str, BoardSpec] = {}
        self._bots: dict[str, Bots] = {}
        self._executor = thinker()
        self._plans = X01Plans(settings.data)
        self._advice = BotAdvice(self._executor, self._plans)
        self._chances: dict[str, LiveChance] = {}
        self._chance_work = ChanceWork() if chance_work is None else chance_work
        self._tasks: dict[str, list[asyncio.Task[None]]] = {}

    def add(self, spec: BoardSpec) -> BoardSession:
        """Adds a board. UsageError if there is no such model, or no recording can be written."""
        board = model(spec.model)
        driver = dialects()[board.dialect]
        records = self._records
        writer = None if records is None else recorder(records / f"{spec.name}.jsonl", spec.model, spec.url)
        scorer = Scorer(spec.name, board, self._journal, games(), faces(), self._settings.node)
        session = BoardSession(scorer, driver, self._journal, self._bus, self._users, self._executor, self._boards)
        if spec.url.scheme == "mqtt":
            self._bus.boards.add(spec.url)
        self.sessions[spec.name], self._specs[spec.name] = session, spec
        self._bots[spec.name] = Bots(session, self._advice)
        spread_of = partial(hand_files.spread_of, self._settings.data)
        self._chances[spec.name] = LiveChance(session, self._chance_work, spread_of)
        if self.houses is not None:
            self.houses.add(session)
        self._tasks[spec.name] = [start_task(session.run()), start_task(self._connect(spec, session, writer))]
        if self._settings.home_assistant:
            node = self._settings.node
            pages = _lan_address(self._settings)
            about = home_assistant.device(node, spec.name, board.title, version(), pages, battery=board.can.battery)
            self._bus.retain(home_assistant.topic(node, spec.name), about)
        return session

    def inboxes(self) -> dict[str, Inbox]:
        """The inbox of each session, by the name of its board."""
        return {name: session.inbox for name, session in self.sessions.items()}

    def bots(self, name: str) -> Bots:
        """The bots of a board."""
        return self._bots[name]

    async def remove(self, name: str) -> None:
        """Removes a board and clears its retained topics."""
        self.sessions.pop(name)
        self._specs.pop(name)
        self._bots.pop(name).stop()
        if self.houses is not None:
            self.houses.remove(name)
        self._chances.pop(name).stop()
        tasks = self._tasks.pop(name)
        await self._boards.remove(name, lambda: _end(tasks))
        self._bus.forget(f"board/{name}/")
        self._bus.clear(home_assistant.topic(self._settings.node, name))

    def route(self, message: Message) -> None:
        """Hands a command to the session of the board that its topic names."""
        session = self.sessions.get(message.topic.removeprefix(f"{self._bus.root}/board/").partition("/")[0])
        if session is not None:
            session.receive(message)

    async def watch(self, newcomer: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Looks for boards that identify themselves until cancelled; calls `newcomer` when boards were added."""
        before: object = None
        while True:
            # The pause comes first: what is configured opens, and its first dart lands, before others are looked for.
            await asyncio.sleep(LOOK_SECONDS)
            if (now := _device_times()) != before:
                before = now
                if await self.look():
                    await newcomer()
                self._changed()

    async def look(self) -> bool:
        """Adds boards that identify themselves, prints what to type for others, and returns whether one was added."""
        devices = await asyncio.to_thread(look)
        said, came = {}, False
        for device in unclaimed(devices, self._specs.values()):
            judged = judge(device, models())
            spec = None if judged.model is None else spec_of(judged)
            if spec is not None and spec.name not in self.sessions:
                self.add(spec)
                came = True
            elif spec is None:
                said[device.device] = judged.message
            if device.device not in self.said:
                say(judged.message, sys.stderr)
        self.said = said
        return came

    async def close(self) -> None:
        """Stops every session and its bots, and closes every link."""
        for bots in self._bots.values():
            bots.stop()
        # Advice that is still queued is not needed any more.
        self._executor.shutdown(wait=False, cancel_futures=True)
        await self._plans.stop()
        await self._chance_work.stop()
        await _end([task for tasks in self._tasks.values() for task in tasks])
        self._hotplug.close()
        await self._ports.close()

    async def _connect(self, spec: BoardSpec, session: BoardSession, writer: Recorder | None) -> None:
        """Keeps one board connected, and records what it sends if that is configured."""

        async def opened() -> Link:
            if spec.url.scheme == "sim":
                return Simulator(spec.url)
            if spec.url.scheme == "mqtt":
                return await self._bus.boards.open(spec.url)
            try:
                return await open_board(spec.url, session.board, session.driver, self._ports)
            except UsageError as error:
                raise Disconnected("bad-url", str(error), final=True) from error

        async def arrived(what: supervisor.Arrival) -> None:
            if writer is not None and isinstance(what, Chunk):
                writer.write(what)
            await session.inbox.put(what)

        if spec.url.scheme == "replay":
            # A recording can wait: hits without a broker would be lost to subscribers.
            await self._bus.connected.wait()
        await supervisor.supervise(opened, session.driver, arrived, self._hotplug.pause(spec.url))


def start_task(part: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Starts a task whose failure is logged: it is a fault of the program, and the other tasks go on."""
    task = asyncio.create_task(part)
    task.add_done_callback(_log_failure)
    return task


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("a task of the daemon failed", exc_info=error)


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _lan_address(settings: Settings) -> str | None:
    """The address of the pages for other machines; `None` if they are served to this machine alone."""
    if is_this_machine(settings.host):
        return None
    return lan_address(settings.host, settings.port, encrypted=settings.tls is not None)


def _device_times() -> tuple[int, ...]:
    """Modification times of the device folders: they change when a device is plugged in or unplugged."""
    times = []
    for folder in (Path("/dev"), BY_ID):
        with contextlib.suppress(OSError):
            times.append(folder.stat().st_mtime_ns)
    return tuple(times)
