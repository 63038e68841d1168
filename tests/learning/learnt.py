"""Learns many boards: `python -m tests.learning.learnt 1000` prints how many are right."""

import random
import sys
from dataclasses import dataclass
from statistics import median

from learning.lesson import Lesson
from tests.learning.unknown import Person, draw

MOST_ASKS = 400


@dataclass(frozen=True)
class Learnt:
    """The result of a lesson: beds that are wrong but not doubted, beds in doubt, and the number of presses."""

    seed: int
    kind: str
    regular: bool
    beds: int
    wrong: tuple[str, ...]
    doubted: int
    presses: int


def learn(seed: int, slips: float = 0.0) -> Learnt:
    """Runs a whole lesson on the board of a seed."""
    board = draw(seed)
    person = Person(board, seed + 1, slips)
    lesson = Lesson(board.byte)
    rng = random.Random(seed + 2)
    for _ in range(MOST_ASKS):
        if lesson.ask is None:
            break
        code = person.press(lesson.ask.name)
        if code is None:
            lesson.skip()
        else:
            lesson.heard(code)
        if slips and rng.random() < 0.02:
            lesson.undo()
    beds = lesson.beds()
    doubted = {bed for bed in beds if lesson.state_of(bed) in ("doubted", "unknown")}
    shared = {bed for beds in lesson.duplicates().values() for bed in beds}
    wrong = [b.text for b in beds if b not in doubted and lesson.code_of(b) != board.codes.get(b.text, "?")]
    # Two slips at one bed leave it in doubt; a code that two beds really share must be right.
    wrong += (
        []
        if slips
        else [b.text for b in doubted if b.text in shared and lesson.code_of(b) != board.codes.get(b.text, "?")]
    )
    if lesson.ask is not None or len(beds) != len(board.codes):
        wrong.append("not finished" if lesson.ask else "singles")
    unsure = sum(bed.text not in shared for bed in doubted)
    return Learnt(seed, board.kind, board.regular, len(board.codes), tuple(wrong), unsure, lesson.presses)


def main(count: int, slips: float) -> None:
    results = [learn(seed, slips) for seed in range(count)]
    bad = [r for r in results if r.wrong]
    for r in bad:
        print(r)
    beds = sum(r.beds for r in results)
    regular = [r.presses / r.beds for r in results if r.regular]
    print(f"right on {count - len(bad)} of {count}; doubted {sum(r.doubted for r in results) / beds:.3%} of the beds")
    print(f"presses, median: {median(regular):.1%} of the beds where wiring is regular, "
          f"{median(r.presses / r.beds for r in results):.1%} over all")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 0.0)
