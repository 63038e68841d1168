"""Presses of a board whose driver tells each contact, when it closes and when it opens.

Lines, bytes and repeats are the driver's. What is left is which contact was
pressed where more than one closes: lines that touch each other close together
every time, and a thumb covers two beds. A pure machine: times are handed in,
in ns. A code is a row and a column, `3,7`, as the table of a board file has it.
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from learning.hearing import MS, REBOUND_NS, TOGETHER_NS, Grammar
from learning.lesson import Lesson

ONE_LOOK_NS: Final = 10 * MS
"""How long after a press contacts of touching lines can follow: one scan of the matrix reports all of them."""

SLOW: Final = 3
"""How many rows must be followed by the next one to show that no wires are to blame."""
SLOW_COLUMNS: Final = (
    "What closes in one row closes in the next row too, all over the board: the columns rise too slowly for the time "
    "that the board gives them, as with long cables or damp foils. Put 10 kΩ from each column to 5 V, or write "
    "settle_us = 120 into the board file."
)

Cell = tuple[int, int]
Wires = tuple[str, int, int]
"""Two lines that touch each other: `row` or `column`, and their numbers, the lower one first."""


class Contacts:
    """Turns edges of contacts into presses, each once. A contact that closes before `begin` is not a press."""

    def __init__(self, dialect: str) -> None:
        self.grammar: Grammar = Grammar(byte=False, dialect=dialect)
        self.unclear: tuple[str, ...] = ()
        """The contacts of the last touch, if it was dropped because nobody can tell which one was meant."""
        self.ghosts: dict[str, set[str]] = {}
        """Codes that came soon after a press, and were taken for a part of it."""
        self._twice: set[Wires] = set()
        """Lines that would explain contacts which closed together twice in a row."""
        self._touches: set[frozenset[Cell]] = set()
        self._hanging: set[Cell] = set()
        self._closed: set[Cell] = set()
        self._begun = False
        self._touch: list[tuple[Cell, int]] = []
        """The contacts that close together, until the touch is over."""
        self._press: frozenset[Cell] = frozenset()
        self._press_ns = self._let_go_ns = -REBOUND_NS - 1

    def begin(self) -> None:
        """Starts the lesson: from now on contacts are answers."""
        self._begun = True
        self._hanging |= self._closed

    def closed(self, cell: Cell, at_ns: int, held: bool = False) -> tuple[str, ...]:
        """Handles a contact that closed; `held` if it was closed before the board started to scan."""
        self._closed.add(cell)
        if held:
            self._hanging.add(cell)
        if held or not self._begun:
            return ()
        pressed = self.tick(at_ns)
        if not self._touch and at_ns - self._press_ns <= TOGETHER_NS:
            touching = self.touching()
            before, late = _one(min(self._press), touching), _one(cell, touching)
            if cell not in self._press and late != before:
                self.ghosts.setdefault(_code(before), set()).add(_code(late))
        elif not self._touch and cell in self._press and at_ns - self._let_go_ns <= REBOUND_NS:
            self._let_go_ns = at_ns
        else:
            self._touch.append((cell, at_ns))
            self._let_go_ns = at_ns
        return pressed

    def opened(self, cell: Cell, at_ns: int) -> None:
        """Handles a contact that opened."""
        self._closed.discard(cell)
        if cell in self._press or any(cell == touched for touched, _ in self._touch):
            self._let_go_ns = at_ns

    def tick(self, at_ns: int) -> tuple[str, ...]:
        """Returns the presses that are known by now: those whose touch is over."""
        if not self._touch or at_ns - self._touch[0][1] <= TOGETHER_NS:
            return ()
        touch, self._touch = self._touch, []
        start = touch[0][1]
        cells = frozenset(cell for cell, at in touch if at - start <= ONE_LOOK_NS)
        every = frozenset(cell for cell, _ in touch)
        self._touches.add(every)
        again = cells == self._press
        self._press, self._press_ns = cells, start
        if again:
            self._twice |= {wires for pair in combinations(sorted(cells), 2) if (wires := _wires(*pair)) is not None}
        touching = self.touching()
        if not again and len({_one(cell, touching) for cell in cells}) > 1:
            self.unclear = tuple(_code(cell) for cell in sorted(cells))
            return ()
        self.unclear = ()
        lowest, *more = sorted({_one(cell, touching) for cell in cells})
        more += [late for cell in every - cells if (late := _one(cell, touching)) != lowest]
        if more:
            self.ghosts.setdefault(_code(lowest), set()).update(map(_code, more))
        return (_code(lowest),)

    def touching(self) -> list[Wires]:
        """The lines that touch each other: each contact of one closed the other too, once twice in a row."""
        return sorted(wires for wires in self._twice if not any(_apart(touch, wires) for touch in self._touches))

    def touching_words(self) -> list[str]:
        """Returns a message for each pair of lines that touch each other; one for all if columns rise too slowly."""
        followed = {one for kind, one, other in self._twice if kind == "row" and other == one + 1}
        slow = len(followed) >= SLOW
        found = [SLOW_COLUMNS] if slow else []
        return found + [
            f"{kind.capitalize()}s {one} and {other} touch each other: what closes in one closes in the other."
            for kind, one, other in self.touching()
            if not (slow and kind == "row")
        ]

    def findings(self, lesson: Lesson, rows: int, cols: int) -> list[str]:
        """Returns a message for each fault in the wiring of a matrix of this size."""
        found = self.touching_words()
        codes = {code for bed in lesson.beds() if (code := lesson.code_of(bed)) is not None}
        codes |= set(lesson.buttons().values())
        if any(lesson.state_of(bed) == "silent" for bed in lesson.beds()):
            cells = [tuple(map(int, code.split(","))) for code in codes]
            mute = [f"row {n}" for n in range(rows) if n not in {row for row, _ in cells}]
            mute += [f"column {n}" for n in range(cols) if n not in {col for _, col in cells}]
            if mute:
                found.append(f"Nothing came from {', '.join(mute)}: where the foils have such a line, its wire is off.")
        hanging = {cell for cell in self._hanging if _code(cell) not in codes} | (self._closed - self._press)
        why = "a dart behind the foil, or the foils are pressed together"
        found += [f"Contact {_code(cell)} was closed though nobody pressed it: {why}." for cell in sorted(hanging)]
        return found


def _wires(one: Cell, other: Cell) -> Wires | None:
    """Returns the lines that must touch each other if one contact closes both of these."""
    if one[0] == other[0]:
        return "column", one[1], other[1]
    return ("row", one[0], other[0]) if one[1] == other[1] else None


def _apart(touch: frozenset[Cell], wires: Wires) -> bool:
    """Whether this touch closed something in one of the lines and not in the other."""
    kind, *lines = wires
    at = 0 if kind == "row" else 1
    crossed = [{cell[1 - at] for cell in touch if cell[at] == line} for line in lines]
    return crossed[0] != crossed[1]


def _one(cell: Cell, touching: Iterable[Wires]) -> Cell:
    """Returns the lowest of the contacts that touching lines close together."""
    row = min([cell[0], *(one for kind, one, other in touching if kind == "row" and other == cell[0])])
    return row, min([cell[1], *(one for kind, one, other in touching if kind == "column" and other == cell[1])])


def _code(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"
