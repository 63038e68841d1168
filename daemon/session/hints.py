"""Answers commands for a hint: what the game's advice is for the player who must act.

Advice can take a good part of a second the first time, so the bots' thread works it out while the board goes on.
Commands that arrive meanwhile get the next advice together.

If that player holds a hand, advice would give it away: the hint is then published in their hand alone, and the reply
says only that it is there.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

from daemon.mqtt.bus import Message
from daemon.session import payloads, reply_payloads
from daemon.session.commands import Id
from daemon.session.recorded_match import RecordedMatch
from daemon.session.scorer import GAME_FAILED, NO_MATCH
from engine.game import Advice
from engine.refusals import Refusal

log = logging.getLogger(__name__)

SKILL_MM: Final = 25.0
"""The spread for which people are advised whose own is not known, that of a club player."""
MOST_WAITING: Final = 100
"""How many commands may wait for a hint at one board; more are refused."""
HINTED: Final = ("throw", "choose", "move", "combat", "defend")
NOTHING: Final = Refusal("not_awaited", "There is nothing to aim at or to choose now.")
TOO_MANY: Final = Refusal("not_awaited", "Too many ask for a hint at once; ask again in a moment.")


class Hinted(Protocol):
    """What hints need of a session."""

    @property
    def recorded(self) -> RecordedMatch | None:
        """The match on the board; `None` without one."""
        ...

    @property
    def revision(self) -> int:
        """The revision of the match as it is now."""
        ...

    def answer(self, message: Message, reply: reply_payloads.Reply) -> None:
        """Sends a reply to whoever sent the message."""
        ...

    def show_hands(self, hint: payloads.HintBody | None = None) -> None:
        """Publishes the players' hands, with a hint in that of the player who must act."""
        ...


class Hints:
    """Answers the commands for a hint at one board. `executor` is shared with the bots.

    `spread_of` returns the spread of a player's darts in mm, `None` where it is not known. It may read a file.
    """

    def __init__(self, session: Hinted, executor: ThreadPoolExecutor, spread_of: Callable[[str], float | None]) -> None:
        self._session, self._executor, self._spread_of = session, executor, spread_of
        self._waiting: list[tuple[Message, Id | None]] = []
        self._thinking: asyncio.Task[None] | None = None

    def ask(self, message: Message, command_id: Id | None) -> None:
        """Replies as soon as the advice is there."""
        if len(self._waiting) >= MOST_WAITING:
            self._answer(message, command_id, TOO_MANY)
            return
        self._waiting.append((message, command_id))
        if self._thinking is None:
            self._thinking = asyncio.create_task(self._think())

    def stop(self) -> None:
        """Cancels the advice that is being worked out."""
        if self._thinking is not None:
            self._thinking.cancel()

    async def _think(self) -> None:
        try:
            while self._waiting:
                asked, self._waiting = self._waiting, []
                recorded, revision = self._session.recorded, self._session.revision
                found = await self._advice(recorded)
                if self._session.revision != revision:
                    found = Refusal("stale_revision", f"The match has moved on to revision {self._session.revision}.")
                hint: payloads.HintBody | Refusal | None = found
                if not isinstance(found, Refusal) and recorded is not None and _holds_a_hand(recorded, revision):
                    self._session.show_hands(found)
                    hint = None
                for message, command_id in asked:
                    self._answer(message, command_id, hint)
        finally:
            self._thinking = None

    async def _advice(self, recorded: RecordedMatch | None) -> payloads.HintBody | Refusal:
        if recorded is None:
            return NO_MATCH
        match, actor = recorded.match, recorded.match.turn.actor
        if match.finished or match.unsure is not None or match.turn.awaits not in HINTED:
            return NOTHING

        def advise() -> tuple[Advice, float]:
            skill = recorded.bots.get(actor) or self._spread_of(actor) or SKILL_MM
            return match.game.advice(match.state, skill), skill

        try:
            advice, skill = await asyncio.get_running_loop().run_in_executor(self._executor, advise)
        except Exception:
            log.exception("the game %s failed to give advice", match.game.name)
            return GAME_FAILED
        return NOTHING if advice == Advice() else payloads.hint(advice, skill)

    def _answer(self, message: Message, command_id: Id | None, hint: payloads.HintBody | Refusal | None) -> None:
        if command_id is None:
            return
        if isinstance(hint, Refusal):
            self._session.answer(message, reply_payloads.refused(command_id, hint))
            return
        reply = reply_payloads.accepted(command_id, self._session.revision)
        if hint is not None:
            reply["hint"] = hint
        self._session.answer(message, reply)


def _holds_a_hand(recorded: RecordedMatch, revision: int) -> bool:
    match = recorded.match
    state = payloads.match_state(recorded.row.id, match, recorded.bots, revision, recorded.earlier)
    return any(hand["name"] == match.turn.actor for hand in payloads.hands(recorded.row.id, match, state).values())
