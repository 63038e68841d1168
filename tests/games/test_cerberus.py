"""Cerberus: all rolls and the highest turn by enumeration, the wild number, and the advice."""

from collections import Counter
from itertools import combinations_with_replacement, product
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Choose, Next, Roll, Throw
from engine.aiming import spots
from engine.conformance import start
from engine.game import Event
from engine.games.cerberus import GAME
from engine.games.cerberus_advice import aim_at_targets
from engine.games.cerberus_targets import best_wild, count, marks_of, targets
from engine.match import Match
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import PLAYABLE, SEGMENTS

ROLLS: Final = tuple(product(range(1, 21), repeat=3))

Hits = tuple[tuple[int, int], ...]


def score_of(roll: tuple[int, ...], hits: Hits) -> int:
    marks, multiplier = count(roll, hits, best_wild(roll, hits))
    return marks * multiplier


def begun(roll: tuple[int, ...]) -> Match:
    match = start(GAME, ("Ann", "Bob"), {})
    assert not isinstance(match, Refusal)
    outcome = apply(match, Roll(roll))
    assert not isinstance(outcome, Refusal)
    return outcome


def thrown(match: Match, *texts: str) -> Match:
    for text in texts:
        outcome = apply(match, Throw(SEGMENTS[text]))
        assert not isinstance(outcome, Refusal)
        match = outcome
    return match


def scored(roll: tuple[int, ...], *texts: str) -> int:
    score: int = thrown(begun(roll), *texts).view()["players"][0]["score"]
    return score


def test_every_roll() -> None:
    kinds = Counter(len(set(roll)) for roll in ROLLS)
    assert len(ROLLS) == 8000
    assert {kind: times / 8000 for kind, times in kinds.items()} == {3: 0.855, 2: 0.1425, 1: 0.0025}
    for roll in ROLLS:
        goals = targets(roll)
        assert len(goals) == 3
        assert ("bull" in goals, "wild" in goals) == (len(set(roll)) < 3, len(set(roll)) == 1)
        assert [goal for goal in goals if isinstance(goal, int)] == sorted(set(roll), key=roll.index)


def test_example_of_the_rules() -> None:
    assert scored((7, 16, 10), "D7", "S7", "S16") == 12


def test_no_turn_scores_more_than_fifty() -> None:
    """Over every roll and every three darts.

    The order of dice and darts changes nothing, a bed that is no target does what a miss does, and numbers that can
    be wild do the same as each other: so these stand for all. `test_beds_that_do_the_same` holds them to it.
    """
    highest: dict[int, int] = {}
    for dice in {frozenset(roll) for roll in ROLLS}:
        roll = tuple(sorted(dice))
        roll = roll if len(roll) == 3 else (roll[0], *roll, *roll)[:3]
        wild = [n for n in range(1, 21) if n not in dice][:3] if len(dice) == 1 else []
        bulls = [(25, 3), (25, 4)] if len(dice) < 3 else []
        hits = [(0, 0), *bulls, *((number, marks) for number in (*dice, *wild) for marks in (1, 2, 3))]
        top = max(score_of(roll, darts) for darts in combinations_with_replacement(hits, 3))
        highest[len(dice)] = max(highest.get(len(dice), 0), top)
    assert highest == {3: 45, 2: 50, 1: 50}


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    roll=st.sampled_from(ROLLS) | st.integers(1, 20).map(lambda n: (n, n, n)),
    darts=st.lists(st.sampled_from(sorted(SEGMENTS)), min_size=3, max_size=3),
    data=st.data(),
)
def test_beds_that_do_the_same(roll: tuple[int, int, int], darts: list[str], data: st.DataObject) -> None:
    score = scored(roll, *darts)
    assert score == scored(tuple(data.draw(st.permutations(roll))), *data.draw(st.permutations(darts)))
    goals = targets(roll)
    if "wild" not in goals:
        plain = [
            text if SEGMENTS[text].number in {25 if g == "bull" else g for g in goals} else "MISS" for text in darts
        ]
        assert score == scored(roll, *plain)
    hits = tuple((SEGMENTS[text].number, marks_of(SEGMENTS[text])) for text in darts)
    known = {n for n in goals if isinstance(n, int)} | ({25} if "bull" in goals else set())
    best = max(
        sum(m for n, m in hits if n in known | {wild})
        * (0, 1, 3, 5)[len({n for n, _ in hits if n in known | {wild} and n})]
        for wild in (range(1, 21) if "wild" in goals else [0])
    )
    assert score == best


