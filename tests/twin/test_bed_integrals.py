"""The shares of the beds, compared with those of the engine, which integrates in another way."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.aiming import spots
from engine.geometry import BOARD_MM
from engine.segments import CLOCKWISE, MISS, SEGMENTS
from twin.bed_integrals import COLUMN, SEEN, moments, points, shares, stray
from twin.hand import Hand, chances

HANDS = st.builds(
    Hand,
    st.floats(4.0, 90.0),
    st.floats(4.0, 90.0),
    st.floats(-0.5, 0.5),
    st.floats(-40.0, 40.0),
    st.floats(-40.0, 40.0),
)
AIMS = st.tuples(st.floats(-170.0, 170.0), st.floats(-170.0, 170.0))


@pytest.mark.parametrize("skill_mm", [4, 11, 25, 60, 110])
def test_a_round_hand_has_the_odds_of_the_engine(skill_mm: int) -> None:
    for spot in spots(skill_mm):
        found = chances(Hand(skill_mm, skill_mm), (spot.at.x * BOARD_MM, spot.at.y * BOARD_MM))
        for bed, chance in found.items():
            assert chance == pytest.approx(spot.odds.get(bed, 0.0), abs=2e-5), (spot.target, bed)


@pytest.mark.parametrize("width", [4.0, 16.0])
def test_the_points_have_the_area_of_the_board(width: float) -> None:
    assert points(width).area.sum() == pytest.approx(math.pi * BOARD_MM**2)


@given(HANDS, AIMS)
@settings(max_examples=60, deadline=None)
def test_shares_add_up_and_are_the_first_moment(hand: Hand, aim: tuple[float, float]) -> None:
    whole = moments(aim, hand.mean, hand.spread)
    alone = shares(aim, hand.mean, hand.spread)
    assert whole[:, 0] == pytest.approx(alone, abs=1e-8)
    assert np.min(alone) >= 0
    assert alone[:83].sum() == pytest.approx(1.0, abs=1e-3)
    # All darts together miss by the mean, and scatter by the spread.
    assert whole[:83, 1:3].sum(axis=0) == pytest.approx(hand.mean, abs=0.2)


@given(st.integers(0, 19), st.floats(3.0, 60.0))
@settings(max_examples=30, deadline=None)
def test_the_board_is_the_same_from_every_sector(turn: int, skill_mm: float) -> None:
    angle = turn * math.pi / 10
    top = chances(Hand(skill_mm, skill_mm), (0.0, 103.0))
    turned = chances(Hand(skill_mm, skill_mm), (103.0 * math.sin(angle), 103.0 * math.cos(angle)))
    for sector, number in enumerate(CLOCKWISE):
        there = CLOCKWISE[(sector + turn) % 20]
        assert turned[SEGMENTS[f"T{there}"]] == pytest.approx(top[SEGMENTS[f"T{number}"]], abs=1e-6)


def test_a_stray_dart_can_be_anywhere() -> None:
    found = stray()
    assert found[:83].sum() == pytest.approx(1.0)
    assert np.min(found) > 0
    assert found[COLUMN[MISS]] == pytest.approx(1 - (170 / 225) ** 2)
    assert len(found) == len(SEEN) == 103


def test_a_single_is_both_singles() -> None:
    found = moments((0.0, 100.0), np.zeros(2), 400 * np.eye(2))
    parts = found[COLUMN[SEGMENTS["SI20"]]] + found[COLUMN[SEGMENTS["SO20"]]]
    assert found[COLUMN[SEGMENTS["S20"]]] == pytest.approx(parts)
