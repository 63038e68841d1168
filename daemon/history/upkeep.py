"""Checks the journal in the background: the file of a long one, and every match. Counts the matches that are over."""

import asyncio
import contextlib
import json
import logging
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Final

from daemon.record.chain import Damage
from daemon.record.journal import Journal
from daemon.record.journal_file import DATABASE_ERRORS, unreadable
from daemon.record.structure import StructureFault, check_in_use
from daemon.system.child_process import end_process, ending_with_us

log = logging.getLogger(__name__)

CHECKED_IN_THREAD: Final = 5_000
"""A journal with as many actions or fewer is checked in a thread: that takes less time than starting a process."""
STOP_SECONDS: Final = 1.0
"""Time allowed for the end of the check after SIGTERM."""


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
        if not self._journal.structure_checked:
            await self._check_structure()
        if await asyncio.to_thread(self._journal.all_actions) > CHECKED_IN_THREAD:
            self._wanted.set()
        else:
            # Matches are counted when somebody asks.
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

    async def _check_structure(self) -> None:
        try:
            fault = await _in_own_thread(lambda: check_in_use(self._journal.path))
        except DATABASE_ERRORS as error:
            self._note(Damage(unreadable(self._journal.path, str(error))))
        else:
            if fault is not None:
                self._note(Damage(unreadable(self._journal.path, fault.what)))

    async def _check_all(self) -> None:
        # -P: a folder `daemon` in the working directory must not be imported.
        command = [sys.executable, "-P", "-m", "daemon.history.check_all", str(self._journal.path.parent)]
        child = await asyncio.create_subprocess_exec(
            *ending_with_us(command),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            process_group=0,  # Ctrl-C in a terminal is for the daemon, which ends this process.
        )
        assert child.stdout is not None  # it is a pipe
        try:
            async for line in child.stdout:
                self._note(Damage(**json.loads(line)))
            if (code := await child.wait()) != 0:
                log.warning("the journal is not checked: the process exited with %s", code)
        finally:
            await end_process(child, STOP_SECONDS)

    def _note(self, damage: Damage) -> None:
        if any(known.match == damage.match for known in self._journal.found if damage.match is not None):
            return
        log.error("%s", damage.message)
        self._journal.found.append(damage)
        self._changed()


async def _in_own_thread(check: Callable[[], StructureFault | None]) -> StructureFault | None:
    """Runs a check in a new thread, which the daemon does not wait for when it ends.

    Not in the loop's executor: its threads would keep the check's priority, and the daemon waits for them.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[StructureFault | None] = loop.create_future()

    def run() -> None:
        try:
            fault = check()
        except DATABASE_ERRORS as error:
            settle = partial(done.set_exception, error)
        else:
            settle = partial(done.set_result, fault)
        with contextlib.suppress(RuntimeError):  # The loop has ended.
            loop.call_soon_threadsafe(lambda: None if done.done() else settle())

    threading.Thread(target=run, name="check", daemon=True).start()
    return await done
