"""A board with our firmware by its page, `firmware/PROTOCOL.md`, in virtual time; and a whole lesson with it.

The flashed image itself is in `tests/firmware`; this one is quick, so that
properties can have hundreds of lessons, on lines that lose bytes.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from boards.board import Board
from boards.board_files import board_from_toml
from daemon.teach.matrix import Matrix
from drivers import shapes
from drivers.events import Button, DartLanded
from drivers.frames import Frames, frame
from drivers.oche_matrix import DRIVER
from drivers.pipeline import Pipeline
from learning.lesson import Lesson
from learning.result import board_file
from tests.learning.membrane import Cell, Membrane

MS = 1_000_000
STEP_MS = 2
RELEASE_MS = 10
AGAIN_MS = 30
TICK_US = 64


class Wired(Protocol):
    """A board with our firmware at the end of a line, in virtual time."""

    @property
    def ms(self) -> int: ...
    def press(self, cells: Iterable[Cell]) -> None: ...
    def let_go(self, cells: Iterable[Cell]) -> None: ...
    def host(self, data: bytes) -> None:
        """Takes what the host sends."""
        ...

    def pass_time(self) -> bytes:
        """Advances the time by a step. Returns what the board sends."""
        ...


@dataclass
class Scanner:
    """Both edges of each contact, in order, until they are acknowledged."""

    rows: int = 8
    cols: int = 10
    inputs: int = 0
    ms: int = 0
    closed: set[Cell] = field(default_factory=set)
    """The contacts that are closed, reported or not."""
    told: set[Cell] = field(default_factory=set)
    edges: list[tuple[int, int, int, int]] = field(default_factory=list)
    """The edges that are not acknowledged: number, kind, contact, time."""
    following: int = 0
    greeted: bool = False
    out: bytes = b""
    _open_since: dict[Cell, int] = field(default_factory=dict)
    _frames: Frames = field(default_factory=Frames)
    _sent_ms: int = 0

    def press(self, cells: Iterable[Cell]) -> None:
        self.closed |= set(cells)

    def let_go(self, cells: Iterable[Cell]) -> None:
        self.closed -= set(cells)

    def host(self, data: bytes) -> None:
        for payload in self._frames.take(data):
            match payload[0]:
                case 0x81:
                    self._hello()
                case 0x82 if len(payload) >= 4 and payload[1] == 5 and self._has(payload[2]):
                    self.greeted = True
                    self.edges = [edge for edge in self.edges if (edge[0] - payload[2]) % 256 < 128]
                    if payload[3]:
                        self._send(self.edges)

    def pass_time(self) -> bytes:
        """Advances the time by a step. Returns what the board sends."""
        self.ms += STEP_MS
        fresh = len(self.edges)
        for cell in sorted(self.closed - self.told):
            self.told.add(cell)
            self._edge(0x10, cell)
        for cell in sorted(self.told - self.closed):
            if self.ms - self._open_since.setdefault(cell, self.ms) >= RELEASE_MS:
                self.told.discard(cell)
                self._edge(0x11, cell)
        self._open_since = {cell: at for cell, at in self._open_since.items() if cell in self.told - self.closed}
        if self.greeted:
            self._send(self.edges[fresh:])
            if self.edges and self.ms - self._sent_ms >= AGAIN_MS:
                self._send(self.edges)
        if self.ms % 1000 < STEP_MS:
            # Greetings until the acknowledgement, then heartbeats.
            self._say(bytes([2]) + self._place() + bytes(9)) if self.greeted else self._hello()
        said, self.out = self.out, b""
        return said

    def _has(self, following: int) -> bool:
        oldest = self.edges[0][0] if self.edges else self.following
        return (following - oldest) % 256 <= (self.following - oldest) % 256

    def _edge(self, kind: int, cell: Cell) -> None:
        contact = 0x80 + cell[1] if cell[0] == self.rows else cell[0] * 16 + cell[1]
        self.edges.append((self.following, kind, contact, self._ticks()))
        self.following = (self.following + 1) % 256

    def _ticks(self) -> int:
        return self.ms * 1000 // TICK_US

    def _place(self) -> bytes:
        oldest = self.edges[0][0] if self.edges else self.following
        return bytes([5, oldest, self.following]) + self._ticks().to_bytes(4, "little")

    def _hello(self) -> None:
        self._say(bytes([1, 1, 1, self.rows, self.cols, self.inputs, 1, 0, TICK_US]) + self._place() + b"A board!")

    def _send(self, edges: Iterable[tuple[int, int, int, int]]) -> None:
        for number, kind, contact, ticks in edges:
            self._say(bytes([kind, number, contact]) + ticks.to_bytes(4, "little")[:3])
            self._sent_ms = self.ms

    def _say(self, payload: bytes) -> None:
        self.out += frame(payload)


class Pupil:
    """A lesson on a scanner, as `oche learn` holds it, in virtual time."""

    def __init__(self, scanner: Wired, rng: random.Random, lost: float = 0.0) -> None:
        self.scanner, self._rng, self._lost = scanner, rng, lost
        self.matrix, self.lesson = Matrix(), Lesson(hold=False)
        while not self.matrix.known:
            self.wait(STEP_MS)
        self.wait(1000)
        self.matrix.begin()

    def wait(self, ms: float) -> None:
        """Advances the time; input of the board is decoded and answered."""
        end = self.scanner.ms + ms
        while self.scanner.ms < end:
            said = self._spoilt(self.scanner.pass_time())
            now = self.scanner.ms * MS
            pressed = self.matrix.feed(said, now) if said else ()
            if self.scanner.ms % 100 < STEP_MS:
                pressed += self.matrix.tick(now)
            for code in pressed:
                self.lesson.heard(code)
            self.scanner.host(self._spoilt(self.matrix.answers()))

    def _spoilt(self, data: bytes) -> bytes:
        if not self._lost:
            return data
        return bytes(b ^ (self._rng.random() < self._lost) for b in data if self._rng.random() >= self._lost)

    def file(self) -> Board:
        """Returns the learned board, checked."""
        text = board_file(self.lesson, self.matrix.grammar, "garage")
        board = board_from_toml(text, "garage.toml", shapes())
        assert isinstance(board, Board), (board, text)
        return board


def played(board: Board, wired: Membrane, scanner: Scanner) -> dict[str, str]:
    """Returns what the driver makes of a dart in each bed and a press of each button, with the learned table."""
    reading, came = Pipeline(board, DRIVER), {}
    reading.opened(0)
    scanner.host(DRIVER.hello)
    while not scanner.greeted:
        reading.feed(scanner.pass_time(), scanner.ms * MS)
        scanner.host(reading.answers())
    for name, cell in (wired.cells | {f"button:{n}": cell for n, cell in wired.buttons.items()}).items():
        heard: list[str] = []
        for step in range(60):
            if step == 10:
                scanner.press([cell])
            if step == 20:
                scanner.let_go([cell])
            said = scanner.pass_time()
            for what in reading.feed(said, scanner.ms * MS):
                heard += [str(what.dart)] if isinstance(what, DartLanded) else []
                heard += [f"button:{what.name}"] if isinstance(what, Button) else []
            scanner.host(reading.answers())
        came[name] = " ".join(heard)
    return came
