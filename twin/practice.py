"""What a player should practise: what they hit less often than their own hand would."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from engine.darts import Position
from engine.geometry import BOARD_MM, segment_at
from engine.segments import Segment, plain
from twin.fit import Fit, Point, Thrown
from twin.hand import chances

Kind = Literal["triples", "doubles", "bull", "singles"]
DRILLS: Final[dict[Kind, str]] = {
    "doubles": "bobs_27",
    "triples": "priestley_trebles",
    "bull": "bull_practice",
    "singles": "singles_round",
}
"""The drill of the catalogue for each kind of bed."""
FEWEST: Final = 20
"""With fewer darts at a kind of bed nothing is said about it."""


@dataclass(frozen=True, slots=True)
class Practice:
    """Darts at one kind of bed: how many, how many hit, how many the hand would hit, and the drill for it."""

    kind: Kind
    darts: int
    hit: int
    expected: float
    drill: str

    @property
    def behind(self) -> float:
        """By how many standard deviations fewer hit than the hand would."""
        spread = math.sqrt(max(self.expected * (1 - self.expected / self.darts), 1e-9))
        return (self.expected - self.hit) / spread


def practices(thrown: Iterable[Thrown], fit: Fit) -> list[Practice]:
    """The kinds of beds that were aimed at often enough, those first that fall behind the most."""
    way = max(range(len(fit.ways)), key=fit.ways.__getitem__)
    found: dict[Kind, list[float]] = {}

    @lru_cache(None)
    def expected(aim: Point, bed: Segment) -> float:
        return sum(chance for at, chance in chances(fit.hand, aim).items() if plain(at) is bed)

    for row in thrown:
        aim = row.aims[way]
        bed = plain(segment_at(Position(aim[0] / BOARD_MM, aim[1] / BOARD_MM)))
        if not bed.multiplier:
            continue
        sums = found.setdefault(_kind(bed), [0, 0, 0.0])
        sums[0] += row.count
        sums[1] += row.count * (plain(row.bed) is bed)
        sums[2] += row.count * expected(aim, bed)
    rated = [
        Practice(kind, int(darts), int(hit), chance, DRILLS[kind])
        for kind, (darts, hit, chance) in found.items()
        if darts >= FEWEST
    ]
    return sorted(rated, key=lambda one: -one.behind)


def _kind(bed: Segment) -> Kind:
    if bed.is_bull:
        return "bull"
    return "triples" if bed.multiplier == 3 else "doubles" if bed.multiplier == 2 else "singles"
