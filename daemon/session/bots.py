"""Bots, the virtual board that throws for people, and the clock of `auto_next`.

After every change of a match they plan one action; a newer change cancels the plan. On a virtual board a bot's dart
goes the whole way as bytes; on a real board nobody can throw it, so it is an action.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable
from typing import Final

from daemon.links.simulator import Simulator
from daemon.session.board_session import BoardSession
from daemon.session.bot_advice import BotAdvice
from daemon.session.chance import landed
from daemon.session.ghost_legs import next_bed
from daemon.session.inbox import InternalAction
from daemon.session.recorded_match import RecordedMatch
from engine.actions import Action, Next, Throw
from engine.darts import Position
from engine.geometry import centre_of
from engine.segments import Segment

log = logging.getLogger(__name__)

PACE_SECONDS: Final = 1.2
"""The pause between a bot's darts on a real board: quick, and slow enough to follow."""
EXACT_MM: Final = 0.001
"""The spread of a dart that must land in the middle of its bed."""
TAKEOUT_DARTS: Final = 2.0
"""The pause for pulling the darts, as a multiple of the pace."""
AGAIN_SECONDS: Final = 2.5
"""After this a dart of the virtual board that gave no hit is planned again, and a take-out that was not seen. Longer
than `drivers.contact_map.TAKEOUT_NS`: sooner, the other one counts as a repeat."""


class Bots:
    """Plays for the bots of one board. `advice` is shared by all boards."""

    def __init__(self, session: BoardSession, advice: BotAdvice) -> None:
        self._session, self._advice = session, advice
        self._plan: asyncio.Task[None] | None = None
        self._acted: float | None = None
        """When the virtual board was made to do something, by the loop's clock, until the match changes."""
        self._again: asyncio.TimerHandle | None = None
        """Looks whether it has. One timer for many darts: a hundred boards at full pace have 2,000 a second."""
        self._resting = False
        session.on_change(self.plan)

    def plan(self) -> None:
        """Plans for the match as it is now, and cancels the plan before."""
        self.stop()
        recorded = self._session.recorded
        idle = recorded is None or recorded.match.finished or (self._resting and not recorded.kept)
        if recorded is not None and not idle and self._may_act(recorded):
            self._plan = asyncio.create_task(self._act(recorded))

    def rest(self, *, resting: bool) -> None:
        """Pauses or continues a match that is not recorded; others go on."""
        if resting != self._resting:
            self._resting = resting
            self.plan()

    def stop(self) -> None:
        """Cancels the plan."""
        if self._plan is not None:
            self._plan.cancel()
        self._plan = self._acted = None

    def _may_act(self, recorded: RecordedMatch) -> bool:
        """Whether there is something to plan: not if only people play, at a board that throws for nobody."""
        return bool(recorded.bots) or recorded.auto_next is not None or isinstance(self._session.link, Simulator)

    async def _act(self, recorded: RecordedMatch) -> None:
        try:
            await self._do(recorded)
        except Exception:
            # A game from another package may raise; the next change is another chance.
            log.exception("%s: a bot failed", self._session.name)

    async def _do(self, recorded: RecordedMatch) -> None:
        turn = recorded.match.turn
        if not self._session.acts_for(recorded):
            return
        is_here = recorded.turn_is_at(self._session.name)
        # A dart that is thrown here for a player of a missing board would not count.
        link = self._session.link if is_here and isinstance(self._session.link, Simulator) else None
        pace = PACE_SECONDS if link is None else link.pace
        skill = self._skill(recorded, turn.actor, link)
        if turn.awaits == "next":
            if self._skill(recorded, turn.player, link) is not None:
                await asyncio.sleep(pace * TAKEOUT_DARTS)
                await (self._say(Next()) if link is None else self._act_on_board(link.take_out()))
            elif recorded.auto_next is not None:
                await asyncio.sleep(recorded.auto_next)
                await self._say(Next(), by="clock")
        elif skill is not None and turn.awaits not in ("roll", "deck", "nothing"):
            if turn.darts and pace:
                await asyncio.sleep(pace)
            await self._play(recorded, skill, link)

    async def _play(self, recorded: RecordedMatch, skill: float, link: Simulator | None) -> None:
        actor = recorded.match.turn.actor
        if recorded.ghosts and (bed := self._next_of_record(recorded, actor)) is not None:
            at = centre_of(bed)
            await (self._say(Throw(bed)) if link is None else self._act_on_board(link.throw(at, EXACT_MM)))
            return
        advice = await self._advice.of(recorded.match, skill, recorded.bots)
        if advice.action is not None:
            await self._say(advice.action)
        elif advice.aim is not None:
            aim = Position(advice.aim.x, advice.aim.y)
            await (self._say(_thrown(aim, skill)) if link is None else self._act_on_board(link.throw(aim, skill)))

    async def _act_on_board(self, act: Awaitable[None]) -> None:
        """Has the virtual board do something, and plans again if no change of the match follows."""
        await act
        loop = asyncio.get_running_loop()
        self._acted = loop.time()
        if self._again is None:
            self._again = loop.call_later(AGAIN_SECONDS, self._look_again)

    def _look_again(self) -> None:
        self._again = None
        if self._acted is None:
            return
        loop, due = asyncio.get_running_loop(), self._acted + AGAIN_SECONDS
        if due > loop.time():
            self._again = loop.call_at(due, self._look_again)
        else:
            self.plan()

    async def _say(self, action: Action, by: str = "bot") -> None:
        await self._session.inbox.put(InternalAction(self._session.revision, action, by))

    def _next_of_record(self, recorded: RecordedMatch, bot: str) -> Segment | None:
        """The bed of the next dart of a ghost. Without its player, who was forgotten, it throws with its spread."""
        left = {name: ghost for name, ghost in recorded.ghosts.items() if not self._session.ghosts.is_forgotten(ghost)}
        if len(left) < len(recorded.ghosts):
            self._session.keep_ghosts(left)
        return next_bed(recorded.match, bot, left[bot]) if bot in left else None

    def _skill(self, recorded: RecordedMatch, player: str, link: Simulator | None) -> float | None:
        """The spread of a bot's darts in mm; `None` for a person at a real board."""
        return recorded.bots.get(player, None if link is None else link.skill)


def _thrown(aim: Position, skill_mm: float) -> Throw:
    at = landed(aim, skill_mm)
    return Throw(at if math.hypot(at.x, at.y) < 99 else Position(0.0, 1.2))
