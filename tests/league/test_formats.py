"""Every format: how many matches there are, who meets whom, who gets a bye, and that the draw can be repeated."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.draw import bracket, seed_lines, snake
from league.fixtures import NOBODY
from league.knockout import FINAL
from league.round_robin import group_names, match_days, qualifiers
from tests.league.evening import defeats, drawn, now, pairs, play_all, played

QUICK: Final = settings(max_examples=25, deadline=None)
COUNTS: Final = st.integers(2, 33)
FORMATS: Final[dict[str, dict[str, Any]]] = {
    "knockout": {"format": "knockout", "third_place": True},
    "double": {"format": "double"},
    "round_robin": {"format": "round_robin"},
    "groups": {"format": "groups", "groups": 2, "advance": 2},
    "swiss": {"format": "swiss", "rounds": 3},
}


def chooser(data: st.DataObject) -> Callable[[int], int]:
    """Draws numbers below n."""
    seed = data.draw(st.randoms(use_true_random=False))
    return seed.randrange


@given(COUNTS, st.data())
@QUICK
def test_a_knockout_has_a_match_less_than_entrants_and_the_winner_never_lost(count: int, data: st.DataObject) -> None:
    record = play_all(drawn(count, format="knockout"), chooser(data))
    assert len(played(record)) == count - 1
    lost = Counter(defeats(record).values())
    assert lost == Counter({1: count - 1, 0: 1})


@given(st.integers(4, 33), st.data())
@QUICK
def test_the_losers_of_the_semifinals_play_for_the_third_place(count: int, data: st.DataObject) -> None:
    record = play_all(drawn(count, format="knockout", third_place=True), chooser(data))
    semis = [pairing for pairing in now(record).standing.pairings.values() if pairing.fixture.from_end == 2]
    third = now(record).standing.pairings["T1"]
    assert {third.home, third.away} == {semi.loser for semi in semis}


@given(COUNTS, st.data())
@QUICK
def test_whoever_loses_twice_is_out_of_a_double_knockout(count: int, data: st.DataObject) -> None:
    record = play_all(drawn(count, format="double"), chooser(data))
    lost = defeats(record)
    final = now(record).standing.pairings[FINAL]
    decided = final.winner == final.home
    assert len(played(record)) == 2 * count - 2 + (not decided)
    assert Counter(lost.values()) == Counter({2: count - 1, 0 if decided else 1: 1})


@given(st.sampled_from([8, 16, 32]), st.data())
@QUICK
def test_nobody_meets_again_in_the_second_round_of_the_losers(count: int, data: st.DataObject) -> None:
    record = play_all(drawn(count, format="double"), chooser(data))
    early = [p for p in played(record) if p.fixture.stage == "winners" or p.fixture.round <= 2]
    early = [p for p in early if p.fixture.stage != "final" and (p.fixture.stage == "losers" or p.fixture.round <= 2)]
    assert max(Counter(pairs(early)).values()) == 1


@given(st.integers(2, 12), st.integers(1, 4), st.data())
@QUICK
def test_each_pair_meets_as_often_as_the_round_robin_says(count: int, times: int, data: st.DataObject) -> None:
    record = drawn(count, format="round_robin", times=times)
    met = Counter(pairs(now(record).standing.pairings.values()))
    assert set(met.values()) == {times}
    assert len(met) == count * (count - 1) // 2


@given(st.integers(2, 20), st.integers(1, 4))
@QUICK
def test_nobody_plays_twice_on_a_match_day_and_home_matches_are_shared(count: int, times: int) -> None:
    home: Counter[int] = Counter()
    days = match_days(range(1, count + 1), times)
    assert len(days) == times * (count - 1 + count % 2)
    for day in days:
        playing = [entrant for pair in day for entrant in pair]
        assert len(playing) == len(set(playing)) == count - count % 2
        home.update(pair[0] for pair in day)
    at_home = [home[entrant] for entrant in range(1, count + 1)]
    assert max(at_home) - min(at_home) <= (times % 2)
    meets = Counter(pair for day in days for pair in day)
    if times % 2 == 0:
        assert set(meets.values()) == {times // 2}


@given(st.integers(1, 8), st.integers(1, 4), st.data())
@QUICK
def test_groups_and_a_knockout_have_the_number_of_matches_of_the_formula(
    groups: int, advance: int, data: st.DataObject
) -> None:
    if groups * advance < 2:
        advance = 2
    count = data.draw(st.integers(groups * max(2, advance), groups * max(2, advance) + 8))
    record = drawn(count, format="groups", groups=groups, advance=advance)
    sizes = Counter(fixture.group for fixture in now(record).fixtures if fixture.group)
    in_groups = sum(sizes.values())
    members = [len(dealt) for dealt in snake(range(1, count + 1), groups)]
    assert in_groups == sum(size * (size - 1) // 2 for size in members)
    assert max(members) - min(members) <= 1
    record = play_all(record, chooser(data))
    assert len(played(record)) == in_groups + groups * advance - 1


@pytest.mark.parametrize(("groups", "advance"), [(g, a) for g in range(2, 17) for a in range(1, 5)])
def test_the_first_knockout_round_is_between_different_groups(groups: int, advance: int) -> None:
    lines = qualifiers(group_names(groups), advance)
    assert len(set(lines) - {lines[0]}) >= groups * advance - 1
    for one, other in zip(lines[::2], lines[1::2], strict=True):
        assert getattr(one, "group", 1) != getattr(other, "group", 2), (groups, advance)


@given(st.integers(2, 24), st.integers(1, 15), st.data())
@QUICK
def test_nobody_meets_again_in_a_swiss_tournament_and_byes_are_shared(
    count: int, rounds: int, data: st.DataObject
) -> None:
    rounds = min(rounds, count - 1 if count % 2 == 0 else count)
    record = play_all(drawn(count, format="swiss", rounds=rounds), chooser(data))
    assert len(played(record)) == rounds * (count // 2)
    again = max(Counter(pairs(played(record))).values()) - 1
    # Half the rounds always go without; with more, a pair may have to meet again.
    assert not again or rounds > (count - 1) // 2
    byes = Counter(p.winner for p in now(record).standing.pairings.values() if p.state == "bye")
    assert sum(byes.values()) == rounds * (count % 2)
    assert not byes or max(byes.values()) == 1 or rounds > (count - 1) // 2


@given(st.integers(2, 128))
@QUICK
def test_the_best_seeds_have_the_byes_and_meet_late(count: int) -> None:
    lines = bracket(range(1, count + 1))
    byes = [one or other for one, other in zip(lines[::2], lines[1::2], strict=True) if NOBODY in (one, other)]
    assert sorted(byes) == list(range(1, len(lines) - count + 1))
    # With the better seed winning each match, seeds 1 to n are left when n are left.
    left = [line or 1000 for line in lines]
    while len(left) > 1:
        left = [min(pair) for pair in zip(left[::2], left[1::2], strict=True)]
        assert sorted(left) == list(range(1, len(left) + 1))


def test_the_lines_of_eight() -> None:
    assert seed_lines(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@pytest.mark.parametrize("keys", FORMATS.values(), ids=FORMATS)
def test_the_same_seed_gives_the_same_draw_and_another_one_another(keys: dict[str, Any]) -> None:
    draws = [now(drawn(12, seed, **keys)).fixtures for seed in ("a", "a", "b")]
    assert draws[0] == draws[1] != draws[2]


def test_a_draw_is_the_same_in_every_version() -> None:
    fixtures = now(drawn(5, "friday", seeds=2, format="knockout")).standing.pairings.values()
    assert [(p.home, p.away) for p in fixtures if p.fixture.round == 1] == [(1, 0), (4, 5), (2, 0), (3, 0)]
