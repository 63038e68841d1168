"""Where a hand should aim in X01 to finish in the fewest visits, solved by dynamic programming over a whole visit.

Unlike `engine/games/x01_advice.py` it takes any hand, aims at free points, and knows to which score a bust leads back.
A later visit can count less than an earlier one: then the policy takes risks to finish soon, as behind an opponent who
is about to finish (`twin/x01_duel.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.games.x01_advice import HIGHEST
from engine.games.x01_checkouts import Rule, fits, value
from twin.aim_points import aim_points
from twin.bed_integrals import COLUMN, SEEN, Floats, shares
from twin.fit import Point
from twin.hand import Hand
from twin.x01_plan import CAREFUL, MOST

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
    is all visits from there. With a `patience` below 1 each visit counts that part of the one before it. `two` and
    `one` are the aims with so many darts in hand by the score with which the visit began and the points thrown since,
    below CAREFUL; `free[d][left]` are those of other scores.
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
        if darts < 3 and before < CAREFUL and 0 <= thrown <= (3 - darts) * MOST:
            return int((self.two if darts == 2 else self.one)[before, thrown])
        return int(self.free[darts, left])


def odds_of(hand: Hand, points: Sequence[Point], out: Rule, full_bull: bool) -> Odds:
    """What darts of a hand do that are aimed at these points."""
    worth = np.zeros((len(SEEN), MOST + 1))
    ends = np.zeros((len(SEEN), MOST + 1))
    for bed in SEEN[:83]:
        worth[COLUMN[bed], value(bed, full_bull)] = 1.0
        if fits(bed, out):
            ends[COLUMN[bed], value(bed, full_bull)] = 1.0
    chance = np.array([shares(point, hand.mean, hand.spread) for point in points])
    chance[:, 83:] = 0.0
    chance /= chance.sum(axis=1, keepdims=True)
    return Odds(tuple(points), chance @ worth, chance @ ends)


def solve(hand: Hand, out: Rule = "double", highest: int = HIGHEST) -> Policy:
    """The best policy of a hand for scores up to `highest`, with 25 for the outer bull. Takes some seconds."""
    return best_policy(odds_of(hand, aim_points(hand), out, full_bull=False), out, highest)


def best_policy(odds: Odds, out: Rule, highest: int = HIGHEST, patience: float = 1.0) -> Policy:
    """The best policy with these points alone. `patience` is what a visit counts as a part of the one before, to 1."""
    lowest = lowest_of(out)
    visits = np.zeros((4, highest + 1))
    free = np.zeros((4, highest + 1), np.int16)
    tops = min(highest + 1, CAREFUL)
    two, one = np.zeros((tops, MOST + 1), np.int16), np.zeros((tops, 2 * MOST + 1), np.int16)
    for before in range(lowest, highest + 1):
        if before < CAREFUL:
            _visit(odds, lowest, before, patience, visits, free, two, one)
        else:
            _safe_visit(odds, before, patience, visits, free)
    return _with_used_points(odds, visits, free, two, one)


def policy_of(odds: Odds, lowest: int, worth: Floats, visits: Sequence["Visit"]) -> Policy:
    """The policy of these visits, one from each score from `lowest` on. In place of visits it has `worth`."""
    highest = len(worth) - 1
    tops = min(highest + 1, CAREFUL)
    free = np.zeros((4, highest + 1), np.int16)
    two, one = np.zeros((tops, MOST + 1), np.int16), np.zeros((tops, 2 * MOST + 1), np.int16)
    for before, visit in enumerate(visits, lowest):
        _keep(before, visit, free, two, one)
    return _with_used_points(odds, np.tile(worth, (4, 1)), free, two, one)


def _keep(before: int, visit: "Visit", free: Indices, two: Indices, one: Indices) -> None:
    last, middle, first = visit
    free[1:, before] = last.aims[-1], middle.aims[-1], first.aims[0]
    if before < len(one):
        one[before, before - last.left], two[before, before - middle.left] = last.aims, middle.aims


def _with_used_points(odds: Odds, visits: Floats, free: Indices, two: Indices, one: Indices) -> Policy:
    """The policy with the points alone that it uses: of two thousand a tenth."""
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
    after = left[:, None] - np.arange(MOST + 1)
    plays, ends = after >= lowest, after == 0
    # A score that is left as it was is in `later`, too.
    worth = np.where(plays, later[np.maximum(after, 0)], 0.0)
    busts = (~plays).astype(float)
    lost = busts @ odds.scores.T - ends.astype(float) @ odds.finishes.T
    return worth @ odds.scores.T + bust * lost, lost


def _visit(
    odds: Odds,
    lowest: int,
    before: int,
    patience: float,
    visits: Floats,
    free: Indices,
    two: Indices,
    one: Indices,
) -> None:
    """The visit that begins with `before`: by Newton's method for the visits from there, to which a bust leads back."""
    whole = visits[0, before - 1] if before > lowest else 100.0
    for _ in range(60):
        later = patience * visits[0]
        later[before] = patience * whole
        each = darts_of_visit(odds, lowest, before, later)
        visits[1:, before] = [found.worth[-1] for found in each]
        back = np.zeros(before + 1)
        back[before] = patience
        for found in each:
            after = found.left[:, None] - np.arange(MOST + 1)
            returned = np.where(after >= lowest, back[np.maximum(after, 0)], 0.0)
            slope = (returned * odds.scores[found.aims]).sum(axis=1) + patience * found.lost
            back = np.zeros(before + 1)
            back[found.left] = slope
        moved = (1.0 + visits[3, before] - slope[0] * whole) / max(1.0 - slope[0], 1e-12)
        if abs(moved - whole) <= _SURE * moved:
            break
        whole = float(moved)
    visits[0, before] = whole
    _keep(before, each, free, two, one)


@dataclass(frozen=True, slots=True)
class BestDarts:
    """The best dart from each of the scores `left`: its aim, the worth of it, and the chance that it busts."""

    left: NDArray[np.intp]
    aims: NDArray[np.intp]
    worth: Floats
    lost: Floats


Visit = tuple[BestDarts, BestDarts, BestDarts]
"""The last, the second and the first dart."""


def darts_of_visit(odds: Odds, lowest: int, before: int, later: Floats) -> Visit:
    """The last, the second and the first dart of a visit that begins with `before`, each of the least worth.

    `later` is what each score is worth after the visit, and that of `before` after a bust; nothing left is worth 0.
    """
    bust, found = later[before], []
    for thrown in (2, 1, 0):
        left = np.arange(max(lowest, before - thrown * MOST), before + 1)
        worth, lost = dart(odds, lowest, left, later, bust)
        best, row = worth.argmin(axis=1), np.arange(len(left))
        found.append(BestDarts(left, best, worth[row, best], lost[row, best]))
        later = later.copy()
        later[left] = found[-1].worth
    return found[0], found[1], found[2]


def _safe_visit(odds: Odds, before: int, patience: float, visits: Floats, free: Indices) -> None:
    """Solves a visit from a score from which no visit busts.

    Three darts that score nothing lead back, too rarely for more than a few rounds.
    """
    scores = before - np.arange(MOST + 1)
    visits[0, before] = visits[0, before - 1]
    for _ in range(60):
        for darts in (1, 2, 3):
            worth = odds.scores @ visits[darts - 1, scores] * (patience if darts == 1 else 1.0)
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
        left = np.arange(max(lowest, before - thrown * MOST), before + 1)
        after = np.zeros(before + 1)
        after[left] = dart(odds, lowest, left, afters[-1], policy.visits[0, before])[0].min(axis=1)
        afters.append(after)
    return afters[0], afters[1], afters[2]
