"""The chance to win Yatzy-Dart from sheets that each player fills alone."""

from math import sqrt
from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.session.rollouts import Computed, next_action, play_out
from daemon.session.yatzy_chance import YatzyChance, alone, share_of_first
from daemon.system.catalogue import faces, games
from engine.game import Step
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match

HANDS: Final = {"Ann": 8.0, "Bob": 30.0}
totals = st.lists(st.integers(0, 20), min_size=1, max_size=30)


def opened(handicap: dict[str, int], *players: str) -> Match:
    options = {"handicap": handicap} if handicap else {}
    match = open_match(Header("yatzy_dart", players or ("Ann", "Bob"), options, NEWEST), games(), faces())
    assert isinstance(match, Match), match
    return match


def test_each_player_fills_their_sheet_as_if_alone() -> None:
    """A match by the rules and the advice: what a player does and gets is the same without the other."""
    match, random = opened({"Bob": 40}), Random(5)
    state, own = match.state, {seat: alone(match.state, seat) for seat in (0, 1)}
    while match.game.winners(state) is None:
        action, seat = next_action(match.game, state, HANDS, random), state.player
        skill_mm = HANDS[state.players[seat]]
        assert match.game.advice(own[seat], skill_mm) == match.game.advice(state, skill_mm)
        together, apart = match.game.apply(state, action), match.game.apply(own[seat], action)
        assert isinstance(together, Step) and isinstance(apart, Step)
        state, own[seat] = together.state, apart.state
    for seat, given_points in ((0, 0), (1, 40)):
        assert own[seat].finished
        assert own[seat].seats[0].sheet.total + given_points == state.seats[seat].sheet.total


@given(totals, totals)
def test_every_total_of_one_is_compared_with_every_one_of_the_other(first: list[int], second: list[int]) -> None:
    pairs = [(one, other) for one in first for other in second]
    share, error = share_of_first(first, second)
    assert share == pytest.approx(sum((one > other) + (one == other) / 2 for one, other in pairs) / len(pairs))
    back, same = share_of_first(second, first)
    assert back == pytest.approx(1 - share)
    assert same == pytest.approx(error)


@given(st.integers(0, 2**32), st.integers(-5, 15))
@settings(max_examples=20, deadline=None)
def test_the_error_is_that_of_the_share(seed: int, ahead: int) -> None:
    """Fifty draws spread around the chance as much as their stated error, within what fifty can tell."""
    random = Random(seed)

    def drawn(mean: float) -> list[int]:
        return [round(random.gauss(mean, 20.0)) for _ in range(60)]

    found = [share_of_first(drawn(ahead), drawn(0)) for _ in range(50)]
    mean = sum(share for share, _ in found) / 50
    spread = sqrt(sum((share - mean) ** 2 for share, _ in found) / 49)
    stated = sqrt(sum(error**2 for _, error in found) / 50)
    assert 0.6 < spread / stated < 1.5


def test_the_same_sheets_serve_for_every_handicap() -> None:
    chance = YatzyChance(Random(3), 12, lambda _part: False)
    found = {points: chance.of(opened({"Bob": points} if points else {}), HANDS) for points in (0, 60, 200, 500)}
    shares = [each.chance["Ann"] for each in found.values() if isinstance(each, Computed)]
    assert len(shares) == 4 and shares == sorted(shares, reverse=True)
    assert shares[0] > 0.5 > shares[-1]


def test_where_time_is_over_a_sheet_of_each_is_compared() -> None:
    found = YatzyChance(Random(3), 1000, lambda _part: True).of(opened({}), HANDS)
    assert found is not None and set(found.chance) == {"Ann", "Bob"}


def test_matches_of_one_or_three_and_other_games_are_played_out() -> None:
    chance = YatzyChance(Random(3), 1, lambda _part: False)
    assert chance.of(opened({}, "Ann"), HANDS) is None
    assert chance.of(opened({}, "Ann", "Bob", "Cy"), HANDS) is None
    count_up = open_match(Header("count_up", ("Ann", "Bob"), {}, NEWEST), games(), faces())
    assert isinstance(count_up, Match)
    assert chance.of(count_up, HANDS) is None
    assert play_out(count_up.game, count_up.state, HANDS, Random(1)) is not None
