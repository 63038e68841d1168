"""Many matches of Cricket at once follow the rules and the advice of the game, dart by dart."""

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
from engine.segments import BULL
from twin.cricket_matches import NUMBERS, Hand, Matches, advised, bed_of, play_out


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
        (Hand.of(30), Hand.of(10)),
        np.tile(np.array([0, 1], np.int32), (count, 1)),
        1,
    )
    assert set(shares) <= {0.0, 0.5, 1.0}
    assert shares.mean() < 0.1
