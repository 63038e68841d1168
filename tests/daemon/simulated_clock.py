"""An event loop whose time is simulated: when nothing is ready it is at once as late as the next timer."""

import asyncio
import selectors
from collections.abc import Callable
from typing import Any


class SimulatedLoop(asyncio.SelectorEventLoop):
    """`time` returns simulated seconds from `start` on. What others give to threads is done at once, in no time."""

    def __init__(self, start: float) -> None:
        self.now = start
        super().__init__(_Jumping(self))
        # A timer is due when it is less than this away; seconds since 1970 are not exact to a nanosecond.
        self._clock_resolution = 0.001

    def time(self) -> float:
        return self.now

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
    def __init__(self, loop: SimulatedLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("Everything waits, and no timer is left: nothing can ever happen.")
        self._loop.now += max(0.0, timeout)
        return super().select(0)
