"""Random membranes on our own firmware: the crossing of foils of each bed and button."""

import random
from dataclasses import dataclass
from itertools import count
from typing import Final

from tests.learning.unknown import ROUND, draw

Cell = tuple[int, int]

ROWS: Final = 8
COLS: Final = 10
INPUT_ROW: Final = 8


@dataclass
class Membrane:
    """The cell of each bed and button. `apart`: inner and outer singles are separate beds."""

    cells: dict[str, Cell]
    buttons: dict[str, Cell]
    apart: bool = False

    def cell(self, asked: str) -> Cell | None:
        """Returns the cell that a press closes; None if there is no such button."""
        if asked.startswith("button:"):
            return self.buttons.get(asked.removeprefix("button:"))
        return self.cells[asked if self.apart else asked.replace("SI", "S").replace("SO", "S")]


def membrane(seed: int, rows: int = ROWS, cols: int = COLS, inputs: int = 0) -> Membrane:
    """Draws a membrane: half of them in the usual order, half with random crossings."""
    rng = random.Random(seed)
    apart = rows * cols >= 82 and rng.random() < 0.5
    rings = ["SO", "SI", "D", "T"] if apart else ["S", "D", "T"]
    beds = [f"{ring}{n}" for ring in rings for n in ROUND] + ["SB", "DB"]
    every = [(r, c) for r in range(rows) for c in range(cols)]
    ordered = rng.random() < 0.5 and not apart
    cells = dict(zip(beds, rng.sample(every, len(beds)), strict=True))
    if ordered:
        cells = _drawn(seed, rows, cols) if seed % 2 else _ordered(rng, rows, cols)
    names = rng.sample(["next", "undo", "bounce", "miss"], min(inputs, 2))
    buttons = {name: (INPUT_ROW, n) for name, n in zip(names, rng.sample(range(inputs), len(names)), strict=True)}
    return Membrane(cells, buttons, apart)


def _ordered(rng: random.Random, rows: int, cols: int) -> dict[str, Cell]:
    """Ten columns of two neighbours, seven rows: two for each ring, and one of the bulls. Soldered in any order."""
    row_of, col_of = rng.sample(range(rows), 7), rng.sample(range(cols), 10)
    cells = {
        f"{ring}{number}": (row_of[2 * which + place % 2], col_of[place // 2])
        for which, ring in enumerate("SDT")
        for place, number in enumerate(ROUND)
    }
    return cells | {"SB": (row_of[6], col_of[0]), "DB": (row_of[6], col_of[5])}


def _drawn(seed: int, rows: int, cols: int) -> dict[str, Cell]:
    """The first of the membranes that are drawn for boards of lines which fits: blocks, arcs, folded or shuffled."""
    for board in map(draw, count(1000 * seed)):
        if board.regular and not board.apart and board.kind.endswith("{r},{c}"):
            cells = {bed: _cell(code) for bed, code in board.codes.items() if code is not None}
            fits = all(row < rows and col < cols for row, col in cells.values())
            if fits and len(set(cells.values())) == len(board.codes):
                return cells
    raise AssertionError


def _cell(code: str) -> Cell:
    row, col = code.split(",")
    return int(row), int(col)
