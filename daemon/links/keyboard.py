"""The link to a board that is a keyboard: grabbed, so that it no longer types, and read as characters.

python-evdev was not chosen: it comes as source only, a Raspberry Pi has no compiler, and only one struct and one ioctl
of it are needed.
"""

import asyncio
import errno
import fcntl
import os
from typing import Final

from daemon.links.link import Disconnected, chunk
from daemon.links.unread import QueuedLink, Unread
from daemon.system.urls import BoardUrl
from drivers.keys import Keys

EVIOCGRAB: Final = 0x40044590
"""`_IOW('E', 0x90, int)` of linux/input.h: this file alone receives the events until it is closed."""

READ_BYTES: Final = 4096


class KeyboardLink(QueuedLink):
    """An input device, grabbed: darts do not type into other programs."""

    def __init__(self, url: BoardUrl) -> None:
        self._keys = Keys()
        # While reading is paused the kernel drops events, and reports that with an event that `Keys` handles.
        self._unread = Unread(self._pause, self._resume)
        self._loop = asyncio.get_running_loop()
        self._fd: int | None = os.open(url.place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            fcntl.ioctl(self._fd, EVIOCGRAB, 1)
        except OSError as error:
            self._shut()
            if error.errno == errno.EBUSY:
                raise Disconnected("busy", f"Another program has taken {url.place} for itself; close it.") from error
            message = f"{url.place} is not a keyboard; look under /dev/input/by-id for one that ends in -event-kbd."
            raise Disconnected("unreachable", message) from error
        self._resume()

    def close(self) -> None:
        # The kernel ends the grab when the file is closed.
        if self._fd is not None:
            self._loop.remove_reader(self._fd)
            self._shut()

    def _pause(self) -> None:
        if self._fd is not None:
            self._loop.remove_reader(self._fd)

    def _resume(self) -> None:
        if self._fd is not None:
            self._loop.add_reader(self._fd, self._readable)

    def _shut(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _readable(self) -> None:
        if self._fd is None:
            return
        try:
            data = os.read(self._fd, READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            self._gone(f"The keyboard went away: {error.strerror}.")
            return
        if not data:
            self._gone("The keyboard went away.")
        elif typed := self._keys.feed(data):
            self._unread.put(chunk(typed.encode()))

    def _gone(self, message: str) -> None:
        # Nobody may be reading just now, and a file at its end would stay readable.
        self.close()
        self._unread.end(Disconnected("gone", message))
