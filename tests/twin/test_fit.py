"""A hand is found again from its darts, within the error that the fit states."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.segments import SEGMENTS
from tests.twin.thrower import MIX, Thrower, point_of
from twin.fit import Fit, Thrown, fit
from twin.hand import FINEST_MM, Hand

HANDS = (Hand(9, 12, 0.3, 2, -1), Hand(20, 16, -0.4, -3, 4), Hand(35, 45, 0.5, 6, -8), Hand(60, 55, 0, 0, 0))
NAMES = ("x_mm", "y_mm", "tilt", "right_mm", "up_mm")


def fitted(thrown: list[Thrown]) -> Fit:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("twin.fit.MOST_ROUNDS", 0)
        start = fit(thrown)
    found = fit(thrown)
    assert start is not None
    assert found is not None
    assert found.likelihood >= start.likelihood - 1e-9
    return found


@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_a_hand_is_found_again(hand: Hand) -> None:
    found = fitted(Thrower(hand, seed=1).evening(3000))
    for name in NAMES:
        true, value, error = (getattr(one, name) for one in (hand, found.hand, found.error))
        assert abs(value - true) < 4 * error, (name, value, error)
    # 3,000 darts tell each axis to some percent.
    assert found.error.x_mm < 0.05 * hand.x_mm
    assert found.error.y_mm < 0.05 * hand.y_mm


def test_the_error_is_what_hands_are_off_by() -> None:
    """Of 20 evenings, nine in ten lie within 1.645 standard errors on average."""
    within = dict.fromkeys(NAMES, 0)
    hand = HANDS[1]
    for seed in range(20):
        found = fitted(Thrower(hand, seed).evening(300))
        for name in NAMES:
            true, value, error = (getattr(one, name) for one in (hand, found.hand, found.error))
            within[name] += abs(value - true) < 1.645 * error
    assert min(within.values()) >= 15, within


@given(
    st.lists(st.tuples(st.sampled_from(MIX), st.sampled_from([*SEGMENTS]), st.integers(1, 50)), min_size=1, max_size=12)
)
@settings(max_examples=12, deadline=None)
def test_any_darts_have_a_hand(darts: list[tuple[str, str, int]]) -> None:
    """Darts that nobody throws, too: the fit ends, and with no lower likelihood than it began with."""
    found = fitted([Thrown((point_of(aim),), SEGMENTS[bed], count) for aim, bed, count in darts])
    assert found.darts == sum(count for _, _, count in darts)
    assert found.hand.x_mm >= FINEST_MM
    assert found.hand.y_mm >= FINEST_MM
    assert all(math.isfinite(getattr(found.hand, name)) and getattr(found.error, name) >= 0 for name in NAMES)


def test_without_darts_there_is_no_hand() -> None:
    assert fit([]) is None
    assert fit([Thrown((point_of("T20"),), SEGMENTS["T20"], 0)]) is None


def test_an_aim_that_is_unsure_is_found_as_well() -> None:
    """A player who aims at 19 although the advice of every second skill is 20."""
    thrown = [
        Thrown((point_of("T20"), point_of("T19")), dart.bed, dart.count)
        for dart in Thrower(HANDS[1], seed=3).evening(1000, ["T19"])
    ]
    found = fitted(thrown)
    assert found.ways[1] > 0.95
    assert abs(found.hand.x_mm - HANDS[1].x_mm) < 4 * found.error.x_mm


def test_strays_do_not_widen_a_hand() -> None:
    """One dart in fifty bounces off, which the board reports as a miss."""
    evening = Thrower(Hand(10, 10), seed=5).evening(980)
    found = fitted([*evening, Thrown((point_of("T20"),), SEGMENTS["MISS"], 20)])
    assert found.hand.x_mm == pytest.approx(10, rel=0.1)
    assert found.stray > 0.01


def test_boards_without_inner_singles_tell_as_much_as_they_can() -> None:
    hand = HANDS[1]
    plain = [
        Thrown(dart.aims, SEGMENTS[dart.bed.text.replace("SI", "S").replace("SO", "S")], dart.count)
        for dart in Thrower(hand, seed=2).evening(3000)
    ]
    found = fitted(plain)
    assert abs(found.hand.y_mm - hand.y_mm) < 4 * found.error.y_mm
