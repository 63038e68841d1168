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

from daemon.mqtt.broker_process import ending_with_us
from daemon.mqtt.node_status import HallStatus
from daemon.shipping.membership import FILE
from daemon.system.child_process import end_process
from daemon.system.hall_config import HallConfig

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 2.0
"""How often it is looked whether the node has joined or left a hall."""
NUDGE_SECONDS: Final = 0.02
"""How long commits are collected before the process is told: a dart reaches its displays first."""
GATHER_SECONDS: Final = 10.0
"""Without `live`, how long darts are collected before they are sent together."""
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
        pauses = itertools.chain(PAUSES, itertools.repeat(PAUSES[-1]))
        while True:
            membership = self._membership()
            if membership is None:
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
            if self._membership() == membership:
                log.warning("what is sent to the hall ended: %s", found)
                await asyncio.sleep(next(pauses))
            else:
                pauses = itertools.chain(PAUSES, itertools.repeat(PAUSES[-1]))

    def _tell_status(self, status: HallStatus | None) -> None:
        """Keeps the status, and says so if the state is another one. The number of lines changes with every dart."""
        before, now = self.status, time.monotonic()
        self.status = status
        same = before is not None and status is not None and _state(before) == _state(status)
        if before != status and not (same and now - self._told_at < TOLD_SECONDS):
            self._told_at = now
            self._changed()

    def _membership(self) -> tuple[int, int] | None:
        """What changes when the node joins or leaves a hall; None if it is in none."""
        try:
            found = (self._data / FILE).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ino

    async def _run_once(self) -> int:
        # -P: a folder `daemon` in the working directory must not be imported.
        command = [sys.executable, "-P", "-m", "daemon.shipping.run", str(self._data)]
        command += [] if self._config.url is None else ["--url", self._config.url]
        command += ["--finished-only"] if self._config.ship == "finished" else []
        command += [] if self._config.live else ["--gather", str(GATHER_SECONDS)]
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
