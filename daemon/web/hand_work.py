"""Has players' hands worked out in processes of their own, one after another."""

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from daemon.session.background_process import run_in_background

MOST_WAITING: Final = 20
"""How many players may wait; the next one who is asked for later waits then."""
LONGEST_SECONDS: Final = 900.0
"""A process that takes longer is ended, and not tried again until the player has thrown more."""


class HandWork:
    """A queue of players whose hand is wanted. The processes yield to everything else by `nice`."""

    def __init__(self, data: Path, nice: int = 19) -> None:
        self._data, self._nice = data, nice
        self._turn = asyncio.Lock()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._failed: dict[str, str] = {}

    @staticmethod
    def is_installed() -> bool:
        """Whether numpy is there, without importing it."""
        return find_spec("numpy") is not None

    def failed(self, name: str, state: str) -> bool:
        """Whether the hand could not be worked out from this state of the player's matches."""
        return self._failed.get(name) == state

    def want(self, name: str, state: str) -> asyncio.Task[None] | None:
        """Has the hand worked out from this state of the player's matches. Returns the work; None if too many wait."""
        if name in self._tasks or len(self._tasks) >= MOST_WAITING:
            return self._tasks.get(name)
        task = asyncio.create_task(self._work(name, state))
        self._tasks[name] = task
        task.add_done_callback(lambda _: self._tasks.pop(name, None))
        return task

    async def stop(self, name: str | None = None) -> None:
        """Ends the work for one player, or all work; returns when no process writes any more."""
        tasks = [task for player, task in self._tasks.items() if name in (None, player)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, name: str, state: str) -> None:
        async with self._turn:
            # -P: a folder `daemon` in the working directory must not be imported.
            command = [
                sys.executable,
                "-P",
                "-m",
                "daemon.history.coach",
                str(self._data),
                name,
                state,
                str(self._nice),
            ]
            code = await run_in_background(command, "the hand of a player", LONGEST_SECONDS)
            if code == 0:
                self._failed.pop(name, None)
            else:
                while len(self._failed) >= MOST_WAITING:
                    self._failed.pop(next(iter(self._failed)))
                self._failed[name] = state
