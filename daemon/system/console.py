"""What the daemon says where somebody may be looking: on its terminal, or in the file that it was pointed at."""

import asyncio
import os
import sys
from typing import TextIO

PAUSE_SECONDS = 10.0
"""From one sentence about a thing to the next: what comes and goes twice a second fills no log."""


def say(message: str, to: TextIO) -> None:
    """Says it, if that can be done. A full disk under the file, or a reader who has left, ends no match."""
    try:
        print(message, file=to, flush=True)
    except OSError:
        # The log may be read again later. Of the standard output nothing more comes, and what could not be written
        # would be tried once more at the end, and make an exit code of its own.
        if to is sys.stdout:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, to.fileno())
            os.close(nowhere)


class Trouble:
    """Says on stderr what is wrong with one thing, once for each change, and when all is well again."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._now: str | None = None
        self._said: str | None = None
        self._pause: asyncio.TimerHandle | None = None

    def now(self, message: str | None) -> None:
        """What is wrong now; None: nothing. To be called in the event loop."""
        self._now = message
        if self._pause is None:
            self._say()

    def _say(self) -> None:
        self._pause = None
        if self._now != self._said:
            self._said = self._now
            say(f"{self._name}: {self._now or 'all is well again.'}", sys.stderr)
            self._pause = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._say)
