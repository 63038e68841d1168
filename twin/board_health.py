"""What a board's darts say of the board: beds that answer too rarely, lines that fail, darts that count twice.

The hands of the players say how often each bed should be hit. A bed, or all beds of a line of the matrix together,
that is hit so rarely that chance is no explanation, does not answer to every dart. The hands are fitted to the same
darts, so what is missing is a little more than what is shown.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from engine.segments import MISS, Segment
from twin.bed_integrals import COLUMN, shares, stray
from twin.fit import Fit, Point, Thrown

HEALTHY: Final = 0.6
"""A bed that answers to this share of its darts, or more, is not reported: hands are not quite gaussian."""
CHANCE: Final = 1e-4
"""How unlikely it must be that a bed that answers to `HEALTHY` of its darts is hit as rarely."""
MOST_OF_A_LINE: Final = 0.75
"""The share of a line's beds that must be hit too rarely: one dead bed makes no failing line."""
FEWEST_ON_A_LINE: Final = 2.0
"""Expected darts below which a bed of a line is not asked."""
FEWEST_DOUBLED: Final = 3
DOUBLED_SHARE: Final = 0.02
"""From how many darts, and which share of a bed's darts, on the bed counts darts twice."""
DOUBLED_MS: Final = 400
"""Nobody throws two darts in less time."""

Kind = Literal["bed", "line", "doubled"]


@dataclass(frozen=True, slots=True)
class BoardFault:
    """A bed or a line that answers too rarely: `seen` darts where `expected` were likely. A bed with `doubled` darts:
    `seen` darts within `DOUBLED_MS` of one in the same bed, of `expected` in it."""

    kind: Kind
    name: str
    """The bed, or the line."""
    beds: tuple[str, ...]
    seen: int
    expected: float
    chance: float = 0.0
    """The chance that it is hit as rarely if it answers to `HEALTHY` of its darts. Nobody doubles a dart by chance."""


def expected(thrown: Iterable[Thrown], fitted: Fit) -> dict[Segment, float]:
    """How many of a player's darts should have hit each bed, by their hand."""
    aims: Counter[Point] = Counter()
    darts = 0.0
    for row in thrown:
        darts += row.count
        for way, share in enumerate(fitted.ways):
            aims[row.aims[way]] += row.count * share  # type: ignore[assignment]
    hand = fitted.hand
    found = np.zeros(len(COLUMN))
    for aim, count in aims.items():
        found += (1 - fitted.stray) * count * shares(aim, hand.mean, hand.spread)
    found += fitted.stray * darts * stray()
    return {bed: float(found[column]) for bed, column in COLUMN.items()}


def faults(
    likely: Mapping[Segment, float],
    seen: Mapping[Segment, int],
    doubled: Mapping[Segment, int],
    lines: Mapping[str, Collection[Segment]],
) -> list[BoardFault]:
    """What is wrong with a board, the surest first. `likely` and `seen` are darts by bed, over all players; `lines` are
    the rows and columns of its matrix with their beds, none for a board that is no matrix."""
    failing = _lines(likely, seen, lines)
    explained = {bed for fault in failing for bed in fault.beds}
    beds = [
        BoardFault("bed", bed.text, (bed.text,), seen.get(bed, 0), round(of, 1), chance)
        for bed, of in likely.items()
        if bed is not MISS and bed.text not in explained and (chance := _chance(seen.get(bed, 0), of)) < CHANCE
    ]
    twice = [
        BoardFault("doubled", bed.text, (bed.text,), count, float(seen.get(bed, 0)))
        for bed, count in sorted(doubled.items(), key=lambda item: -item[1])
        if count >= FEWEST_DOUBLED and count >= DOUBLED_SHARE * seen.get(bed, 0)
    ]
    return [*failing, *sorted(beds, key=lambda fault: fault.chance), *twice]


def _lines(
    likely: Mapping[Segment, float], seen: Mapping[Segment, int], lines: Mapping[str, Collection[Segment]]
) -> list[BoardFault]:
    """The lines that fail; a bed is explained by one line alone, the one that is surest."""
    found: list[BoardFault] = []
    gone: set[Segment] = set()
    while True:
        rated = []
        for name, beds in lines.items():
            asked = [bed for bed in beds if bed not in gone and likely.get(bed, 0.0) >= FEWEST_ON_A_LINE]
            low = [bed for bed in asked if seen.get(bed, 0) < HEALTHY * likely[bed]]
            if len(asked) < 2 or len(low) < MOST_OF_A_LINE * len(asked) or len(asked) < len(beds) / 2:
                continue
            darts, of = sum(seen.get(bed, 0) for bed in asked), sum(likely[bed] for bed in asked)
            rated.append((_chance(darts, of), name, asked, darts, of))
        best = min(rated, default=None, key=lambda one: one[0])
        if best is None or best[0] >= CHANCE:
            return found
        chance, name, asked, darts, of = best
        gone.update(asked)
        found.append(BoardFault("line", name, tuple(bed.text for bed in asked), darts, round(of, 1), chance))


def _chance(seen: int, likely: float) -> float:
    """The chance of `seen` darts or fewer in a bed that answers to `HEALTHY` of the likely ones (Poisson)."""
    mean = HEALTHY * likely
    if mean <= 0 or seen >= mean:
        return 1.0
    # From the largest term down: the first one, exp(-mean), is 0 in floating point for 750 darts.
    term = total = math.exp(seen * math.log(mean) - mean - math.lgamma(seen + 1))
    for n in range(seen, 0, -1):
        term *= n / mean
        total += term
    return total
