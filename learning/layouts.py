"""The ways in which the twenty numbers can be on the lines of a membrane: a group and a slot for each number.

All beds of a group share one line, and all beds of one ring and slot share one
line of the other kind. Which line is which, no layout says: connectors are
soldered in any order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.segments import CLOCKWISE

SLOTS: Final = (1, 2, 4, 5, 10)
"""How many numbers can share a line, if all lines are alike."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Group and slot of each number. `ordered`: the numbers follow the board's own order."""

    name: str
    places: Mapping[int, tuple[int, int]]
    ordered: bool = True

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
    return tuple(seen.values())


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
