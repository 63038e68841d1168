"""Cricket: marks, averages, and the advice."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Next, Throw
from engine.conformance import start
from engine.games.cricket import GAME
from engine.games.cricket_advice import aim_at_marks
from engine.match import Match
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from engine.statistics import rate

NUMBERS = (20, 19, 18, 17, 16, 15, 25)
NOTHING = (0, (0,) * 7)


def played(options: dict[str, object], words: str, players: tuple[str, ...] = ("Ann", "Bob")) -> Match:
    match = start(GAME, players, options)
    assert not isinstance(match, Refusal)
    for word in words.split():
        outcome = apply(match, Next() if word == "/" else Throw(SEGMENTS[word]))
        assert not isinstance(outcome, Refusal), (word, outcome)
        match = outcome
    return match


@settings(max_examples=200, deadline=None, derandomize=True)
@given(counted=st.integers(0, 1000), rounds=st.integers(1, 1000))
def test_marks_per_round_are_rounded_to_two_decimals(counted: int, rounds: int) -> None:
    found = rate(counted, rounds)
    assert abs(found - counted / rounds) <= 0.005 + 1e-9
    assert found == round(found, 2)
    assert rate(1, 8) == 0.13  # 0.125


def test_the_score_event_has_points_and_marks() -> None:
    outcome = apply(played({}, "T20 T20"), Throw(SEGMENTS["T19"]))
    assert not isinstance(outcome, Refusal)
    assert [(event.kind, dict(event.data)) for event in outcome.events] == [
        ("dart", {"player": "Ann", "dart": "T19", "marks": 3, "points": 0}),
        ("score", {"player": "Ann", "points": 60, "marks": 9, "score": 60}),
        ("award", {"player": "Ann", "award": "nine_marks", "points": 60}),
    ]


def test_the_round_event_names_the_round() -> None:
    outcome = apply(played({}, "T20 / S1"), Next())
    assert not isinstance(outcome, Refusal)
    assert [event.kind for event in outcome.events] == ["score", "round", "turn"]


def test_highest_visit_is_nine_marks() -> None:
    assert played({}, "T20 T20 T20").view()["players"][0]["mpr"] == 9.0


@pytest.mark.parametrize("mode", ["standard", "cut-throat", "no-score"])
def test_advice_begins_with_the_highest_number(mode: str) -> None:
    assert aim_at_marks(8, mode, NUMBERS, NOTHING, (NOTHING,)).target == "T20"


def test_advice_avoids_what_all_have_closed() -> None:
    mine = (0, (3, 3, 3, 3, 3, 3, 1))
    aim = aim_at_marks(8, "standard", NUMBERS, mine, (mine,))
    assert aim.target == "DB"


def test_advice_scores_when_behind() -> None:
    mine, other = (0, (3, 0, 0, 0, 0, 0, 0)), (100, (0, 2, 0, 0, 0, 0, 0))
    assert aim_at_marks(8, "standard", NUMBERS, mine, (other,)).target == "T20"


def test_advice_closes_first_what_the_other_scores_on() -> None:
    mine, other = (0, (3, 0, 0, 0, 0, 0, 0)), (100, (0, 3, 0, 0, 0, 0, 0))
    assert aim_at_marks(8, "standard", NUMBERS, mine, (other,)).target == "T19"


def test_advice_closes_when_ahead() -> None:
    mine, other = (100, (3, 0, 0, 0, 0, 0, 0)), (0, (0, 3, 0, 0, 0, 0, 0))
    assert aim_at_marks(8, "standard", NUMBERS, mine, (other,)).target == "T19"


def test_advice_without_scoring_never_aims_at_what_is_closed() -> None:
    mine = (0, (3, 3, 0, 3, 3, 3, 3))
    assert aim_at_marks(8, "no-score", NUMBERS, mine, (NOTHING,)).target == "T18"


@pytest.mark.parametrize("mode", ["standard", "cut-throat", "no-score"])
@pytest.mark.parametrize("players", [1, 2, 4])
def test_players_who_hit_what_is_advised_come_to_an_end(mode: str, players: int) -> None:
    names = ("Ann", "Bob", "Cid", "Dee")[:players]
    match = played({"mode": mode, "rounds": 0}, "", names)
    for _ in range(400):
        if match.finished:
            break
        advice = GAME.advice(match.state, 3.0)
        action = advice.action or Throw(SEGMENTS[advice.aim.target if advice.aim else "MISS"])
        outcome = apply(match, action)
        assert not isinstance(outcome, Refusal)
        match = outcome
    assert match.finished
