"""A serial adapter in the machine's USB socket, with a board's line behind it or nothing."""

import contextlib
import os
import select
import socket
import threading
from pathlib import Path
from typing import Self


class Adapter:
    """Plugged in for the length of a block; when the machine comes back after a power cut, it is there again."""

    def __init__(self, path: Path, line: str | None = None) -> None:
        self._path = path
        self._line = -1 if line is None else os.open(line, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        if self._line >= 0:
            os.close(self._line)

    def _work(self) -> None:
        while not self._stop.is_set():
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as plug:
                plug.connect(str(self._path))
                self._shovel(plug)
            self._stop.wait(0.2)

    def _shovel(self, plug: socket.socket) -> None:
        """Bytes both ways, until the block or the machine ends."""
        ends = [plug.fileno()] if self._line < 0 else [plug.fileno(), self._line]
        while not self._stop.is_set():
            ready, _, _ = select.select(ends, [], [], 0.1)
            if plug.fileno() in ready:
                if not (data := plug.recv(4096)):
                    return
                if self._line >= 0:
                    os.write(self._line, data)
            if self._line in ready:
                plug.sendall(os.read(self._line, 4096))
