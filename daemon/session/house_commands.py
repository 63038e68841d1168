"""The part of a board's session that another house, or whoever arranges matches with it, calls.

Each of these runs in the session's own order: see `Call` in `daemon/session/inbox.py`.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol

from daemon.mqtt.bus import Message
from daemon.session import reply_payloads
from daemon.session.commands import Command, Fair, Hint, Id, Screens, Start, Stop
from daemon.session.guest_play import GuestPlay
from daemon.session.house_asks import HouseAsk
from daemon.session.house_payloads import Invitation
from daemon.session.match_board import MatchBoard
from daemon.session.node_boards import NodeBoards
from daemon.session.recorded_match import RecordedMatch
from daemon.session.replies import Asker
from daemon.session.scorer import NO_MATCH, Scorer
from engine import jsontext
from engine.refusals import Refusal

NO_HOUSES: Final = Refusal(
    "not_allowed", "No broker is configured for matches with another house: see [houses] in the configuration."
)

Answer = Callable[[Refusal | Invitation | None], None]
Permit = Callable[[RecordedMatch | None], Refusal | None]
"""Says why a command may not be executed in a match; `None` if it may."""


class Houses(Protocol):
    """Whoever arranges matches with other houses."""

    def ask(self, board: str, ask: HouseAsk, answer: Answer) -> None:
        """Does for a board what is asked, and calls `answer` once with what came of it."""


class HouseCommands:
    """Commands that go to another house, or come from one."""

    def __init__(self, match: MatchBoard, scorer: Scorer, boards: NodeBoards, guest: GuestPlay) -> None:
        self.houses: Houses | None = None
        self._match, self._record, self._scorer, self._boards = match, match.record, scorer, boards
        self._guest = guest

    def passes_on(self, command: Command) -> bool:
        """Whether a command is answered elsewhere: by the house that records the match, or by `houses`."""
        ask = command.ask
        return isinstance(ask, HouseAsk) or (
            self._guest.copy is not None and not isinstance(ask, Start | Fair | Stop | Hint | Screens)
        )

    def pass_on(
        self, message: Message, command: Command, asker: Asker, reply: Callable[[reply_payloads.Reply], None]
    ) -> None:
        """Passes a command on, and calls `reply` with the answer if the command has an id."""

        def answer(found: Refusal | Invitation | None) -> None:
            if command.id is not None:
                reply(reply_to(command.id, self._record.row.revision, found))

        if isinstance(command.ask, HouseAsk):
            if self.houses is None:
                answer(NO_HOUSES)
            else:
                self.houses.ask(self._match.name, command.ask, answer)
            return
        value: Any = jsontext.parse(message.payload)
        body = {key: item for key, item in value.items() if key not in ("id", "revision")}
        self._guest.forward(asker, body, answer, exact=command.revision is not None)

    async def adjourn(self) -> Refusal | None:
        """Takes the match off the board without ending it."""
        async with self._boards.alone(self._match) as group:
            return NO_MATCH if group.recorded is None else await self._match.adjourn(None)

    async def resume(self, match_id: str) -> Refusal | None:
        """Puts an adjourned match back on the board."""
        async with self._boards.alone(self._match) as group:
            there = group.recorded
            if there is not None and there.row.id == match_id:
                return None
            if there is not None and there.kept and not there.match.finished:
                name = self._match.name
                return Refusal("board_busy", f"A match is being played at the board {name}; stop that one first.")
            self._record.leave_unkept()
            found = self._scorer.put_back(match_id, self._match.next_revision())
            return found if isinstance(found, Refusal) else await self._match.change(found, boards=(self._match,))


def reply_to(command_id: Id, revision: int, found: Refusal | Invitation | None) -> reply_payloads.Reply:
    """The reply to a command, for what came of it."""
    if isinstance(found, Refusal):
        return reply_payloads.refused(command_id, found)
    return reply_payloads.accepted(command_id, revision, found)
