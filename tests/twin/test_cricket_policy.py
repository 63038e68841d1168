"""Bots in Cricket aim by the networks of the package, as these were judged when they learned."""

import base64
import json
from dataclasses import replace

import pytest

from engine.aiming import spots, spots_at
from engine.games.cricket_state import Rules, Seat, State
from engine.geometry import BOARD_MM, segment_at
from engine.segments import plain
from twin import cricket_policy
from twin.cricket_policy import NUMBERS, Position, best_spot, can_aim, network_of, networks, worths

NUMPY = pytest.importorskip("numpy")

from tests.twin.learn_cricket import place_of  # noqa: E402
from twin import cricket_learned  # noqa: E402
from twin.cricket_matches import Hand, Matches, Player, play_out  # noqa: E402

RULES = Rules(("Ann", "Bob"), "standard", NUMBERS, 20)
BEGUN = State(RULES, (Seat((0,) * 7), Seat((0,) * 7)))


def states(count: int, spread: float) -> list[State]:
    """Some states of matches of the game's advice."""
    found: list[State] = []

    def look(_at: object, some: Matches) -> None:
        for row in range(0, len(some.player), 3):
            seats = tuple(
                Seat(tuple(map(int, some.marks[row, at])), int(some.score[row, at]), int(some.counted[row, at]))
                for at in (0, 1)
            )
            darts = ("S1",) * int(some.darts[row])
            found.append(State(RULES, seats, round=int(some.round[row]), player=int(some.player[row]), darts=darts))

    player = Player(Hand.of(spread))
    play_out(Matches.begun(6), (player, player), NUMPY.tile([0, 1], (6, 1)), 5, look=look)
    return found[:: max(1, len(found) // count)]


@pytest.mark.parametrize("spread", [9.0, 17.0, 40.0])
def test_a_bot_aims_as_the_judged_policy_does(spread: float) -> None:
    network, places = cricket_learned.shipped(network_of(spread).skill_mm)
    hand = cricket_learned.learned_player(spread).hand
    found = spots_at(places, spread)
    some = states(25, spread)
    averages = cricket_learned.worths(Matches.of(some), network) @ hand.odds.T
    for state, average in zip(some, averages, strict=True):
        spot = best_spot(state, spread)
        (at,) = (n for n, each in enumerate(found) if each.at == spot.at)
        assert average[at] == pytest.approx(average.max(), abs=1e-5)


def test_both_networks_say_the_same() -> None:
    for state in states(12, 17.0):
        mine, other = state.seats[state.player], state.seats[1 - state.player]
        at = Position(
            *(mine.marks, other.marks, mine.score - other.score, mine.counted - other.counted),
            *(state.round, state.player == 0, len(state.darts)),
        )
        (judged,) = cricket_learned.worths(Matches.of([state]), cricket_learned.shipped(17.0)[0])
        assert worths(at, network_of(17.0)) == pytest.approx(tuple(judged), abs=1e-5)


def test_a_place_has_the_odds_of_the_point_in_the_list() -> None:
    listed = {(round(spot.at.x, 6), round(spot.at.y, 6)): spot for spot in spots(20)}
    for spot in list(listed.values())[2:]:
        point = (spot.at.x * BOARD_MM, spot.at.y * BOARD_MM)
        radius = (point[0] ** 2 + point[1] ** 2) ** 0.5
        (found,) = spots_at(((radius, place_of(point)[1]),), 20)
        assert sum(abs(found.odds.get(bed, 0) - chance) for bed, chance in spot.odds.items()) < 2e-3


def test_other_rules_and_the_end_of_a_turn_are_left_to_the_game() -> None:
    assert can_aim(BEGUN, 17)
    assert not can_aim(BEGUN, 1)
    assert not can_aim(BEGUN, 120)
    assert not can_aim(replace(BEGUN, darts=("S1", "S1", "S1")), 17)
    assert not can_aim(replace(BEGUN, best=(0,)), 17)
    assert not can_aim(replace(BEGUN, rules=replace(RULES, mode="cut-throat")), 17)
    assert not can_aim(replace(BEGUN, rules=replace(RULES, rounds=0)), 17)
    three = replace(BEGUN, rules=replace(RULES, players=("Ann", "Bob", "Cleo")), seats=(*BEGUN.seats, BEGUN.seats[0]))
    assert not can_aim(three, 17)


def test_the_networks_are_for_hands_from_good_to_bad() -> None:
    spreads = [network.skill_mm for network in networks()]
    assert spreads == sorted(spreads)
    about = json.loads(cricket_policy.FILE.read_text("utf-8"))
    assert all(len(base64.b64decode(each["weights"])) < 30_000 for each in about)
    assert cricket_policy.FILE.stat().st_size < 250_000
    first = best_spot(BEGUN, 17.0)
    assert plain(segment_at(first.at)).number in NUMBERS
