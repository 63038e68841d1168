"""Progress of long commands, with the time left: on stderr, if that is a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from daemon.system.colours import is_screen

Done = Callable[[int], None]
"""Takes how much is done so far."""


@contextmanager
def progress(title: str, total: int) -> Iterator[Done]:
    """Shows a line with a bar, the percentage and the time left during the block; nothing in a pipe."""
    if not is_screen(sys.stderr):
        yield lambda _: None
        return
    # Imported late: it takes longer than many a command.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    # Not the library's TimeRemainingColumn: it forgets what is older than 30 s, and a long match takes longer.
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[left]}"))
    began = time.monotonic()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total, left="")
        yield lambda done: bar.update(task, completed=done, left=time_left(done, total, time.monotonic() - began))


class Counted:
    """A file that passes the length of each piece that is read to `tell`."""

    def __init__(self, file: IO[bytes], tell: Callable[[int], None]) -> None:
        self._file = file
        self._tell = tell

    def read(self, size: int = -1) -> bytes:
        """Reads as the file does."""
        data = self._file.read(size)
        self._tell(len(data))
        return data


def summed(done: Done) -> Callable[[int], None]:
    """Returns a function that takes how much more is done, and passes the sum to `done`."""
    so_far = 0

    def more(count: int) -> None:
        nonlocal so_far
        so_far += count
        done(so_far)

    return more


def time_left(done: int, total: int, seconds: float) -> str:
    """Returns how long the rest takes at the pace so far, like `about 3 min left`; empty while that is not known."""
    if not 0 < done < total:
        return ""
    left = seconds / done * (total - done)
    return f"about {round(left)} s left" if left < 90 else f"about {round(left / 60)} min left"
