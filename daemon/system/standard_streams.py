"""The standard streams of the program, also where its parent closed them."""

import os
import sys
import threading
from asyncio import AbstractEventLoop, Queue, get_running_loop
from collections.abc import AsyncIterator
from contextlib import suppress


def open_closed_streams() -> None:
    """Opens /dev/null for each standard stream that is closed. Writing to this stdout fails with EBADF.

    Otherwise the next file or socket gets its number, and what is printed goes there.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(number)
        except OSError:
            # It gets the lowest free number, which is this one: those below are open.
            # For reading, as stdout: a command whose figures nobody gets has failed. stderr takes and loses messages.
            os.open(os.devnull, os.O_RDONLY if name == "stdout" else os.O_RDWR)
            os.set_inheritable(number, True)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115


def flush_or_discard() -> None:
    """Flushes stdout; if that fails, the rest goes to /dev/null.

    Otherwise the interpreter flushes again at its end, and prints a traceback with an exit code of its own.
    """
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


async def typed_lines() -> AsyncIterator[str]:
    """Yields the lines of standard input, be it a terminal, a pipe, a file or a device."""
    lines: Queue[str | None] = Queue()
    # A daemon thread: the event loop can wait for pipes and terminals only.
    threading.Thread(target=_read_lines, args=(get_running_loop(), lines), daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line


def _read_lines(loop: AbstractEventLoop, lines: Queue[str | None]) -> None:
    """Puts each line of standard input, and None at its end. The lock of `sys.stdin` would outlive the loop."""
    rest = b""
    with suppress(OSError, RuntimeError):
        while data := os.read(0, 4096):
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                loop.call_soon_threadsafe(lines.put_nowait, line.decode("utf-8", "replace"))
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(lines.put_nowait, None)
