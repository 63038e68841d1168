"""Races and handicaps in games of the kit: what some players begin with is what its words say."""

from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.system.catalogue import faces
from engine.games import GAMES
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.options import PerPlayer
from engine.play import apply
from engine.random_play import played_on
from engine.refusals import Refusal
from engine.statistics import statistics_of, visits
from tests.games.formats import NAMES
from tests.games.setups import face_of

RACES: Final = {
    "nine_lives": 4,
    "grand_national": 9,
    "steeplechase": 4,
    "prisoner": 13,
    "round_the_clock": 4,
    "chase_the_dragon": "T13",
}
"""What is next after three targets."""


def players(game: str, number: int, handicap: dict[str, int]) -> list[dict[str, Any]]:
    """What the first view of a match of some players says of each."""
    opened = open_match(Header(game, NAMES[:number], {"handicap": handicap}, NEWEST), GAMES, faces())
    assert not isinstance(opened, Refusal), opened
    found: list[dict[str, Any]] = opened.view(None)["players"]
    return [player for player in found if not player.get("house")]


def most(game: str) -> int:
    kind = next(option.kind for option in GAMES[game].options if option.name == "handicap")
    assert isinstance(kind, PerPlayer)
    return kind.high


@pytest.mark.parametrize("game", RACES)
def test_a_head_start_in_a_race_is_targets_done(game: str) -> None:
    ahead, usual = players(game, 2, {NAMES[0]: 3})
    assert (ahead["score"], usual["score"]) == (3, 0)
    assert ahead["next"] == RACES[game]
    assert ahead.get("lives") == usual.get("lives"), "a race with lives gives no more of them"


@pytest.mark.parametrize("game", RACES)
def test_the_longest_head_start_leaves_something_to_hit(game: str) -> None:
    ahead, _ = players(game, 2, {NAMES[0]: most(game)})
    assert "next" in ahead


@pytest.mark.parametrize(("handicap", "reason"), [({NAMES[0]: 3}, "bad_option"), ({}, None)])
def test_a_head_start_that_a_restart_would_take_is_refused(handicap: dict[str, int], reason: str | None) -> None:
    options = {"restart": True, "handicap": handicap}
    opened = open_match(Header("chase_the_dragon", NAMES[:2], options, NEWEST), GAMES, faces())
    assert (opened.reason if isinstance(opened, Refusal) else None) == reason


def test_a_head_start_in_slider_is_steps_up() -> None:
    ahead, usual = players("slider", 2, {NAMES[0]: 3})
    assert (ahead["score"], usual["score"]) == (13, 10)


def test_a_head_start_in_hare_and_hounds_is_fields() -> None:
    hare, hound = players("hare_and_hounds", 2, {NAMES[0]: 3})
    assert (hare["score"], hound["score"]) == (3, -1)
    assert (hare["next"], hound["next"]) == (13, 20)


REFUSED: Final[list[tuple[str, dict[str, Any], bool]]] = [
    ("slider", {"handicap": {NAMES[0]: 10}}, False),
    ("slider", {"handicap": {NAMES[0]: 11}}, True),
    ("slider", {"handicap": {NAMES[0]: 11}, "last": "bull"}, False),
    ("slider", {"handicap": {NAMES[0]: 6}, "start": 15}, True),
    ("hare_and_hounds", {"handicap": {NAMES[0]: 19}}, False),
    ("hare_and_hounds", {"handicap": {NAMES[1]: 1}}, True),
    ("hare_and_hounds", {"handicap": {NAMES[1]: 2}, "start": 3}, False),
    ("hare_and_hounds", {"handicap": {NAMES[1]: 3}, "start": 3}, True),
    ("hare_and_hounds", {"handicap": {NAMES[0]: 3, NAMES[1]: 3}}, False),
    ("cricket", {"handicap_points": {NAMES[0]: 3000}}, False),
    ("cricket", {"handicap_points": {NAMES[0]: 5}, "mode": "no-score"}, True),
    ("cricket", {"handicap_points": {NAMES[2]: 5}, "teams": 2}, True),
    ("cerberus", {"handicap": {NAMES[0]: 24}}, False),
    ("cerberus", {"handicap": {NAMES[0]: 25}}, True),
    ("cerberus", {"handicap": {NAMES[0]: 25, NAMES[1]: 1}}, False),
    ("cerberus", {"handicap": {NAMES[0]: 25, NAMES[1]: 1}, "cerberus_points": 4}, True),
    ("dart_wars", {"handicap": {NAMES[0]: 12}}, False),
    ("dart_wars", {"handicap": {NAMES[0]: 13}}, True),
    ("fives", {"handicap": {NAMES[0]: 50}}, False),
    ("fives", {"handicap": {NAMES[0]: 51}}, True),
    ("gotcha", {"handicap": {NAMES[0]: 51}, "target": 51}, True),
    ("football", {"handicap": {NAMES[0]: 9}}, False),
    ("football", {"handicap": {NAMES[0]: 10}}, True),
    ("castle", {"handicap": {NAMES[1]: 15}}, True),
    ("random_cricket", {"handicap": {NAMES[0]: 100}}, False),
    ("random_cricket", {"handicap": {NAMES[0]: 100}, "mode": "no-score"}, True),
]
"""Where a head start must leave something to do."""


