"""The best point of the board: never worse than the best of the engine's list, and where others found it."""

import math

import pytest

from engine.aiming import best, spots
from engine.darts import Position
from engine.geometry import BOARD_MM, segment_at
from engine.segments import Segment
from twin.best_aim import best_aim
from twin.hand import Hand


def points(bed: Segment) -> float:
    return float(bed.points)


@pytest.mark.parametrize("skill_mm", [6, 17, 26, 40, 65])
def test_it_is_no_worse_than_the_best_of_the_list(skill_mm: int) -> None:
    _, listed = best(spots(skill_mm), points)
    _, free = best_aim(Hand(skill_mm, skill_mm), points)
    assert free >= listed - 1e-6


@pytest.mark.parametrize(("skill_mm", "bed"), [(8, "T20"), (14, "T20"), (18, "T19"), (24, "T19")])
def test_it_moves_from_20_to_19_as_published(skill_mm: int, bed: str) -> None:
    """Tibshirani, Price and Taylor (2011): triple 20 up to about 16.4 mm, then triple 19."""
    (x, y), _ = best_aim(Hand(skill_mm, skill_mm), points)
    assert segment_at(Position(x / BOARD_MM, y / BOARD_MM)).number == int(bed[1:])
    assert 90 < math.hypot(x, y) < 115


def test_it_corrects_the_average_miss() -> None:
    (x, y), worth = best_aim(Hand(8, 8), points)
    (shifted_x, shifted_y), same = best_aim(Hand(8, 8, 0, 12, -6), points)
    assert (shifted_x, shifted_y) == pytest.approx((x - 12, y + 6), abs=1.0)
    assert same == pytest.approx(worth, abs=0.01)
