"""Runs a process of the daemon's own that computes in the background, and ends with the daemon."""

import asyncio
import logging
import os
from typing import Final

from daemon.system.child_process import end_process, ending_with_us

log = logging.getLogger(__name__)

ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""numpy's threads wait for each other by spinning: on a busy machine they take ten times the processor time of one."""


async def run_in_background(command: list[str], what: str, seconds: float) -> int | None:
    """Runs a command to its end and returns its exit code; None if it cannot start or takes longer than `seconds`.

    `what` names the work in the log. The process is killed if the caller is cancelled.
    """
    try:
        child = await asyncio.create_subprocess_exec(
            *ending_with_us(command),
            stdin=asyncio.subprocess.DEVNULL,
            env={**os.environ, **ONE_THREAD},
            process_group=0,  # Ctrl-C in a terminal is for the daemon, which ends this process.
        )
    except OSError as error:
        log.warning("%s cannot be worked out: %s", what, error)
        return None
    try:
        async with asyncio.timeout(seconds):
            return await child.wait()
    except TimeoutError:
        log.warning("%s took longer than %g seconds", what, seconds)
        return None
    finally:
        await end_process(child)
