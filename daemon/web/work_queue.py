"""Has figures worked out in processes of their own, one after another: the hand of a player, the health of a board."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from daemon.session.background_process import run_in_background
from daemon.system.numpy_package import has_numpy, install_command

MOST_WAITING: Final = 20
"""How many names may wait; another one is taken when it is asked for later."""
LONGEST_SECONDS: Final = 900.0
"""A process that takes longer is ended, and not tried again until its state is another one."""


class WorkQueue:
    """A queue of names for each of which `module` is to be run, as `python -m MODULE DATA NAME STATE NICE …`.

    `what` is the work as the log names it. The processes yield to everything else by `nice`.
    """

    def __init__(self, module: str, what: str, data: Path, nice: int = 19) -> None:
        self._module, self._what, self._data, self._nice = module, what, data, nice
        self._turn = asyncio.Lock()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._failed: dict[str, str] = {}

    def answer(
        self, name: str, state: str, about: dict[str, Any], version: int, more: Sequence[str] = ()
    ) -> dict[str, Any]:
        """What a page is told of a name whose matches are in this state: what is known, `about`, or what becomes of it.

        Has it worked out if another state (`of`) or version was kept.
        """
        known = {key: value for key, value in about.items() if key not in ("of", "version")}
        if not has_numpy():
            return {"state": "not_installed", "install": install_command()}
        if about.get("of") == state and about.get("version") == version:
            return known
        if self.failed(name, state):
            return {**known, "state": "failed"}
        self.want(name, state, more)
        return {**known, "state": "computing"}

    def failed(self, name: str, state: str) -> bool:
        """Whether the work on this state of the name's matches has failed."""
        return self._failed.get(name) == state

    def want(self, name: str, state: str, more: Sequence[str] = ()) -> asyncio.Task[None] | None:
        """Has the work done for a name and this state of its matches, with `more` arguments.

        Returns the work; None if too many wait.
        """
        if name in self._tasks or len(self._tasks) >= MOST_WAITING:
            return self._tasks.get(name)
        task = asyncio.create_task(self._work(name, state, more))
        self._tasks[name] = task
        task.add_done_callback(lambda _: self._tasks.pop(name, None))
        return task

    async def stop(self, name: str | None = None) -> None:
        """Ends the work for one name, or all work; returns when no process writes any more."""
        tasks = [task for each, task in self._tasks.items() if name in (None, each)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, name: str, state: str, more: Sequence[str]) -> None:
        async with self._turn:
            # -P: a folder `daemon` in the working directory must not be imported.
            command = [sys.executable, "-P", "-m", self._module, str(self._data), name, state, str(self._nice), *more]
            code = await run_in_background(command, self._what, LONGEST_SECONDS)
            if code == 0:
                self._failed.pop(name, None)
            else:
                while len(self._failed) >= MOST_WAITING:
                    self._failed.pop(next(iter(self._failed)))
                self._failed[name] = state
