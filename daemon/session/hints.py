"""Hints: what the advice of a game would do for the player who must act, answered when somebody asks for it.

Advice can take a good part of a second the first time, so it is worked out in
the bots' thread while the board goes on. Those who ask meanwhile wait for the
next one, which is then the same for all of them.

Where a player holds what others may not see, advice tells of it: it is shown in
their hand alone, and the reply says only that it is there.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Protocol

from daemon.mqtt.bus import Message
from daemon.session import payloads
from daemon.session.commands import Id
from daemon.session.recorded_match import RecordedMatch
from daemon.session.scorer import GAME_FAILED, NO_MATCH
from engine.game import Advice
from engine.refusals import Refusal

log = logging.getLogger(__name__)

SKILL_MM: Final = 25.0
"""The spread for which a person is advised: that of a club player. Nobody's own spread is known."""
MOST_WAITING: Final = 100
"""Those who wait for a hint at one board; more are refused."""
HINTED: Final = ("throw", "choose", "move", "combat", "defend")
NOTHING: Final = Refusal("not_awaited", "There is nothing to aim at or to choose now.")
TOO_MANY: Final = Refusal("not_awaited", "Too many ask for a hint at once; ask again in a moment.")


class Hinted(Protocol):
    """What is needed of a table."""

    live: RecordedMatch | None
    hint: Callable[[Message, Id | None], None]

    @property
    def revision(self) -> int:
        """That of the match as it is now."""
        ...

    def answer(self, message: Message, reply: dict[str, Any]) -> None:
        """Sends a reply to who asked."""
        ...

    def show_hands(self, hint: dict[str, Any] | None = None) -> None:
        """Shows the players' hands, with a hint in that of the one who must act."""
        ...


class Hints:
    """Answers those who ask for a hint at one table; `thinks` is shared with the bots."""

    def __init__(self, table: Hinted, thinks: ThreadPoolExecutor) -> None:
        self._table, self._thinks = table, thinks
        self._waiting: list[tuple[Message, Id | None]] = []
        self._thinking: asyncio.Task[None] | None = None
        table.hint = self.ask

    def ask(self, message: Message, command_id: Id | None) -> None:
        """Answers as soon as the advice is there."""
        if len(self._waiting) >= MOST_WAITING:
            self._answer(message, command_id, TOO_MANY)
            return
        self._waiting.append((message, command_id))
        if self._thinking is None:
            self._thinking = asyncio.create_task(self._think())

    def stop(self) -> None:
        """Nobody is answered any more."""
        if self._thinking is not None:
            self._thinking.cancel()

    async def _think(self) -> None:
        try:
            while self._waiting:
                asked, self._waiting = self._waiting, []
                live, revision = self._table.live, self._table.revision
                found = await self._advice(live)
                if self._table.revision != revision:
                    found = Refusal("stale_revision", f"The match has moved on to revision {self._table.revision}.")
                hint = found
                if not isinstance(hint, Refusal) and live is not None and _holds_a_hand(live, revision):
                    self._table.show_hands(hint)
                    hint = {}
                for message, command_id in asked:
                    self._answer(message, command_id, hint)
        finally:
            self._thinking = None

    async def _advice(self, live: RecordedMatch | None) -> dict[str, Any] | Refusal:
        if live is None:
            return NO_MATCH
        match, actor = live.match, live.match.turn.actor
        if match.finished or match.unsure is not None or match.turn.awaits not in HINTED:
            return NOTHING
        skill = live.bots.get(actor, SKILL_MM)
        loop = asyncio.get_running_loop()
        try:
            advice: Advice = await loop.run_in_executor(self._thinks, match.game.advice, match.state, skill)
        except Exception:
            log.exception("the game %s failed to give advice", match.game.name)
            return GAME_FAILED
        return NOTHING if advice == Advice() else payloads.hint(advice, skill)

    def _answer(self, message: Message, command_id: Id | None, hint: dict[str, Any] | Refusal) -> None:
        if command_id is None:
            return
        if isinstance(hint, Refusal):
            self._table.answer(message, payloads.refused(command_id, hint))
        else:
            reply = payloads.accepted(command_id, self._table.revision)
            self._table.answer(message, reply | {"hint": hint} if hint else reply)


def _holds_a_hand(live: RecordedMatch, revision: int) -> bool:
    match = live.match
    found = payloads.hands(live.row.id, match, match.view()["players"], revision)
    return any(hand["name"] == match.turn.actor for hand in found.values())
