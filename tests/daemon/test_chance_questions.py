"""The chance to win, asked for one state: who has the better one, what has none, and how much work it may be."""

import json
from random import Random
from typing import Any, Final

import pytest

from daemon.session.chance_process import FEWEST, LONGEST_SECONDS, MOST, SECONDS, Chances, enough
from daemon.session.live_chance import question
from daemon.session.rollouts import can_be_counted, count, counting
from engine.actions import GameAction, Next
from engine.match import Match
from tests.thrown_match import thrown_match

HANDS: Final = {"Rex": 25.0, "Max": 25.0}


def after(game: str, options: dict[str, Any], *actions: GameAction | str) -> Match:
    return thrown_match(game, tuple(HANDS), options, *actions, rules=1)


def asked(match: Match, hands: dict[str, float] | None = None) -> dict[str, Any]:
    """The question about a match, as the process reads it."""
    found: dict[str, Any] = json.loads(json.dumps(question(match.header.to_json(), match.state, hands or HANDS)))
    return found


def test_who_is_about_to_win_has_the_better_chance() -> None:
    ahead = after("count_up", {}, *(["T20"] * 3 + [Next()] + ["S1"] * 3 + [Next()]) * 7)
    chance = Chances(Random(1)).answer(asked(ahead))["chance"]
    assert chance["Rex"] > 0.99
    assert sum(chance.values()) == pytest.approx(1.0, abs=0.002)


def test_the_better_hand_has_the_better_chance() -> None:
    match = after("count_up", {})
    chance = Chances(Random(1)).answer(asked(match, {"Rex": 40.0, "Max": 12.0}))["chance"]
    assert chance["Max"] > 0.95


def test_a_question_that_is_void_has_no_answer() -> None:
    assert Chances(Random(1)).answer(asked(after("count_up", {})), lambda: True) == {}


MEDLEY: Final = [{"game": "count_up"}, {"game": "hidden_cricket"}, {"game": "dards"}]


@pytest.mark.parametrize(
    ("game", "options"),
    [("dards", {}), ("dards", {"best_of": 3}), ("medley", {"legs": MEDLEY})],
    ids=["one leg", "best of 3", "medley"],
)
def test_a_game_whose_secrets_cannot_be_drawn_again_has_no_chance(game: str, options: dict[str, Any]) -> None:
    """It would tell everybody who holds the better cards."""
    match = after(game, {"order": "listed", **options})
    assert not can_be_counted(match.game)
    assert Chances(Random(1)).answer(asked(match)) == {}


def test_secrets_are_drawn_again_for_each_match() -> None:
    match, found = after("hidden_cricket", {}), Random(1)
    counted = counting(match.view())
    assert can_be_counted(match.game)
    assert not match.all_public
    count(match.game, match.state, HANDS, counted, found, lambda played: played < 4)
    assert counted.matches == 4


def test_sides_share_what_they_win_together() -> None:
    sides = [{"name": "Rex", "team": 1}, {"name": "Max", "team": 2}, {"name": "Ann", "team": 1}]
    teams = counting({"players": sides})
    shared: tuple[tuple[str, ...], ...] = (("Rex", "Ann"), ("Rex", "Ann", "Max"), ())
    for winners in shared:
        teams.add(winners)
    assert teams.chances() == pytest.approx({"Rex": 0.5, "Ann": 0.5, "Max": 0.25})
    against = counting({"players": [{"name": "Rex"}, {"name": "Max"}, {"name": "Boss", "house": True}]})
    beaten: tuple[tuple[str, ...], ...] = (("Rex", "Max"), ("Boss",), ("Rex", "Max"))
    for winners in beaten:
        against.add(winners)
    assert against.chances() == pytest.approx({"Rex": 2.5 / 4, "Max": 2.5 / 4})


def test_a_match_without_an_end_is_shared() -> None:
    found = counting({"players": [{"name": "Rex"}, {"name": "Max"}]})
    found.add(None)
    assert found.chances() == {"Rex": 0.5, "Max": 0.5}


@pytest.mark.parametrize(
    ("played", "seconds", "goes_on"),
    [
        (0, LONGEST_SECONDS - 0.1, True),
        (FEWEST - 1, SECONDS + 0.1, True),
        (FEWEST, SECONDS + 0.1, False),
        (FEWEST - 1, LONGEST_SECONDS, False),
        (MOST - 1, 0.0, True),
        (MOST, 0.0, False),
    ],
)
def test_the_work_is_bounded(played: int, seconds: float, goes_on: bool) -> None:
    assert enough(10.0, lambda: 10.0 + seconds)(played) is goes_on
