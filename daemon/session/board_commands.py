"""The commands to one board: each is answered, and carried out once for its id."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from daemon.mqtt.bus import Message
from daemon.people import hand_files
from daemon.session import reply_payloads
from daemon.session.bot_hands import with_spreads
from daemon.session.commands import Command, Fair, Hint, Id, Screens, Start, Stop, allowed, read_command
from daemon.session.ghosts import Ghosts
from daemon.session.guest_play import GuestPlay
from daemon.session.hints import Hints
from daemon.session.house_asks import Accept, Adjourn, Invite, Resume
from daemon.session.house_commands import NO_HOUSES, HouseCommands, Permit, reply_to
from daemon.session.match_board import MatchBoard
from daemon.session.node_boards import NodeBoards
from daemon.session.publisher import BoardPublisher
from daemon.session.recorded_match import RecordedMatch, utc_now
from daemon.session.replies import Asker
from daemon.session.scorer import GAME_FAILED, NO_MATCH, Scorer
from daemon.system.skills import HandOf
from engine.actions import Action, Throw
from engine.match import dart_text
from engine.refusals import Refusal
from engine.visit_total import VisitTotal


class BoardCommands:
    """Answers commands to one board. `data` is the data directory; `executor` works out hints."""

    def __init__(
        self,
        match: MatchBoard,
        scorer: Scorer,
        publisher: BoardPublisher,
        boards: NodeBoards,
        guest: GuestPlay,
        with_houses: HouseCommands,
        ghosts: Ghosts,
        data: Path,
        executor: ThreadPoolExecutor,
    ) -> None:
        self._match, self._record, self._scorer, self._publisher = match, match.record, scorer, publisher
        self._boards, self._guest, self._with_houses = boards, guest, with_houses
        self._ghosts, self._data = ghosts, data
        self.show_hands, self.answer = match.show_hands, publisher.answer
        self.hints = Hints(self, executor, partial(hand_files.spread_of, data))
        self.find_fair: Callable[[Fair, Callable[[Mapping[str, Any]], None]], None] | None = None
        """Has a fair handicap worked out; `None` where nothing does."""

    @property
    def recorded(self) -> RecordedMatch | None:
        """The match on the board; `None` without one."""
        return self._match.group.recorded

    @property
    def revision(self) -> int:
        """Grows with every published change of the match; the same after a restart."""
        return self._record.row.revision

    async def answer_command(self, message: Message) -> None:
        """Carries out a command from the bus, and replies to whoever sent it if it has an id."""
        if message.retained:
            self._publisher.count("commands_refused")
            return
        command_id, command = read_command(message.payload)
        asker = Asker(command_id, self._publisher.sender(message))
        if (known := self._record.replies.find(asker)) is not None:
            self.answer(message, known)
            return
        if isinstance(command, Command) and self._allowed(command, asker) is None:
            command = await self._with_hands(command)
        if isinstance(command, Command) and self._with_houses.passes_on(command):
            if (refusal := self._allowed(command, asker)) is None:
                self._with_houses.pass_on(message, command, asker, partial(self.answer, message))
                return
        else:
            refusal = command if isinstance(command, Refusal) else await self._execute_alone(command, asker)
        if refusal is not None:
            self._publisher.count("commands_refused")
        if isinstance(command, Command) and isinstance(command.ask, Hint) and refusal is None:
            self.hints.ask(message, command_id)
        elif isinstance(command, Command) and isinstance(command.ask, Fair) and refusal is None:
            self._find_fair(message, command_id, command.ask)
        elif command_id is not None:
            reply = reply_to(command_id, self.revision, refusal)
            if refusal is not None:
                self._record.replies.refuse(asker, reply)
            self.answer(message, reply)

    async def _with_hands(self, command: Command) -> Command | Refusal:
        """Looks up the hands of the bots that a command names."""
        ask = command.ask
        if not isinstance(ask, Start | Fair) or not ask.hands:
            return command
        found = await asyncio.to_thread(with_spreads, ask, self._spread_of, self._ghosts.find)
        return found if isinstance(found, Refusal) else replace(command, ask=found)

    def _spread_of(self, hand: HandOf) -> float | None:
        return hand_files.spread_of(self._data, hand.player, hand.month)

    async def execute(self, command: Command, asker: Asker, permit: Permit) -> reply_payloads.Reply:
        """Executes a command of another house, once for each id, and returns the reply."""
        if (known := self._record.replies.find(asker)) is not None:
            return known
        refusal = await self._execute_alone(command, asker, permit)
        if refusal is not None:
            self._publisher.count("commands_refused")
        return reply_to(command.id or "", self.revision, refusal)

    async def _execute_alone(self, command: Command, asker: Asker, permit: Permit | None = None) -> Refusal | None:
        named = self._scorer.boards_here(command.ask.header) if isinstance(command.ask, Start) else ()
        while True:
            boards = self._boards.named(named)
            if isinstance(boards, Refusal):
                return boards
            if (trouble := self._match.group.trouble) is not None:
                # Another board of the match waits for the disk with a dart.
                return Refusal("disk", trouble)
            async with self._boards.alone(self._match, *boards):
                # While this waited, a board may have been removed.
                if self._boards.named(named) == boards:
                    refusal = self._allowed(command, asker) if permit is None else permit(self.recorded)
                    return await self._execute(command, asker, boards) if refusal is None else refusal

    def _allowed(self, command: Command, asker: Asker) -> Refusal | None:
        return allowed(command, asker.user, self.revision, None if self.recorded is None else self.recorded.match)

    async def _execute(self, command: Command, asker: Asker, boards: tuple[MatchBoard, ...]) -> Refusal | None:
        match command.ask:
            case Start():
                refusal = await self._match.start(self._scorer, command.ask, asker, boards)
                if refusal is None and self.recorded is not None:
                    await asyncio.to_thread(self._ghosts.keep, self.recorded.row.id, command.ask.ghosts)
                return refusal
            case Stop() if self.recorded is None:
                return NO_MATCH
            case Stop():
                return await self._match.stop(asker)
            case Hint() | Fair():
                return None
            case Screens():
                self._publisher.switch_screens(command.ask)
                return None
            case Invite() | Accept() | Adjourn() | Resume():
                return NO_HOUSES
            case action:
                return await self.act(action, asker.user, asker)

    async def act(
        self, action: Action | VisitTotal, by: str | None, asker: Asker | None = None, *, patient: bool = False
    ) -> Refusal | None:
        """Applies an action to the match on the board. If `patient`, it waits for a disk that fails."""
        if self._guest.copy is not None and not isinstance(action, VisitTotal):
            return self._guest.press(action)
        if isinstance(action, VisitTotal):
            transition = self._scorer.visit(self.recorded, action, by, self._match.next_revision(), utc_now())
        else:
            transition = self._scorer.act(self.recorded, action, by, self._match.next_revision(), utc_now())
        if isinstance(transition, Refusal):
            if transition is GAME_FAILED:
                self._publisher.count("failed")
            return transition
        settles = dart_text(action.dart) if isinstance(action, Throw) else None
        return await self._match.change(transition, asker, patient=patient, settles=settles)

    def _find_fair(self, message: Message, command_id: Id | None, ask: Fair) -> None:
        def answered(found: Mapping[str, Any]) -> None:
            if command_id is not None:
                self.answer(message, reply_payloads.fair(command_id, self.revision, found))

        if self.find_fair is None:
            answered({})
        else:
            self.find_fair(ask, answered)
