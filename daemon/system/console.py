"""Messages of the daemon on stdout and stderr, which may be a terminal, a file or a pipe."""

import asyncio
import sys
from typing import TextIO

from daemon.system.standard_streams import flush_or_discard

PAUSE_SECONDS = 10.0
"""The shortest time between two messages about one thing, so that one that flaps does not fill the log."""


def say(message: str, to: TextIO) -> None:
    """Prints a message. A full disk or a reader that has left is ignored: neither may end a match."""
    try:
        print(message, file=to, flush=True)
    except OSError:
        # stderr may work again later.
        if to is sys.stdout:
            flush_or_discard()


class TroublePrinter:
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
