"""Advice in X01: the aim that finishes in the fewest visits, for a given spread of darts.

A table has the expected number of visits from every score with the best aims. In
the table a bust returns to the score before that dart, which keeps it small; for
the dart in hand a bust returns to the score before the visit. From 182 up no dart
can bust, and only points count.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import Final

from engine.aiming import Spot, aim_at, best, nearest, spots
from engine.game import Aim
from engine.games.x01_checkouts import Rule, fits, value
from engine.segments import SEGMENTS, Segment

HIGHEST: Final = 1001
"""The highest start of X01, and the highest score that has a plan; from above it a player aims as from here."""
_CAREFUL: Final = 182
"""From this score up a visit of three darts can neither finish nor bust."""

BUSTS_BELOW: Final = 62
"""From this score up no dart busts: it scores 60 at most, and 2 must be left."""

_RARE: Final = 1e-4
"""Beds with a smaller chance are counted as a miss, which saves time and changes no advice."""

_SCORES: Final = tuple(sorted({bed.points for bed in SEGMENTS.values()} - {0}))
"""What a dart can score."""

Outcomes = tuple[tuple[int, bool, float], ...]
"""What can come of an aim: points, whether the bed may finish, and the chance. Beds with the same effect are merged."""

Candidate = tuple[Spot, Outcomes]
"""An aim and what can come of it."""


@dataclass(frozen=True, slots=True)
class Table:
    """`visits[d][left]`: visits to come after the current one with `d` darts in hand; for `d` 0, all visits."""

    candidates: tuple[Candidate, ...]
    points: tuple[float, ...]
    """What a dart at each candidate scores on average, where it does not bust."""
    visits: tuple[tuple[float, ...], ...]


def aim_to_finish(skill_mm: float, out: Rule, full_bull: bool, left: int, before: int, darts: int) -> Aim:
    """The aim with `left` points to go and `darts` in hand, in a visit that began with `before` points."""
    left = min(left, HIGHEST)
    # No dart of a score from 62 up busts. So what the visit began with makes no difference, and one entry serves all.
    return _aim(nearest(skill_mm), out, full_bull, left, before if left < BUSTS_BELOW else left, darts)


@lru_cache(1024)
def aim_to_begin(skill_mm: float, opening: Rule, full_bull: bool) -> Aim:
    """The aim of a player who is not in: few darts until they are, and many points with the dart that hits.

    A dart counts as many points as the best aim scores. The cost of an aim is the
    number of darts until it hits, less the points of the hit, counted in darts.
    """
    candidates = spots(skill_mm)
    dart = best(candidates, lambda bed: float(value(bed, full_bull)))[1]

    def cost(spot: Spot) -> float:
        hits = [(odds, value(bed, full_bull)) for bed, odds in spot.odds.items() if fits(bed, opening)]
        return (1.0 - sum(odds * points for odds, points in hits) / dart) / max(sum(odds for odds, _ in hits), 1e-9)

    spot = min(candidates, key=lambda spot: round(cost(spot), 9))
    points = sum(odds * value(bed, full_bull) for bed, odds in spot.odds.items() if fits(bed, opening))
    return aim_at(spot, points)


# At X01 from 501 the eleven skills of somebody whose hand is worked out have 26,000 entries of some 300 bytes.
@lru_cache(32768)
def _aim(skill_mm: int, out: Rule, full_bull: bool, left: int, before: int, darts: int) -> Aim:
    table = visits(skill_mm, out, full_bull)
    later, back = table.visits[darts - 1], table.visits[0][before]
    lowest = 1 if out == "open" else 2
    chosen, least, worth = table.candidates[0][0], float("inf"), 0.0
    for spot, outcomes in _promising(table, later, left):
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


def _promising(table: Table, later: tuple[float, ...], left: int) -> tuple[Candidate, ...]:
    """The candidates of which one needs the fewest visits, in their order, and few others.

    Where no dart busts, each point saves between `least` and `most` visits. So an aim that scores too few points on
    average cannot be the best one. To work out the visits of every candidate takes many times as long.
    """
    if left < BUSTS_BELOW:
        return table.candidates
    saved = [(later[left] - later[left - points]) / points for points in _SCORES]
    least, most = min(saved), max(saved)
    # The margin is for sums that differ in their last digits.
    enough = least / most * max(table.points) - 1e-6 if most > 0 else 0.0
    return tuple(compress(table.candidates, [points >= enough for points in table.points]))


@lru_cache(64)
def visits(skill_mm: int, out: Rule, full_bull: bool) -> Table:
    """The expected visits for a spread of `skill_mm`. The first call for a spread takes about a second."""
    candidates = tuple((spot, _outcomes(spot, out, full_bull)) for spot in spots(skill_mm))
    none, one, two, three = (table := [[0.0] * (HIGHEST + 1) for _ in range(4)])
    lowest = 1 if out == "open" else 2
    for left in range(lowest, _CAREFUL):
        lines = [_line(outcomes, left, lowest, none, one, two) for _, outcomes in candidates]
        none[left], one[left], two[left], three[left] = _solve(lines)
    _scoring(table, best(spots(skill_mm), lambda bed: float(value(bed, full_bull)))[0], full_bull)
    points = tuple(sum(odds * scored for scored, _, odds in outcomes) for _, outcomes in candidates)
    return Table(candidates, points, tuple(map(tuple, table)))


def _outcomes(spot: Spot, out: Rule, full_bull: bool) -> Outcomes:
    merged: dict[tuple[int, bool], float] = {}
    for bed, odds in spot.odds.items():
        does = (value(bed, full_bull), fits(bed, out)) if odds > _RARE else (0, False)
        merged[does] = merged.get(does, 0.0) + odds
    return tuple((points, finishes, odds) for (points, finishes), odds in merged.items())


Line = tuple[float, float, float, float, float]


def _line(outcomes: Outcomes, left: int, lowest: int, none: list[float], one: list[float], two: list[float]) -> Line:
    """One aim: the visits to come if it scores, with 1, 2 and 3 darts in hand; the chances of no points, of a bust."""
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
    """The visits from one score. A visit can end at the same score, so Newton's method finds the fixed point."""
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
    """Fills in the scores from which no dart can bust: all darts aim for the most points."""
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
        # Three darts without points leave the score unchanged.
        none[left] = (1.0 + first + nothing * (middle + nothing * last)) / (1.0 - nothing**3)
        one[left] = last + nothing * none[left]
        two[left] = middle + nothing * one[left]
        three[left] = first + nothing * two[left]


def _points(bed: Segment, odds: float, full_bull: bool) -> int:
    return value(bed, full_bull) if odds > _RARE else 0
