"""One guess of how a board is wired: a view of its codes and a layout of its numbers."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from engine.segments import Segment
from learning.layouts import Layout, Line
from learning.views import View

FULL: Final = 2
HALF: Final = 1
"""How much a predicted press proves: with both of its lines predicted, or one."""

DEAD_AFTER: Final = 2
"""How many silent beds, without another reason to be silent, make a line dead."""


def ring_of(bed: Segment) -> str:
    """`S`, `SI`, `SO`, `D` or `T`: the letters of its text."""
    return bed.text.rstrip("0123456789")


@dataclass(slots=True)
class Guess:
    """What the answers so far tell about groups and lines, if this guess is right."""

    view: View
    layout: Layout
    turned: bool
    """The second coordinate is the group's, not the first."""
    alive: bool = True
    weight: int = 0
    groups: dict[int, int] = field(default_factory=dict)
    lines: dict[Line, int] = field(default_factory=dict)
    seen: defaultdict[object, int] = field(default_factory=lambda: defaultdict(int))
    proven: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    """By ring, how many presses were predicted completely."""
    mute: list[tuple[int, Line]] = field(default_factory=list)
    """The places of silent beds."""
    _group_of: dict[int, int] = field(default_factory=dict)
    _line_of: dict[int, Line] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many groups and slots there are: of two guesses that fit, the smaller one tells more."""
        return self.layout.size

    def place(self, bed: Segment) -> tuple[int, Line]:
        """Returns the bed's group, and its ring and slot."""
        return self.layout.place(ring_of(bed), bed.number)

    def covers(self, bed: Segment) -> bool:
        """Whether the layout has the bed."""
        return bed.number in self.layout.places

    def add(self, bed: Segment, cell: tuple[int, int] | None) -> bool:
        """Takes the coordinates of a bed's code; `None` if it has none in this view.

        Returns False if they contradict the guess, which is dead from then on. A lesson asks some hundred guesses for
        each press, and most die here: every look-up counts on a small machine.
        """
        if not self.alive or not self.covers(bed):
            return self.alive
        if cell is None:
            self.alive = False
            return False
        a, b = (cell[1], cell[0]) if self.turned else cell
        ring = ring_of(bed)
        group, line = self.layout.place(ring, bed.number)
        if (
            self.groups.get(group, a) != a
            or self.lines.get(line, b) != b
            or self._group_of.get(a, group) != group
            or self._line_of.get(b, line) != line
        ):
            self.alive = False
            return False
        known = (group in self.groups) + (line in self.lines)
        self.weight += FULL if known == 2 else HALF if known else 0
        self.proven[ring] += known == 2
        self.groups[group], self.lines[line] = a, b
        self._group_of[a], self._line_of[b] = group, line
        self.seen[group] += 1
        self.seen[line] += 1
        return True

    def was_silent(self, bed: Segment) -> None:
        """Takes a silent bed: one of its lines is dead."""
        if self.covers(bed):
            self.mute.append(self.place(bed))

    def is_dead(self, what: object) -> bool:
        """Whether a group, or a ring and slot, is a dead line."""
        if what in self.groups or what in self.lines:
            return False
        witnesses = sum(
            (group == what and line in self.lines) or (line == what and group in self.groups)
            for group, line in self.mute
        )
        return witnesses >= DEAD_AFTER

    def expects(self, bed: Segment) -> str | None:
        """Returns the code of a bed, `""` for silence, `None` if it cannot be known yet."""
        if not self.covers(bed):
            return None
        group, line = self.place(bed)
        if self.is_dead(group) or self.is_dead(line):
            return ""
        if group not in self.groups or line not in self.lines:
            return None
        cell = self.groups[group], self.lines[line]
        return self.view.code((cell[1], cell[0]) if self.turned else cell)

    def unknown(self, bed: Segment) -> int:
        """Returns how many of the two lines of a bed are unknown."""
        if not self.covers(bed):
            return 0
        group, line = self.place(bed)
        return (group not in self.groups and not self.is_dead(group)) + (
            line not in self.lines and not self.is_dead(line)
        )
