"""What the daemon does to its journal in the background: it checks every match, and counts those that are over."""

import asyncio
import contextlib
import json
import logging
import sys
from collections.abc import Callable

from daemon.history.archive import COUNTED_AT_ONCE
from daemon.record.chain import Damage
from daemon.record.journal import Journal

log = logging.getLogger(__name__)


class Upkeep:
    """Looks the whole journal over at the start, and again when it is wanted. `changed` is told of new damage."""

    def __init__(self, journal: Journal, changed: Callable[[], None]) -> None:
        self._journal, self._changed = journal, changed
        self._wanted = asyncio.Event()

    def want(self) -> None:
        """Something is to be counted that nobody can wait for."""
        self._wanted.set()

    async def run(self) -> None:
        """Goes on for ever, one process after another."""
        if sum(match.actions for match in self._journal.states().values()) > COUNTED_AT_ONCE:
            self._wanted.set()
        else:
            # Sooner done than a process is started. What is not counted yet is counted when somebody asks.
            for damage in await asyncio.to_thread(lambda: list(self._journal.damage())):
                self._note(damage)
        while True:
            await self._wanted.wait()
            try:
                await self._look_over()
            except OSError as error:
                log.warning("the journal is not checked: %s", error)
            # Not before: whoever asked meanwhile asked for what was being counted.
            self._wanted.clear()

    async def _look_over(self) -> None:
        # -P: a folder of the same name where the daemon was started is not taken for ours.
        command = (sys.executable, "-P", "-m", "daemon.history.check_all", str(self._journal.path.parent))
        child = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
        )
        assert child.stdout is not None  # it is a pipe
        try:
            async for line in child.stdout:
                self._note(Damage(**json.loads(line)))
            if (code := await child.wait()) != 0:
                log.warning("the journal is not checked: the process ended with %s", code)
        finally:
            if child.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    child.terminate()
                await child.wait()

    def _note(self, damage: Damage) -> None:
        if any(known.match == damage.match for known in self._journal.found if damage.match is not None):
            return
        log.error("%s", damage.message)
        self._journal.found.append(damage)
        self._changed()
