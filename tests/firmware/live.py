"""A board behind a pty, in a thread of its own: what the whole daemon is tested with."""

import contextlib
import os
import queue
import random
import threading
import time
import tty
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.firmware.any_board import MS, AnyBoard, Cell, Part
from tests.firmware.avr_parts import UNO
from tests.firmware.board import Board
from tests.firmware.host import Noise
from tests.firmware.usb import STARTED_MS, UsbHost, plugged
from tests.rig import LIMIT_SECONDS

SLICE_MS = 1
HURRY_SECONDS = 0.5
"""A host that has been silent for so long is busy: a board that hurried on would fill its memory."""
AGAIN_SECONDS = 1.0
"""How often a board that nobody has answered says its hello."""
AWAKE_MS = 100
"""How long a slow board runs as fast as it can after an order, or after a byte of the host."""
REST = 9
"""How many times as long as it runs such a board then rests: nobody waits for it, and the processor has other work."""
QUIET = Noise()


class LiveBoard:
    """An emulated board, of an AVR's image or of any other kind, at its own 16 MHz as long as this machine can keep up.

    Where it cannot, its second takes many of ours: it repeats its last frame until a host is heard, for a host waits
    for its hello by our time. One that is `slow` repeats its last frame whenever it has said nothing for a second of
    ours: its heartbeats come too late for a host, and the same frame again is nothing new to it. While nothing happens
    it runs for a tenth of the time.

    With `hurried` as fast as it goes, though not while no host is heard: a
    daemon that looks for its board each half second must not miss a minute.
    `noise` spoils bytes both ways. The pty is behind a link in `folder`, for
    its name goes with it when it is unplugged. With `usb` the board is on its
    own USB, and what is between that and the pty is the computer's.
    """

    def __init__(
        self,
        image: Path | AnyBoard,
        folder: Path,
        *,
        part: Part = UNO,
        usb: bool = False,
        hurried: bool = False,
        slow: bool = False,
        noise: Noise = QUIET,
    ) -> None:
        self.board = image if isinstance(image, AnyBoard) else Board(part, image)
        self.path = folder / "board-under-test"
        self.deaf = threading.Event()
        """While it is set, what the host writes does not get there."""
        self._hurried, self._slow, self._noise, self._rng = hurried, slow, noise, random.Random(1)
        self._ours = self._theirs = -1
        self._heard_host, self._heard_at = False, 0.0
        self._awake_until = 0
        """The cycle up to which something happens, or is waited for."""
        self._frame, self._whole, self._said_at = bytearray(), b"", 0.0
        self._plug()
        self._orders: queue.Queue[Callable[[], None]] = queue.Queue()
        self._stop = threading.Event()
        self._usb: UsbHost | None = None
        if not usb:
            self.board.heard = self._out
        # A board that has just been given power looks at nothing yet: a dart at once would be lost.
        self.board.run_ms(STARTED_MS)
        if usb:
            assert isinstance(self.board, Board)
            self._usb = plugged(self.board)
        self._thread = threading.Thread(target=self._live)
        self._thread.start()

    # ---- from the test's own thread ----

    def order(self, do: Callable[[], None]) -> None:
        """Does something between two slices of the board's time."""
        self._orders.put(do)

    def dart(self, cell: Cell, hold_ms: float = 5, *, after_ms: int = 1) -> None:
        """A dart lands after this time of the board, and its contact rings."""
        self.darts([cell], hold_ms, after_ms=after_ms)

    def darts(self, cells: Sequence[Cell], hold_ms: float = 5, *, after_ms: int = 1) -> None:
        """Darts that land at the same moment of the board's time."""
        board = self.board
        ring = ((3200, 2400), (1600, 4800))

        def land() -> None:
            at = board.now + after_ms * MS
            for cell in cells:
                board.dart(at, cell, round(hold_ms * MS), ring)
            self._stay_awake(at + round((hold_ms + AWAKE_MS) * MS))

        self.order(land)

    def wait_ms(self, ms: float) -> None:
        """Until so much time has passed on the board's own clock."""
        board, passed = self.board, threading.Event()

        def wait() -> None:
            until = board.now + round(ms * MS)
            self._stay_awake(until)
            board.at(until, passed.set)

        self.order(wait)
        assert passed.wait(LIMIT_SECONDS)

    def press_reset(self) -> None:
        self.order(self.board.reset)

    def unplug(self) -> None:
        self.order(self._unplug)

    def plug(self) -> None:
        self.order(self._plug)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.board.end()
        self._unplug()

    # ---- in the board's thread ----

    def _plug(self) -> None:
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self._theirs))
        self._heard_host = False

    def _unplug(self) -> None:
        self.path.unlink(missing_ok=True)
        for end in (self._ours, self._theirs):
            if end >= 0:
                os.close(end)
        self._ours = self._theirs = -1
        self._heard_host = False

    def _live(self) -> None:
        board, start = self.board, time.monotonic() - self.board.now / MS / 1000
        while not self._stop.is_set():
            begun = time.monotonic()
            with contextlib.suppress(queue.Empty):
                while True:
                    self._orders.get_nowait()()
                    self._stay_awake()
            self._in()
            board.run(SLICE_MS * MS)
            if self._usb is not None:
                for byte in self._usb.poll():
                    self._out(byte, board.now)
            if self._slow and board.now > self._awake_until:
                self._stop.wait(REST * (time.monotonic() - begun))
            waits = self._slow or not self._heard_host
            if self._whole and waits and time.monotonic() > self._said_at + AGAIN_SECONDS:
                self._say(self._whole)
            ahead = board.now / MS / 1000 - (time.monotonic() - start)
            hurries = self._hurried and self._heard_host and time.monotonic() < self._heard_at + HURRY_SECONDS
            if ahead > 0 and not hurries:
                self._stop.wait(min(ahead, SLICE_MS / 1000))
            if abs(ahead) > 0.2:
                start -= ahead  # the machine was busy, or the board in a hurry: what is past is not made up for

    def _stay_awake(self, until: int = 0) -> None:
        self._awake_until = max(self._awake_until, until, self.board.now + AWAKE_MS * MS)

    def _in(self) -> None:
        if self._ours < 0:
            return
        with contextlib.suppress(BlockingIOError):
            said = os.read(self._ours, 4096)
            self._heard_host, self._heard_at = True, time.monotonic()
            self._stay_awake()
            if self.deaf.is_set():
                return
            if self._usb is not None:
                self._usb.write(said)
            else:
                self.board.say(b"".join(self._noise.spoil(byte, self._rng) for byte in said))

    def _out(self, byte: int, _cycle: int) -> None:
        self._frame.append(byte)
        if byte == 0:
            self._whole, self._frame = bytes(self._frame), bytearray()
        self._say(bytes([byte]))

    def _say(self, data: bytes) -> None:
        self._said_at = time.monotonic()
        if self._ours < 0:
            return
        # A line that nobody reads takes no more, and a chip does not wait for it.
        with contextlib.suppress(BlockingIOError):
            os.write(self._ours, b"".join(self._noise.spoil(byte, self._rng) for byte in data))
