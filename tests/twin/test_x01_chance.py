"""The chance to win in X01 by the visits that everybody needs: against chances found in another way."""

from random import Random
from typing import Any, Final

import numpy as np
import pytest

from daemon.session.rollouts import count, counting
from daemon.system.catalogue import faces, games
from engine.actions import GameAction, Next
from engine.match import Header, Match
from engine.matchfile import open_match
from tests.thrown_match import thrown_match
from tests.twin.x01_duels import played_duel
from twin import x01_match
from twin.hand import Hand
from twin.x01_chance import Player, Standing, leg_chances, match_chances, player_of, visits_to_finish
from twin.x01_duel import visit_ends
from twin.x01_match import X01Chances

HIGHEST: Final = 61
"""Few scores, so that a hand is solved within a second."""
HANDS: Final = {"Ann": 12.0, "Bob": 30.0}


@pytest.fixture(scope="module")
def players() -> list[Player]:
    return [player_of(Hand(mm, mm), "double", False, HIGHEST) for mm in HANDS.values()]


@pytest.fixture(scope="module")
def chances() -> X01Chances:
    """Solved up to a score from which only points count, more or less."""
    return X01Chances(81)


def test_a_leg_of_two_is_as_both_scores_say(players: list[Player]) -> None:
    """Solved over pairs of scores, where this is found from the visits of each player alone."""
    ann, bob = players
    mine, theirs = (visit_ends(each.policy, each.odds, "double") for each in players)
    duel = played_duel(mine, theirs, 2)
    by_ann, by_bob = (visits_to_finish(each, HIGHEST) for each in players)
    for left, other in ((2, 2), (40, 2), (61, 61), (3, 50), (32, 60)):
        first, second = leg_chances([by_ann[:, left], by_bob[:, other]])
        assert first == pytest.approx(duel.throwing[left, other], abs=1e-4)
        assert first + second == pytest.approx(1.0)
        _, waiting = leg_chances([by_bob[:, other], by_ann[:, left]])
        assert waiting == pytest.approx(duel.waiting[left, other], abs=1e-4)
    assert ann.solved == bob.solved == HIGHEST


def test_the_end_of_a_visit_is_the_sum_of_its_darts(players: list[Player]) -> None:
    ann = players[0]
    for before, left, darts in ((60, 60, 3), (60, 20, 1), (41, 40, 2), (90, 70, 2), (200, 120, 1), (200, 200, 3)):
        ends = ann.after(before, left, darts)
        assert ends.sum() == pytest.approx(1.0)
        assert ends.shape == (before + 1,)
    # The last dart at double 10: done, or a bust, or what another bed leaves.
    assert ann.after(60, 20, 1)[0] > 0.2
    assert ann.after(60, 20, 1)[60] > 0.0


def test_who_throws_earlier_wins_a_tie_of_visits() -> None:
    done = np.array([0.0, 1.0])
    assert leg_chances([done, done, done]) == [1.0, 0.0, 0.0]
    assert leg_chances([np.array([0.0, 0.5, 1.0]), done]) == [0.5, 0.5]
    # Nobody ever finishes: all share it.
    never = np.array([0.0, 0.0])
    assert leg_chances([never, never]) == [0.5, 0.5]


def test_legs_make_sets_and_sets_the_match() -> None:
    even = [[0.5, 0.5], [0.5, 0.5]]
    assert match_chances([1.0, 0.0], even, Standing((0, 0), (0, 0), 0), 1, 1) == [1.0, 0.0]
    assert match_chances([0.5, 0.5], even, Standing((1, 0), (0, 0), 1), 2, 1) == [0.75, 0.25]
    assert match_chances([1.0, 0.0], even, Standing((1, 0), (0, 0), 1), 2, 2) == [0.75, 0.25]
    # Whoever begins wins the leg: the player of the first one.
    begins = [[1.0, 0.0], [0.0, 1.0]]
    assert match_chances(begins[0], begins, Standing((0, 0), (0, 0), 0), 3, 1) == [1.0, 0.0]
    assert match_chances([0.5, 0.5], even, Standing((0, 0), (0, 0), 0), 99, 99) is None


def after(options: dict[str, Any], *actions: GameAction | str) -> Match:
    return thrown_match("x01", tuple(HANDS), {"start": 101, **options}, *actions, rules=1)


@pytest.mark.parametrize(
    ("options", "actions"),
    [
        ({}, ()),
        ({"handicap": {"Ann": 301}}, ("T20", "S1")),
        ({"legs": 2}, ("T20", "S1", "D20", Next())),
        ({"legs": 2}, ("T20", "S1", "D20")),
        ({"legs": 2, "sets": 2}, ("T20", Next(), "T20", "S1", "S1")),
    ],
)
def test_a_match_is_as_when_it_is_played_out(
    chances: X01Chances, options: dict[str, Any], actions: tuple[GameAction | str, ...]
) -> None:
    """Played by the game's own advice, which costs these hands little. 400 matches are right within 7 %."""
    match = after(options, *actions)
    found = chances.of(match.state, HANDS)
    assert found is not None
    played = counting(match.view())
    count(match.game, match.state, HANDS, played, Random(5), lambda number: number < 400)
    assert found == pytest.approx(played.chances(), abs=0.08)


def test_the_oldest_tables_go(chances: X01Chances, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a change of what is found."""
    begun = after({"handicap": {"Ann": 301}}, "T20")
    hands = [{"Ann": 12.0, "Bob": 30.0}, {"Ann": 12.0, "Bob": 25.0}, {"Ann": 12.0, "Bob": 30.0}]
    expected = [chances.of(begun.state, each) for each in hands]
    whole = max(table.nbytes for table in chances._waits.values())
    monkeypatch.setattr(x01_match, "MOST_BYTES", whole)
    monkeypatch.setattr(x01_match, "MOST_COLUMNS", 2)
    small = X01Chances(81)
    for each, chance in zip(hands, expected, strict=True):
        assert small.of(begun.state, each) == chance
        assert sum(table.nbytes for table in small._waits.values()) <= whole
        assert all(column.base is None for column in small._columns.values())
        assert len(small._columns) <= 2


def test_a_match_that_is_won_is_certain(chances: X01Chances) -> None:
    won = after({}, "T20", "S1", "D20")
    assert chances.of(won.state, HANDS) == {"Ann": 1.0, "Bob": 0.0}
    assert chances.of(after({}, "T20", "S1", "D20", Next()).state, HANDS) is None


@pytest.mark.parametrize("options", [{"in": "double"}, {"teams": 1}])
def test_what_is_not_computed_is_left_to_be_played_out(chances: X01Chances, options: dict[str, Any]) -> None:
    match = open_match(Header("x01", tuple(HANDS), options), games(), faces())
    if isinstance(match, Match):
        assert chances.of(match.state, HANDS) is None
