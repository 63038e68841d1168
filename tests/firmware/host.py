"""The host's end of the line in virtual time: the real decoder, and what a bad line does to bytes."""

import random
from dataclasses import dataclass

from drivers.driver import Contact, Report, Signal
from drivers.oche_matrix import DRIVER, OcheMatrix
from tests.firmware.any_board import AnyBoard, Cell
from tests.firmware.simavr import MHZ


@dataclass(frozen=True)
class Noise:
    """How often a byte is lost, comes twice, or has a bit flipped."""

    dropped: float = 0.0
    doubled: float = 0.0
    flipped: float = 0.0

    def spoil(self, byte: int, rng: random.Random) -> bytes:
        chance = rng.random()
        if chance < self.dropped:
            return b""
        if chance < self.dropped + self.doubled:
            return bytes([byte, byte])
        if chance < self.dropped + self.doubled + self.flipped:
            return bytes([byte ^ 1 << rng.randrange(8)])
        return bytes([byte])


class Host:
    """Reads and answers as the daemon does; `reports` is all that the decoder gave. It may go away and come back."""

    def __init__(self, board: AnyBoard, noise: Noise = Noise(), seed: int = 0) -> None:
        self.board, self.noise = board, noise
        self.decoder = OcheMatrix()
        self.reports: list[Report] = []
        self.there = True
        self.deaf = False
        """What the host writes does not get there."""
        self._rng = random.Random(seed)
        board.heard = self._sent
        self.greet()

    def greet(self) -> None:
        self._write(DRIVER.hello)

    def _sent(self, byte: int, cycle: int) -> None:
        self.board.at(cycle, lambda: self._arrived(byte))

    def _arrived(self, byte: int) -> None:
        if not self.there:
            return
        data = self.noise.spoil(byte, self._rng)
        self.reports += self.decoder.feed(data, self.board.now * 1000 // MHZ)
        self._write(self.decoder.answers())

    def _write(self, data: bytes) -> None:
        if data and self.there and not self.deaf:
            self.board.say(b"".join(self.noise.spoil(byte, self._rng) for byte in data))

    def away(self) -> None:
        """The cable is pulled: what is on its way is lost."""
        self.there = False
        self.decoder.reset()

    def back(self) -> None:
        self.there = True
        self.greet()

    def restarted(self) -> None:
        """Another process, which knows nothing."""
        self.decoder = OcheMatrix()
        self.back()

    # ---- what came ----

    @property
    def contacts(self) -> list[Contact]:
        return [report for report in self.reports if isinstance(report, Contact)]

    @property
    def darts(self) -> list[Cell]:
        """The contacts that closed, in order."""
        return [(c.row, c.col) for c in self.contacts if c.closed and not c.held]

    @property
    def faults(self) -> list[str]:
        return [report.name for report in self.reports if isinstance(report, Signal)]
