"""`oche learn` with our own firmware, which is recognised by its greeting.

Nothing is written to a port before it has sent a frame with a valid checksum: any other device is only listened to. The
firmware greets every second until it is acknowledged, and then sends something every second.
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
"""How long to wait for a greeting: opening the port may reset the board, and its boot loader runs first."""
SILENT_NS: Final = 10_000 * MS
"""Silence after which a board is taken for gone, even if its port is there: it sends something every second."""


class Matrix(Contacts):
    """Decodes a board with our firmware to presses, and answers it."""

    def __init__(self) -> None:
        super().__init__(DRIVER.name)
        self._decoder = OcheMatrix()

    @property
    def known(self) -> bool:
        """Whether the board has greeted, in a version that is supported."""
        return self._decoder.size != (0, 0, 0)

    def feed(self, data: bytes, at_ns: int) -> tuple[str, ...]:
        """Takes bytes, returns the presses that they complete. Disconnected if the board has another version."""
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
        """Takes the time, returns the presses that it completes. Disconnected if the board is silent for too long."""
        if self.known and at_ns - self._decoder.heard_ns > SILENT_NS:
            raise Disconnected("silent", SILENT)
        return super().tick(at_ns)

    @property
    def settled_us(self) -> int:
        """How long the board gives a column to rise, which it has measured, in us; 0 if it does not say."""
        return self._decoder.settled_us

    def answers(self) -> bytes:
        """Returns the answer to the board. Call it when the presses are saved."""
        return self._decoder.answers()

    def oddities(self, lesson: Lesson) -> list[str]:
        """Returns what is odd about the wiring, a sentence each."""
        rows, cols, _ = self._decoder.size
        return self.findings(lesson, rows, cols)


async def wait_for_greeting(link: Link, matrix: Matrix, other: Hearing | None = None) -> bool:
    """Waits for the greeting of our firmware; False if none comes. `other` takes the same bytes as noise."""
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
