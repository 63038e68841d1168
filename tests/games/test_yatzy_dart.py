"""Yatzy-Dart against a second scorer that tries everything, and the advice."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, combinations_with_replacement, product
from operator import mul
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Choose, Foul, Next, Throw
from engine.circles import Circles, Worth
from engine.darts import Dart, Position, Zone
from engine.games.yatzy_dart import GAME, State
from engine.games.yatzy_plan import Gain, Plan, aims_at
from engine.games.yatzy_sheet import CATEGORIES, Sheet, best_scores
from engine.games.yatzy_targets import targets
from engine.geometry import BOARD_MM, centre_of, segment_at
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from tests.games.setups import face, played

play = partial(played, GAME)


def circles() -> Circles:
    made = face("yatzy")
    assert isinstance(made, Circles)
    return made


FACE = circles()
WORTHS = tuple(FACE.worth.values())
zones = st.sampled_from(tuple(FACE.worth))


def ways(dart: Worth) -> Iterator[tuple[int, int]]:
    """Everything that a dart can count as: nothing, or one of its numbers up to `times` times."""
    yield (0, 0)
    yield from product(dart.numbers, range(1, dart.times + 1))


def slow_scores(darts: tuple[Worth, ...]) -> dict[str, int]:
    """Every category, by trying all ways to count the darts."""
    best = dict.fromkeys(CATEGORIES, 0)

    def offer(category: str, points: int) -> None:
        best[category] = max(best[category], points)

    if any(dart.star for dart in darts):
        offer("yatzy", 50)
    for taken in product(*map(ways, darts)):
        used = sorted((number, times) for number, times in taken if times)
        counts = {number: sum(t for n, t in used if n == number) for number, _ in used}
        offer("chance", sum(number * times for number, times in counts.items()))
        for number, times in counts.items():
            offer(CATEGORIES[number - 1], number * times)
            if len(counts) == 1 and times == 2:
                offer("pair", 2 * number)
            if len(counts) == 1 and times == 3:
                offer("three_of_a_kind", 3 * number)
        if len(counts) == 2 and set(counts.values()) == {2}:
            offer("two_pairs", 2 * sum(counts))
        if len(counts) == 2 and set(counts.values()) == {3}:
            offer("villa", 3 * sum(counts))
        if len(used) == 3 and [n for n, _ in used] == list(range(used[0][0], used[0][0] + 3)):
            for times, category in enumerate(("single_straight", "double_straight", "triple_straight"), 1):
                if all(t == times for _, t in used):
                    offer(category, times * sum(counts))
    return best


@given(st.lists(zones, max_size=3))
@settings(deadline=None, max_examples=300)
def test_scores_are_those_of_trying_everything(names: list[str]) -> None:
    darts = tuple(FACE.worth[name] for name in names)
    assert dict(zip(CATEGORIES, best_scores(darts), strict=True)) == slow_scores(darts)


def test_the_highest_of_each_category() -> None:
    # A zone with more numbers scores at least as much, so only these can be highest.
    most = [worth for worth in WORTHS if worth.star or worth.times == 3]
    highest = [max(scores) for scores in zip(*map(best_scores, combinations_with_replacement(most, 3)), strict=True)]
    assert highest == [9, 18, 27, 36, 45, 54, 12, 22, 18, 33, 15, 30, 45, 50, 54]


@given(st.lists(zones, min_size=3, max_size=3), st.permutations(range(3)))
@settings(deadline=None, max_examples=100)
def test_order_is_nothing_and_more_darts_are_never_worse(names: list[str], order: list[int]) -> None:
    darts = [FACE.worth[name] for name in names]
    scores = best_scores(tuple(darts))
    assert best_scores(tuple(darts[i] for i in order)) == scores
    for fewer in combinations(darts, 2):
        assert all(less <= more for less, more in zip(best_scores(fewer), scores, strict=True))


@given(st.permutations(CATEGORIES), st.lists(st.lists(zones, max_size=3), min_size=15, max_size=15))
@settings(deadline=None, max_examples=40)
def test_a_match_adds_up(order: list[str], turns: list[list[str]]) -> None:
    state = begin("Ann")
    sheet: dict[str, int] = {}
    for category, names in zip(order, turns, strict=True):
        assert GAME.winners(state) is None
        state = play(state, *(Throw(Zone((name,))) for name in names), *([] if len(names) == 3 else [Next()]))
        scores = slow_scores(tuple(FACE.worth[name] for name in names))
        assert GAME.view(state, None)["turn"]["options"] == {c: scores[c] for c in CATEGORIES if c not in sheet}
        state = play(state, Choose("category", category))
        sheet[category] = scores[category]
        upper = sum(sheet.get(c, 0) for c in CATEGORIES[:6])
        bonus = 50 if upper > 100 else 0
        assert GAME.view(state, None)["players"] == [
            {"name": "Ann", "score": sum(sheet.values()) + bonus, "sheet": sheet, "upper": upper, "bonus": bonus}
        ]
    assert GAME.winners(state) == ("Ann",)


def test_every_bed_and_its_zone_score_alike() -> None:
    for bed in SEGMENTS.values():
        by_bed, by_zone = play(begin(), Throw(bed)), play(begin(), Throw(Zone((FACE.overlay[bed.text],))))
        assert GAME.view(by_bed, None)["turn"] == GAME.view(by_zone, None)["turn"]


def test_a_face_that_does_not_fit_the_game_is_refused() -> None:
    refused = GAME.new(("Ann",), {}, face("dart_wars"))
    assert isinstance(refused, Refusal) and refused.reason == "no_face"


def test_the_last_dart_of_a_straight_goes_where_it_is_missing() -> None:
    state = play(with_open("triple_straight"), Throw(SEGMENTS["T9"]), Throw(SEGMENTS["T16"]))
    aim = GAME.advice(state, 5.0).aim
    assert aim is not None
    worth = FACE.worth[FACE.overlay[aim.target]]
    assert 4 in worth.numbers and worth.times == 3


@pytest.mark.parametrize(("dart", "target"), [(SEGMENTS["T9"], "DB"), (Position(0.9, 0.9), "star")])
def test_yatzy_alone_is_aimed_at_by_the_boards_kind(dart: Dart, target: str) -> None:
    aim = GAME.advice(play(with_open("yatzy"), Throw(dart)), 8.0).aim
    assert aim is not None and aim.target == target and 0 < aim.odds < 1
    assert abs(aim.x) < 0.05 and abs(aim.y) < 0.05


def test_the_choice_weighs_what_else_a_category_could_bring() -> None:
    state = play(begin(), Throw(SEGMENTS["DB"]), Foul(), Foul())
    assert GAME.advice(state, 20.0).action == Choose("category", "yatzy")
    # Nothing was hit: the category with the lowest mean is given up.
    state = play(begin(), Foul(), Foul(), Foul())
    action = GAME.advice(state, 20.0).action
    assert isinstance(action, Choose) and action.value in ("double_straight", "triple_straight", "villa")


@given(st.lists(zones, max_size=2))
@settings(deadline=None, max_examples=20)
def test_there_is_an_aim_after_every_zone(names: list[str]) -> None:
    advice = GAME.advice(play(begin(), *(Throw(Zone((name,))) for name in names)), 12.0)
    assert advice.aim is not None and 0 <= advice.aim.odds <= 1


@pytest.mark.parametrize("by_position", [False, True])
@pytest.mark.parametrize("skill", [1, 9, 30, 120])
def test_chances_add_up(skill: int, by_position: bool) -> None:
    for target in targets(FACE, by_position, skill):
        assert abs(sum(odds for _, odds in target.odds) - 1) < 1e-9
        assert all(0 < odds <= 1 for _, odds in target.odds) and 0 < target.chance <= 1 + 1e-9


def gains_of(weights: dict[str, float]) -> dict[str, Gain]:
    """Gains that are the score times a weight for each category."""
    return {category: partial(mul, weight) for category, weight in weights.items()}


weights = st.dictionaries(st.sampled_from(CATEGORIES), st.floats(0.1, 2.0), min_size=1)


@pytest.mark.parametrize("by_position", [False, True])
@given(picks=st.tuples(st.integers(0, 99), st.integers(0, 99)), weights=weights)
@settings(deadline=None, max_examples=5)
def test_the_last_darts_are_aimed_by_trying_everything(
    by_position: bool, picks: tuple[int, int], weights: dict[str, float]
) -> None:
    at, gains = targets(FACE, by_position, 5.0), gains_of(weights)
    worths = aims_at(at).worths
    darts = tuple(worths[pick % len(worths)] for pick in picks)

    def value(*thrown: Worth) -> float:
        if len(thrown) == 3:
            scores = dict(zip(CATEGORIES, best_scores(thrown), strict=True))
            return max(gain(scores[category]) for category, gain in gains.items())
        return max(sum(odds * value(*thrown, worth) for worth, odds in target.odds) for target in at)

    for thrown in (darts, darts[:1]):
        assert Plan(aims_at(at), gains).aim(thrown).value == pytest.approx(value(*thrown), abs=1e-9)


@given(weights=weights, name=zones)
@settings(deadline=None, max_examples=10)
def test_what_was_asked_before_changes_no_aim(weights: dict[str, float], name: str) -> None:
    aims, dart = aims_at(targets(FACE, False, 25.0)), (FACE.worth[name],)
    first, second = Plan(aims, gains_of(weights)), Plan(aims, gains_of(weights))
    assert second.aim(dart) == (first.aim(()), first.aim(dart))[1]
    assert second.aim(()) == first.aim(())


@pytest.mark.parametrize("by_position", [False, True])
@pytest.mark.parametrize("skill", [1, 5, 12, 40])
def test_an_aim_that_is_left_out_is_never_better(skill: int, by_position: bool) -> None:
    aims = aims_at(targets(FACE, by_position, skill))
    assert 0 < len(aims.leading) < len(aims.odds)
    chance = Random(skill)
    for _ in range(20):
        gains = gains_of({category: chance.random() for category in chance.sample(CATEGORIES, 4)})
        everything = replace(aims, leading=aims.odds)
        assert Plan(aims, gains).value() == pytest.approx(Plan(everything, gains).value(), abs=1e-9)


@pytest.mark.parametrize("by_position", [False, True])
def test_advice_beats_random_choices_on_the_largest_bed(by_position: bool) -> None:
    chance, skill = Random(7), 20.0
    for _ in range(2):
        state = begin("Bot", "Other")
        while GAME.winners(state) is None:
            advised = state.players[state.player] == "Bot"
            advice = GAME.advice(state, skill)
            if state.thrown:
                open_ = state.seats[state.player].sheet.open
                state = play(state, advice.action if advised and advice.action else choose(chance.choice(open_)))
                continue
            largest = Position(0.0, -0.55) if by_position else centre_of(SEGMENTS["SO3"])
            at = Position(advice.aim.x, advice.aim.y) if advised and advice.aim is not None else largest
            landed = Position(at.x + chance.gauss(0, skill) / BOARD_MM, at.y + chance.gauss(0, skill) / BOARD_MM)
            state = play(state, Throw(landed if by_position else segment_at(landed)))
        bot, other = (seat.sheet.total for seat in state.seats)
        assert bot > 2 * other


def choose(category: str) -> Choose:
    return Choose("category", category)


def begin(*players: str) -> State:
    state = GAME.new(players or ("Ann",), {"handicap": {}}, FACE)
    assert isinstance(state, State)
    return state


def with_open(category: str) -> State:
    """The last turn of a match, with this category left."""
    state = begin()
    for other in CATEGORIES:
        if other != category:
            state = play(state, Next(), choose(other))
    assert state.seats[0].sheet == Sheet(tuple(None if c == category else 0 for c in CATEGORIES))
    return state
