"""Random unknown boards, and people who press them. Shares no code with the learner."""

import random
from dataclasses import dataclass, field

ROUND = [20, 1, 18, 4, 13, 6, 10, 15, 2, 17, 3, 19, 7, 16, 8, 11, 14, 9, 12, 5]
WORDS = ("{r},{c}", "{c};{r}", "R{r}C{c}", "<{r:02d}{s}{c:02d}>", "hit {n}", "{l}{c}", "byte")


@dataclass
class Unknown:
    """A board: what each bed sends; None for a dead bed."""

    codes: dict[str, str | None]
    byte: bool
    regular: bool
    apart: bool
    kind: str
    buttons: dict[str, str] = field(default_factory=dict)


def draw(seed: int) -> Unknown:
    """Draws a board: three of four are regular membranes, the others have random crossings."""
    rng = random.Random(seed)
    apart = rng.random() < 0.4
    rings = ["SO", "SI", "D", "T"] if apart else ["S", "D", "T"]
    kind = rng.choice(["blocks", "arcs", "folded", "shuffled", "irregular"] if rng.random() < 0.8 else ["irregular"])
    slots = rng.choice([1, 2, 2, 4, 5, 5])
    groups = 20 // slots
    start = rng.randrange(20)
    numbers = ROUND[start:] + ROUND[:start]
    if kind == "shuffled":
        rng.shuffle(numbers)
    cells: dict[str, tuple[int, int]] = {}
    spare_rows, spare_cols = rng.randrange(3), rng.randrange(3)
    wide = slots * len(rings)
    row_names = rng.sample(range(groups + spare_rows), groups)
    col_names = rng.sample(range(wide + 1 + spare_cols), wide + 1)
    for index, number in enumerate(numbers):
        if kind == "blocks" or (kind == "shuffled" and seed % 2):
            group, slot = index // slots, index % slots
        else:
            slot, group = divmod(index, groups)
            if kind == "folded" and slot % 2:
                group = groups - 1 - group
        for which, ring in enumerate(rings):
            cells[f"{ring}{number}"] = row_names[group], col_names[which * slots + slot]
    bull_rows = rng.sample(row_names, 2) if groups > 1 else [0, 1]
    cells["SB"], cells["DB"] = (bull_rows[0], col_names[-1]), (bull_rows[1], col_names[-1])
    if kind == "irregular":
        shuffled = list(cells.values())
        rng.shuffle(shuffled)
        cells = dict(zip(cells, shuffled, strict=True))
    if rng.random() < 0.5:
        cells = {bed: (c, r) for bed, (r, c) in cells.items()}
    word = rng.choice(WORDS)
    width = max(c for _, c in cells.values()) + 1 + rng.randrange(3)
    if word == "byte" and (max(r for r, _ in cells.values()) + 1) * width > 250:
        word = WORDS[0]
    codes: dict[str, str | None] = {bed: _said(word, r, c, width) for bed, (r, c) in cells.items()}
    if rng.random() < 0.15:
        _break_line(rng, codes, cells)
    elif rng.random() < 0.05:
        _join_lines(rng, codes, cells, word, width)
    buttons = {"next": "next"} if word != "byte" and rng.random() < 0.3 else {}
    return Unknown(codes, word == "byte", kind != "irregular", apart, f"{kind} {groups}x{slots} {word}", buttons)


def _said(word: str, row: int, col: int, width: int) -> str:
    number = row * width + col
    if word == "byte":
        return chr(number)
    return word.format(r=row, c=col, s="-", n=number, l=chr(65 + row))


def _break_line(rng: random.Random, codes: dict[str, str | None], cells: dict[str, tuple[int, int]]) -> None:
    """Makes a line and all its beds dead."""
    axis = rng.randrange(2)
    dead = rng.choice(sorted({cell[axis] for cell in cells.values()}))
    for bed, cell in cells.items():
        if cell[axis] == dead:
            codes[bed] = None


def _join_lines(
    rng: random.Random, codes: dict[str, str | None], cells: dict[str, tuple[int, int]], word: str, width: int
) -> None:
    """Joins two lines: both report as the first."""
    axis = rng.randrange(2)
    names = sorted({cell[axis] for cell in cells.values()})
    if len(names) < 2:
        return
    one, two = rng.sample(names, 2)
    for bed, (row, col) in cells.items():
        if (row, col)[axis] == two:
            codes[bed] = _said(word, one if axis == 0 else row, one if axis == 1 else col, width)


class Person:
    """A person who presses what is asked. `slips` is how often they press a neighbour instead."""

    def __init__(self, board: Unknown, seed: int, slips: float = 0.0) -> None:
        self._board, self._slips = board, slips
        self._rng = random.Random(seed)

    def press(self, asked: str) -> str | None:
        """Returns what the board sends for a press; None for nothing."""
        if asked.startswith("button:"):
            return self._board.buttons.get(asked.removeprefix("button:"))
        if self._rng.random() < self._slips:
            asked = self._neighbour(asked)
        if not self._board.apart and asked[:2] in ("SI", "SO"):
            asked = f"S{asked[2:]}"
        return self._board.codes[asked]

    def _neighbour(self, bed: str) -> str:
        if bed in ("SB", "DB"):
            return {"SB": "DB", "DB": "SB"}[bed]
        ring, number = bed.rstrip("0123456789"), int(bed.lstrip("SIODT"))
        if self._rng.random() < 0.5:
            near = ROUND[(ROUND.index(number) + self._rng.choice([1, -1])) % 20]
            return f"{ring}{near}"
        beside = {"D": ["SO"], "SO": ["D", "T"], "T": ["SO", "SI"], "SI": ["T"], "S": ["D", "T"]}
        other = self._rng.choice(beside[ring])
        return f"{other}{number}"
