"""X01: well-known checkouts, checkouts by brute force, averages, and the advice."""

import math
from itertools import combinations_with_replacement
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Next, Throw
from engine.aiming import spots
from engine.conformance import start
from engine.darts import Points, Position
from engine.game import Event
from engine.games.x01 import GAME
from engine.games.x01_advice import aim_to_begin, aim_to_finish, visits
from engine.games.x01_checkouts import Rule, checkout, fits, value
from engine.games.x01_tally import Tally
from engine.geometry import BOARD_MM, segment_at
from engine.match import Match
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import PLAYABLE, SEGMENTS, Segment

RULES: Final[tuple[Rule, ...]] = ("open", "double", "master")


def played(options: dict[str, Any], *words: str) -> Match:
    match = start(GAME, ("Ann", "Bob"), options)
    assert not isinstance(match, Refusal)
    for word in words:
        outcome = apply(match, Next() if word == "/" else Throw(SEGMENTS[word]))
        assert not isinstance(outcome, Refusal), (word, outcome)
        match = outcome
    return match


def finishes(out: Rule, full_bull: bool) -> list[set[int]]:
    """The scores that one, two and three darts can finish, as sums of beds without the tables under test."""

    def worth(bed: Segment) -> int:
        return 50 if bed.text == "SB" and full_bull else bed.points

    last = {
        "open": {worth(bed) for bed in PLAYABLE},
        "double": {worth(bed) for bed in PLAYABLE if bed.text.startswith("D")},
        "master": {worth(bed) for bed in PLAYABLE if bed.text[0] in "DT"},
    }[out]
    one = set(last)
    two = {worth(bed) + rest for bed in PLAYABLE for rest in one}
    three = {worth(bed) + rest for bed in PLAYABLE for rest in two}
    return [one, two, three]


@pytest.mark.parametrize("full_bull", [False, True])
@pytest.mark.parametrize("out", RULES)
def test_checkouts_are_all_there_are(out: Rule, full_bull: bool) -> None:
    reach = finishes(out, full_bull)
    for left in range(1002):
        for darts in (1, 2, 3):
            fewest = next((count for count in range(1, darts + 1) if left in reach[count - 1]), 0)
            route = checkout(left, darts, out, full_bull)
            assert len(route) == fewest
            if route:
                assert sum(value(bed, full_bull) for bed in route) == left
                assert fits(route[-1], out)


def test_known_checkouts() -> None:
    three = {left for left in range(2, 502) if checkout(left, 3, "double", False)}
    assert max(three) == 170
    assert sorted(set(range(2, 171)) - three) == [159, 162, 163, 165, 166, 168, 169]
    assert max(left for left in range(2, 502) if checkout(left, 2, "double", False)) == 110
    assert max(left for left in range(2, 502) if checkout(left, 1, "double", False)) == 50


@pytest.mark.parametrize(
    ("left", "route"),
    [
        (170, "T20 T20 DB"),
        (167, "T20 T19 DB"),
        (164, "T20 T18 DB"),
        (160, "T20 T20 D20"),
        (110, "T20 DB"),
        (100, "T20 D20"),
        (60, "S20 D20"),
        (50, "DB"),
        (40, "D20"),
        (3, "S1 D1"),
    ],
)
def test_checkouts_that_every_caller_makes(left: int, route: str) -> None:
    assert " ".join(bed.text for bed in checkout(left, 3, "double", False)) == route


def test_suggested_checkouts_finish_the_leg() -> None:
    for left in range(101, 171):
        route = [bed.text for bed in checkout(left, 3, "double", False)]
        if route:
            match = played({"start": left}, *route, "/")
            assert match.view()["winners"] == ["Ann"]


def test_highest_visit_is_180() -> None:
    game, state = GAME, played({}).state
    beds = {bed.points: bed for bed in SEGMENTS.values()}  # one bed for each worth
    highest = 0
    for visit in combinations_with_replacement(beds.values(), 3):
        after = state
        for bed in visit:
            step = game.apply(after, Throw(bed))
            assert not isinstance(step, Refusal)
            after = step.state
        highest = max(highest, 501 - after.seats[0].left)
    assert highest == 180


def test_no_leg_of_501_is_shorter_than_nine_darts() -> None:
    worths = {bed.points for bed in PLAYABLE}
    lefts, darts = {501}, 0
    while not any(left in {bed.points for bed in PLAYABLE if bed.multiplier == 2} for left in lefts):
        lefts = {left - worth for left in lefts for worth in worths if left - worth >= 2}
        darts += 1
    assert darts + 1 == 9


@settings(max_examples=200, deadline=None, derandomize=True)
@given(kept=st.integers(0, 100_000), darts=st.integers(1, 100_000))
def test_average_is_rounded_to_two_decimals_a_half_up(kept: int, darts: int) -> None:
    found = Tally(kept, darts).to_json()["average"]
    # In whole hundredths: floor(300 * kept / darts + 1/2).
    assert round(found * 100) == math.floor((600 * kept + darts) / (2 * darts))
    assert found == round(found, 2)


def test_average_of_nobody_and_of_a_half() -> None:
    assert Tally().to_json()["average"] == 0.0
    assert Tally(1, 8).to_json()["average"] == 0.38  # 0.375
    assert Tally(3, 200).to_json()["average"] == 0.05  # 0.045


def test_visit_total_is_told_once() -> None:
    match, told = played({}, "T20", "T20"), list[Event]()
    for action in (Throw(SEGMENTS["T20"]), Next()):
        outcome = apply(match, action)
        assert not isinstance(outcome, Refusal)
        match, told = outcome, told + [event for event in outcome.events if event.kind == "score"]
    assert [event.data for event in told] == [{"player": "Ann", "points": 180, "score": 321, "left": 321}]


