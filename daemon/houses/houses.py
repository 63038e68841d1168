"""Matches in two houses, for the boards of one node: what people ask for, and the connection to the shared broker."""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from typing import Any, Final

from daemon.houses.acceptance import HAS_SECRETS, Acceptance
from daemon.houses.guest_line import ASK_SECONDS, GuestLine
from daemon.houses.host import Host
from daemon.houses.invitations import Invitations
from daemon.houses.messages import read_news
from daemon.houses.questions import Questions
from daemon.mqtt.message import Message
from daemon.mqtt.shared_broker import SharedBroker
from daemon.record.journal_file import DATABASE_ERRORS
from daemon.record.reader import History
from daemon.session.board_session import BoardSession
from daemon.session.guest_rights import guests
from daemon.session.house_asks import Accept, Adjourn, HouseAsk, Invite, Resume
from daemon.session.house_commands import Answer
from daemon.session.house_payloads import Invitation
from daemon.session.scorer import NO_MATCH
from daemon.system.urls import BrokerUrl
from engine import jsontext
from engine.about import unplayable
from engine.faces import Faces
from engine.match import Header
from engine.matchfile import Games, header_from_json, open_match
from engine.refusals import Refusal

log = logging.getLogger(__name__)

GUEST_CANNOT: Final = Refusal(
    "not_allowed", "The match is recorded in the other house: ask there, or leave it with `oche throw stop`."
)


class Houses:
    """The node's part in matches with other houses."""

    def __init__(
        self,
        node: str,
        url: BrokerUrl,
        invitations: Invitations,
        sessions: Mapping[str, BoardSession],
        history: History,
        games: Games,
        faces: Faces,
    ) -> None:
        self._node, self._sessions, self._history = node, sessions, history
        self._games, self._faces = games, faces
        topics = (f"oche/{node}/board/+/command/+", *(f"oche/+/board/+/{leaf}/{node}" for leaf in ("reply", "record")))
        self._shared = SharedBroker(url, topics, self._hear, "Broker of the houses")
        self._shared.on_subscribed = self._connected
        self._invitations = invitations
        self._host = Host(node, self._shared, self._invitations, sessions, history)
        self._lines: dict[str, GuestLine] = {}
        self._line_tasks: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._questions = Questions(node, self._shared)
        self._acceptance = Acceptance(node, self._questions, games, faces)

    async def run(self) -> None:
        """Keeps the connection to the shared broker, and says who is away, until cancelled."""
        connection = asyncio.create_task(self._shared.run())
        try:
            while True:
                await asyncio.sleep(ASK_SECONDS)
                self._invitations.drop_expired(self._is_over)
                for session in self._sessions.values():
                    self._host.show(session)
        finally:
            tasks = [connection, *self._line_tasks.values(), *self._tasks]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _is_over(self, match: str) -> bool:
        try:
            row = self._history.match(match)
        except DATABASE_ERRORS:
            # The journal is asked again a second later.
            return False
        return row is None or row.ended is not None

    def add(self, session: BoardSession) -> None:
        """Adds a board."""
        name = session.name
        session.with_houses.houses = self
        session.on_change(lambda: self._host.changed(session))
        self._lines[name] = GuestLine(self._node, session, self._shared, self._history)
        self._line_tasks[name] = asyncio.create_task(self._lines[name].run())

    def remove(self, name: str) -> None:
        """Removes a board."""
        self._lines.pop(name, None)
        if (task := self._line_tasks.pop(name, None)) is not None:
            task.cancel()

    # ------------------------------------------------------------------ the shared broker

    def _connected(self) -> None:
        for line in self._lines.values():
            line.hurry()

    def _hear(self, message: Message) -> None:
        match message.topic.split("/"):
            case ["oche", self._node, "board", board, "command", house] if house != self._node:
                self._host.hear(board, house, message)
            case ["oche", host, "board", board, "reply" | "record", self._node]:
                value = read_news(message.payload)
                if value is None:
                    return
                if not self._questions.answered(value) and (line := self._lines.get(value["board"])) is not None:
                    line.hear(f"{host}/{board}", value)

    # ------------------------------------------------------------------ what people ask for

    def ask(self, board: str, ask: HouseAsk, answer: Answer) -> None:
        """Does what is asked, and calls `answer` once with what came of it."""
        session = self._sessions.get(board)
        if session is None:
            answer(Refusal("bad_boards", f"There is no board {board} any more."))
            return
        self._start(self._answer(session, ask, answer))

    async def _answer(self, session: BoardSession, ask: HouseAsk, answer: Answer) -> None:
        found: Refusal | Invitation | None
        try:
            match ask:
                case Invite():
                    found = self._invite(session, ask)
                case Accept():
                    found = await self._acceptance.accept(session, ask)
                case Adjourn():
                    found = await self._adjourn(session)
                case Resume():
                    found = await self._resume(session, ask.match)
        except OSError as error:
            found = Refusal("disk", f"The invitation cannot be written: {error.strerror}.")
        except Exception:
            log.exception("%s: %s was not done", session.name, type(ask).__name__)
            return
        answer(found)

    def _invite(self, session: BoardSession, ask: Invite) -> Invitation | Refusal:
        header, names = ask.header, ask.guests
        recorded = session.recorded
        if header is None:
            if recorded is None or not recorded.match.header.boards:
                return Refusal("no_match", "There is no match with another house on this board to play once more.")
            if recorded.host is not None:
                return GUEST_CANNOT
            before = recorded.match.header
            names = tuple(name for name in before.players if "/" in recorded.board_of(name))
            # Whoever began the last one is last in this one.
            header = replace(before, players=(*before.players[1:], before.players[0]), boards=())
        opened = open_match(header, self._games, self._faces)
        if isinstance(opened, Refusal):
            return opened
        if not opened.all_public:
            return HAS_SECRETS
        if refusal := unplayable(opened.game, session.board.can_json()):
            return refusal
        made = self._invitations.make(session.name, header.game, header.players, header.options, names)
        return made.shown(self._node)

    async def _adjourn(self, session: BoardSession) -> Refusal | None:
        recorded = session.recorded
        if recorded is None:
            return NO_MATCH
        if recorded.host is not None:
            return GUEST_CANNOT
        if not guests(recorded):
            return Refusal("no_match", "The match on this board is not one with another house.")
        refusal = await session.with_houses.adjourn()
        if refusal is None:
            self._host.changed(session)
        return refusal

    async def _resume(self, session: BoardSession, match: str | None) -> Refusal | None:
        for row, _ in self._history.matches():
            if row.ended is None and row.board == session.name and match in (None, row.id):
                boards = header.boards if isinstance(header := header_from_json(_json(row.header)), Header) else ()
                if any("/" in name for name in boards):
                    return await session.with_houses.resume(row.id)
        return Refusal("no_match", "There is no adjourned match with another house at this board.")

    def _start(self, part: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(part)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _json(text: str) -> object:
    return jsontext.parse(text.encode())
