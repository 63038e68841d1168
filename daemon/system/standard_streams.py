"""The program's standard streams: there even where whoever started it had closed them."""

import os
import sys
import threading
from asyncio import AbstractEventLoop, Queue, get_running_loop
from collections.abc import AsyncIterator
from contextlib import suppress


def open_closed_streams() -> None:
    """Opens /dev/null for each of the three that is closed.

    Otherwise the next file or socket that is opened gets its number, and what is printed or closed hits that.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number: those below are open by now.
            os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(number, True)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115


def flush_or_discard() -> None:
    """Writes out what was printed; where its reader or its disk is gone, the rest goes to /dev/null.

    Otherwise the interpreter tries again at its end, and prints a traceback with an exit code of its own.
    """
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


async def typed_lines() -> AsyncIterator[str]:
    """Each line of standard input, whatever that is: a terminal, a pipe, a file or a device. Ends where it ends."""
    lines: Queue[str | None] = Queue()
    # A thread of its own that nobody waits for. The event loop can wait for pipes and terminals alone.
    threading.Thread(target=_read_lines, args=(get_running_loop(), lines), daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line


def _read_lines(loop: AbstractEventLoop, lines: Queue[str | None]) -> None:
    """Puts each line of standard input, and None at its end. Not by `sys.stdin`, whose lock would outlive the loop."""
    rest = b""
    with suppress(OSError, RuntimeError):
        while data := os.read(0, 4096):
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                loop.call_soon_threadsafe(lines.put_nowait, line.decode("utf-8", "replace"))
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(lines.put_nowait, None)
