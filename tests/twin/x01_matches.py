"""Plays many legs of X01 between two at once with numpy, by the rules and the advice of the game.

Straight in, double out, no limit of rounds. `test_x01_matches.py` holds this to `engine/games/x01.py`, dart by dart.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.aiming import spots
from engine.games.x01_advice import BUSTS_BELOW, HIGHEST, aim_to_finish
from engine.games.x01_checkouts import fits, value

DARTS: Final = 3
LONGEST: Final = 30_000
"""Darts after which a leg is given up, and shared: poor hands may never finish."""

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


@dataclass(slots=True)
class Hand:
    """What comes of each spot: `bounds` of the chances of the outcomes, their `points`, and whether they `finish`."""

    skill_mm: float
    bounds: Floats = field(init=False)
    points: Ints = field(init=False)
    finish: npt.NDArray[np.bool_] = field(init=False)
    _places: dict[tuple[float, float], int] = field(init=False)
    _aims: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        every = spots(self.skill_mm)
        beds = list(dict.fromkeys(bed for spot in every for bed in spot.odds))
        odds = np.array([[spot.odds.get(bed, 0.0) for bed in beds] for spot in every])
        # One rising row for all spots, so that one search finds the outcomes of many darts.
        rows = np.arange(len(every), dtype=np.float64)
        self.bounds = (np.minimum(np.cumsum(odds, axis=1), 1.0) + rows[:, None]).ravel()
        self.bounds[len(beds) - 1 :: len(beds)] = np.arange(1, len(every) + 1)
        self.points = np.array([value(bed, full_bull=False) for bed in beds], np.int32)
        self.finish = np.array([fits(bed, "double") for bed in beds])
        self._places = {(spot.at.x, spot.at.y): at for at, spot in enumerate(every)}

    def aims(self, left: Ints, before: Ints, darts: Ints) -> Ints:
        """The spots at which the advice aims, with so many points left and darts in hand, and `before` the visit."""
        left = np.minimum(left, HIGHEST)
        before = np.where(left < BUSTS_BELOW, before, left)
        keys, where = np.unique((left * 2048 + before) * 4 + darts, return_inverse=True)
        for key in keys.tolist():
            if key not in self._aims:
                aim = aim_to_finish(self.skill_mm, "double", False, key // 8192, key // 4 % 2048, key % 4)
                self._aims[key] = self._places[aim.x, aim.y]
        return np.array([self._aims[key] for key in keys.tolist()], np.int32)[where]

    def throw(self, left: Ints, before: Ints, darts: Ints, drawn: Floats) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """The points of a dart in each leg, and whether its bed may finish."""
        found = np.searchsorted(self.bounds, self.aims(left, before, darts) + drawn, side="right") % len(self.points)
        return self.points[found], self.finish[found]


def after(left: Ints, before: Ints, points: Ints, finishes: npt.NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """What is left after a dart, and 1 where the visit is over by it: by a finish (0 left) or a bust (as before it)."""
    then = left - points
    done = (then == 0) & finishes
    bust = (then < 2) & ~done
    return np.where(bust, before, then).astype(np.int32), (done | bust).astype(np.int32)


def play_out(starts: tuple[int, int], hands: Sequence[Hand], legs: int, seed: int) -> Floats:
    """Plays legs, of which the first player begins each: 1 where they win, 0.5 where nobody does."""
    random = np.random.default_rng(seed)
    left = np.tile(np.array(starts, np.int32), (legs, 1))
    won, alive = np.full(legs, 0.5), np.arange(legs)
    player = thrown = 0
    while len(alive) and thrown < LONGEST:
        mine = left[alive, player]
        before, over = mine.copy(), np.zeros(len(alive), bool)
        for darts in range(DARTS, 0, -1):
            at = np.flatnonzero(~over)
            points, finishes = hands[player].throw(
                mine[at], before[at], np.full(len(at), darts, np.int32), random.random(len(at))
            )
            mine[at], ended = after(mine[at], before[at], points, finishes)
            over[at] = ended > 0
        left[alive, player] = mine
        won[alive[mine == 0]] = 1.0 - player
        alive, player, thrown = alive[mine != 0], 1 - player, thrown + DARTS
    return won
