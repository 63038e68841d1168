"""Several processes that serve one socket: each is started again when it ends."""

import asyncio
import contextlib
import os
import socket
import sys
from pathlib import Path
from typing import Final

from hall.server import TlsFiles, serving, stop_event

DATABASE_VARIABLE: Final = "OCHE_HALL_DB"
"""Where a process finds the database's address, which may have a password: every user can read a command line."""
PAUSE_SECONDS: Final = 1.0
"""Before a process that ended is started again."""


async def run(url: str, listener: socket.socket, processes: int, tls: TlsFiles | None, stop: asyncio.Event) -> None:
    """Serves with this many processes until `stop` is set."""
    if processes == 1:
        async with serving(url, listener, tls):
            await stop.wait()
        return
    keep = [asyncio.create_task(_keep(url, listener, tls)) for _ in range(processes)]
    try:
        await stop.wait()
    finally:
        for task in keep:
            task.cancel()
        await asyncio.gather(*keep, return_exceptions=True)


async def _keep(url: str, listener: socket.socket, tls: TlsFiles | None) -> None:
    # -P: a folder `hall` in the working directory must not be imported.
    command = [sys.executable, "-P", "-m", "hall.processes", str(listener.fileno())]
    command += [] if tls is None else [str(tls.certificate), str(tls.key)]
    while True:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,  # Closed when this process ends, however it ends.
            pass_fds=[listener.fileno()],
            env=os.environ | {DATABASE_VARIABLE: url},
            process_group=0,  # Ctrl-C in a terminal is for this process, which ends the others.
        )
        try:
            await process.wait()
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.terminate()
                await process.wait()
        await asyncio.sleep(PAUSE_SECONDS)


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
