"""A child process is ended whatever it does, and at whatever moment it ends by itself."""

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import Process
from pathlib import Path
from typing import Final

import pytest

from daemon.system import child_process
from daemon.system.child_process import end_process, has_ended
from tests.rig import LIMIT_SECONDS, until

IGNORES: Final = "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); "


async def started(code: str) -> Process:
    """Returns a process that ignores SIGTERM, has said so, and then runs `code`."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", IGNORES + code, stdout=pipe)
    assert process.stdout is not None
    await process.stdout.readline()
    return process


def is_gone(process: Process) -> bool:
    """Whether a process has ended, also if nobody has reaped it: from Python 3.12 on that is for the blocked loop."""
    try:
        about = Path(f"/proc/{process.pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return about.rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize("rounds", range(6))
def test_a_process_that_ends_by_itself_at_the_deadline_raises_nothing(rounds: int) -> None:
    """The library's `kill` raises ProcessLookupError for a process whose end it has noticed, and the task that ends
    the process would take this OSError for a failed start, and go on although it is cancelled."""

    async def end() -> bool:
        """Returns whether the process was still there shortly before the deadline: a busy machine can be late."""
        loop = asyncio.get_running_loop()
        faults: list[object] = []
        in_time = asyncio.Event()
        loop.set_exception_handler(lambda _loop, context: faults.append(context))
        process = await started("time.sleep(1000)")
        ending = asyncio.create_task(end_process(process, 0.05))

        def end_at_the_deadline(left: int) -> None:
            if left:
                loop.call_soon(end_at_the_deadline, left - 1)
                return
            try:
                os.kill(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                return
            in_time.set()
            until(lambda: is_gone(process), "the end of the process")
            # The loop learns of both in its next rounds.
            while loop.time() < due + 0.01:
                time.sleep(0.001)

        due = loop.time() + 0.05
        loop.call_at(due - 0.005, end_at_the_deadline, rounds)
        await ending
        assert not faults
        # Python 3.12.0 to 3.13.1 can reap a process when they send the signal, and report 255 instead.
        assert process.returncode in (-signal.SIGKILL, 255)
        return in_time.is_set()

    assert any(asyncio.run(end()) for _ in range(20))


def test_a_process_whose_output_nobody_reads_ends() -> None:
    """More than the library reads ahead: it stops reading, and does not notice the end of the pipe."""

    async def end() -> None:
        process = await started("print('x' * 1_000_000, flush=True); time.sleep(1000)")
        await end_process(process, 0.05)
        async with asyncio.timeout(LIMIT_SECONDS):
            assert await process.wait() == -signal.SIGKILL

    asyncio.run(end())


def test_a_process_whose_output_is_held_by_another_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "KILLED_SECONDS", 0.2)

    async def end() -> None:
        process = await started(
            "import subprocess; print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)']).pid,"
            " flush=True); time.sleep(1000)"
        )
        assert process.stdout is not None
        heir = int(await process.stdout.readline())
        try:
            await end_process(process)
            assert process.returncode == -signal.SIGKILL
        finally:
            os.kill(heir, signal.SIGKILL)
            # The loop must not end before the pipe is closed.
            await process.stdout.read()

    asyncio.run(end())


def test_a_cancellation_at_the_moment_of_the_end_is_not_swallowed() -> None:
    """In Python 3.11 `wait_for` returns instead, if what it waits for is done by then."""

    async def end() -> None:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", "import time; time.sleep(1000)")

        async def cancel_at_the_end() -> None:
            await process.wait()
            waiting.cancel()

        # It is woken first, in the same round.
        cancelling = asyncio.create_task(cancel_at_the_end())
        await asyncio.sleep(0)
        waiting = asyncio.create_task(has_ended(process, LIMIT_SECONDS))
        for _ in range(5):
            await asyncio.sleep(0)
        process.kill()
        await cancelling
        await asyncio.gather(waiting, return_exceptions=True)
        assert waiting.cancelled()

    asyncio.run(end())


def test_a_process_is_killed_by_a_task_that_is_cancelled() -> None:
    """Up to Python 3.11.2, which Debian 12 has, a timeout in a cancelled task ends with CancelledError."""

    async def end() -> None:
        process = await started("time.sleep(1000)")

        async def keep() -> None:
            try:
                await process.wait()
            finally:
                await end_process(process, 0.05)

        keeping = asyncio.create_task(keep())
        await asyncio.sleep(0)
        keeping.cancel()
        async with asyncio.timeout(LIMIT_SECONDS):
            await asyncio.wait({keeping})
            assert keeping.cancelled()
            assert await process.wait() == -signal.SIGKILL

    asyncio.run(end())