def test_events_of_a_win() -> None:
    match = played({"start": 101, "legs": 2, "sets": 1}, "T17", "DB", "/", "/", "T17")
    outcome = apply(match, Throw(SEGMENTS["DB"]))
    assert not isinstance(outcome, Refusal)
    assert [event.kind for event in outcome.events] == ["dart", "checkout", "leg", "set", "award"]
    closed = apply(outcome, Next())
    assert not isinstance(closed, Refusal)
    assert [(event.kind, dict(event.data)) for event in closed.events] == [("won", {"winners": ["Ann"]})]


def test_points_are_taken_as_they_are_until_the_bed_matters() -> None:
    eighteen = Points(18, (SEGMENTS["T6"], SEGMENTS["D9"], SEGMENTS["S18"]))
    for left in range(101, 171):
        step = GAME.apply(played({"start": left}).state, Throw(eighteen))
        assert not isinstance(step, Refusal)
        assert step.state.seats[0].left == left - 18
    asked = GAME.apply(played({"start": 101}, "T20", "S3", "S20", "/", "/").state, Throw(eighteen))
    assert isinstance(asked, Refusal)
    assert asked.reason == "which_segment"


@pytest.mark.parametrize("skill", [3, 8, 15, 30])
@pytest.mark.parametrize("left", [2, 10, 20, 32, 36, 40])
def test_advice_aims_at_the_double_that_finishes(skill: int, left: int) -> None:
    assert aim_to_finish(skill, "double", False, left, left, 1).target == f"D{left // 2}"


@pytest.mark.parametrize("out", RULES)
def test_a_sure_hand_needs_the_visits_that_the_checkouts_say(out: Rule) -> None:
    table = visits(1, out, False).visits[0]
    for left in range(2, 171):
        route = checkout(left, 3, out, False)
        assert (table[left] < 1.1) == bool(route), left
    if out == "double":
        assert table[501] == pytest.approx(3.0, abs=0.01)


def test_a_worse_hand_needs_more_visits() -> None:
    for left in (2, 32, 61, 170, 501):
        needed = [visits(skill, "double", False).visits[0][left] for skill in (1, 3, 8, 15, 30, 60)]
        assert needed == sorted(needed)


def test_bust_makes_the_advice_careful() -> None:
    """With 20 left and one dart in hand a single 20 busts; what is aimed at is the double."""
    aim = aim_to_finish(10, "double", False, 20, 100, 1)
    assert aim.target == "D10"
    assert 0.0 < aim.value < 20.0


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    left=st.integers(2, 181) | st.integers(182, 881),
    scored=st.integers(0, 120),
    darts=st.integers(1, 3),
    skill=st.sampled_from((5, 12, 30)),
    out=st.sampled_from(RULES),
)
def test_advice_is_the_best_aim_for_the_dart_at_hand(left: int, scored: int, darts: int, skill: int, out: Rule) -> None:
    """Compared with a sum over the outcomes of each aim: a bust returns to the start of the visit."""
    before = left + (scored if darts < 3 else 0)
    table = visits(skill, out, False)

    def to_come(points: int, may_finish: bool) -> float:
        then = left - points
        if then == 0 and may_finish:
            return 0.0
        bust = then <= 0 or (then == 1 and out != "open")
        return table.visits[0][before] if bust else table.visits[darts - 1][then]

    costs = {
        (spot.at.x, spot.at.y): sum(odds * to_come(points, finishes) for points, finishes, odds in outcomes)
        for spot, outcomes in table.candidates
    }
    aim = aim_to_finish(skill, out, False, left, before, darts)
    assert costs[aim.x, aim.y] == pytest.approx(min(costs.values()), abs=1e-6)


def test_what_a_bust_costs_decides() -> None:
    """The same dart at the same score, after a visit that scored nothing and after one that scored 100."""
    costs = [
        [aim_to_finish(30, "double", False, left, left + scored, 1) for left in range(2, 62)] for scored in (0, 100)
    ]
    assert costs[0] != costs[1]


@pytest.mark.parametrize(("opening", "sure"), [("double", "DB"), ("master", "T20")])
def test_advice_before_in(opening: Rule, sure: str) -> None:
    assert aim_to_begin(1, opening, False).target == sure
    assert fits(SEGMENTS[aim_to_begin(15, opening, False).target], opening)


@pytest.mark.parametrize("skill", [5, 12, 25])
def test_advice_needs_as_many_visits_as_it_says(skill: int) -> None:
    """400 legs from 170, thrown with that spread: the mean is within four standard errors of the table."""
    random, lengths = Random(skill), []
    table = visits(skill, "double", False).visits[0]
    for _ in range(400):
        match, count = played({"start": 170}), 0
        while not match.finished:
            turn = match.turn
            if turn.player == "Ann" and turn.awaits == "throw":
                aim = GAME.advice(match.state, skill).aim
                assert aim is not None
                spread = skill / BOARD_MM
                at = Position(aim.x + random.gauss(0, spread), aim.y + random.gauss(0, spread))
                action: Throw | Next = Throw(segment_at(at))
            else:
                action = Next()
                count += turn.player == "Ann"
            outcome = apply(match, action)
            assert not isinstance(outcome, Refusal)
            match = outcome
        lengths.append(count)
    mean = sum(lengths) / len(lengths)
    error = math.sqrt(sum((length - mean) ** 2 for length in lengths)) / len(lengths)
    assert abs(mean - table[170]) < 4 * error, (mean, table[170], error)


def test_there_is_advice_for_every_score() -> None:
    for left in range(2, 1002):
        for darts in (1, 2, 3):
            assert aim_to_finish(20, "double", False, left, left, darts).odds > 0.0
    assert len(spots(20)) == len(visits(20, "double", False).candidates)
