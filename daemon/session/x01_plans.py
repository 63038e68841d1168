"""Where bots aim in X01: plans that a process solves once for each skill, kept in a folder of the data directory.

Until a plan is there, and without numpy, a bot follows the game's advice.
"""

import asyncio
import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from daemon.session.background_process import run_in_background
from daemon.system.numpy_package import has_numpy
from engine.aiming import nearest
from engine.darts import Position
from engine.formats.state import in_leg
from engine.game import Aim
from engine.games.x01_advice import HIGHEST
from engine.games.x01_checkouts import Rule
from engine.games.x01_state import DARTS, Rules, State
from engine.geometry import BOARD_MM, segment_at
from engine.match import Match
from engine.segments import plain
from twin.x01_plan import Plan, unpack

log = logging.getLogger(__name__)

FOLDER: Final = "plans"
MOST: Final = 40
"""How many plans are kept, about 30 KB each; the one that was written first goes."""
MOST_READ: Final = 8
"""How many are kept in memory, up to 1 MB each."""
WAIT_SECONDS: Final = 30.0
"""The first plan is begun this long after a bot has asked for one, whether the match is still played or not; those that
bots have asked for meanwhile follow at once. It keeps the work away from the start of a match."""
LONGEST_SECONDS: Final = 900.0
WORK: Final = "a bot's plan for X01"
"""The work of the process, as the log names it."""


@dataclass(frozen=True, slots=True)
class Key:
    """What a plan is for: the spread of the darts in whole mm, the way out, and whether both bulls count 50."""

    skill_mm: int
    out: Rule
    full_bull: bool

    @property
    def file_name(self) -> str:
        """The name of its file."""
        return f"x01-{self.skill_mm}-{self.out}-{'full' if self.full_bull else 'split'}.plan"


class X01Plans:
    """The plans in a data directory. `aim` is for the bots' thread, the rest for the event loop."""

    def __init__(self, data: Path, wait_seconds: float = WAIT_SECONDS, highest: int = HIGHEST, nice: int = 19) -> None:
        """`highest` is the score up to which plans are solved, by processes that yield to everything else by `nice`."""
        self._folder, self._wait_seconds, self._highest, self._nice = data / FOLDER, wait_seconds, highest, nice
        self._read: dict[Key, Plan | None] = {}
        self._wanted: dict[Key, None] = {}
        self._work: asyncio.Task[None] | None = None
        self._tried: set[Key] = set()
        self._stopped = False

    def aim(self, match: Match, skill_mm: float, bots: Mapping[str, float]) -> Aim | None:
        """Where a bot of this skill aims, whose opponents are people or `bots` with a skill.

        None if no dart of X01 is due, or the plan is not there: it is wanted then.
        """
        state = x01_state(match.state)
        if state is None or state.end or state.finished or state.rules.freeze:
            return None
        rules, seat = state.rules, state.seats[state.player]
        plan = self._plan(_key(skill_mm, rules)) if seat.is_in else None
        if plan is None:
            return None
        opponent = self._opponent(state, plan, skill_mm, bots)
        x, y = plan.aim(seat.left, state.before.left, DARTS - len(state.darts), opponent)
        at = Position(x / BOARD_MM, y / BOARD_MM)
        return Aim(at.x, at.y, plain(segment_at(at)).text, 0.0, 0.0)

    def _opponent(self, state: State, own: Plan, skill_mm: float, bots: Mapping[str, float]) -> float | None:
        """The visits that the opponent needs who is nearest to the end; None if there is no opponent.

        A person is taken to be as good as the bot.
        """
        needed = []
        for at, seat in enumerate(state.seats):
            if at != state.player:
                skill = bots.get(state.rules.players[at], skill_mm)
                plan = own if skill == skill_mm else self._plan(_key(skill, state.rules)) or own
                needed.append(plan.visits_from(seat.left))
        return min(needed, default=None)

    def _plan(self, key: Key) -> Plan | None:
        if key in self._read:
            plan = self._read.get(key)
        else:
            while len(self._read) >= MOST_READ:
                self._read.pop(next(iter(self._read)), None)
            plan = self._read[key] = self._stored(key)
        if plan is None and key not in self._tried:
            self._wanted[key] = None
        return plan

    def _stored(self, key: Key) -> Plan | None:
        try:
            return unpack((self._folder / key.file_name).read_bytes())
        except OSError:
            return None

    def solve_wanted(self) -> asyncio.Task[None] | None:
        """Has the plans solved that bots have asked for, one after another, each tried once. Returns the work."""
        if self._wanted and self._work is None and not self._stopped:
            self._work = asyncio.create_task(self._solve())
        return self._work

    async def stop(self) -> None:
        """Ends the work; returns when no process writes any more."""
        self._stopped = True
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _solve(self) -> None:
        try:
            await asyncio.sleep(self._wait_seconds)
            while self._wanted:
                key = next(iter(self._wanted))
                self._tried.add(key)
                self._wanted.pop(key)
                if has_numpy():
                    code = await run_in_background(self._command(key), WORK, LONGEST_SECONDS)
                    if code:
                        log.warning(
                            "%s, %s, was not written: its process ended with the code %d", WORK, key.file_name, code
                        )
                    # The next question reads the file.
                    self._read.pop(key, None)
        finally:
            self._work = None

    def _command(self, key: Key) -> list[str]:
        # -P: a folder `daemon` in the working directory must not be imported.
        command = [sys.executable, "-P", "-m", "daemon.session.x01_plan_process"]
        plan = [str(key.skill_mm), key.out, "full" if key.full_bull else "split"]
        return [*command, str(self._folder.parent), *plan, str(self._highest), str(self._nice)]


def _key(skill_mm: float, rules: Rules) -> Key:
    return Key(nearest(skill_mm), rules.closing, rules.full_bull)


def x01_state(state: Any) -> State | None:
    """The state of the leg of X01 that is played; None in another game, or while something else is awaited."""
    found = in_leg(state)
    return found if isinstance(found, State) else None
