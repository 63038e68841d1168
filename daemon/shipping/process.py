"""Runs the process that sends (`run.py`) while the node is in a hall, and tells it when the journal was written."""

import asyncio
import itertools
import json
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from daemon.mqtt.node_status import HallStatus
from daemon.shipping.membership import FILE, BadMembership, load
from daemon.system.child_process import end_process, ending_with_us
from daemon.system.hall_config import HallConfig

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 2.0
"""How often it is looked whether the node has joined or left a hall."""
NUDGE_SECONDS: Final = 0.02
"""How long commits are collected before the process is told: a dart reaches its displays first."""
LIVE_SECONDS: Final = 0.1
"""The shortest time between two requests with live darts: those of a fast evening go together, because each request
takes processor time and a flush of the hall's disk, which may be this machine's."""
SELDOM_SECONDS: Final = 10.0
"""The same without `live`."""
TOLD_SECONDS: Final = 30.0
"""How often the number of lines that wait is published at most."""
PAUSES: Final = (1.0, 5.0, 15.0, 60.0)
"""Seconds before each new start; the last one again and again."""


class HallProcess:
    """The process. Calls `changed` when `status` says something else."""

    def __init__(self, data: Path, config: HallConfig, changed: Callable[[], None]) -> None:
        self._data, self._config, self._changed = data, config, changed
        self.status: HallStatus | None = None
        """What the process said last; None while the node is in no hall."""
        self._told_at = 0.0
        self._later: asyncio.TimerHandle | None = None
        self._input: asyncio.StreamWriter | None = None
        self._nudge: asyncio.TimerHandle | None = None

    def written(self) -> None:
        """Says that the journal was written. Costs nothing while the node is in no hall."""
        if self._input is not None and self._nudge is None:
            self._nudge = asyncio.get_running_loop().call_later(NUDGE_SECONDS, self._tell)

    def _tell(self) -> None:
        self._nudge = None
        # What the process does not read is not sent twice: one line that waits is enough.
        if self._input is not None and not self._input.transport.get_write_buffer_size():
            self._input.write(b"\n")

    async def run(self) -> None:
        """Runs the process whenever the node is in a hall, until it is cancelled."""
        try:
            await self._run()
        finally:
            if self._later is not None:
                self._later.cancel()

    async def _run(self) -> None:
        pauses = itertools.chain(PAUSES, itertools.repeat(PAUSES[-1]))
        fruitless: tuple[int, int] | None = None
        """A membership without a token, of a join that has not succeeded yet."""
        while True:
            membership = self._membership()
            if membership is None or membership == fruitless:
                await asyncio.sleep(LOOK_SECONDS)
                continue
            process = asyncio.create_task(self._run_once())
            try:
                while not process.done() and self._membership() == membership:
                    await asyncio.wait((process,), timeout=LOOK_SECONDS)
            finally:
                process.cancel()
                found = (await asyncio.gather(process, return_exceptions=True))[0]
            self._tell_status(None)
            if found == 0 and not self._has_token():
                fruitless = membership
            elif self._membership() == membership:
                log.warning("what is sent to the hall ended: %s", found)
                await asyncio.sleep(next(pauses))
            else:
                pauses = itertools.chain(PAUSES, itertools.repeat(PAUSES[-1]))

    def _tell_status(self, status: HallStatus | None) -> None:
        """Keeps the status, and says so; later if the state is the same: the lines change with every dart."""
        before, self.status = self.status, status
        if before == status:
            return
        same = before is not None and status is not None and _state(before) == _state(status)
        wait = self._told_at + TOLD_SECONDS - time.monotonic()
        if not same or wait <= 0:
            self._tell_changed()
        elif self._later is None:
            self._later = asyncio.get_running_loop().call_later(wait, self._tell_changed)

    def _tell_changed(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None
        self._told_at = time.monotonic()
        self._changed()

    def _membership(self) -> tuple[int, int] | None:
        """What changes when the node joins or leaves a hall; None if it is in none."""
        try:
            found = (self._data / FILE).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ino

    def _has_token(self) -> bool:
        try:
            member = load(self._data)
        except BadMembership:
            return False
        return member is not None and bool(member.token)

    async def _run_once(self) -> int:
        # -P: a folder `daemon` in the working directory must not be imported.
        command = [sys.executable, "-P", "-m", "daemon.shipping.run", str(self._data)]
        command += [] if self._config.url is None else ["--url", self._config.url]
        command += ["--finished-only"] if self._config.ship == "finished" else []
        command += ["--gather", str(LIVE_SECONDS if self._config.live else SELDOM_SECONDS)]
        process = await asyncio.create_subprocess_exec(
            *ending_with_us(command),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            process_group=0,  # Ctrl-C in a terminal is for the daemon, which ends this process.
        )
        assert process.stdin is not None
        assert process.stdout is not None
        self._input = process.stdin
        try:
            async for line in process.stdout:
                self._tell_status(json.loads(line))
            return await process.wait()
        finally:
            self._input = None
            await end_process(process)


def _state(status: HallStatus) -> tuple[str, str]:
    return status["state"], status.get("message", "")
