"""The chance to win a match of Cricket: in a leg, after a turn, and over several legs."""

from random import Random
from typing import Any, Final

import pytest

pytest.importorskip("numpy")

from daemon.session.cricket_chance import PART_OF_LEGS, Asked, cricket_chance
from daemon.session.rollouts import count, counting
from engine.actions import GameAction, Next
from engine.match import Match
from tests.thrown_match import thrown_match

HANDS: Final = {"Ann": 22.0, "Bob": 20.0}
MOST: Final = 8_000
CLOSED: Final = ("T20", "T19", "T18", "T17", "T16", "T15", "DB", "SB")
"""The darts with which a player closes everything."""


def after(options: dict[str, Any], *actions: GameAction | str, players: tuple[str, ...] = ("Ann", "Bob")) -> Match:
    return thrown_match("cricket", players, options, *actions)


def won_by(at: int, *, more: tuple[GameAction, ...] = (Next(),)) -> tuple[GameAction | str, ...]:
    """A leg that the player at this place in the order of play wins, with the last turn not closed."""
    turns = [CLOSED[:3], CLOSED[3:6], CLOSED[6:]]
    other = ("S1", "S1", "S1", Next())
    found: list[GameAction | str] = []
    for turn in turns:
        found += [*(other if at else ()), *turn, *(Next(), *(() if at else other))]
    while found[-1] != "SB":
        found.pop()
    return (*found, *more)


def chance(match: Match, most: int = MOST, bots: tuple[str, ...] = ()) -> float:
    """The chance of Ann."""
    found = cricket_chance(match, Asked(HANDS, frozenset(bots), most, most))
    assert found is not None
    assert abs(sum(found.chance.values()) - 1) < 1e-9
    return found.chance["Ann"]


def test_several_legs_follow_from_the_legs() -> None:
    """By hand: who begins the first of three legs begins the third one, too."""
    begins = chance(after({}), MOST // PART_OF_LEGS)
    follows = chance(after({}, players=("Bob", "Ann")), MOST // PART_OF_LEGS)
    of_three = begins * follows + begins * (1 - follows) * begins + (1 - begins) * follows * begins
    assert chance(after({"best_of": 3})) == pytest.approx(of_three, abs=1e-9)
    assert chance(after({"best_of": 3}, *won_by(1))) == pytest.approx(follows * begins, abs=1e-9)
    first_to_two = after({"best_of": {"legs": 2}}, *won_by(0))
    assert chance(first_to_two) == pytest.approx(follows + (1 - follows) * begins, abs=1e-9)


@pytest.mark.parametrize("won", [(), won_by(0), won_by(1), (*won_by(1), "T20", "T19")])
def test_it_is_the_share_of_the_matches_that_are_won(won: tuple[GameAction | str, ...]) -> None:
    match, matches = after({"best_of": 3}, *won), 120
    found = counting(match.view())
    count(match.game, match.state, HANDS, found, Random(3), lambda played: played < matches)
    assert abs(found.chances()["Ann"] - chance(match)) < 3.5 * (0.25 / matches) ** 0.5


def test_a_turn_that_waits_for_next_has_the_chance_of_what_follows() -> None:
    for options in ({}, {"best_of": 3}):
        thrown = after(options, "T20", "S1", "S1")
        closed = after(options, "T20", "S1", "S1", Next())
        assert chance(thrown) == chance(closed)
    assert chance(after({"best_of": 3}, *won_by(0, more=()))) == chance(after({"best_of": 3}, *won_by(0)))
    assert chance(after({}, *won_by(0, more=()))) == 1.0


def test_a_bot_counts_as_what_it_has_learned_in_each_leg() -> None:
    match = after({"best_of": 3})
    assert chance(match, bots=("Ann",)) > chance(match) + 0.02


def test_the_error_is_that_of_the_legs() -> None:
    """Four times as many matches of each leg halve it."""
    match = after({"best_of": 3}, "T20", "S1", "S1", Next())
    few, many = (cricket_chance(match, Asked(HANDS, frozenset(), most, most)) for most in (MOST, 4 * MOST))
    assert few is not None
    assert many is not None
    assert 1.9 < few.error / many.error < 2.1
    assert abs(few.chance["Ann"] - many.chance["Ann"]) < 4 * few.error


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "cut-throat"},
        {"best_of": 2},
        {"best_of": 4},
        {"best_of": {"legs": 3, "start": "loser"}},
        {"best_of": {"legs": 2, "sets": 2}},
        {"best_of": {"legs": 99}},
        {"best_of": 3, "mode": "no-score"},
    ],
)
def test_other_rules_are_left_to_play(options: dict[str, Any]) -> None:
    assert cricket_chance(after(options), Asked(HANDS, frozenset(), MOST, MOST)) is None


def test_teams_are_left_to_play_also_when_one_has_won() -> None:
    four = ("Ann", "Bob", "Cid", "Dee")
    won = after({"teams": 2}, *won_by(0, more=()), players=four)
    assert won.turn.awaits == "next"
    assert cricket_chance(won, Asked(dict.fromkeys(four, 20.0), frozenset(), MOST, MOST)) is None


def test_other_games_are_left_to_play() -> None:
    match = thrown_match("count_up", ("Ann", "Bob"), {"best_of": 3})
    assert cricket_chance(match, Asked(HANDS, frozenset(), MOST, MOST)) is None
