"""The ways in which the twenty numbers can be on the lines of a membrane: a group and a slot for each number.

All beds of a group share one line, and all beds of one ring and slot share one
line of the other kind. Which line is which, no layout says: connectors are
soldered in any order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations
from typing import Final

from engine.segments import CLOCKWISE

SLOTS: Final = (1, 2, 4, 5, 10)
"""How many numbers can share a line, if all lines are alike."""

Line = tuple[str, int]
"""A ring and a slot; of a line that two rings share, the letters of both."""

LAST: Final = 2
"""The slot of the numbers that are left."""
EIGHT: Final = 8
"""How many numbers share a line of a matrix of 8 x 8. Four of each ring are left, which share the other lines."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Group and slot of each number. `ordered`: the numbers follow the board's own order."""

    name: str
    places: Mapping[int, tuple[int, int]]
    ordered: bool = True
    left_over: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """By ring, where its numbers of the last slot are, if that slot is not full: the name of their line, and by how
    many groups they are shifted on it."""

    def place(self, ring: str, number: int) -> tuple[int, Line]:
        """Returns the group of a bed, and its line of the other kind."""
        group, slot = self.places[number]
        if slot == LAST and ring in self.left_over:
            name, shift = self.left_over[ring]
            return group + shift, (name, slot)
        return group, (ring, slot)

    @property
    def size(self) -> int:
        """About how many lines it needs: groups, and slots in three rings."""
        return len({g for g, _ in self.places.values()}) + 3 * len({s for _, s in self.places.values()})


@cache
def ordered_layouts() -> tuple[Layout, ...]:
    """Returns blocks (neighbours share a line) and arcs (neighbours have neighbouring lines), straight and folded."""
    seen: dict[frozenset[tuple[int, int, int]], Layout] = {}
    for layout in _all():
        # With another offset it can be the same layout: groups and slots are numbered in the order of the numbers.
        seen.setdefault(_shape(layout), layout)
    return (*seen.values(), *_eights())


def _eights() -> Iterator[Layout]:
    """8 x 8: the four numbers of two rings that are left share a line, those of the third have one with the bulls."""
    half = EIGHT // 2
    for offset in range(20):
        places = dict(_places(EIGHT, offset, folded=False, blocks=False))
        for one, other, third in permutations("SDT"):
            for shift in (0, half):
                left = {one: (one + other, 0), other: (one + other, half), third: (third, shift)}
                yield Layout("eights", places, left_over=left)


def _all() -> Iterator[Layout]:
    for slots in SLOTS:
        groups = 20 // slots
        for folded in (False, True):
            for offset in range(slots):
                yield Layout(f"blocks of {slots}", dict(_places(slots, offset, folded, blocks=True)))
            for offset in range(groups):
                yield Layout(f"arcs of {groups}", dict(_places(groups, offset, folded, blocks=False)))


def _places(run: int, offset: int, folded: bool, *, blocks: bool) -> Iterator[tuple[int, tuple[int, int]]]:
    for place, number in enumerate(CLOCKWISE):
        which, within = divmod((place - offset) % 20, run)
        if folded and which % 2:
            within = run - 1 - within
        yield number, (which, within) if blocks else (within, which)


def _shape(layout: Layout) -> frozenset[tuple[int, int, int]]:
    groups: dict[int, int] = {}
    slots: dict[int, int] = {}
    return frozenset(
        (number, groups.setdefault(group, len(groups)), slots.setdefault(slot, len(slots)))
        for number, (group, slot) in ((n, layout.places[n]) for n in CLOCKWISE)
    )
