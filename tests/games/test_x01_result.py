"""X01 says how a leg went: what each visit scored, the figures of the leg and the match, and the winning dart."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Correct
from engine.games.x01 import GAME
from engine.games.x01_state import State
from engine.match import Match, begin
from engine.play import apply
from engine.random_play import random_match
from engine.refusals import Refusal
from engine.result import decided
from engine.segments import SEGMENTS
from engine.statistics import visits
from tests.games.test_x01 import played

NINE = ("T20", "T20", "T20", "/", "S5", "S1", "S20", "/", "T20", "T20", "T20", "/", "MISS", "MISS", "MISS", "/")
OUT = ("T20", "T19", "D12")


def test_the_winning_dart_gives_the_result_before_next() -> None:
    result = played({}, *NINE, *OUT).view()["result"]
    assert result | {"players": None} == {
        "of": "match",
        "winners": ["Ann"],
        "bed": "D12",
        "points": 24,
        "checkout": 141,
        "leg_darts": 9,
        "players": None,
    }
    ann, bob = result["players"]
    assert (ann["visits"], bob["visits"]) == ([180, 180, 141], [26, 0])
    assert (ann["average"], ann["first_nine"], ann["best_visit"]) == (167.0, 167.0, 180)
    assert (ann["checkout_hits"], ann["checkout_darts"], ann["checkout_rate"]) == (1, 1, 100.0)
    assert (bob["checkout_darts"], "checkout_rate" in bob) == (0, False)


def test_the_result_stays_when_next_ends_the_match_and_goes_with_the_next_leg() -> None:
    over = played({}, *NINE, *OUT, "/")
    assert over.view()["result"]["of"] == "match"
    more = played({"legs": 2}, *NINE, *OUT)
    assert more.view()["result"]["of"] == "leg"
    assert "result" not in played({"legs": 2}, *NINE, *OUT, "/").view()


@pytest.mark.parametrize(("legs", "sets", "of"), [(1, 1, "match"), (1, 2, "set"), (2, 1, "leg"), (2, 2, "leg")])
def test_a_leg_is_a_set_or_the_match_where_it_ends_one(legs: int, sets: int, of: str) -> None:
    assert played({"legs": legs, "sets": sets}, *NINE, *OUT).view()["result"]["of"] == of


def test_a_bust_counts_its_darts_and_not_its_points() -> None:
    view = played({"start": 101}, "T20", "S1", "T20").view()
    ann = view["players"][0]
    assert (ann["visits"], ann["darts"], ann["average"], ann["best_visit"]) == ([0], 3, 0.0, 0)
    assert ann["checkout_darts"] == 1, "40 was left for the third dart"


def test_a_corrected_winning_dart_takes_the_result_back() -> None:
    match = apply(played({}, *NINE, *OUT), Correct(3, SEGMENTS["S12"]))
    assert isinstance(match, Match)
    assert "result" not in match.view()
    assert decided(match) is None


def test_the_figures_of_the_match_are_those_of_all_its_legs() -> None:
    leg = ("T20", "S1", "D20", "/")
    view = played({"start": 101, "legs": 4}, *leg, "T20", "MISS", "MISS", "/", *leg, *leg[:3]).view()
    ann = view["result"]["players"][0]
    assert view["result"]["of"] == "leg"
    assert (ann["darts"], view["players"][0]["darts"]) == (3, 9)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32), legs=st.integers(1, 2), teams=st.sampled_from((None, 2)))
def test_the_live_figures_are_those_of_the_statistics(seed: int, legs: int, teams: int | None) -> None:
    options: dict[str, Any] = {"start": 101, "out": "open", "legs": legs} | ({"teams": teams} if teams else {})
    record = random_match(GAME, ("Ann", "Bob"), options, None, Random(seed))
    match = begin(record.header, GAME, record.begun)
    for action in record.actions:
        before = decided(match)
        outcome = apply(match, action)
        assert not isinstance(outcome, Refusal)
        match = outcome
        assert before is None or match.finished or decided(match) in (before, None)
    assert isinstance(match.state, State)
    counted = GAME.statistics().count(visits(match), True)
    for player in match.view()["players"]:
        shown = GAME.statistics().show(counted.get(player["name"], {"darts": 0}))
        for key in ("average", "first_nine", "best_visit", "checkout_rate", "darts"):
            if key in shown:
                assert player[key] == shown[key], key
