"""The points of the board that are worth trying as an aim: a polar grid that is fine where the rings are narrow."""

import math
from collections.abc import Sequence
from typing import Final

from twin.fit import Point
from twin.hand import Hand

_RADII_MM: Final = (
    *(11.125, 20, 35, 50, 57.45, 65, 80, 90, 95, 99, 103, 107, 111, 118, 128),
    *(134.5, 142, 150, 155, 160, 163, 166, 169, 173, 180, 190),
)
_FINE: Final = 4
"""Points in the width of a sector, for narrow hands."""


def aim_points(hand: Hand) -> Sequence[Point]:
    """The points, moved by the hand's average miss so that its darts are centred on them."""
    right, up = hand.right_mm, hand.up_mm
    turns = [math.tau * k / (20 * _FINE) for k in range(20 * _FINE)]
    around = [(radius * math.sin(turn), radius * math.cos(turn)) for radius in _RADII_MM for turn in turns]
    return [(x - right, y - up) for x, y in [(0.0, 0.0), *around]]
