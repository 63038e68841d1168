"""The policy for X01 is as good as it says, and as the optimum, which is computed in another way."""

import numpy as np
import pytest

from engine.aiming import spots
from engine.geometry import BOARD_MM
from tests.twin.x01_optimum import SKILLS, advised, optimum, played
from twin.hand import Hand
from twin.x01_plan import CAREFUL
from twin.x01_policy import odds_of, solve, within_visit

DART = 1 / 3
"""In visits."""


@pytest.mark.parametrize(("skill_mm", "highest"), [(skill, 40 if skill in (8, 40) else 20) for skill in SKILLS])
def test_it_is_within_a_tenth_of_a_dart_of_the_optimum(skill_mm: int, highest: int) -> None:
    hand = Hand(skill_mm, skill_mm)
    policy = solve(hand, highest=highest)
    own = played(hand, policy.aim, highest)
    # What the policy says of itself is what it plays.
    assert own[2:] == pytest.approx(list(policy.visits[0][2:]), abs=1e-6)
    best = optimum(hand, [(spot.at.x * BOARD_MM, spot.at.y * BOARD_MM) for spot in spots(skill_mm)], highest)
    assert max(mine - other for mine, other in zip(own, best, strict=True)) < 0.1 * DART


def test_it_is_no_worse_than_the_advice_of_the_game() -> None:
    hand, highest = Hand(25, 25), 70
    own, other = (played(hand, aims, highest) for aims in (solve(hand, highest=highest).aim, advised(25)))
    assert all(mine <= theirs + 0.01 * DART for mine, theirs in zip(own[2:], other[2:], strict=True))


def test_a_hand_that_misses_to_one_side_plays_as_well() -> None:
    straight, crooked = (solve(hand, highest=40) for hand in (Hand(12, 15, 0.2), Hand(12, 15, 0.2, 9, -6)))
    assert np.allclose(straight.visits, crooked.visits, rtol=1e-3)
    (x, y), (there_x, there_y) = straight.aim(40, 40, 3), crooked.aim(40, 40, 3)
    assert (there_x, there_y) == pytest.approx((x - 9, y + 6))


@pytest.mark.parametrize(("out", "lowest"), [("open", 1), ("master", 2)])
def test_other_ways_out(out: str, lowest: int) -> None:
    policy = solve(Hand(20, 20), out, highest=40)  # type: ignore[arg-type]
    double = solve(Hand(20, 20), highest=40)
    # Some low scores have the same way out in either.
    assert all(policy.visits[0][left] <= double.visits[0][left] + 1e-9 for left in range(2, 41))
    assert policy.visits[0][39] < double.visits[0][39]
    assert policy.visits[0][lowest] > 0


def test_the_middle_of_a_visit() -> None:
    """With the darts of a visit the values are those of the whole visits that begin there, where no dart busts."""
    policy = solve(Hand(20, 20), highest=CAREFUL + 20)
    odds = odds_of(Hand(20, 20), policy.points, "double", False)
    none, one, two = within_visit(policy, odds, "double", CAREFUL + 10)
    assert none[100] == policy.visits[0, 100]
    assert one[100] == pytest.approx(policy.visits[1, 100], rel=1e-6)
    assert two[150] == pytest.approx(policy.visits[2, 150], rel=1e-6)
