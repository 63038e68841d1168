"""Where a hand should aim in X01 to finish in the fewest visits, solved by dynamic programming over a whole visit.

Unlike `engine/games/x01_advice.py` it takes any hand, aims at free points, and knows to which score a bust leads back.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.games.x01_checkouts import Rule, fits, value
from twin.aim_points import aim_points
from twin.bed_integrals import COLUMN, SEEN, Floats, shares
from twin.fit import Point
from twin.hand import Hand

HIGHEST: Final = 1001
"""The highest score that has a plan; from above it a player aims as from here."""
BUSTS_BELOW: Final = 62
"""From this score up no dart busts: it scores 60 at most, and 2 must be left."""
CAREFUL: Final = BUSTS_BELOW + 120
"""From this score up no visit busts."""
_MOST: Final = 60
"""The most points of a dart."""
_SURE: Final = 1e-10

Indices = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Odds:
    """What darts at some points do. A row for each point, a column for each number of points from 0 to 60."""

    points: tuple[Point, ...]
    scores: Floats
    """The chance of each score."""
    finishes: Floats
    """The chance of each score in a bed that may finish."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What to aim at, as an index into `points`, and the visits to come after the current one.

    `visits[d][left]` is for `d` darts in hand in a visit that began with `left`, or where no dart busts; for `d` 0 it
    is all visits from there. `two` and `one` are the aims with so many darts in hand by the score with which the
    visit began and the points thrown since, below CAREFUL; `free[d][left]` are those of other scores.
    """

    points: tuple[Point, ...]
    visits: Floats
    free: Indices
    two: Indices
    one: Indices

    def aim(self, left: int, before: int, darts: int) -> Point:
        """The point in mm to aim at with `left` points and `darts` in hand, in a visit that began with `before`."""
        return self.points[self.index(left, before, darts)]

    def index(self, left: int, before: int, darts: int) -> int:
        """The number of that point."""
        thrown, left = before - left, min(left, len(self.visits[0]) - 1)
        if darts < 3 and before < CAREFUL and 0 <= thrown <= (3 - darts) * _MOST:
            return int((self.two if darts == 2 else self.one)[before, thrown])
        return int(self.free[darts, left])


def odds_of(hand: Hand, points: Sequence[Point], out: Rule, full_bull: bool) -> Odds:
    """What darts of a hand do that are aimed at these points."""
    worth = np.zeros((len(SEEN), _MOST + 1))
    ends = np.zeros((len(SEEN), _MOST + 1))
    for bed in SEEN[:83]:
        worth[COLUMN[bed], value(bed, full_bull)] = 1.0
        if fits(bed, out):
            ends[COLUMN[bed], value(bed, full_bull)] = 1.0
    chance = np.array([shares(point, hand.mean, hand.spread) for point in points])
    chance[:, 83:] = 0.0
    chance /= chance.sum(axis=1, keepdims=True)
    return Odds(tuple(points), chance @ worth, chance @ ends)


def solve(hand: Hand, out: Rule = "double", full_bull: bool = False, highest: int = HIGHEST) -> Policy:
    """The best policy of a hand for scores up to `highest`. Takes some seconds."""
    return plan(odds_of(hand, aim_points(hand), out, full_bull), out, highest)


def plan(odds: Odds, out: Rule, highest: int = HIGHEST) -> Policy:
    """The best policy with these points alone."""
    lowest = lowest_of(out)
    visits = np.zeros((4, highest + 1))
    free = np.zeros((4, highest + 1), np.int16)
    tops = min(highest + 1, CAREFUL)
    two, one = np.zeros((tops, _MOST + 1), np.int16), np.zeros((tops, 2 * _MOST + 1), np.int16)
    for before in range(lowest, highest + 1):
        if before < CAREFUL:
            _visit(odds, lowest, before, visits, free, two, one)
        else:
            _safe_visit(odds, before, visits, free)
    # Of two thousand points a policy uses a tenth.
    used = np.unique(np.concatenate([free.ravel(), two.ravel(), one.ravel()]))
    renumbered = [np.searchsorted(used, which).astype(np.int16) for which in (free, two, one)]
    return Policy(tuple(odds.points[row] for row in used), visits, *renumbered)


def lowest_of(out: Rule) -> int:
    """The lowest score that can be left."""
    return 1 if out == "open" else 2


def dart(odds: Odds, lowest: int, left: NDArray[np.intp], later: Floats, bust: float) -> tuple[Floats, Floats]:
    """The visits to come of a dart at each point (columns) from each score (rows), and the chance that it busts.

    `later[score]` are those after the dart; a dart that finishes has none.
    """
    after = left[:, None] - np.arange(_MOST + 1)
    plays, ends = after >= lowest, after == 0
    # A score that is left as it was is in `later`, too.
    worth = np.where(plays, later[np.maximum(after, 0)], 0.0)
    busts = (~plays).astype(float)
    lost = busts @ odds.scores.T - ends.astype(float) @ odds.finishes.T
    return worth @ odds.scores.T + bust * lost, lost


def _visit(odds: Odds, lowest: int, before: int, visits: Floats, free: Indices, two: Indices, one: Indices) -> None:
    """The visit that begins with `before`: by Newton's method for the visits from there, to which a bust leads back."""
    last = np.arange(max(lowest, before - 2 * _MOST), before + 1)
    middle = np.arange(max(lowest, before - _MOST), before + 1)
    first = np.array([before])
    whole = visits[0, before - 1] if before > lowest else 100.0
    for _ in range(60):
        later, back = visits[0].copy(), np.zeros(before + 1)
        later[before], back[before] = whole, 1.0
        aims = []
        for left in (last, middle, first):
            worth, lost = dart(odds, lowest, left, later, whole)
            best = worth.argmin(axis=1)
            row = np.arange(len(left))
            after = left[:, None] - np.arange(_MOST + 1)
            returned = np.where(after >= lowest, back[np.maximum(after, 0)], 0.0)
            slope = (returned * odds.scores[best]).sum(axis=1) + lost[row, best]
            later, back = later.copy(), np.zeros(before + 1)
            later[left], back[left] = worth[row, best], slope
            aims.append(best)
            visits[1 + len(aims) - 1, before] = worth[-1, best[-1]]
        moved = (1.0 + visits[3, before] - slope[0] * whole) / max(1.0 - slope[0], 1e-12)
        if abs(moved - whole) <= _SURE * moved:
            break
        whole = float(moved)
    visits[0, before] = whole
    one[before, before - last], two[before, before - middle] = aims[0], aims[1]
    free[1:, before] = aims[0][-1], aims[1][-1], aims[2][0]


