"""The odds of a spread of darts: against closed forms, against a fine grid, and rotated with the board."""

import math
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.aiming import BEDS, Spot, aim, best, nearest, spots
from engine.darts import Position
from engine.geometry import BOARD_MM, segment_at
from engine.segments import CLOCKWISE, INNER_BULL, MISS, OUTER_BULL, PLAYABLE, SEGMENTS, Segment, plain

SKILLS: Final = (1, 2, 5, 8, 15, 27, 40, 70, 120)


def spot_at(skill: int, text: str) -> Spot:
    return next(spot for spot in spots(skill) if spot.target is SEGMENTS[text])


def inside(radius_mm: float, sigma: float) -> float:
    """The chance that a dart thrown at the middle lands within a circle."""
    return 1.0 - math.exp(-((radius_mm / sigma) ** 2) / 2.0)


@pytest.mark.parametrize("skill", SKILLS)
def test_odds_add_up(skill: int) -> None:
    for spot in spots(skill):
        assert sum(spot.odds.values()) == pytest.approx(1.0, abs=1e-12)
        assert all(odds >= 0.0 for odds in spot.odds.values())
        assert set(spot.odds) <= set(BEDS)


@pytest.mark.parametrize("skill", SKILLS)
def test_every_bed_has_its_spot_and_lies_under_it(skill: int) -> None:
    targets = [spot.target for spot in spots(skill)[:62]]
    assert sorted(bed.text for bed in targets) == sorted(bed.text for bed in PLAYABLE)
    for spot in spots(skill)[:82]:
        assert spot.target in (segment_at(spot.at), plain(segment_at(spot.at)))


@pytest.mark.parametrize("skill", SKILLS)
def test_the_middle_has_a_closed_form(skill: int) -> None:
    odds = spot_at(skill, "DB").odds
    rings = [inside(radius, skill) for radius in (6.35, 15.9, 99.0, 107.0, 162.0, 170.0)]
    assert odds.get(INNER_BULL, 0.0) == pytest.approx(rings[0], abs=1e-6)
    assert odds.get(OUTER_BULL, 0.0) == pytest.approx(rings[1] - rings[0], abs=1e-6)
    assert sum(odds.get(SEGMENTS[f"T{n}"], 0.0) for n in CLOCKWISE) == pytest.approx(rings[3] - rings[2], abs=3e-6)
    assert odds[MISS] == pytest.approx(1.0 - rings[5], abs=1e-5)


def counted(at: Position, sigma: float, step: float) -> dict[Segment, float]:
    """The odds by brute force: the density summed over a fine grid of points, each in the bed under it."""
    odds: dict[Segment, float] = {}
    ticks = [step * (k + 0.5) for k in range(-int(5 / step), int(5 / step))]
    for u in ticks:
        for v in ticks:
            bed = segment_at(Position(at.x + u * sigma / BOARD_MM, at.y + v * sigma / BOARD_MM))
            odds[bed] = odds.get(bed, 0.0) + math.exp(-(u * u + v * v) / 2.0) * step * step / math.tau
    return odds


@pytest.mark.parametrize(("skill", "text"), [(5, "T20"), (15, "D16"), (15, "T7"), (30, "S3"), (60, "SI11"), (15, "SB")])
def test_odds_are_those_of_a_fine_grid(skill: int, text: str) -> None:
    spot = spot_at(skill, text)
    grid = counted(spot.at, skill, 0.05)
    assert max(abs(grid.get(bed, 0.0) - spot.odds.get(bed, 0.0)) for bed in BEDS) < 0.006


def test_a_spot_on_a_wire_is_between_two_numbers() -> None:
    odds = [(spot, spot.odds.get(SEGMENTS["T7"], 0.0), spot.odds.get(SEGMENTS["T16"], 0.0)) for spot in spots(15)[82:]]
    between = [spot for spot, seven, sixteen in odds if seven > 0.01 and seven == pytest.approx(sixteen)]
    assert between
    grid = counted(between[0].at, 15, 0.05)
    assert max(abs(grid.get(bed, 0.0) - between[0].odds.get(bed, 0.0)) for bed in BEDS) < 0.006


@settings(deadline=None, max_examples=20, derandomize=True)
@given(skill=st.integers(1, 120), turn=st.integers(0, 19))
def test_the_board_looks_the_same_from_every_sector(skill: int, turn: int) -> None:
    number, next_to = CLOCKWISE[turn], CLOCKWISE[(turn + 1) % 20]
    for prefix in ("T", "S", "D"):
        here, top = spot_at(skill, f"{prefix}{number}").odds, spot_at(skill, f"{prefix}20").odds
        for ring in ("SI", "T", "SO", "D"):
            assert here.get(SEGMENTS[f"{ring}{next_to}"]) == top.get(SEGMENTS[f"{ring}1"])


@settings(deadline=None, max_examples=30, derandomize=True)
@given(skill=st.floats(0.0, 500.0))
def test_skill_is_whole_millimetres_within_bounds(skill: float) -> None:
    assert spots(skill) is spots(nearest(skill))
    assert 1 <= nearest(skill) <= 120


def test_a_good_player_aims_at_the_triple_and_a_poor_one_elsewhere() -> None:
    assert aim(1, lambda bed: bed.points).target == "T20"
    assert aim(8, lambda bed: bed.points).target == "T20"
    assert aim(60, lambda bed: bed.points).target != "T20"
    assert aim(1, lambda bed: bed.points).value == pytest.approx(60.0, abs=0.01)


def test_a_worse_player_never_scores_more() -> None:
    values = [
        aim(skill, lambda bed: bed.points).value for skill in (1, 2, 3, 5, 8, 12, 16, 20, 30, 45, 60, 80, 100, 120)
    ]
    assert all(better > worse for better, worse in pairwise(values))


def test_equals_are_decided_by_the_order_of_the_spots() -> None:
    spot, value = best(spots(10), lambda bed: 1.0)
    assert spot.target is INNER_BULL
    assert value == pytest.approx(1.0)
