"""Messages of the daemon on stdout and stderr, which may be a terminal, a file or a pipe."""

import asyncio
import os
import sys
from typing import TextIO

PAUSE_SECONDS = 10.0
"""The shortest time between two messages about one thing, so that one that flaps does not fill the log."""


def say(message: str, to: TextIO) -> None:
    """Prints a message. A full disk or a reader that has left is ignored: neither may end a match."""
    try:
        print(message, file=to, flush=True)
    except OSError:
        # stderr may work again later. stdout is given up: at its end the interpreter would write the rest again, and
        # fail with an exit code of its own.
        if to is sys.stdout:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, to.fileno())
            os.close(nowhere)


class Trouble:
    """Prints to stderr what is wrong with one thing: once for each change, and when it is over."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._now: str | None = None
        self._said: str | None = None
        self._pause: asyncio.TimerHandle | None = None

    def now(self, message: str | None) -> None:
        """Takes what is wrong now, None for nothing. Call it in the event loop."""
        self._now = message
        if self._pause is None:
            self._say()

    def _say(self) -> None:
        self._pause = None
        if self._now != self._said:
            self._said = self._now
            say(f"{self._name}: {self._now or 'all is well again.'}", sys.stderr)
            self._pause = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._say)
