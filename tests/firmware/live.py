"""A board in real time behind a pty: what the whole daemon is tested with."""

import contextlib
import os
import queue
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

from tests.firmware.board import MS, UNO, Board, Cell
from tests.rig import LIMIT_SECONDS

SLICE_MS = 1


class LiveBoard:
    """The emulated board in a thread of its own, at its own 16 MHz as long as this machine can keep up."""

    def __init__(self, image: Path) -> None:
        self._board = Board(UNO, image)
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        self.path = os.ttyname(self._theirs)
        self._orders: queue.Queue[Callable[[], None]] = queue.Queue()
        self._stop = threading.Event()
        self.deaf = threading.Event()
        """While it is set, what the host writes does not get there."""
        self._board.heard = self._out
        self._thread = threading.Thread(target=self._live)
        self._thread.start()

    def dart(self, cell: Cell, hold_ms: float = 5) -> None:
        """A dart lands now, and its contact rings."""
        board = self._board
        ring = ((3200, 2400), (1600, 4800))
        self._orders.put(lambda: board.dart(board.now + MS, cell, round(hold_ms * MS), ring))

    def wait_ms(self, ms: float) -> None:
        """Until so much time has passed on the board's own clock."""
        board, passed = self._board, threading.Event()
        self._orders.put(lambda: board.at(board.now + round(ms * MS), passed.set))
        assert passed.wait(LIMIT_SECONDS)

    def press_reset(self) -> None:
        self._orders.put(self._board.reset)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self._board.end()
        for end in (self._ours, self._theirs):
            os.close(end)

    def _live(self) -> None:
        start = time.monotonic() - self._board.now / MS / 1000
        while not self._stop.is_set():
            with contextlib.suppress(queue.Empty):
                while True:
                    self._orders.get_nowait()()
            with contextlib.suppress(BlockingIOError):
                said = os.read(self._ours, 4096)
                if not self.deaf.is_set():
                    self._board.say(said)
            self._board.run(SLICE_MS * MS)
            ahead = self._board.now / MS / 1000 - (time.monotonic() - start)
            if ahead > 0:
                self._stop.wait(ahead)
            elif ahead < -0.2:
                start -= ahead  # the machine was busy: the board is late, and does not run after it

    def _out(self, byte: int, _cycle: int) -> None:
        # A line that nobody reads takes no more, and a chip does not wait for it.
        with contextlib.suppress(BlockingIOError):
            os.write(self._ours, bytes([byte]))
