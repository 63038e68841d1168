"""Child processes of the daemon: commands that end with it, and the end of a process in whatever state it is."""

import asyncio
import contextlib
import errno
import logging
import os
import shutil
from asyncio.subprocess import Process
from typing import Final

log = logging.getLogger(__name__)

KILLED_SECONDS: Final = 5.0
"""How long to wait for the end of a process after SIGKILL: one that waits for a disk ends later, and nobody waits."""
PIECE: Final = 64 * 1024
SYSTEMD: Final = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")
"""Variables by which systemd addresses the process that it started, not its children; sd_notify(3)."""


def ending_with_us(command: list[str]) -> list[str]:
    """Returns a command whose process ends when the daemon ends, also by SIGKILL. FileNotFoundError if its program is
    missing. Without `setpriv` (util-linux) such a process lives on."""
    if shutil.which(command[0]) is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command[0])
    setpriv = shutil.which("setpriv")
    return command if setpriv is None else [setpriv, "--pdeathsig", "TERM", "--", *command]


async def has_ended(process: Process, seconds: float) -> bool:
    """Waits until a process has ended, at most `seconds`; returns whether it has. Discards what it still prints."""
    waiting = asyncio.create_task(_ended(process))
    try:
        # Neither wait_for, which can swallow a cancellation up to Python 3.11, nor timeout: up to 3.11.2 that ends with
        # CancelledError in a task that is being cancelled, and the process would not be killed.
        await asyncio.wait({waiting}, timeout=seconds)
    finally:
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    # Another process that holds its output keeps `wait` from returning.
    return process.returncode is not None


async def _ended(process: Process) -> None:
    # `wait` returns when the pipes are closed too, and a pipe that is full is not read to its end by itself.
    if process.stdout is not None:
        with contextlib.suppress(OSError):
            while await process.stdout.read(PIECE):
                pass
    await process.wait()


async def end_process(process: Process, seconds: float = 0.0) -> None:
    """Ends a process by SIGTERM, and by SIGKILL if it still runs after `seconds`; with 0 by SIGKILL at once.

    Nothing else may read its standard output. Raises nothing: the process may end by itself at any moment.
    """
    if process.returncode is not None:
        return
    if seconds:
        # The library raises this for a process whose end it has noticed.
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        if await has_ended(process, seconds):
            return
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    if not await has_ended(process, KILLED_SECONDS):
        log.warning("process %s has not ended %g s after SIGKILL; nothing waits for it", process.pid, KILLED_SECONDS)
