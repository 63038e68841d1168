"""Ratings: who wins rises, order does not matter within a match, and what does not count changes nothing."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.classes import FLIGHTS, HIGHEST, SCALES, down, exact, flight, overall
from league.ratings import NEW, Ranking, Rating, ranking, rate

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")

ratings = st.builds(
    Rating, st.floats(0, 50).map(lambda x: round(x, 6)), st.floats(0.5, 9).map(lambda x: round(x, 6)), st.integers(0, 9)
)
before = st.dictionaries(st.sampled_from(NAMES), ratings)


@st.composite
def rankings(draw: st.DrawFn) -> Ranking:
    names = draw(st.permutations(NAMES))
    ends = sorted(draw(st.sets(st.integers(1, 5), min_size=1)))
    cuts = [0, *ends, 6]
    sides = tuple(tuple(names[a:b]) for a, b in pairwise(cuts))
    places = draw(st.lists(st.integers(1, 4), min_size=len(sides), max_size=len(sides)))
    found = sorted(zip(places, sides, strict=True))
    return Ranking(tuple(side for _, side in found), tuple(place for place, _ in found))


@settings(max_examples=100)
@given(before, rankings())
def test_a_match_moves_each_of_its_players_and_nobody_else(old: dict[str, Rating], of: Ranking) -> None:
    after = rate(old, of)
    assert sorted(after) == sorted(name for side in of.sides for name in side)
    assert all(after[name].matches == old.get(name, NEW).matches + 1 for name in after)
    assert all(0 < one.deviation < 10 and one.least < one.points for one in after.values())
    assert rate(old, of) == after


@settings(max_examples=100)
@given(ratings, ratings)
def test_who_wins_rises_and_who_loses_falls(one: Rating, other: Rating) -> None:
    after = rate({"Ann": one, "Bob": other}, Ranking((("Ann",), ("Bob",)), (1, 2)))
    assert after["Ann"].mean >= one.mean
    assert after["Bob"].mean <= other.mean


@settings(max_examples=50)
@given(ratings, ratings)
def test_a_draw_brings_two_players_closer(one: Rating, other: Rating) -> None:
    after = rate({"Ann": one, "Bob": other}, Ranking((("Ann",), ("Bob",)), (1, 1)))
    assert abs(after["Ann"].mean - after["Bob"].mean) <= abs(one.mean - other.mean) + 1e-5


@settings(max_examples=50)
@given(st.permutations(NAMES[:4]), st.integers(1, 3))
def test_a_ranking_is_the_same_in_whatever_order_its_sides_come(names: list[str], most: int) -> None:
    sides = [(name,) for name in names]
    found = ranking(sides, NAMES[:most], {}, (), {})
    assert found == ranking(sorted(sides), NAMES[:most], {}, (), {})
    assert found is not None
    assert found.places == (*(1,) * most, *(2,) * (4 - most))


def test_the_better_of_two_is_found() -> None:
    known: dict[str, Rating] = {}
    for n in range(60):
        first, second = ("Bob", "Ann") if n % 4 == 0 else ("Ann", "Bob")
        known |= rate(known, Ranking(((first,), (second,)), (1, 2)))
    assert known["Ann"].points > known["Bob"].points + known["Bob"].error
    assert known["Ann"].error < NEW.error / 2
    assert (NEW.points, NEW.error, NEW.least) == (1500, 500, 0)


@pytest.mark.parametrize(
    ("sides", "winners", "bots", "options"),
    [
        ([("Ann",)], ["Ann"], [], {}),
        ([("Ann",), ("Bot",)], ["Ann"], ["Bot"], {}),
        ([("Ann", "Bot"), ("Bob",)], ["Ann", "Bot"], ["Bot"], {}),
        ([("Ann",), ("Bob",)], ["Ann"], [], {"handicap": {"Ann": 301}}),
        ([("Ann",), ("Bob",)], ["Ann"], [], {"legs": [{"game": "x01", "options": {"handicap": {"Bob": 301}}}]}),
    ],
)
def test_what_does_not_count(
    sides: list[tuple[str, ...]], winners: list[str], bots: list[str], options: object
) -> None:
    assert isinstance(options, dict)
    assert ranking(sides, winners, {}, bots, options) is None


def test_people_are_rated_among_themselves_beside_a_bot() -> None:
    options = {"best_of": 3, "handicap": {}}
    found = ranking([("Bot",), ("Bob",), ("Ann",)], ["Bot"], {}, ["Bot"], options)
    assert found == Ranking((("Ann",), ("Bob",)), (2, 2))
    found = ranking([("Bot",), ("Bob",), ("Ann",)], ["Bob"], {"Ann": 3, "Bot": 2}, ["Bot"], options)
    assert found == Ranking((("Bob",), ("Ann",)), (1, 3))
    # Nobody won: all drew.
    assert ranking([("Bob",), ("Ann",)], [], {}, [], {}) == Ranking((("Ann",), ("Bob",)), (1, 1))


@pytest.mark.parametrize(
    ("game", "value", "expected"),
    # PPR / 5 - 6 to 95, then 13 + (PPR - 95) / 7; 5 x MPR - 4.5 to 3.5, then 4 x MPR - 1.
    [
        ("x01", 0, 1.0),
        ("x01", 2000, 1.5),
        ("x01", 3999, 1.9),
        ("x01", 4000, 2.0),
        ("x01", 6250, 6.5),
        ("x01", 9499, 12.9),
        ("x01", 9850, 13.5),
        ("x01", 17000, 18.0),
        ("cricket", 130, 2.0),
        ("cricket", 200, 5.5),
        ("cricket", 360, 13.4),
        ("cricket", 474, 17.9),
        ("cricket", 475, 18.0),
    ],
)
def test_classes_of_the_table(game: str, value: int, expected: float) -> None:
    assert down(exact(SCALES[game], value, 100)) == expected


@given(st.sampled_from(sorted(SCALES)), st.integers(0, 20000), st.integers(0, 200))
def test_a_better_average_never_has_a_lower_class(game: str, value: int, more: int) -> None:
    low, high = (exact(SCALES[game], of, 100) for of in (value, value + more))
    assert 1 <= low <= high <= HIGHEST
    assert flight(low) in [name for _, name in FLIGHTS]


def test_the_overall_class_needs_both_games() -> None:
    x01, cricket = exact(SCALES["x01"], 6250, 100), exact(SCALES["cricket"], 200, 100)
    assert overall({"x01": x01}) is None
    both = overall({"x01": x01, "cricket": cricket})
    assert both is not None
    assert (down(both), flight(both)) == (6.0, "B")
    assert all(len(scale.edges) == HIGHEST for scale in SCALES.values())
