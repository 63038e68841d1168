"""The stop of a daemon: asked for by SIGTERM or SIGINT, and bounded in time."""

import asyncio
import atexit
import contextlib
import faulthandler
import signal
import sys
from types import FrameType
from typing import Any, Final

from daemon.system.console import say

STOP_SECONDS = 30.0
"""How long a stop may take. What then still runs is written to stderr, and the process ends with exit code 1. Nothing
is lost: what was confirmed is on the disk. The unit's TimeoutStopSec is longer, so that the message is in the log."""
SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


def stop_event() -> asyncio.Event:
    """Returns an event of the running loop that is set by SIGTERM or SIGINT. The first of them starts STOP_SECONDS."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def asked(_number: int, _frame: FrameType | None) -> None:
        if not stop.is_set():
            _bound(loop)
        loop.call_soon_threadsafe(stop.set)

    for number in SIGNALS:
        # It wakes the loop, and removes the handler at the loop's end.
        loop.add_signal_handler(number, stop.set)
        # The loop's own handler runs in a turn of the loop, so a loop that hangs would never know of the signal.
        signal.signal(number, asked)
    return stop


def _bound(loop: asyncio.AbstractEventLoop) -> None:
    """Has the process end after STOP_SECONDS with its threads' stacks on stderr, and its tasks' there before."""
    loop.call_soon_threadsafe(loop.call_later, STOP_SECONDS / 2, _print_tasks, loop)
    # stderr is not a file where a program has replaced it.
    with contextlib.suppress(OSError, ValueError, AttributeError, RuntimeError):
        faulthandler.dump_traceback_later(STOP_SECONDS, exit=True)
        # Threads that were not joined can keep the process as well: it is bounded up to the interpreter's own end.
        atexit.register(faulthandler.cancel_dump_traceback_later)


def _print_tasks(loop: asyncio.AbstractEventLoop) -> None:
    """Writes where each task of the loop waits: the traceback of the thread shows the loop alone."""
    waiting = "\n".join(f"{task.get_name()}:\n{_where(task)}" for task in asyncio.all_tasks(loop))
    say(f"oche: The stop takes too long. What still runs:\n{waiting}", sys.stderr)


def _where(task: asyncio.Task[Any]) -> str:
    """Returns a line for each coroutine in which a task waits; `Task.print_stack` has the outermost alone."""
    lines: list[str] = []
    coroutine: Any = task.get_coro()
    while (frame := getattr(coroutine, "cr_frame", None) or getattr(coroutine, "ag_frame", None)) is not None:
        lines.append(f"  {frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_qualname}")
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "ag_await", None)
    return "\n".join(lines)