def _safe_visit(odds: Odds, before: int, visits: Floats, free: Indices) -> None:
    """The same without a bust. Three darts that score nothing lead back, too rarely for more than a few rounds."""
    scores = before - np.arange(_MOST + 1)
    visits[0, before] = visits[0, before - 1]
    for _ in range(60):
        for darts in (1, 2, 3):
            worth = odds.scores @ visits[darts - 1, scores]
            # The score before this dart is worth what was just found for one dart less.
            free[darts, before] = worth.argmin()
            visits[darts, before] = worth.min()
        whole = 1.0 + visits[3, before]
        if abs(whole - visits[0, before]) <= _SURE * whole:
            break
        visits[0, before] = whole


def within_visit(policy: Policy, odds: Odds, out: Rule, before: int) -> tuple[Floats, Floats, Floats]:
    """The visits to come after the current one, which began with `before`, with 0, 1 and 2 darts in hand, by score.

    `odds` are those of the policy's points. The entry of a score that cannot be is 0.
    """
    lowest = lowest_of(out)
    afters = [policy.visits[0, : before + 1]]
    for thrown in (2, 1):
        left = np.arange(max(lowest, before - thrown * _MOST), before + 1)
        after = np.zeros(before + 1)
        after[left] = dart(odds, lowest, left, afters[-1], policy.visits[0, before])[0].min(axis=1)
        afters.append(after)
    return afters[0], afters[1], afters[2]
