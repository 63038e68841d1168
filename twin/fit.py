"""Fits a hand to darts by expectation and maximization over beds.

The method of Tibshirani, Price and Taylor, "A statistician plays darts" (2011), with beds where theirs has scores: a
bed says more. What a dart was aimed at may be uncertain; then each possible aim has a share of the dart. What the
darts leave open is filled in from the prior.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.segments import Segment
from twin.bed_integrals import COLUMN, MOMENTS, SEEN, Floats, moments, stray
from twin.hand import FINEST_MM, Hand, hand_of
from twin.prior import Prior

Point = tuple[float, float]
"""Millimetres from the centre: to the right, up."""

MOST_ROUNDS: Final = 100
SMALLEST_STEP: Final = 1e-3
"""The fit ends when a round changes no parameter by more, in mm."""
FIRST_STRAY: Final = 0.01
MOST_STRAY: Final = 0.1
_STARTS_MM: Final = (5.0, 8.0, 12.0, 18.0, 27.0, 40.0, 60.0)
_HALVINGS: Final = 8
"""How often a step that overshoots is halved."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """Darts in one bed with the same possible aims.

    `aims` has one point for each way of choosing an aim; all `Thrown` of a fit have equally many, in the same order.
    """

    aims: tuple[Point, ...]
    bed: Segment
    count: int = 1


@dataclass(frozen=True, slots=True)
class Fit:
    """A hand that was fitted, and how sure it is."""

    hand: Hand
    darts: int
    error: Hand
    """The standard error of each number of `hand`."""
    ways: tuple[float, ...]
    """How often the player chose their aim in each way, adding up to 1."""
    stray: float
    """The share of darts that the hand does not explain: bounced off, thrown at another bed, called by hand."""
    likelihood: float
    """The logarithm of the likelihood."""


@dataclass(frozen=True, slots=True)
class _Darts:
    """All darts as arrays: a row for each `Thrown`."""

    points: tuple[Point, ...]
    aims: np.ndarray[tuple[int, int], np.dtype[np.intp]]
    """The index into `points`, a column for each way."""
    beds: np.ndarray[tuple[int], np.dtype[np.intp]]
    counts: Floats


@dataclass(frozen=True, slots=True)
class _Shares:
    """Whose each dart is: of each way of aiming, or of none of them."""

    found: Floats
    """`moments` of each row, way and kind."""
    of_beds: Floats
    """`moments` of each row, way and kind, for a dart that is in that bed."""
    ways: Floats
    likelihood: float


def fit(thrown: Iterable[Thrown]) -> Fit | None:
    """The most probable hand; None without a dart.

    Its likelihood is no lower than that of the round hand with which the search begins: that one is the prior's peak.
    """
    rows = [row for row in thrown if row.count > 0]
    if not rows:
        return None
    darts = _arrays(rows)
    ways = np.full(darts.aims.shape[1], 1 / darts.aims.shape[1])
    mean, loose = np.zeros(2), FIRST_STRAY
    spread, shares = max(
        (
            (start, _shares(darts, _of_beds(darts, mean, start), ways, loose))
            for start in (s * s * np.eye(2) for s in _STARTS_MM)
        ),
        key=lambda found: found[1].likelihood,
    )
    total, prior = darts.counts.sum(), Prior(math.sqrt(spread[0, 0]))
    for _ in range(MOST_ROUNDS):
        weights = darts.counts[:, None] * shares.ways
        ways, loose = weights.sum(axis=0) / weights.sum(), float(np.clip(1 - weights.sum() / total, 0.0, MOST_STRAY))
        shares = _shares(darts, shares.found, ways, loose)
        was, (mean, spread, shares) = (mean, spread), _better(darts, prior, mean, spread, shares, ways, loose)
        if np.abs(mean - was[0]).max() < SMALLEST_STEP and np.abs(spread - was[1]).max() < SMALLEST_STEP * spread.max():
            break
    information = _scores(darts, shares, mean, spread)[1] + prior.slope(mean, spread)[1]
    return Fit(
        hand_of(mean, spread),
        int(total),
        _error(information, spread),
        tuple(map(float, ways)),
        float(loose),
        shares.likelihood,
    )


def _better(
    darts: _Darts, prior: Prior, mean: Floats, spread: Floats, shares: _Shares, ways: Floats, loose: float
) -> tuple[Floats, Floats, _Shares]:
    """The next mean and covariance, no less probable. Scoring takes ten rounds where maximization takes a hundred."""
    (scores, information), (pull, known) = _scores(darts, shares, mean, spread), prior.slope(mean, spread)
    step = np.linalg.solve(information + known + 1e-12 * np.eye(5), scores + pull)
    least = shares.likelihood + prior.logarithm(mean, spread)
    for _ in range(_HALVINGS):
        new_spread = spread + np.array([[step[2], step[3]], [step[3], step[4]]])
        if np.linalg.eigvalsh(new_spread)[0] > (FINEST_MM / 2) ** 2:
            hand = hand_of(mean + step[:2], new_spread)
            found = _shares(darts, _of_beds(darts, hand.mean, hand.spread), ways, loose)
            if found.likelihood + prior.logarithm(hand.mean, hand.spread) >= least:
                return hand.mean, hand.spread, found
        step /= 2
    return mean, spread, shares


def _arrays(rows: list[Thrown]) -> _Darts:
    points = tuple(dict.fromkeys(point for row in rows for point in row.aims))
    index = {point: number for number, point in enumerate(points)}
    return _Darts(
        points,
        np.array([[index[point] for point in row.aims] for row in rows]),
        np.array([COLUMN[row.bed] for row in rows]),
        np.array([float(row.count) for row in rows]),
    )


def _of_beds(darts: _Darts, mean: Floats, spread: Floats) -> Floats:
    """`moments` of each row, way and kind, for a hand."""
    table = np.empty((len(darts.points), len(SEEN), MOMENTS))
    for number, point in enumerate(darts.points):
        table[number] = moments(point, mean, spread)
    found: Floats = table[darts.aims, darts.beds[:, None]]
    return found


def _shares(darts: _Darts, found: Floats, ways: Floats, loose: float) -> _Shares:
    likely = (1 - loose) * ways * found[:, :, 0]
    total = likely.sum(axis=1) + loose * stray()[darts.beds] + 1e-300
    within = np.divide(found, found[:, :, :1], out=np.zeros_like(found), where=found[:, :, :1] > 0)
    return _Shares(found, within, likely / total[:, None], float(darts.counts @ np.log(total)))


def _scores(darts: _Darts, shares: _Shares, mean: Floats, spread: Floats) -> tuple[Floats, Floats]:
    """The slope of the likelihood in the mean (2) and the covariance (xx, xy, yy), and the observed information.

    The information is the sum of the squared slopes of the single darts.
    """
    inverse = np.linalg.inv(spread)
    of = np.einsum("nw,nwk->nk", shares.ways, shares.of_beds)
    first = of[:, 1:3] - of[:, :1] * mean
    xx = of[:, 3] - 2 * mean[0] * of[:, 1] + mean[0] ** 2 * of[:, 0]
    xy = of[:, 4] - mean[0] * of[:, 2] - mean[1] * of[:, 1] + mean[0] * mean[1] * of[:, 0]
    yy = of[:, 5] - 2 * mean[1] * of[:, 2] + mean[1] ** 2 * of[:, 0]
    second = np.stack((np.stack((xx, xy), -1), np.stack((xy, yy), -1)), -2) - of[:, :1, None] * spread
    turned = 0.5 * inverse @ second @ inverse
    each = np.column_stack((first @ inverse, turned[:, 0, 0], 2 * turned[:, 0, 1], turned[:, 1, 1]))
    return darts.counts @ each, each.T @ (darts.counts[:, None] * each)


def _error(information: Floats, spread: Floats) -> Hand:
    # The spread itself has no prior: where no dart tells about it, a large number stands for its error.
    variance = np.linalg.inv(information + 1e-12 * np.eye(5))
    x, y = np.sqrt(np.diag(spread))
    both = spread[0, 1]
    # The tilt is both/(x·y): its slope in the three numbers of the covariance.
    slope = np.array([-both / (2 * x**3 * y), 1 / (x * y), -both / (2 * x * y**3)])
    off = np.sqrt(np.diag(variance))
    return Hand(
        float(off[2] / (2 * x)),
        float(off[4] / (2 * y)),
        float(np.sqrt(slope @ variance[2:, 2:] @ slope)),
        float(off[0]),
        float(off[1]),
    )
