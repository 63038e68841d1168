"""Tables, worked out by hand, and league seasons."""

from collections import Counter
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.refusals import Refusal
from league.events import Report, Withdraw
from league.fixtures import NOBODY, Result
from league.seasons import Division, Score, Season, check_scores, division_table, meetings, next_divisions
from league.tables import KOELN, STANDARD, STOURBRIDGE, SWISS, TABLES, TableRules, table
from tests.league.evening import do, drawn, now, ready, score

QUICK: Final = settings(max_examples=40, deadline=None)


def results(*scores: tuple[int, int, int, int]) -> list[Result]:
    """Results from home, away and their legs."""
    return [Result(str(n), home, away, (own, other)) for n, (home, away, own, other) in enumerate(scores)]


ROUND: Final = results((1, 2, 4, 3), (3, 1, 4, 3), (2, 3, 4, 3), (1, 4, 4, 0), (2, 4, 4, 3), (3, 4, 4, 1))
"""1, 2 and 3 have beaten each other by one leg; only against 4 they were not equally good."""


def places(rules: TableRules, found: list[Result]) -> list[tuple[int, int]]:
    """The place of each entrant, in the order of the table."""
    return [(row.place, row.entrant) for row in table((1, 2, 3, 4), found, rules, "seed")]


def test_the_difference_decides_among_level_points() -> None:
    assert places(STANDARD, ROUND) == [(1, 1), (2, 3), (3, 2), (4, 4)]


def test_the_direct_comparison_decides_where_the_rules_ask_for_it_first() -> None:
    rules = TableRules(order=("points", "head_to_head", "difference"))
    assert places(rules, ROUND) == [(1, 1), (2, 3), (3, 2), (4, 4)]
    first = results((1, 2, 0, 4), (1, 3, 4, 0), (1, 4, 4, 0), (2, 3, 4, 3), (2, 4, 3, 4), (3, 4, 4, 3))
    assert places(rules, first)[:2] == [(1, 2), (2, 1)]


def test_in_koeln_only_legs_count_then_matches_then_the_direct_comparison() -> None:
    found = results((1, 2, 4, 3), (3, 4, 7, 0), (1, 3, 3, 4), (2, 4, 5, 2), (1, 4, 4, 3), (2, 3, 3, 4))
    # 3 has 15 legs; 1 and 2 have 11, and 1 has won two matches, 2 one.
    assert places(KOELN, found) == [(1, 3), (2, 1), (3, 2), (4, 4)]
    assert all(row.points == 0 for row in table((1, 2, 3, 4), found, KOELN, "seed"))


def test_in_stourbridge_level_teams_share_the_prize() -> None:
    found = results((1, 2, 7, 0), (3, 4, 7, 0))
    assert [place for place, _ in places(STOURBRIDGE, found)] == [1, 1, 3, 3]


def test_nobody_has_won_a_tournament_whose_first_place_is_shared() -> None:
    circle = {frozenset((1, 2)): 1, frozenset((2, 3)): 2, frozenset((1, 3)): 3}
    record = drawn(3, format="round_robin", table="stourbridge")
    for pairing in ready(record):
        won = circle[frozenset((pairing.home or 0, pairing.away or 0))]
        record = do(record, Report(pairing.fixture.id, score(record, pairing.fixture, home=pairing.home == won)))
    assert [row.place for row in now(record).standing.tables["A"]] == [1, 1, 1]
    assert now(record).over
    assert now(record).winner is None


def test_every_example_of_a_league_names_its_source() -> None:
    assert {name for name, rules in TABLES.items() if not rules.source} == {"standard", "swiss"}


def test_the_points_of_the_opponents_decide_in_a_swiss_tournament() -> None:
    found = results((1, 2, 2, 0), (3, 4, 2, 0), (1, 3, 2, 0), (4, 2, 2, 0))
    # 3 and 4 have two points each; the opponents of 3 have six, those of 4 two.
    assert places(SWISS, found) == [(1, 1), (2, 3), (3, 4), (4, 2)]


def test_a_bye_is_a_win_without_legs() -> None:
    row = table((1, 2), [Result("x", 1, NOBODY, (1, 0), walkover=True)], SWISS, "seed")[0]
    assert (row.entrant, row.points, row.legs) == (1, 2, 0)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(0, 5), st.integers(0, 5)), max_size=20))
