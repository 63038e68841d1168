"""The segments: every bed of a dartboard, and the miss.

Their texts are those of match files: `SI20` and `SO20` are the inner and outer
single, `S20` is a single of a board that does not distinguish them, `D20` and `T20`
are double and triple, `SB` and `DB` the outer and inner bull.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

CLOCKWISE: Final = (20, 1, 18, 4, 13, 6, 10, 15, 2, 17, 3, 19, 7, 16, 8, 11, 14, 9, 12, 5)
"""The numbers of the board, clockwise from the top."""

BULL: Final = 25


class Ring(IntEnum):
    """The rings from the centre outwards, which decides a throw for the bull."""

    INNER_BULL = 0
    OUTER_BULL = 1
    INNER_SINGLE = 2
    TRIPLE = 3
    OUTER_SINGLE = 4
    DOUBLE = 5
    MISS = 6


@dataclass(frozen=True, slots=True)
class Segment:
    """One bed. `number` is 1 to 20, 25 for the bulls, 0 for a miss; `multiplier` 0 to 3.

    A plain single (`S20`) has the ring of an outer single, the larger one.
    """

    text: str
    number: int
    multiplier: int
    ring: Ring

    @property
    def points(self) -> int:
        """The points of the bed on a standard board, 0 to 60."""
        return self.number * self.multiplier

    @property
    def is_bull(self) -> bool:
        """Whether it is the inner or the outer bull."""
        return self.number == BULL

    def __str__(self) -> str:
        return self.text


MISS: Final = Segment("MISS", 0, 0, Ring.MISS)
OUTER_BULL: Final = Segment("SB", BULL, 1, Ring.OUTER_BULL)
INNER_BULL: Final = Segment("DB", BULL, 2, Ring.INNER_BULL)

_BEDS: Final = (
    ("SI", 1, Ring.INNER_SINGLE),
    ("SO", 1, Ring.OUTER_SINGLE),
    ("S", 1, Ring.OUTER_SINGLE),
    ("D", 2, Ring.DOUBLE),
    ("T", 3, Ring.TRIPLE),
)

SEGMENTS: Final[dict[str, Segment]] = {
    segment.text: segment
    for segment in (
        *(
            Segment(f"{prefix}{number}", number, multiplier, ring)
            for number in range(1, 21)
            for prefix, multiplier, ring in _BEDS
        ),
        OUTER_BULL,
        INNER_BULL,
        MISS,
    )
}
"""Every segment by its text, 103 of them."""

PLAYABLE: Final = tuple(s for s in SEGMENTS.values() if s is not MISS and not s.text.startswith(("SI", "SO")))
"""The 62 beds of a board that does not distinguish inner and outer singles."""


def segment(text: str) -> Segment | None:
    """The segment with this text, or None."""
    return SEGMENTS.get(text)


def plain(bed: Segment) -> Segment:
    """The same bed on a board that does not distinguish inner and outer singles."""
    if bed.text.startswith(("SI", "SO")):
        return SEGMENTS[f"S{bed.number}"]
    return bed
