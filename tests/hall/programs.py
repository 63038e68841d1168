"""`oche hall serve` as a process."""

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.rig import OCHE, free_port, takes_connections, until


class Serving:
    """The processes that serve a hall."""

    def __init__(self, url: str, processes: int) -> None:
        self.port = free_port()
        self.at = f"http://127.0.0.1:{self.port}"
        command = [
            OCHE,
            "hall",
            "serve",
            "--db",
            url,
            "--http",
            f"127.0.0.1:{self.port}",
            "--processes",
            str(processes),
        ]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def wait(self) -> None:
        """Returns when it takes connections."""
        until(lambda: takes_connections(self.port), "the hall's port")

    def workers(self) -> list[int]:
        """The processes that serve, without the one that started them, and without those that count."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        children = [int(child) for child in path.read_text().split()]
        return [child for child in children if b"hall.processes" in _command(child)]

    def kill_one(self, which: int) -> None:
        """Kills one of them with SIGKILL; it is started again."""
        if found := self.workers():
            with contextlib.suppress(ProcessLookupError):
                os.kill(found[which % len(found)], signal.SIGKILL)

    def stop(self) -> int:
        """Ends them as a service manager does; returns the exit code."""
        self.process.terminate()
        return self.process.wait()


def _command(pid: int) -> bytes:
    """The command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def serving(url: str, processes: int = 1) -> Iterator[Serving]:
    """A hall that is served while the block runs."""
    found = Serving(url, processes)
    try:
        found.wait()
        yield found
    finally:
        assert found.stop() == 0


async def oche(*words: str, data: Path | None = None) -> tuple[int, str, str]:
    """Runs `oche`; returns its exit code and what it printed to both streams."""
    command = [OCHE, *words, *([] if data is None else ["--data", str(data)])]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()