@pytest.mark.parametrize(("game", "options", "refused"), REFUSED)
def test_a_head_start_leaves_something_to_do(game: str, options: dict[str, Any], refused: bool) -> None:
    names = NAMES[: 4 if "teams" in options else 2]
    opened = open_match(Header(game, names, options, NEWEST), GAMES, faces())
    assert (opened.reason if isinstance(opened, Refusal) else None) == ("bad_option" if refused else None)


def test_points_in_cricket_are_there_from_the_start() -> None:
    opened = open_match(Header("cricket", NAMES[:2], {"handicap_points": {NAMES[1]: 35}}, NEWEST), GAMES, faces())
    assert not isinstance(opened, Refusal), opened
    assert [player["score"] for player in opened.view(None)["players"]] == [0, 35]


POINTS: Final = [
    name
    for name, game in GAMES.items()
    if any(option.name == "handicap" and "points" in option.help for option in game.options)
]


@pytest.mark.parametrize("game", POINTS)
def test_points_are_there_from_the_start(game: str) -> None:
    ahead, usual = players(game, 2, {NAMES[0]: 3})
    assert ahead["score"] == usual["score"] + 3


@pytest.mark.parametrize("game", POINTS)
@settings(max_examples=3, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_no_score_that_was_given_is_the_best_one(game: str, seed: int) -> None:
    """The best score of a player without a handicap is the one at the end."""
    opened = open_match(Header(game, NAMES[:2], {"handicap": {NAMES[0]: 3}}, NEWEST), GAMES, faces())
    assert isinstance(opened, Match), opened
    match = opened
    for action in played_on(opened, face_of(GAMES[game], {}), Random(seed)).actions:
        after = apply(match, action)
        assert isinstance(after, Match), after
        match = after
    statistics = statistics_of(match.game)
    counted = statistics.count(visits(match), True)
    if "best_score" in statistics.best:
        assert "best_score" in counted[NAMES[1]]
    scores = {player["name"]: player["score"] for player in match.view(None)["players"]}
    for name, most in ((NAMES[0], scores[NAMES[0]] - 3), (NAMES[1], scores[NAMES[1]])):
        assert counted.get(name, {}).get("best_score", most) == most


LIVES: Final = [
    name
    for name, game in GAMES.items()
    if any(option.name == "handicap" and "lives" in option.help for option in game.options)
]


@pytest.mark.parametrize("game", LIVES)
def test_lives_of_ones_own_are_lives(game: str) -> None:
    own, usual = (entry.get("lives", entry["score"]) for entry in players(game, 3, {NAMES[0]: 2})[:2])
    assert own == 2 != usual


def test_secret_lives_are_no_handicap() -> None:
    """In Blind Killer the score is not the lives, which would tell whose a number is."""
    refused = open_match(Header("blind_killer", NAMES[:3], {"handicap": {NAMES[0]: 2}}, NEWEST), GAMES, faces())
    assert isinstance(refused, Refusal)
    assert refused.reason == "unknown_option"


@pytest.mark.parametrize("game", [*RACES, "ludo", "hare_and_hounds"])
def test_a_race_says_how_long_its_course_is(game: str) -> None:
    opened = open_match(Header(game, NAMES[:2], {}, NEWEST), GAMES, faces())
    assert not isinstance(opened, Refusal), opened
    view = opened.view(None)
    assert view["track"] > (most(game) if game in RACES else max(player["score"] for player in view["players"]))
