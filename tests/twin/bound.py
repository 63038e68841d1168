"""The smallest error that any unbiased fit can have: the Cramér-Rao bound for darts of which the beds are known.

`python -m tests.twin.bound` prints the table of docs/twin.md, for hands that play X01 and whose aims are all known.
"""

import argparse
import math
from collections import Counter
from random import Random

import numpy as np

from engine.segments import MISS
from tests.twin.hands import drawn
from tests.twin.played import aims_of, play
from tests.twin.thrower import Thrower
from twin.bed_integrals import COLUMN, SEEN, Floats, moments
from twin.fit import Point
from twin.hand import Hand
from twin.prior import Prior

_BEDS = [*range(COLUMN[MISS] + 1)]


def information(aim: Point, hand: Hand) -> Floats:
    """The Fisher information of one dart about the mean (2) and the covariance (xx, xy, yy), its aim being known."""
    mean, spread = hand.mean, hand.spread
    found = moments(aim, mean, spread)[: len(SEEN) - 20]
    share = found[:, 0]
    of = found[share > 1e-12] / share[share > 1e-12, None]
    inverse = np.linalg.inv(spread)
    first = of[:, 1:3] - mean
    xx = of[:, 3] - 2 * mean[0] * of[:, 1] + mean[0] ** 2
    xy = of[:, 4] - mean[0] * of[:, 2] - mean[1] * of[:, 1] + mean[0] * mean[1]
    yy = of[:, 5] - 2 * mean[1] * of[:, 2] + mean[1] ** 2
    second = np.stack((np.stack((xx, xy), -1), np.stack((xy, yy), -1)), -2) - spread
    turned = 0.5 * inverse @ second @ inverse
    each = np.column_stack((first @ inverse, turned[:, 0, 0], 2 * turned[:, 0, 1], turned[:, 1, 1]))
    result: Floats = each.T @ (share[share > 1e-12, None] * each)
    return result


def bound(hand: Hand, aims: Counter[Point], darts: int, known: Floats | None = None) -> tuple[float, float]:
    """The standard errors of both axes, relative to them, of the best unbiased fit to this many darts at these aims.

    `known` is the information of a prior, with which no fit has a smaller average error (van Trees).
    """
    total = sum(count * information(aim, hand) for aim, count in aims.items()) / aims.total() * darts
    variance = np.linalg.inv(total if known is None else total + known)
    return (
        math.sqrt(variance[2, 2]) / (2 * hand.x_mm**2),
        math.sqrt(variance[4, 4]) / (2 * hand.y_mm**2),
    )


def aims_in_play(hand: Hand, seed: int, darts: int = 600) -> Counter[Point]:
    """What a player of this hand aims at in X01."""
    return aims_of(play("x01", Thrower(hand, seed), hand.skill_mm, darts), hand.skill_mm)


def within(error: float, limit: float) -> float:
    """The chance that a value with this relative standard error is off by no more than the limit."""
    return math.erf(limit / error / math.sqrt(2))


STEPS = (8, 12, 18, 27, 40, 90)
LIMITS = ((300, 0.1), (100, 0.2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hands", type=int, nargs="?", default=200)
    found: dict[int, list[list[float]]] = {}
    for seed in range(parser.parse_args().hands):
        hand = drawn(Random(seed))
        aims = aims_in_play(hand, seed)
        _, known = Prior(hand.skill_mm).slope(hand.mean, hand.spread)
        step = next(step for step in STEPS if hand.skill_mm <= step)
        for axis in (0, 1):
            row = [bound(hand, aims, 300)[axis]]
            for prior in (None, known):
                row += [within(bound(hand, aims, darts, prior)[axis], limit) for darts, limit in LIMITS]
            found.setdefault(step, []).append(row)
    print("| spread up to | axes | error from 300 | 300 within 10 % | 100 within 20 % | the same with the prior | |")
    print("|---|---|---|---|---|---|---|")
    whole = [row for some in found.values() for row in some]
    for name, rows in [*((str(step), found[step]) for step in sorted(found)), ("all", whole)]:
        print(f"| {name} | {len(rows)} | " + " | ".join(f"{value:.1%}" for value in np.mean(rows, axis=0)) + " |")


if __name__ == "__main__":
    main()
