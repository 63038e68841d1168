"""The processes of a hall: those that serve one socket, and those that count. Each is started again when it ends."""

import asyncio
import contextlib
import logging
import os
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hall.counting import DATABASE_VARIABLE
from hall.server import STOP_SECONDS, TlsFiles, serving, stop_event

log = logging.getLogger(__name__)

PAUSE_SECONDS: Final = 1.0
"""Before a process that ended is started again."""
END_SECONDS: Final = STOP_SECONDS + 5.0
"""How long a process may take to end after SIGTERM; beyond that it is killed, which loses nothing."""
KILLED_SECONDS: Final = 5.0
"""How long to wait after SIGKILL: one that waits for a disk ends later, and nobody waits."""


async def run(url: str, listener: socket.socket, processes: int, tls: TlsFiles | None, stop: asyncio.Event) -> None:
    """Serves with this many processes, and counts with as many others, until `stop` is set.

    One serves in this process itself.
    """
    serves = ["hall.processes", str(listener.fileno())]
    serves += [] if tls is None else [str(tls.certificate), str(tls.key)]
    words = [["hall.counting"]] * processes + ([] if processes == 1 else [serves] * processes)
    keep = [asyncio.create_task(_keep(url, listener, command)) for command in words]
    try:
        async with contextlib.nullcontext() if processes > 1 else serving(url, listener, tls):
            await stop.wait()
    finally:
        for task in keep:
            task.cancel()
        await asyncio.gather(*keep, return_exceptions=True)


async def _keep(url: str, listener: socket.socket, words: Sequence[str]) -> None:
    # -P: a folder `hall` in the working directory must not be imported.
    command = [sys.executable, "-P", "-m", *words]
    while True:
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,  # Closed when this process ends, however it ends.
                pass_fds=[listener.fileno()] if len(words) > 1 else [],
                env=os.environ | {DATABASE_VARIABLE: url},
                process_group=0,  # Ctrl-C in a terminal is for this process, which ends the others.
            )
        except OSError as error:  # The machine lacks memory or processes, or Python is being replaced.
            log.warning("a process of the hall cannot be started: %s", error)
        else:
            try:
                await process.wait()
            finally:
                await _end(process)
        await asyncio.sleep(PAUSE_SECONDS)


async def _end(process: Process) -> None:
    for end, seconds in ((process.terminate, END_SECONDS), (process.kill, KILLED_SECONDS)):
        if process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            end()
        waiting = asyncio.create_task(process.wait())
        try:
            # Not timeout: up to Python 3.11.2 it ends with CancelledError in a task that is being cancelled.
            await asyncio.wait({waiting}, timeout=seconds)
        finally:
            waiting.cancel()
    if process.returncode is None:
        log.warning("process %s has not ended %g s after SIGKILL; nothing waits for it", process.pid, KILLED_SECONDS)


async def _serve(words: list[str]) -> None:
    stop = stop_event()
    with socket.socket(fileno=int(words[0])) as listener:
        tls = TlsFiles(Path(words[1]), Path(words[2])) if len(words) == 3 else None
        async with serving(os.environ[DATABASE_VARIABLE], listener, tls):
            ends = [asyncio.create_task(stop.wait()), asyncio.create_task(_parent_ended())]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for task in ends:
                task.cancel()


async def _parent_ended() -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await reader.read()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1:]))
