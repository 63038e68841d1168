"""How close to the optimum X01 is played: the table of docs/twin.md. `python -m tests.twin.x01_optimum 8 25`.

The optimum is found in another way than in `twin/x01_policy.py`: by value iteration, over a square grid of points and
the middles of all beds, with the chances of `twin.hand.chances`.
"""

import argparse
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from engine.games.x01_advice import aim_to_finish
from engine.geometry import BOARD_MM, centre_of
from engine.segments import INNER_BULL, OUTER_BULL, SEGMENTS
from twin.bed_integrals import Floats
from twin.fit import Point
from twin.hand import Hand, chances
from twin.x01_policy import Policy, solve

START = 501
SKILLS = (4, 6, 8, 12, 17, 25, 40, 65)
Aims = Callable[[int, int, int], Point]
"""The point to aim at with so many points left, in a visit that began with so many, with so many darts in hand."""


class Darts:
    """What darts of a hand do, by the point that is aimed at: the chance of each score, and of each by a double."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self.at = lru_cache(None)(self._at)

    def _at(self, point: Point) -> tuple[Floats, Floats]:
        scores, doubles = np.zeros(61), np.zeros(61)
        for bed, chance in chances(self._hand, point).items():
            scores[bed.points] += chance
            if bed.multiplier == 2:
                doubles[bed.points] += chance
        return scores / scores.sum(), doubles / scores.sum()


def grid(step_mm: float) -> list[Point]:
    """A square grid over the board and the middles of all beds."""
    along = np.arange(-190, 190 + step_mm, step_mm)
    square = [(float(x), float(y)) for x in along for y in along if x * x + y * y <= 190**2]
    beds = [bed for bed in SEGMENTS.values() if bed.multiplier]
    middles = [(centre_of(bed).x * BOARD_MM, centre_of(bed).y * BOARD_MM) for bed in beds]
    return list(dict.fromkeys([*square, *middles]))


def optimum(hand: Hand, points: Sequence[Point], highest: int = START) -> list[float]:
    """The visits from each score with the best of these points, by value iteration for one score after the other."""
    known = Darts(hand)
    scores, doubles = (np.array(part) for part in zip(*(known.at(point) for point in points), strict=True))
    visits = [0.0] * (highest + 1)
    for before in range(2, highest + 1):
        visits[before] = visits[before - 1] if before > 2 else 30.0
        while True:
            later = visits
            for darts in (1, 2, 3):
                lefts = range(max(2, before - 60 * (3 - darts)), before + 1)
                found = later.copy()
                for left in lefts:
                    least = max(0, left - 60)
                    after = np.array([later[k] if k >= 2 else visits[before] for k in range(left, least - 1, -1)])
                    worth = scores[:, : len(after)] @ after
                    worth += scores[:, len(after) :].sum(axis=1) * visits[before]
                    if left <= 60:
                        worth -= doubles[:, left] * visits[before]
                    found[left] = float(worth.min())
                later = found
            moved = 1.0 + later[before]
            done = abs(moved - visits[before]) < 1e-7 * moved
            visits[before] = moved
            if done:
                break
    return visits


def played(hand: Hand, aims: Aims, highest: int = START) -> list[float]:
    """The visits from each score of a player who aims at these points, computed exactly."""
    known = Darts(hand)
    visits = [0.0] * (highest + 1)
    for before in range(2, highest + 1):

        @lru_cache(None)
        def to_come(left: int, darts: int, before: int = before) -> tuple[float, float]:
            """Visits after this one, and the chance to be back at `before` then."""
            if darts == 0:
                return (0.0, 1.0) if left == before else (visits[left], 0.0)
            scores, doubles = known.at(aims(left, before, darts))
            total, back = 0.0, 0.0
            for points in np.flatnonzero(scores > 0):
                then, chance = left - int(points), float(scores[points])
                if then >= 2:
                    more, again = to_come(then, darts - 1)
                    total, back = total + chance * more, back + chance * again
                else:
                    back += chance - (float(doubles[points]) if then == 0 else 0.0)
            return total, back

        total, back = to_come(before, 3)
        visits[before] = (1.0 + total) / (1.0 - back)
    return visits


def advised(skill_mm: float) -> Aims:
    """As the game's own advice says."""

    def aims(left: int, before: int, darts: int) -> Point:
        aim = aim_to_finish(skill_mm, "double", False, left, before, darts)
        return aim.x * BOARD_MM, aim.y * BOARD_MM

    return aims


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("skills", type=float, nargs="*", default=SKILLS)
    parser.add_argument("--grid", type=float, default=5.0, help="mm between the points of the optimum; 0 for none")
    arguments = parser.parse_args()
    print("| mm | optimum on the grid | policy | the game's advice |\n|---|---|---|---|")
    for skill in arguments.skills:
        hand = Hand(skill, skill)
        policy: Policy = solve(hand, highest=START)
        own, advice = played(hand, policy.aim), played(hand, advised(skill))
        best = optimum(hand, grid(arguments.grid))[START] if arguments.grid else float("nan")
        print(f"| {skill:g} | {3 * best:.2f} | {3 * own[START]:.2f} | {3 * advice[START]:.2f} |", flush=True)


if __name__ == "__main__":
    assert INNER_BULL.multiplier == 2 and OUTER_BULL.multiplier == 1
    main()
