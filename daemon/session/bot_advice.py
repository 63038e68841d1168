"""What bots do next: the game's advice, in X01 a solved plan, in Cricket what a network has learned.

It is worked out in a thread for all boards in one go.
"""

import asyncio
import logging
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from daemon.session.learned_cricket import learned_aim
from daemon.session.x01_plans import X01Plans
from engine.game import Advice, Aim
from engine.match import Match

log = logging.getLogger(__name__)

Question = tuple[Match, float, Mapping[str, float]]
"""A match, the spread of the darts of the bot that must act, in mm, and that of each bot in the match."""


def thinker() -> ThreadPoolExecutor:
    """Returns the executor that works out advice.

    One thread for all boards: a second one would only work out the same tables again.
    """
    return ThreadPoolExecutor(1, thread_name_prefix="bots")


class BotAdvice:
    """Asks games for advice, for the bots of all boards. `executor` is the `thinker`."""

    def __init__(self, executor: ThreadPoolExecutor, plans: X01Plans) -> None:
        self._executor, self._plans = executor, plans
        self._waiting: list[tuple[Question, asyncio.Future[Advice]]] = []
        self._work: asyncio.Task[None] | None = None

    async def of(self, match: Match, skill: float, bots: Mapping[str, float]) -> Advice:
        """Returns the advice for a bot of this skill, which can take a good part of a second the first time.

        `bots` has the skill of each bot in the match.
        """
        answer: asyncio.Future[Advice] = asyncio.get_running_loop().create_future()
        self._waiting.append(((match, skill, bots), answer))
        if self._work is None:
            self._work = asyncio.create_task(self._answer())
        return await answer

    async def _answer(self) -> None:
        # Not a job for each question: after each the thread would wait up to half a millisecond for the interpreter,
        # longer than most advice takes.
        try:
            while self._waiting:
                asked, self._waiting = self._waiting, []
                asked = [(question, answer) for question, answer in asked if not answer.done()]
                questions = [question for question, _ in asked]
                found = await asyncio.get_running_loop().run_in_executor(self._executor, self._all, questions)
                self._plans.solve_wanted()
                for (_, answer), advice in zip(asked, found, strict=True):
                    # Done: the match has moved on, which cancelled whoever asked.
                    if not answer.done():
                        answer.set_result(advice)
        except RuntimeError:
            log.debug("the thread has ended, with the daemon")
        finally:
            self._work = None

    def _all(self, questions: Sequence[Question]) -> list[Advice]:
        return [self._planned(*question) or _advice(*question[:2]) for question in questions]

    def _planned(self, match: Match, skill: float, bots: Mapping[str, float]) -> Advice | None:
        try:
            aim = self._plans.aim(match, skill, bots) or learned_aim(match, skill)
        except Exception:
            log.exception("a plan for %s cannot be followed", match.header.game)
            return None
        return None if aim is None else Advice(aim)


def _advice(match: Match, skill: float) -> Advice:
    """The game's advice. If that fails, the bot throws at the bull, or takes the first legal action."""
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
