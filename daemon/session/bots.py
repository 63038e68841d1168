"""Those who act without being asked: bots, the virtual board that throws for people, the clock of `auto_next`.

They look at every new state of a table and plan one thing; a newer state
takes the plan back. On a virtual board a dart goes the whole way, as bytes;
on a real one nobody can throw a bot's dart, so it comes as an action.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from daemon.links.simulator import Simulator
from daemon.session.board_session import BoardSession
from daemon.session.chance import spread
from daemon.session.inbox import InternalAction
from daemon.session.recorded_match import RecordedMatch
from engine.actions import Action, Next, Throw
from engine.darts import Position
from engine.game import Advice, Aim
from engine.geometry import BOARD_MM
from engine.match import Match

log = logging.getLogger(__name__)

PACE_SECONDS: Final = 1.2
"""From dart to dart, for a bot on a real board: quick, and still to be followed by eye."""
TAKEOUT_DARTS: Final = 2.0
"""The pause in which darts are pulled, in times of the pace."""
AGAIN_SECONDS: Final = 2.5
"""A dart of the virtual board that gave no hit, and a take-out that was not seen, are followed by another after this.
Longer than `drivers.contact_map.TAKEOUT_NS`: sooner, the other one counts as a repeat."""


def thinker() -> ThreadPoolExecutor:
    """Where bots think: it can take a good part of a second the first time, and the tables go on meanwhile.

    One thread for all bots of a house: a second one would only work out the same tables beside the first.
    """
    return ThreadPoolExecutor(1, thread_name_prefix="bots")


class Bots:
    """Plays for those at one table who do not play by themselves. `thinks` is the house's, and outlives this table."""

    def __init__(self, table: BoardSession, thinks: ThreadPoolExecutor) -> None:
        self._table, self._thinks = table, thinks
        self._plan: asyncio.Task[None] | None = None
        self._resting = False
        table.onlooker = self.look

    def look(self, _table: BoardSession) -> None:
        """Called with every new state: the old plan is void."""
        if self._plan is not None:
            self._plan.cancel()
        live = self._table.live
        idle = live is None or live.match.finished or (self._resting and not live.kept)
        self._plan = None if live is None or idle else asyncio.create_task(self._act(live))

    def rest(self, *, resting: bool) -> None:
        """Stops, or goes on with, a match that is not kept; in others they play."""
        if resting != self._resting:
            self._resting = resting
            self.look(self._table)

    def stop(self) -> None:
        """For good, at this table."""
        if self._plan is not None:
            self._plan.cancel()

    async def _act(self, live: RecordedMatch) -> None:
        try:
            await self._do(live)
        except Exception:
            # Of a game from elsewhere. The next state is another chance.
            log.exception("%s: a bot failed", self._table.name)

    async def _do(self, live: RecordedMatch) -> None:
        table, turn = self._table, live.match.turn
        link = table.link if isinstance(table.link, Simulator) else None
        pace = PACE_SECONDS if link is None else link.pace
        skill = self._skill(live, turn.actor, link)
        if turn.awaits == "next":
            if self._skill(live, turn.player, link) is not None:
                await asyncio.sleep(pace * TAKEOUT_DARTS)
                await (self._say(Next()) if link is None else _until_seen(link.take_out))
            elif live.auto_next is not None:
                await asyncio.sleep(live.auto_next)
                await self._say(Next(), by="clock")
        elif skill is not None and turn.awaits not in ("roll", "deck", "nothing"):
            if turn.darts:
                await asyncio.sleep(pace)
            await self._play(live.match, skill, link)

    async def _play(self, match: Match, skill: float, link: Simulator | None) -> None:
        loop = asyncio.get_running_loop()
        advice = await loop.run_in_executor(self._thinks, _advice, match, skill)
        if advice.action is not None:
            await self._say(advice.action)
        elif advice.aim is not None and link is None:
            await self._say(Throw(_landed(advice.aim, skill)))
        elif advice.aim is not None and link is not None:
            aim = Position(advice.aim.x, advice.aim.y)
            await _until_seen(lambda: link.throw(aim, skill))

    async def _say(self, action: Action, by: str = "bot") -> None:
        await self._table.inbox.put(InternalAction(self._table.revision, action, by))

    def _skill(self, live: RecordedMatch, player: str, link: Simulator | None) -> float | None:
        """The spread of one who does not throw himself, in mm; None for a person at a real board."""
        return live.bots.get(player, None if link is None else link.skill)


def _advice(match: Match, skill: float) -> Advice:
    """What the game advises. One whose advice fails still has a bot that throws at the middle, or does what it may."""
    try:
        advice = match.game.advice(match.state, skill)
        if isinstance(advice, Advice) and (advice.aim is None or math.isfinite(advice.aim.x + advice.aim.y)):
            return advice
        log.error("the game %s gives no advice that could be followed: %r", match.header.game, advice)
    except Exception:
        log.exception("the game %s has no advice", match.header.game)
    try:
        if match.turn.awaits == "throw":
            return Advice(Aim(0.0, 0.0, "DB", 0.0, 0.0))
        return Advice(action=next(iter(match.legal().actions), None))
    except Exception:
        log.exception("the game %s does not say what is legal", match.header.game)
        return Advice()


async def _until_seen(act: Callable[[], Awaitable[None]]) -> None:
    """Does this again and again; the state that it makes cancels the plan."""
    while True:
        await act()
        await asyncio.sleep(AGAIN_SECONDS)


def _landed(aim: Aim, skill_mm: float) -> Position:
    x, y = aim.x + spread(skill_mm) / BOARD_MM, aim.y + spread(skill_mm) / BOARD_MM
    return Position(x, y) if math.hypot(x, y) < 99 else Position(0.0, 1.2)