@QUICK
def test_every_table_adds_up(scores: list[tuple[int, int, int, int]]) -> None:
    found = results(*(score for score in scores if score[0] != score[1]))
    for rules in TABLES.values():
        rows = table((1, 2, 3, 4), found, rules, "seed")
        assert sorted(row.entrant for row in rows) == [1, 2, 3, 4]
        assert sum(row.played for row in rows) == 2 * len(found)
        assert sum(row.legs for row in rows) == sum(row.against for row in rows)
        assert [row.place for row in rows] == sorted(row.place for row in rows)
        assert sum(row.won for row in rows) == sum(row.lost for row in rows)


@pytest.mark.parametrize(("played", "counts"), [(1, False), (2, True)])
def test_half_of_the_matches_decide_whether_those_of_a_withdrawn_entrant_count(played: int, counts: bool) -> None:
    record = drawn(5, format="round_robin")
    own = [p.fixture.id for p in now(record).standing.pairings.values() if 1 in (p.home, p.away)]
    for fixture in own[:played]:
        record = do(record, Report(fixture, (2, 0)))
    record = do(record, Withdraw("P1"))
    states = Counter(now(record).standing.pairings[fixture].state for fixture in own)
    assert states == (Counter(done=2, walkover=2) if counts else Counter(void=4))
    if not counts:
        assert now(record).standing.tables["A"][-1].entrant == 1


SEASON: Final = Season(
    "2026", (Division("first", ("A", "B", "C", "D")), Division("second", ("E", "F", "G"))), games=12, moving=1
)


def test_a_season_has_every_match_at_home_and_away() -> None:
    found = meetings(SEASON)
    assert len(found) == 4 * 3 + 3 * 2
    assert len({(meeting.home, meeting.away) for meeting in found}) == len(found)
    for division in SEASON.divisions:
        for day in range(1, 7):
            teams = [t for m in found if (m.division, m.day) == (division.name, day) for t in (m.home, m.away)]
            assert len(teams) == len(set(teams))


def test_the_last_goes_down_and_the_first_goes_up() -> None:
    scores = {(m.home, m.away): [Score(12, 0) if m.home < m.away else Score(0, 12)] for m in meetings(SEASON)}
    assert check_scores(SEASON, scores) is None
    table_of_first = division_table(SEASON, SEASON.divisions[0], scores)
    assert [row.points for row in table_of_first] == [12, 8, 4, 0]
    assert [set(division.teams) for division in next_divisions(SEASON, scores)] == [set("ABCE"), set("DFG")]


@given(st.lists(st.integers(1, 8), min_size=1, max_size=4), st.integers(0, 4))
@QUICK
def test_no_team_is_lost_between_two_seasons(sizes: list[int], moving: int) -> None:
    teams = iter(range(1000))
    divisions = tuple(
        Division(str(index), tuple(f"T{next(teams)}" for _ in range(size))) for index, size in enumerate(sizes)
    )
    after = next_divisions(Season("x", divisions, moving=moving), {})
    assert [len(division.teams) for division in after] == sizes
    assert sorted(t for d in after for t in d.teams) == sorted(t for d in divisions for t in d.teams)


def test_180s_decide_where_the_rules_ask_for_them() -> None:
    season = replace(SEASON, rules=TableRules(order=("points", "difference", "maximums")))
    drawn = {(m.home, m.away): [Score(6, 6, ord(m.home) % 5, 2)] for m in meetings(season)}
    level = division_table(SEASON, SEASON.divisions[0], drawn)
    assert [row.place for row in level] == [1, 1, 1, 1]
    thrown = dict.fromkeys("ABCD", 0)
    for (home, away), [one] in drawn.items():
        if home in thrown:
            thrown[home] += one.home_180s
            thrown[away] += one.away_180s
    rows = division_table(season, season.divisions[0], drawn)
    assert [thrown["ABCD"[row.entrant - 1]] for row in rows] == sorted(thrown.values(), reverse=True)
    assert rows[0].place == 1
    assert len({row.place for row in rows}) == len(set(thrown.values()))


def test_a_result_that_the_season_has_not_is_refused() -> None:
    assert isinstance(check_scores(SEASON, {("A", "E"): [Score(7, 5)]}), Refusal)
    assert isinstance(check_scores(SEASON, {("A", "B"): [Score(7, 5), Score(7, 5)]}), Refusal)
    assert isinstance(check_scores(SEASON, {("A", "B"): [Score(7, 6)]}), Refusal)
    assert check_scores(SEASON, {("A", "B"): [Score(6, 6)], ("B", "A"): [Score(7, 5)]}) is None
