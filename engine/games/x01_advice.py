"""Where to aim in X01: the bed that leads to the finish in the fewest visits, for a given spread of darts.

A table gives the expected number of visits from every score, for the best
aims. Inside a visit a bust is taken to go back to what was left before that
dart, which keeps the table small; for the dart at hand it goes back to where
the visit really began. From 182 up nothing can bust, and points are all.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.aiming import Spot, aim_at, best, nearest, spots
from engine.game import Aim
from engine.games.x01_checkouts import Rule, fits, value
from engine.segments import Segment

HIGHEST: Final = 1001
_CAREFUL: Final = 182
"""From here up a visit of three darts can neither finish nor bust."""

_RARE: Final = 1e-4
"""A bed that is hit less often changes no advice; it is counted as a miss."""

Outcomes = tuple[tuple[int, bool, float], ...]
"""What an aim brings: points, whether the bed may finish, chance. Beds that do the same are one."""


@dataclass(frozen=True, slots=True)
class Table:
    """`visits[d][left]`: visits still to come after this one, with `d` darts of it in hand; with none, all of them."""

    aims: tuple[tuple[Spot, Outcomes], ...]
    visits: tuple[tuple[float, ...], ...]


def aim_to_finish(skill_mm: float, out: Rule, full_bull: bool, left: int, before: int, darts: int) -> Aim:
    """The aim with `left` to go, in a visit that began with `before`, with so many darts in hand."""
    return _aim(nearest(skill_mm), out, full_bull, left, before, darts)


@lru_cache(1024)
def aim_to_begin(skill_mm: float, opening: Rule, full_bull: bool) -> Aim:
    """The aim of a player who is not in: few darts until he is, and as many points as may be with the one that does it.

    A dart is worth what the best aim for points brings, so the cost of an aim is
    the darts until it hits, less the points of the hit in darts.
    """
    among = spots(skill_mm)
    dart = best(among, lambda bed: float(value(bed, full_bull)))[1]

    def cost(spot: Spot) -> float:
        hits = [(odds, value(bed, full_bull)) for bed, odds in spot.odds.items() if fits(bed, opening)]
        return (1.0 - sum(odds * points for odds, points in hits) / dart) / max(sum(odds for odds, _ in hits), 1e-9)

    spot = min(among, key=lambda spot: round(cost(spot), 9))
    points = sum(odds * value(bed, full_bull) for bed, odds in spot.odds.items() if fits(bed, opening))
    return aim_at(spot, points)


@lru_cache(4096)
def _aim(skill_mm: int, out: Rule, full_bull: bool, left: int, before: int, darts: int) -> Aim:
    table = visits(skill_mm, out, full_bull)
    later, back = table.visits[darts - 1], table.visits[0][before]
    lowest = 1 if out == "open" else 2
    chosen, least, worth = table.aims[0][0], float("inf"), 0.0
    for spot, outcomes in table.aims:
        total = points = 0.0
        for scored, finishes, odds in outcomes:
            if left - scored >= lowest:
                total += odds * later[left - scored]
                points += odds * scored
            elif left == scored and finishes:
                points += odds * scored
            else:
                total += odds * back
        if total < least - 1e-9:
            chosen, least, worth = spot, total, points
    return aim_at(chosen, worth)


@lru_cache(64)
def visits(skill_mm: int, out: Rule, full_bull: bool) -> Table:
    """The expected visits for a spread of so many mm. The first call for a spread takes a moment."""
    aims = tuple((spot, _outcomes(spot, out, full_bull)) for spot in spots(skill_mm))
    none, one, two, three = (table := [[0.0] * (HIGHEST + 1) for _ in range(4)])
    lowest = 1 if out == "open" else 2
    for left in range(lowest, _CAREFUL):
        lines = [_line(outcomes, left, lowest, none, one, two) for _, outcomes in aims]
        none[left], one[left], two[left], three[left] = _solve(lines)
    _scoring(table, best(spots(skill_mm), lambda bed: float(value(bed, full_bull)))[0], full_bull)
    return Table(aims, tuple(map(tuple, table)))


def _outcomes(spot: Spot, out: Rule, full_bull: bool) -> Outcomes:
    merged: dict[tuple[int, bool], float] = {}
    for bed, odds in spot.odds.items():
        does = (value(bed, full_bull), fits(bed, out)) if odds > _RARE else (0, False)
        merged[does] = merged.get(does, 0.0) + odds
    return tuple((points, finishes, odds) for (points, finishes), odds in merged.items())


Line = tuple[float, float, float, float, float]


def _line(outcomes: Outcomes, left: int, lowest: int, none: list[float], one: list[float], two: list[float]) -> Line:
    """One aim: visits to come by what it scores, with 1, 2 and 3 darts in hand; the chances of no points, of a bust."""
    last = middle = first = nothing = bust = 0.0
    for scored, finishes, odds in outcomes:
        then = left - scored
        if not scored:
            nothing += odds
        elif then >= lowest:
            last += odds * none[then]
            middle += odds * one[then]
            first += odds * two[then]
        elif then or not finishes:
            bust += odds
    return last, middle, first, nothing, bust


def _solve(lines: list[Line]) -> tuple[float, float, float, float]:
    """The visits from one score, where a visit can end where it began: a fixed point, found by Newton's method."""
    x = 1000.0
    for _ in range(50):
        one, slope_one = min((last + (nothing + bust) * x, nothing + bust) for last, _, _, nothing, bust in lines)
        two, slope_two = min(
            (middle + nothing * one + bust * x, nothing * slope_one + bust) for _, middle, _, nothing, bust in lines
        )
        three, slope = min(
            (first + nothing * two + bust * x, nothing * slope_two + bust) for _, _, first, nothing, bust in lines
        )
        moved = (1.0 + three - slope * x) / max(1.0 - slope, 1e-9)
        if abs(moved - x) < 1e-9 * moved:
            break
        x = moved
    return x, one, two, three


def _scoring(table: list[list[float]], spot: Spot, full_bull: bool) -> None:
    """Fills in the scores from which nothing can bust: all darts go where the most points are."""
    dart: dict[int, float] = {}
    for bed, odds in spot.odds.items():
        points = _points(bed, odds, full_bull)
        dart[points] = dart.get(points, 0.0) + odds
    none, one, two, three = table
    for left in range(_CAREFUL, HIGHEST + 1):
        nothing = dart.get(0, 0.0)
        last, middle, first = (
            sum(odds * later[left - points] for points, odds in dart.items() if points) for later in (none, one, two)
        )
        # Three darts without a point leave the score as it was.
        none[left] = (1.0 + first + nothing * (middle + nothing * last)) / (1.0 - nothing**3)
        one[left] = last + nothing * none[left]
        two[left] = middle + nothing * one[left]
        three[left] = first + nothing * two[left]


def _points(bed: Segment, odds: float, full_bull: bool) -> int:
    return value(bed, full_bull) if odds > _RARE else 0
