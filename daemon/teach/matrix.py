"""`oche learn` with our own firmware: it is known by its greeting, its driver reads and answers it.

Nothing is written to a port before a frame with a right checksum has come from
it: whatever else hangs there is only listened to. The firmware says hello each
second until it is acknowledged, and something each second for ever.
"""

import asyncio
import contextlib
from typing import Final

from daemon.links.link import Disconnected, Link
from drivers.debounce import MS
from drivers.driver import Contact
from drivers.oche_matrix import DRIVER, OcheMatrix
from drivers.pipeline import SILENT
from learning.contacts import Contacts
from learning.hearing import Hearing
from learning.lesson import Lesson

GREETING_SECONDS: Final = DRIVER.timing.boot_ms / 1000 + 1.5
"""How long to wait for a greeting: opening the port may reset the board, and then it comes after its boot loader."""
SILENT_NS: Final = 10_000 * MS
"""A board that says something each second is gone when it says nothing for so long, whatever the port says."""


class Matrix(Contacts):
    """What a board with our firmware says, as presses, and what it is to be told."""

    def __init__(self) -> None:
        super().__init__(DRIVER.name)
        self._decoder = OcheMatrix()

    @property
    def known(self) -> bool:
        """The board has said hello, in a version that is understood."""
        return self._decoder.size != (0, 0, 0)

    def feed(self, data: bytes, at_ns: int) -> tuple[str, ...]:
        """Bytes arrived; the presses that they complete. Disconnected where the board speaks another version."""
        pressed: tuple[str, ...] = ()
        for report in self._decoder.feed(data, at_ns):
            match report:
                case Contact(row, col, True, moment, held):
                    pressed += self.closed((row, col), min(moment, at_ns), held)
                case Contact(row, col, False, moment):
                    self.opened((row, col), min(moment, at_ns))
        if self._decoder.fault:
            raise Disconnected("version", self._decoder.fault)
        return pressed + self.tick(at_ns)

    def tick(self, at_ns: int) -> tuple[str, ...]:
        """Time passes. Disconnected where the board has been silent for too long."""
        if self.known and at_ns - self._decoder.heard_ns > SILENT_NS:
            raise Disconnected("silent", SILENT)
        return super().tick(at_ns)

    def answers(self) -> bytes:
        """What the board is to be told, when the presses are saved."""
        return self._decoder.answers()

    def odd(self, lesson: Lesson) -> list[str]:
        """What is odd with the wiring, a sentence each."""
        rows, cols, _ = self._decoder.size
        return self.findings(lesson, rows, cols)


async def greeted(link: Link, matrix: Matrix, other: Hearing | None = None) -> bool:
    """Whether the board says hello as our firmware does; what it says is noise to the `other` that would hear it."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(GREETING_SECONDS):
            while not matrix.known:
                piece = await link.read()
                matrix.feed(piece.data, piece.at_ns)
                if other is not None:
                    other.feed(piece.data, piece.at_ns)
                if answer := matrix.answers():
                    link.write(answer)
    return matrix.known
