"""A clock that jumps: an event loop whose time is simulated, and the clocks of the standard library that follow it."""

import asyncio
import mmap
import selectors
import struct
import time
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

from daemon.session import recorded_match


class SimulatedLoop(asyncio.SelectorEventLoop):
    """When nothing is ready, it is at once as late as the next timer. What others give to threads is done at once.

    `begun` is where its time starts, in seconds since 1970; `on_jump` is called before each jump.
    """

    def __init__(self, begun: float, on_jump: Callable[[], None] = lambda: None) -> None:
        self.begun, self.passed = begun, 0.0
        super().__init__(_Jumping(self, on_jump))

    def time(self) -> float:
        return self.passed

    @property
    def now(self) -> float:
        """Seconds since 1970."""
        return self.begun + self.passed

    def run_in_executor(  # type: ignore[override]
        self, _executor: object, function: Callable[..., Any], *arguments: Any
    ) -> asyncio.Future[Any]:
        done = self.create_future()
        try:
            done.set_result(function(*arguments))
        except Exception as error:
            done.set_exception(error)
        return done


class _Jumping(selectors.SelectSelector):
    def __init__(self, loop: SimulatedLoop, on_jump: Callable[[], None]) -> None:
        super().__init__()
        self._loop, self._on_jump = loop, on_jump

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if ready := super().select(0):
            return ready
        if timeout is None:
            raise RuntimeError("Everything waits, and no timer is left: nothing can ever happen.")
        if timeout > 0:
            self._on_jump()
            self._loop.passed += timeout
        return []


def follow(loop: SimulatedLoop) -> None:
    """Makes this process's clocks follow the loop's, for good. A process that does this does nothing else."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Clock":
            return cls.fromtimestamp(loop.now, tz or UTC)

    time.time = lambda: loop.now
    time.time_ns = lambda: round(loop.now * 1e9)
    time.monotonic = lambda: loop.passed
    time.monotonic_ns = lambda: round(loop.passed * 1e9)
    vars(recorded_match)["datetime"] = Clock


class LastTime:
    """The time in a file that outlives a SIGKILL, so that the next life begins where this one ended."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(8))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 8)

    def read(self) -> float:
        """Seconds since 1970; 0 before the first."""
        found: float = struct.unpack("<d", self._memory[:])[0]
        return found

    def write(self, now: float) -> None:
        self._memory[:] = struct.pack("<d", now)
