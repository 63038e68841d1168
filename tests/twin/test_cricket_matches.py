"""Many matches of Cricket at once follow the rules and the advice of the game, dart by dart."""

import math
from random import Random

import pytest

pytest.importorskip("numpy")

import numpy as np

from daemon.system.catalogue import faces, games
from engine.actions import Next, Throw
from engine.aiming import spots
from engine.darts import Position
from engine.geometry import segment_at
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.refusals import Refusal
from engine.segments import BULL, SEGMENTS
from tests.twin.learn_cricket import free_hand, learn
from twin.bed_integrals import COLUMN, shares
from twin.cricket_learned import Network, policy, seen, worths
from twin.cricket_matches import (
    BATCH,
    Hand,
    Matches,
    Player,
    advised,
    bed_of,
    can_play,
    play_out,
    share_of_first,
)
from twin.cricket_policy import NUMBERS


@pytest.mark.parametrize(("seed", "spread", "skill"), [(1, 8, 8.0), (2, 25, 25.0), (3, 60, 40.0), (4, 12, 12.0)])
def test_a_match_is_played_as_the_game_plays_it(seed: int, spread: float, skill: float) -> None:
    random = Random(seed)
    match = open_match(Header("cricket", ("Ann", "Bob"), {}, NEWEST), games(), faces())
    assert isinstance(match, Match)
    game, state, hand = match.game, match.state, Hand.of(skill)
    matches, won = Matches.of([state]), -1.0
    while (winners := game.winners(state)) is None:
        if game.turn(state).awaits == "next":
            step = game.apply(state, Next())
        else:
            aim = game.advice(state, skill).aim
            assert aim is not None
            spot = spots(skill)[advised(matches, hand)[0]]
            assert (spot.at.x, spot.at.y) == (aim.x, aim.y)
            bed = segment_at(Position(aim.x + random.gauss(0, spread / 170), aim.y + random.gauss(0, spread / 170)))
            number = BULL if bed.is_bull else bed.number
            (won,) = matches.throw(np.array([bed_of(number, bed.multiplier)], np.int32))
            step = game.apply(state, Throw(bed))
        assert not isinstance(step, Refusal)
        state = step.state
        if won < 0:
            assert [list(seat.marks) for seat in state.seats] == matches.marks[0].tolist()
            assert [seat.score for seat in state.seats] == matches.score[0].tolist()
            assert [seat.counted for seat in state.seats] == matches.counted[0].tolist()
    assert won == ("Ann" in winners) / len(winners)


def test_a_hand_hits_each_bed_with_a_chance() -> None:
    hand = Hand.of(20)
    assert np.allclose(hand.odds.sum(axis=1), 1)
    assert hand.odds.shape[1] == 3 * len(NUMBERS) + 1
    # No bull is worth three marks.
    assert not hand.odds[:, bed_of(BULL, 3)].any()


def test_the_better_hand_wins_more() -> None:
    match = open_match(Header("cricket", ("Ann", "Bob"), {}, NEWEST), games(), faces())
    assert isinstance(match, Match)
    count = 400
    shares = play_out(
        Matches.of([match.state]).only(np.zeros(count, np.int32)),
        (Player(Hand.of(30)), Player(Hand.of(10))),
        np.tile(np.array([0, 1], np.int32), (count, 1)),
        1,
    )
    assert set(shares) <= {0.0, 0.5, 1.0}
    assert shares.mean() < 0.1


def test_matches_begin_as_the_game_begins_them() -> None:
    match = open_match(Header("cricket", ("Ann", "Bob"), {}, NEWEST), games(), faces())
    assert isinstance(match, Match)
    one, other = Matches.of([match.state]), Matches.begun(1)
    for name in ("marks", "score", "counted", "player", "darts", "round"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_a_network_learns_who_is_about_to_win() -> None:
    """A bull is all that either side lacks: from 4 mm the thrower hits it, and has a chance of nearly 1.

    The trainer has rules and features of its own: with others than these the weights would say nothing here.
    """
    hand, near = Hand.of(4), Matches.begun(2)
    near.marks[...] = 3
    near.marks[:, :, -1] = 2
    near.score[1] = (0, 500)
    network = Network.of(learn(hand, 2.0, 1, (16, 8)), (16, 8))
    even, behind = network.chance(*seen(near))
    assert even > 0.6
    assert even - behind > 0.4
    beds = worths(near, network)[0]
    assert beds[bed_of(BULL, 1)] == beds[bed_of(BULL, 2)] == 1.0
    assert beds[-1] < 1.0
    bull = policy(network)(near, hand)[0]
    assert hand.odds[bull, [bed_of(BULL, 1), bed_of(BULL, 2)]].sum() > 0.9


def test_few_points_of_the_board_are_worth_an_aim() -> None:
    """The two ways to integrate a hand over the beds agree on them."""
    places, hand = free_hand(30)
    assert 20 < len(places) == len(hand.odds) < 300
    assert np.allclose(hand.odds.sum(axis=1), 1)
    for (radius, sectors), odds in zip(places, hand.odds, strict=True):
        turn = sectors * math.tau / 20
        found = shares((radius * math.sin(turn), radius * math.cos(turn)), np.zeros(2), np.eye(2) * 900)
        for number in NUMBERS[:-1]:
            triple = found[COLUMN[SEGMENTS[f"T{number}"]]]
            assert odds[bed_of(number, 3)] == pytest.approx(triple, abs=2e-4)


def test_a_share_is_known_as_well_as_it_says() -> None:
    match = open_match(Header("cricket", ("Ann", "Bob"), {}, NEWEST), games(), faces())
    assert isinstance(match, Match)
    assert can_play(match.state)
    far, error = share_of_first(match.state, (Player(Hand.of(8)), Player(Hand.of(40))), 20_000)
    assert far > 0.98
    assert error == pytest.approx((far * (1 - far) / BATCH) ** 0.5)
    no_score = open_match(Header("cricket", ("Ann", "Bob"), {"mode": "no-score"}, NEWEST), games(), faces())
    assert isinstance(no_score, Match)
    assert not can_play(no_score.state)
