"""Checks every match of the journal in the background, and counts those that are over."""

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
    """Checks the whole journal at the start, and again on request. Calls `changed` after new damage was found."""

    def __init__(self, journal: Journal, changed: Callable[[], None]) -> None:
        self._journal, self._changed = journal, changed
        self._wanted = asyncio.Event()

    def want(self) -> None:
        """Requests a check: more is to be counted than a client can wait for."""
        self._wanted.set()

    async def run(self) -> None:
        """Runs for ever, one process after another."""
        if sum(match.actions for match in self._journal.states().values()) > COUNTED_AT_ONCE:
            self._wanted.set()
        else:
            # Takes less time than starting a process. Matches are counted when somebody asks.
            for damage in await asyncio.to_thread(lambda: list(self._journal.damage())):
                self._note(damage)
        while True:
            await self._wanted.wait()
            try:
                await self._check_all()
            except OSError as error:
                log.warning("the journal cannot be checked: %s", error)
            # Cleared afterwards: requests during the check asked for what it counted.
            self._wanted.clear()

    async def _check_all(self) -> None:
        # -P: a folder `daemon` in the working directory must not be imported.
        command = (sys.executable, "-P", "-m", "daemon.history.check_all", str(self._journal.path.parent))
        child = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
        )
        assert child.stdout is not None  # it is a pipe
        try:
            async for line in child.stdout:
                self._note(Damage(**json.loads(line)))
            if (code := await child.wait()) != 0:
                log.warning("the journal is not checked: the process exited with %s", code)
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
