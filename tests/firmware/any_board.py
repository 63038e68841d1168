"""What every emulated board has, of whatever chip: contacts to be closed, a line, and a clock in cycles of 16 MHz."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from tests.firmware.simavr import FREQUENCY

MS: Final = FREQUENCY // 1000
Cell = tuple[int, int]


@dataclass(frozen=True)
class Part:
    """A part and its pin map, written here once more: that is what makes a wrong pin show."""

    name: str
    uart: str
    rows: tuple[tuple[str, int], ...]
    cols: tuple[tuple[str, int], ...]
    inputs: tuple[tuple[str, int], ...]


@dataclass(order=True)
class Event:
    cycle: int
    number: int
    do: Callable[[], None] = field(compare=False)


def joined(cells: Iterable[Cell]) -> dict[int, int]:
    """Returns for each row with a closed contact the columns that it reaches, by whatever way: a bit for each."""
    nets: list[tuple[int, int]] = []
    for row, col in cells:
        rows, cols = 1 << row, 1 << col
        for net in [net for net in nets if net[0] & rows or net[1] & cols]:
            nets.remove(net)
            rows, cols = rows | net[0], cols | net[1]
        nets.append((rows, cols))
    return {n: cols for rows, cols in nets for n in range(rows.bit_length()) if rows >> n & 1}


class AnyBoard(ABC):
    """A board. `sent` has each byte with the cycle in which its stop bit ends, ten bit times a byte."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.closed: set[Cell] = set()
        self.sent: list[tuple[int, int]] = []
        self.shorts = 0
        """How often a pin was driven high that something else can pull low."""
        self.heard: Callable[[int, int], None] = lambda _byte, _cycle: None

    # ---- time ----

    @property
    @abstractmethod
    def now(self) -> int: ...

    @abstractmethod
    def at(self, cycle: int, do: Callable[[], None]) -> None:
        """Does something at a cycle, one late at most."""

    @abstractmethod
    def run_until(self, cycle: int) -> None: ...

    def run(self, cycles: int) -> None:
        self.run_until(self.now + cycles)

    def run_ms(self, ms: float) -> None:
        self.run(round(ms * MS))

    # ---- contacts ----

    @abstractmethod
    def close(self, cell: Cell) -> None: ...

    @abstractmethod
    def open(self, cell: Cell) -> None: ...

    @abstractmethod
    def press(self, number: int, down: bool) -> None:
        """A button or sensor, which joins its input to ground."""

    def dart(self, cycle: int, cell: Cell, hold: int, bounces: tuple[tuple[int, int], ...] = ()) -> None:
        """A contact closes for `hold` cycles; before that it touches for the lengths and gaps of `bounces`."""
        for length, gap in bounces:
            self.at(cycle, lambda: self.close(cell))
            self.at(cycle + length, lambda: self.open(cell))
            cycle += length + gap
        self.at(cycle, lambda: self.close(cell))
        self.at(cycle + hold, lambda: self.open(cell))

    # ---- the line ----

    @abstractmethod
    def say(self, data: bytes) -> None:
        """The host writes: its bytes come at the pace of the line."""

    # ---- what happens to it ----

    @abstractmethod
    def reset(self) -> None:
        """The reset pin, as a host's DTR pulls it."""

    @abstractmethod
    def end(self) -> None:
        """Gives back what it took of this machine."""
