"""Boards of one node in this process: real sessions, a real journal, and no broker."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any, Final

from daemon.links.link import Chunk
from daemon.mqtt.bus import Bus, Message
from daemon.people.users import Users
from daemon.record.journal import Journal
from daemon.session.board_session import BoardSession
from daemon.session.bot_advice import thinker
from daemon.session.match_board import NodeBoards
from daemon.session.scorer import Scorer
from daemon.system.catalogue import faces, games
from drivers import DRIVERS
from tests.drivers.boards import model

BETWEEN_NS: Final = 10_000_000_000
"""The time between two darts by the boards' clock: no dart is taken for a repeat of another one."""
RINGS: Final = {"S": 1, "D": 2, "T": 3}


class SideBySide:
    """The sessions of some boards that share a journal and a bus."""

    def __init__(self, folder: Path, journal: Journal, names: Iterable[str], clock_ns: int = 0) -> None:
        self.bus = Bus("test", lambda _: None)
        self.journal = journal
        self.clock_ns = clock_ns
        board, boards = model("maddarts"), NodeBoards()
        self.sessions = {
            name: BoardSession(
                *(Scorer(name, board, journal, games(), faces()), DRIVERS[board.dialect], journal, self.bus),
                *(Users(folder), thinker(), boards),
            )
            for name in names
        }

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
        boards = SideBySide(folder, journal, names, clock_ns)
        tasks = [asyncio.create_task(session.run()) for session in boards.sessions.values()]
        try:
            for session in boards.sessions.values():
                await session.restored.wait()
            yield boards
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
