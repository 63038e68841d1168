"""Stand-ins for the boards in the field: sketches of our own for four dialects, in the same rig as our firmware."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from boards.board import Board as Model
from drivers import DRIVERS
from drivers.events import BoardEvent, DartLanded
from drivers.pipeline import Pipeline
from engine.segments import PLAYABLE, SEGMENTS, Segment
from tests.firmware.any_board import MS, Cell
from tests.firmware.avr_parts import UNO
from tests.firmware.board import Board
from tests.firmware.simavr import MHZ

SOURCES: Final = Path(__file__).parent / "standins"
CELLS: Final = [(n // 10, n % 10) for n in range(62)]
"""Drive and sense line of each bed, in the order of `PLAYABLE`; the other eighteen crossings have no bed."""


@dataclass(frozen=True)
class Standin:
    """One dialect: its sketch, what its table calls a crossing, and for how long a report makes it blind, in ms."""

    dialect: str
    baud: int
    contact: Callable[[int, int], Cell] | None
    blind_ms: int
    line: bool
    """A report is a line, and not one byte."""

    def model(self) -> Model:
        driver = DRIVERS[self.dialect]
        name = self.contact
        beds: dict[Cell, Segment] = {} if name is None else {name(*c): b for c, b in zip(CELLS, PLAYABLE, strict=True)}
        return Model(name="standin", title="", dialect=self.dialect, can=driver.can, contacts=beds)

    def bed(self, n: int) -> Segment:
        """What crossing `n` is: the sketch that names beds has an order of its own."""
        if self.contact is not None:
            return PLAYABLE[n]
        return SEGMENTS["SDT"[n % 3] + str(n // 3 + 1)] if n < 60 else SEGMENTS[("SB", "DB")[n - 60]]


STANDINS: Final = (
    Standin("sector-multiplier", 9600, None, 200, line=True),
    Standin("row-col", 115_200, lambda drive, sense: (sense, drive), 500, line=True),
    Standin("packed-nibble", 115_200, lambda drive, sense: (drive, sense), 750, line=False),
    Standin("single-char", 9600, lambda drive, sense: (ord("!") + drive * 10 + sense, 0), 0, line=False),
)


@cache
def sketch(dialect: str, folder: Path) -> Path:
    """Builds it, without warnings, or fails."""
    out = folder / f"{dialect}.hex"
    source = SOURCES / f"{dialect.replace('-', '_')}.c"
    flags = ["-mmcu=atmega328p", "-DF_CPU=16000000UL", "-std=c11", "-O2", "-Wall", "-Wextra", "-Wshadow", "-Werror"]
    elf = str(out.with_suffix(".elf"))
    for command in (["avr-gcc", *flags, "-o", elf, str(source)], ["avr-objcopy", "-O", "ihex", elf, str(out)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return out


class Heard328:
    """A stand-in on its board, and the real driver behind it: `darts` as they were heard."""

    def __init__(self, standin: Standin, folder: Path) -> None:
        self.board = Board(UNO, sketch(standin.dialect, folder), standin.baud)
        self.reading = Pipeline(standin.model(), DRIVERS[standin.dialect])
        self.heard: list[BoardEvent] = []
        self.board.heard = self._sent
        self.reading.opened(0)

    def run_ms(self, ms: float) -> None:
        """Time passes on the board, and the host looks at the clock as the daemon does."""
        end = self.board.now + round(ms * MS)
        while self.board.now < end:
            due = self.reading.due_ns
            until = end if due is None else min(end, max(due * MHZ // 1000 + 1, self.board.now + 1))
            self.board.avr.run_until(until)
            self.heard += self.reading.tick(self._ns())

    @property
    def darts(self) -> list[str]:
        return [str(what.dart) for what in self.heard if isinstance(what, DartLanded)]

    def _sent(self, byte: int, cycle: int) -> None:
        self.board.at(cycle, lambda: self._arrived(byte))

    def _arrived(self, byte: int) -> None:
        self.heard += self.reading.feed(bytes([byte]), self._ns())

    def _ns(self) -> int:
        return self.board.now * 1000 // MHZ
