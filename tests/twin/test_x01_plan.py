"""A plan that was written is read as it was solved, and anything else is refused."""

import zlib
from array import array
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twin.hand import Hand
from twin.x01_plan import Plan, pack, unpack
from twin.x01_plan_solver import with_answers
from twin.x01_policy import Policy, solve

HAND, HIGHEST = Hand(14, 14), 40


@pytest.fixture(scope="module")
def solved() -> tuple[Plan, Policy]:
    policy = solve(HAND, highest=HIGHEST)
    return with_answers(HAND, policy, (), "double", False), policy


def test_a_plan_is_read_as_it_was_written(solved: tuple[Plan, Policy]) -> None:
    found, policy = solved
    again = unpack(pack(found))
    assert again == found
    for before in range(2, HIGHEST + 1):
        for darts in (1, 2, 3):
            for left in range(max(2, before - 60 * (3 - darts)), before + 1):
                assert again.aim(left, before, darts) == policy.aim(left, before, darts)
    assert again.visits == tuple(policy.visits[0])
    assert again.visits_from(HIGHEST + 300) == again.visits[-1]
    # From a higher score than any in the plan, as from the highest.
    assert again.aim(HIGHEST + 300, HIGHEST + 400, 2) == policy.aim(HIGHEST, HIGHEST, 2)


def test_the_opponent_changes_the_aim(solved: tuple[Plan, Policy]) -> None:
    found, _ = solved
    assert list(found.opponents) == sorted(found.opponents)
    assert len(found.answers) == len(found.opponents) > 1
    # Each answer aims at another point of its own.
    answers = tuple(
        replace(found.alone, free=array("H", [at] * len(found.alone.free))) for at in range(len(found.opponents))
    )
    plan_of_points = replace(found, answers=answers)
    for at, opponent in enumerate(found.opponents):
        assert plan_of_points.aim(30, 30, 3, opponent) == found.points[at]
    assert plan_of_points.aim(30, 30, 3, 1e9) == found.points[len(answers) - 1]
    # Alone, and from scores above those of the answers, for the fewest visits.
    assert plan_of_points.aim(30, 30, 3) == found.aim(30, 30, 3)
    assert plan_of_points.aim(HIGHEST, HIGHEST + 1, 2, 1e9) == found.aim(HIGHEST, HIGHEST + 1, 2)


@given(st.integers(0), st.integers(0, 255))
@settings(max_examples=50, deadline=None)
def test_damaged_bytes_are_no_plan(solved: tuple[Plan, Policy], at: int, value: int) -> None:
    whole = pack(solved[0])
    damaged = bytearray(whole)
    damaged[at % len(whole)] = value
    assert unpack(bytes(damaged)) in (None, solved[0])
    assert unpack(whole[: at % len(whole)]) is None


@pytest.mark.parametrize(
    "head",
    [b"", b"[]", b"{}", b'{"version": 1}',
     b'{"version": 1, "points": [1], "visits": [1], "opponents": [], "tables": []}',
     b'{"version": 1, "points": [[0, 0]], "visits": [1], "opponents": [], "tables": [[4, 61, 122]]}',
     b'{"version": 1, "points": [[0, 0]], "visits": [1], "opponents": [], "tables": [[-4, -61, -121]]}',
     b'{"version": 0, "points": [[0, 0]], "visits": [1], "opponents": [], "tables": []}'],
)  # fmt: skip
def test_other_contents_are_no_plan(head: bytes) -> None:
    assert unpack(zlib.compress(head + b"\n")) is None
    assert unpack(zlib.compress(head + b"\n" + bytes(100))) is None
