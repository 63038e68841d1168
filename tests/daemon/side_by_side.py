"""Boards of one node in this process: real sessions, a real journal, and no broker."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.links.link import Chunk
from daemon.mqtt.bus import Bus, Message
from daemon.people.users import Users
from daemon.record.changes import Change
from daemon.record.journal import Journal
from daemon.session.board_session import BoardSession
from daemon.session.bot_advice import thinker
from daemon.session.node_boards import NodeBoards
from daemon.session.scorer import Scorer
from daemon.system.catalogue import faces, games
from drivers import DRIVERS
from tests.drivers.boards import model
from tests.rig import LIMIT_SECONDS

BETWEEN_NS: Final = 10_000_000_000
"""The time between two darts by the boards' clock: no dart is taken for a repeat of another one."""
RINGS: Final = {"S": 1, "D": 2, "T": 3}


class AnswerBus(Bus):
    """A bus without a broker. `replies` are those to all commands so far."""

    def __init__(self) -> None:
        super().__init__("test", lambda _: None)
        self.replies: list[dict[str, Any]] = []

    def answer(self, message: Message, topic: str, payload: Any) -> None:
        """Notes the reply and publishes it."""
        self.replies.append(dict(payload))
        super().answer(message, topic, payload)


class SideBySide:
    """The sessions of some boards that share a journal, a bus and the executor of advice, `thinker`."""

    def __init__(self, folder: Path, journal: Journal, clock_ns: int = 0) -> None:
        self.bus = AnswerBus()
        self.journal = journal
        self.clock_ns = clock_ns
        self.sessions: dict[str, BoardSession] = {}
        self.together = NodeBoards()
        self.thinker = thinker()
        self._users = Users(folder)
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def add(self, name: str) -> BoardSession:
        """Adds a board, as when it is plugged in, and returns its session, which runs from now on."""
        board = model("maddarts")
        session = self.sessions[name] = BoardSession(
            *(Scorer(name, board, self.journal, games(), faces()), DRIVERS[board.dialect], self.journal, self.bus),
            *(self._users, self.thinker, self.together),
        )
        self._tasks[name] = asyncio.create_task(session.run())
        return session

    async def remove(self, name: str) -> None:
        """Removes a board, as `BoardRegistry.remove` does."""
        del self.sessions[name]
        await self.together.remove(name, lambda: self._end(name))
        self.bus.forget(f"board/{name}/")

    async def _end(self, name: str) -> None:
        self._tasks[name].cancel()
        await asyncio.gather(self._tasks.pop(name), return_exceptions=True)

    async def close(self) -> None:
        """Ends all sessions, and the thread of their hints and bots."""
        for name in tuple(self._tasks):
            await self._end(name)
        await asyncio.to_thread(self.thinker.shutdown, cancel_futures=True)

    @contextlib.asynccontextmanager
    async def held(self) -> AsyncIterator[asyncio.Event]:
        """Holds every write to the journal until the block ends. Yields an event that is set once one is held."""
        held, released, write = asyncio.Event(), asyncio.Event(), self.journal.write

        async def later(*changes: Change) -> None:
            held.set()
            await released.wait()
            await write(*changes)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.journal, "write", later)
            try:
                yield held
            finally:
                released.set()

    async def throw(self, board: str, *beds: str) -> None:
        """Throws darts at a board, and waits until they are handled."""
        for bed in beds:
            await self.say(board, f"{bed[1:]};{RINGS[bed[0]]}\r\n".encode())

    async def say(self, board: str, data: bytes) -> None:
        """Puts bytes of a board into its inbox, and waits until they are handled."""
        handled = asyncio.Event()
        self.clock_ns += BETWEEN_NS
        await self.sessions[board].inbox.put(Chunk(data, self.clock_ns, self.clock_ns, done=handled.set))
        await handled.wait()

    async def command(self, board: str, command: dict[str, Any], user: str | None = None) -> None:
        """Sends a command to a board, and waits until it is handled."""
        topic = f"oche/test/board/{board}/command" + ("" if user is None else f"/{user}")
        self.sessions[board].receive(Message(topic, json.dumps(command).encode(), retained=False))
        await self.say(board, b"")

    def shown(self, board: str) -> dict[str, Any] | None:
        """The match that the board's retained topic shows."""
        text = self.bus.retained(f"board/{board}/match")
        found: dict[str, Any] | None = None if text is None else json.loads(text)
        return found

    def darts(self, board: str) -> list[str]:
        """The darts of the turn, as the board shows them."""
        shown = self.shown(board)
        assert shown is not None, f"there is no match on {board}"
        darts: list[str] = shown["turn"]["darts"]
        return darts


@contextlib.asynccontextmanager
async def side_by_side(folder: Path, *names: str, clock_ns: int = 0) -> AsyncIterator[SideBySide]:
    """Yields running boards, with what is in the journal of the folder, and stops them."""
    with contextlib.closing(Journal(folder)) as journal:
        boards = SideBySide(folder, journal, clock_ns)
        try:
            for session in [boards.add(name) for name in names]:
                await session.restored.wait()
            yield boards
        finally:
            await boards.close()


async def until(condition: Callable[[], bool]) -> None:
    """Waits until a condition holds; TimeoutError after `LIMIT_SECONDS`."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while not condition():  # noqa: ASYNC110 - a condition of many parts, which have no event
            await asyncio.sleep(0.001)
