"""The virtual board: a matrix of contacts and a simulated player.

Pure: the same seed gives the same bytes. Its wire is the dialect `virtual`.
"""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from boards.board import Cell
from drivers.virtual import BANNER, COLS, cell_of
from engine.darts import Position
from engine.geometry import BOARD_MM, segment_at
from engine.segments import MISS

MS: Final = 1_000_000

Pieces = tuple[tuple[int, bytes], ...]
"""What is sent: for each piece the ns after the one before, and its bytes."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with the contacts of a virtual board, by row and column. What is not named is well."""

    answers: Mapping[Cell, float] = field(default_factory=dict)
    """The share of its darts, 0 to 1, of which a contact says something."""
    doubled: Mapping[Cell, float] = field(default_factory=dict)
    """The share of its darts, 0 to 1, that a contact reports twice."""


NO_FAULTS: Final = Faults()
AGAIN_NS: Final = 150 * MS
"""When a dart that is reported twice closes its contact again."""


class VirtualBoard:
    """A board with a simulated player. The same seed gives the same bytes.

    With `bounce` the contacts bounce, with `hold` some stay closed until the
    darts are pulled, with `ghosts` three closed corners close the fourth. None
    of these changes the number of darts; `faults` do.
    """

    def __init__(
        self,
        seed: int,
        skill_mm: float = 30.0,
        bounce: bool = False,
        hold: bool = False,
        ghosts: bool = False,
        faults: Faults = NO_FAULTS,
    ) -> None:
        self._random = random.Random(seed)
        self._skill_mm = skill_mm
        self._bounce = bounce
        self._hold = hold
        self._ghosts = ghosts
        self._faults = faults
        self._held: list[Cell] = []
        """Contacts that darts hold closed, and their ghosts, in the order in which they closed."""

    def start(self) -> Pieces:
        """Returns what the board sends when it is switched on."""
        return ((0, _line(BANNER)),)

    def throw(self, aim: Position, skill_mm: float | None = None) -> Pieces:
        """Returns what one dart sends. `skill_mm` is the standard deviation in x and y; by default the board's own."""
        bed = segment_at(self._landing(aim, self._skill_mm if skill_mm is None else skill_mm))
        if bed is MISS:
            return ((0, b"m\n"),)
        cell = cell_of(bed)
        if self._is_hit(self._faults.answers, cell, 1.0):
            pieces = self._contact(cell)
            return (*pieces, *self._press(cell, AGAIN_NS)) if self._is_hit(self._faults.doubled, cell, 0.0) else pieces
        return ()

    def take_out(self) -> Pieces:
        """Returns what is sent when the darts are pulled: held contacts open."""
        return (*self._open_all(), (30 * MS, _line("t")))

    def _is_hit(self, shares: Mapping[Cell, float], cell: Cell, usual: float) -> bool:
        """Whether a fault comes true. Draws no number for a contact without one, so that the others' darts stay."""
        share = shares.get(cell, usual)
        return share > 0 if share in (0.0, 1.0) else self._random.random() < share

    def _contact(self, cell: Cell) -> Pieces:
        if cell in self._held:
            # A real matrix would not see this dart. Here the held contacts open first.
            return (*self._open_all(), *self._press(cell, 100 * MS))
        return self._press(cell)

    def _landing(self, aim: Position, skill_mm: float) -> Position:
        spread = skill_mm / BOARD_MM
        return Position(aim.x + self._random.gauss(0.0, spread), aim.y + self._random.gauss(0.0, spread))

    def _press(self, cell: Cell, after_ns: int = 0) -> Pieces:
        ghosts = self._ghosts_of(cell) if self._ghosts else ()
        closes = (*self._edge("+", cell, after_ns), *((100_000, _edge_line("+", ghost)) for ghost in ghosts))
        if self._hold and self._random.random() < 0.25:
            self._held += [cell, *ghosts]
            return closes
        # A dart presses its bed for some 10 ms, mostly for less.
        closed_ns = round(math.exp(self._random.uniform(math.log(0.5), math.log(80.0))) * MS)
        vanish = tuple((0, _edge_line("-", ghost)) for ghost in ghosts)
        return (*closes, *self._edge("-", cell, closed_ns), *vanish)

    def _open_all(self) -> Pieces:
        """Opens all held contacts, ghosts before the contacts that caused them."""
        held, self._held = self._held, []
        return tuple(piece for cell in reversed(held) for piece in self._edge("-", cell))

    def _edge(self, sign: str, cell: Cell, after_ns: int = 0) -> Pieces:
        """Returns one edge, with its bounces."""
        other = "-" if sign == "+" else "+"
        pieces = [(after_ns, _edge_line(sign, cell))]
        if self._bounce:
            for _ in range(self._random.randrange(4)):
                pieces.append((self._random.randrange(50_000, 1_000_000), _edge_line(other, cell)))
                pieces.append((self._random.randrange(50_000, 1_000_000), _edge_line(sign, cell)))
        return tuple(pieces)

    def _ghosts_of(self, cell: Cell) -> tuple[Cell, ...]:
        """Returns the ghosts of this contact: the fourth corners of all rectangles."""
        closed = {*self._held, cell}
        ghosts: list[Cell] = []
        while True:
            found = sorted(
                (r, c)
                for r, c in {(r, c) for r, _ in closed for _, c in closed} - closed
                if any((r, c2) in closed and (r2, c) in closed for r2, c2 in closed)
                if c < (2 if r == 20 else COLS)
            )
            if not found:
                return tuple(ghosts)
            ghosts += found
            closed.update(found)


def _line(text: str) -> bytes:
    return text.encode() + b"\n"


def _edge_line(sign: str, cell: Cell) -> bytes:
    return _line(f"{sign}{cell[0]},{cell[1]}")
