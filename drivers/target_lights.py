"""Which numbers a ring of twenty lights shows for the targets of a match, and how much of each counts."""

from collections.abc import Iterable
from typing import Literal

from engine.segments import BULL, SEGMENTS, Segment

Part = Literal["any", "S", "D", "T"]
"""What of a number counts: any bed, or several of them, or only singles, doubles or triples."""


def parts(targets: Iterable[int | str]) -> dict[int, Part]:
    """Returns what counts of each number; the bull is 25. Targets are as in the published state."""
    found: dict[int, Part] = {}
    for target in targets:
        bed = None if isinstance(target, int) else SEGMENTS.get(target)
        number = target if isinstance(target, int) else BULL if bed is None else bed.number
        found[number] = "any" if bed is None or number in found else part(bed)
    return found


def part(bed: Segment) -> Part:
    """Returns the part of its number that a bed is: a bull is a single or a double."""
    return "T" if bed.multiplier == 3 else "D" if bed.multiplier == 2 else "S"