@settings(max_examples=100, deadline=None, derandomize=True)
@given(number=st.integers(1, 20), darts=st.lists(st.sampled_from(sorted(SEGMENTS)), min_size=3, max_size=3))
def test_the_rules_take_the_lowest_of_the_best_wild_numbers(number: int, darts: list[str]) -> None:
    match = thrown(begun((number,) * 3), *darts)
    taken, score = match.view()["turn"]["wild"], match.view()["players"][0]["score"]
    named = {}
    for wild in range(1, 21):
        outcome = apply(match, Choose("wild", wild))
        assert isinstance(outcome, Refusal) == (wild == number)
        if not isinstance(outcome, Refusal):
            named[wild] = outcome.view()["players"][0]["score"]
    assert score == max(named.values())
    assert taken == min(wild for wild, other in named.items() if other == score)


def events_of(match: Match, action: Next | Roll | Throw) -> tuple[Event, ...]:
    outcome = apply(match, action)
    assert not isinstance(outcome, Refusal)
    return outcome.events


def test_events_of_the_last_turn_of_a_match() -> None:
    match = begun((20, 20, 5))
    for action in (Throw(SEGMENTS["T20"]), Throw(SEGMENTS["T5"]), Throw(SEGMENTS["DB"]), Next(), Roll((1, 2, 3))):
        outcome = apply(match, action)
        assert not isinstance(outcome, Refusal)
        match = outcome
    events = events_of(match, Next())
    assert [(event.kind, dict(event.data)) for event in events] == [
        ("score", {"player": "Bob", "points": 0, "score": 0}),
        ("out", {"player": "Bob", "round": 1, "place": 2}),
        ("won", {"winners": ["Ann"]}),
    ]


def test_a_good_player_is_advised_to_score_fifty() -> None:
    aim = aim_at_targets(1, (20, 5, 25), (), 0, 3, 3)
    assert aim.value == pytest.approx(50.0, abs=0.1)
    wild = aim_at_targets(1, (4, 25), (), 0, 3, 3)
    assert wild.value == pytest.approx(50.0, abs=0.1)


def test_with_two_targets_marked_the_third_is_aimed_at() -> None:
    aim = aim_at_targets(8, (7, 16, 10), ((7, 1), (16, 1)), 0, 1, 3)
    assert SEGMENTS[aim.target].number == 10


@settings(max_examples=25, deadline=None, derandomize=True)
@given(roll=st.sampled_from(ROLLS), skill=st.sampled_from((3, 15, 40)), penalty=st.integers(0, 3))
def test_the_last_dart_is_aimed_where_the_average_is_highest(
    roll: tuple[int, int, int], skill: int, penalty: int
) -> None:
    """With one dart in hand and nothing hit, compared with a sum over all beds."""
    numbers = {25 if goal == "bull" else goal for goal in targets(roll)}
    best = max(
        sum(
            odds
            * (
                (marks_of(bed) if bed.number in numbers or ("wild" in numbers and 0 < bed.number <= 20) else 0)
                or -penalty
            )
            for bed, odds in spot.odds.items()
        )
        for spot in spots(skill)
    )
    known = tuple(n for n in numbers if isinstance(n, int))
    assert aim_at_targets(skill, known, (), 0, 1, penalty).value == pytest.approx(best, abs=1e-6)


def test_every_bed_of_a_target_has_its_marks() -> None:
    for bed in PLAYABLE:
        assert marks_of(bed) == {"SB": 3, "DB": 4}.get(bed.text, {"S": 1, "D": 2, "T": 3}[bed.text[0]])
