"""Has the chance to win worked out for all boards, by one process of the lowest priority (`chance_process.py`).

The process is started when a chance is wanted, and ends with the daemon, or after a while without work. One question is
under way at a time. A board whose match moves on drops its question; the next one is made when its turn comes, from the
match as it is then, so that a hundred boards cost the daemon no more than one.
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from daemon.session.background_process import ONE_THREAD
from daemon.system.child_process import end_process, ending_with_us

log = logging.getLogger(__name__)

WAIT_SECONDS: Final = 15.0
"""The process is started this long after a chance was wanted first: starting it takes as much as hundreds of darts."""
PAUSE_SECONDS: Final = 0.3
"""Before each question, so that what follows a dart at once is in it."""
IDLE_SECONDS: Final = 120.0
"""Without a question for so long the process ends: it takes 50 MB."""
LONGEST_SECONDS: Final = 600.0
"""An answer that takes longer is not awaited: the process is ended. Solving a hand for X01 takes a minute on a Pi."""
MOST_FAILURES: Final = 3
"""After this number of processes that failed, one after another, no more are started."""
LINE_BYTES: Final = 1 << 20
"""The longest answer."""

Question = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Something that is wanted. `ask` makes the question, in a thread; `show` gets the answer, `{}` if there is none.

    What is wanted `soon` is not kept waiting at the start: somebody looks at a form.
    """

    ask: Callable[[], Question | None]
    show: Callable[[dict[str, Any]], None]
    soon: bool = False


class ChanceWork:
    """The process and what is wanted of it, by board. The process yields to everything else by `nice`."""

    def __init__(self, wait_seconds: float = WAIT_SECONDS, nice: int = 19) -> None:
        self._wait_seconds, self._nice = wait_seconds, nice
        self._wanted: dict[str, Wanted] = {}
        self._asked: str | None = None
        """The board whose question is under way."""
        self._void = False
        self._work: asyncio.Task[None] | None = None
        self._came, self._soon = asyncio.Event(), asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._failures = 0
        self._stopped = False

    def want(self, board: str, wanted: Wanted) -> None:
        """Has an answer worked out for a board, or whatever else has this name, instead of what it wanted before."""
        self.drop(board)
        if self._stopped:
            return
        if self._failures >= MOST_FAILURES:
            _show(board, wanted, {})
            return
        self._wanted[board] = wanted
        self._came.set()
        if wanted.soon:
            self._soon.set()
        if self._work is None:
            self._work = asyncio.create_task(self._run())

    def drop(self, board: str) -> None:
        """Drops what a board wanted: its match has moved on."""
        self._wanted.pop(board, None)
        if self._asked == board and not self._void:
            self._void = True
            if self._process is not None and self._process.stdin is not None:
                with contextlib.suppress(OSError):
                    self._process.stdin.write(b"\n")

    async def stop(self) -> None:
        """Ends the process and the work."""
        self._stopped = True
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _run(self) -> None:
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._wait_seconds):
                    await self._soon.wait()
            while self._failures < MOST_FAILURES:
                try:
                    async with asyncio.timeout(IDLE_SECONDS):
                        await self._came.wait()
                except TimeoutError:
                    await self._end()
                    await self._came.wait()
                await asyncio.sleep(PAUSE_SECONDS)
                await self._next()
            log.warning("the chance to win is not worked out any more: %d processes failed", self._failures)
            while self._wanted:
                waiting = next(iter(self._wanted))
                _show(waiting, self._wanted.pop(waiting), {})
        finally:
            await self._end()

    async def _next(self) -> None:
        """Answers the board that has waited for the longest time."""
        self._came.clear()
        board = next(iter(self._wanted), None)
        if board is None:
            return
        wanted, self._asked, self._void = self._wanted.pop(board), board, False
        found: dict[str, Any] = {}
        try:
            question = await asyncio.to_thread(wanted.ask)
            if question is not None and not self._void:
                found = await self._answer(question)
        except Exception:
            # A game of another package may hold what cannot be written; the match goes on without.
            log.exception("%s: the chance to win cannot be worked out", board)
        finally:
            self._asked = None
            if self._wanted:
                self._came.set()
        if not self._void:
            _show(board, wanted, found)

    async def _answer(self, question: Question) -> dict[str, Any]:
        """The answer; empty if there is none. The next question after a failure starts another process."""
        try:
            process = self._process = self._process or await self._start()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(question).encode() + b"\n")
            if self._void:
                process.stdin.write(b"\n")
            async with asyncio.timeout(LONGEST_SECONDS):
                line = await process.stdout.readline()
            found: dict[str, Any] = json.loads(line)
        except (OSError, ValueError, TimeoutError) as error:
            self._failures += 1
            log.warning("the process that works out the chance to win has failed: %s", error or type(error).__name__)
            await self._end()
            return {}
        self._failures = 0
        return found

    async def _start(self) -> asyncio.subprocess.Process:
        # -P: a folder `daemon` in the working directory must not be imported.
        command = [sys.executable, "-P", "-m", "daemon.session.chance_process", str(self._nice)]
        return await asyncio.create_subprocess_exec(
            *ending_with_us(command),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **ONE_THREAD},
            limit=LINE_BYTES,
            process_group=0,  # Ctrl-C in a terminal is for the daemon, which ends this process.
        )

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await end_process(process)


def _show(board: str, wanted: Wanted, found: dict[str, Any]) -> None:
    try:
        wanted.show(found)
    except Exception:
        log.exception("%s: the chance to win cannot be shown", board)
