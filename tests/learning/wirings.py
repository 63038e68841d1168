"""Ten kinds of wiring, and lessons with people who slip and press twice: `python -m tests.learning.wirings 2000`.

A slip is a press of a bed beside the asked one. Who presses twice presses the same bed again, 0.2 to 1.4 s later; the
next question is answered 2 to 4 s after the one before. A bed in doubt is one that the file says nothing sure of.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Final

from learning.lesson import Lesson
from learning.presses import Presses
from tests.learning.unknown import ROUND, Person, Unknown

SLIPS: Final = 0.03
TWICE: Final = 0.03
MOST_ASKS: Final = 600
MS: Final = 1_000_000

Cells = dict[str, tuple[int, int]]


def _blocks(slots: int, rings: tuple[str, ...] = ("S", "D", "T")) -> Callable[[random.Random, list[int]], Cells]:
    def cells(rng: random.Random, numbers: list[int]) -> Cells:
        rows, cols = _names(rng, 20 // slots), _names(rng, slots * len(rings) + 1)
        made = {
            f"{ring}{number}": (rows[at // slots], cols[which * slots + at % slots])
            for at, number in enumerate(numbers)
            for which, ring in enumerate(rings)
        }
        return made | _bulls(rng, rows, cols[-1])

    return cells


def _arcs(groups: int, folded: bool = False) -> Callable[[random.Random, list[int]], Cells]:
    def cells(rng: random.Random, numbers: list[int]) -> Cells:
        slots = 20 // groups
        rows, cols = _names(rng, groups), _names(rng, slots * 3 + 1)
        made: Cells = {}
        for at, number in enumerate(numbers):
            slot, group = divmod(at, groups)
            group = groups - 1 - group if folded and slot % 2 else group
            made |= {f"{ring}{number}": (rows[group], cols[which * slots + slot]) for which, ring in enumerate("SDT")}
        return made | _bulls(rng, rows, cols[-1])

    return cells


def _eights(rng: random.Random, numbers: list[int]) -> Cells:
    """8 x 8: each ring takes two rows of eight numbers, and two rows take the fours that are left, and the bulls."""
    rows, cols = _names(rng, 8), _names(rng, 8)
    rings = rng.sample("SDT", 3)
    made: Cells = {}
    for which, ring in enumerate(rings):
        for at, number in enumerate(numbers):
            row = 2 * which + at // 8 if at < 16 else 6 + which // 2
            made[f"{ring}{number}"] = rows[row], cols[at % 8 + 4 * (at >= 16 and which == 1)]
    return made | {"SB": (rows[7], cols[4]), "DB": (rows[7], cols[5])}


def _any_order(rng: random.Random, numbers: list[int]) -> Cells:
    shuffled = rng.sample(numbers, 20)
    return _blocks(5)(rng, shuffled)


def _no_order(rng: random.Random, _numbers: list[int]) -> Cells:
    beds = [f"{ring}{number}" for ring in "SDT" for number in ROUND] + ["SB", "DB"]
    return dict(zip(beds, rng.sample([(r, c) for r in range(8) for c in range(10)], len(beds)), strict=True))


def _names(rng: random.Random, count: int) -> list[int]:
    return rng.sample(range(count), count)


def _bulls(rng: random.Random, rows: list[int], col: int) -> Cells:
    one, other = rng.sample(rows, 2)
    return {"SB": (one, col), "DB": (other, col)}


KINDS: Final = {
    "blocks of 2": _blocks(2),
    "blocks of 4": _blocks(4),
    "blocks of 5": _blocks(5),
    "blocks of 5, four rings": _blocks(5, ("SO", "SI", "D", "T")),
    "arcs of 10": _arcs(10),
    "arcs of 5": _arcs(5),
    "arcs of 10, folded": _arcs(10, folded=True),
    "8 x 8, blocks of 8": _eights,
    "blocks of 5, numbers in any order": _any_order,
    "no order at all": _no_order,
}


def draw(kind: str, rng: random.Random) -> Unknown:
    """A board of this kind: it begins with any number, either foil is the rows."""
    start = rng.randrange(20)
    cells = KINDS[kind](rng, ROUND[start:] + ROUND[:start])
    if rng.random() < 0.5:
        cells = {bed: (col, row) for bed, (row, col) in cells.items()}
    codes: dict[str, str | None] = {bed: f"{row},{col}" for bed, (row, col) in cells.items()}
    return Unknown(codes, False, kind != "no order at all", "SI20" in cells, kind)


@dataclass(frozen=True)
class Held:
    """How a lesson ended: beds that are wrong and sure, beds in doubt, and how many presses it took."""

    kind: str
    wrong: tuple[str, ...]
    doubted: tuple[str, ...]
    presses: int


def hold(kind: str, seed: int, slips: float = SLIPS, twice: float = TWICE) -> Held:
    """Holds a lesson to its end."""
    rng = random.Random(f"{kind} {seed}")
    board = draw(kind, rng)
    person = Person(board, rng.randrange(1 << 30), slips)
    lesson, presses, now = Lesson(hold=False), Presses(), 0
    for _ in range(MOST_ASKS):
        if lesson.ask is None:
            break
        now += rng.randint(2000, 4000) * MS
        code = person.press(lesson.ask.name)
        if code is None:
            lesson.skip()
            presses.forget()
            continue
        again = now + rng.randint(200, 1400) * MS if rng.random() < twice else None
        for at in (now, again):
            if at is not None and lesson.ask is not None and presses.counts(code, at):
                lesson.heard(code)
    beds = lesson.beds()
    doubted = {bed for bed in beds if lesson.state_of(bed) in ("doubted", "unknown")}
    wrong = [bed.text for bed in beds if bed not in doubted and lesson.code_of(bed) != board.codes.get(bed.text, "?")]
    if lesson.ask is not None or len(beds) != len(board.codes):
        wrong.append("not finished" if lesson.ask else "singles")
    return Held(kind, tuple(wrong), tuple(bed.text for bed in doubted), lesson.presses)


def table(lessons: int) -> list[str]:
    """Returns a line of a table for each kind, and one for all."""
    total: Counter[str] = Counter()
    lines = []
    for kind in KINDS:
        held = [hold(kind, seed) for seed in range(lessons // len(KINDS))]
        counts = Counter(
            right=sum(not h.wrong and not h.doubted for h in held),
            doubt=sum(not h.wrong and bool(h.doubted) for h in held),
            wrong=sum(bool(h.wrong) for h in held),
        )
        total.update(counts)
        clean = median(hold(kind, seed, 0.0, 0.0).presses for seed in range(10))
        lines.append(_line(kind, counts, f"{clean:g}", f"{median(h.presses for h in held):g}"))
    return [*lines, _line("all", total, "", "")]


def _line(kind: str, counts: Counter[str], clean: str, presses: str) -> str:
    ends = " | ".join(str(counts[end]) for end in ("right", "doubt", "wrong"))
    return f"| {kind} | {sum(counts.values())} | {ends} | {clean} | {presses} |"


def main(lessons: int) -> None:
    print("| wiring | lessons | wholly right | say what they doubt | wrong and sure | presses without slips | with |")
    print("|---|---|---|---|---|---|---|")
    for line in table(lessons):
        print(line, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
