"""Many legs of X01 at once follow the rules and the advice of the game, dart by dart."""

from random import Random

import pytest

pytest.importorskip("numpy")

import numpy as np

from daemon.system.catalogue import faces, games
from engine.actions import Next, Throw
from engine.aiming import spots
from engine.darts import Position
from engine.games.x01_checkouts import fits, value
from engine.geometry import segment_at
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.refusals import Refusal
from tests.twin.x01_matches import Hand, after, play_out


def ints(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(values, np.int32)


@pytest.mark.parametrize(("seed", "spread", "skill"), [(1, 8, 8.0), (2, 25, 25.0), (3, 40, 12.0)])
def test_a_leg_is_played_as_the_game_plays_it(seed: int, spread: float, skill: float) -> None:
    random, hand = Random(seed), Hand(skill)
    match = open_match(Header("x01", ("Ann", "Bob"), {"start": 141}, NEWEST), games(), faces())
    assert isinstance(match, Match)
    game, state = match.game, match.state
    while game.winners(state) is None:
        turn, seat = game.turn(state), state.seats[state.player]
        if turn.awaits == "next":
            step = game.apply(state, Next())
            assert not isinstance(step, Refusal)
            state = step.state
            continue
        left, before, darts = ints(seat.left), ints(state.before.left), ints(3 - len(state.darts))
        aim = game.advice(state, skill).aim
        assert aim is not None
        at = spots(skill)[hand.aims(left, before, darts)[0]].at
        assert (at.x, at.y) == (aim.x, aim.y)
        bed = segment_at(Position(aim.x + random.gauss(0, spread / 170), aim.y + random.gauss(0, spread / 170)))
        points, finishes = ints(value(bed, full_bull=False)), np.array([fits(bed, "double")])
        (then,), (over,) = after(left, before, points, finishes)
        thrower = state.player
        step = game.apply(state, Throw(bed))
        assert not isinstance(step, Refusal)
        state = step.state
        assert state.seats[thrower].left == then
        assert bool(over) == (state.end in ("bust", "checkout"))


def test_each_bed_is_hit_as_often_as_its_chance_says() -> None:
    hand = Hand(20)
    count = 20_000
    drawn = (np.arange(count) + 0.5) / count
    points, finishes = hand.throw(
        np.full(count, 501, np.int32), np.full(count, 501, np.int32), np.full(count, 3, np.int32), drawn
    )
    spot = spots(20)[hand.aims(ints(501), ints(501), ints(3))[0]]
    assert points.mean() == pytest.approx(
        sum(odds * value(bed, full_bull=False) for bed, odds in spot.odds.items()), abs=0.02
    )
    assert finishes.mean() == pytest.approx(
        sum(odds for bed, odds in spot.odds.items() if fits(bed, "double")), abs=0.001
    )


def test_the_better_hand_wins_more() -> None:
    shares = play_out((101, 101), (Hand(30), Hand(10)), 300, 1)
    assert set(shares) <= {0.0, 1.0}
    assert shares.mean() < 0.2
