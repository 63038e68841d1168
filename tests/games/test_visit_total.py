"""The total of a visit becomes darts that make it, or is refused where no darts could."""

from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Action, Correct, Next, Throw, Undo
from engine.conformance import start
from engine.games import GAMES
from engine.match import Header, Match
from engine.matchfile import open_match
from engine.play import replayed
from engine.refusals import Refusal
from engine.segments import MISS, PLAYABLE, SEGMENTS
from engine.visit_total import VisitTotal, visit_actions
from tests.games.setups import FACES

WORTH = {bed.points for bed in (*PLAYABLE, MISS)}
POSSIBLE = {sum(darts) for darts in combinations_with_replacement(WORTH, 3)}


def begun(game: str = "x01", **options: object) -> Match:
    match = start(GAMES[game], ("Ann", "Bob"), options)
    assert isinstance(match, Match)
    return match


def entered(match: Match, points: int, bed: str = "", darts: int = 3) -> Match:
    actions = visit_actions(match, VisitTotal(points, SEGMENTS.get(bed), darts))
    assert not isinstance(actions, Refusal), actions
    return after(match, *actions)


def after(match: Match, *actions: Action) -> Match:
    done = replayed(match, actions)
    assert isinstance(done, Match), done
    return done


def refused(match: Match, points: int, bed: str = "", darts: int = 3) -> str:
    outcome = visit_actions(match, VisitTotal(points, SEGMENTS.get(bed), darts))
    assert isinstance(outcome, Refusal)
    return outcome.reason


def score(match: Match, player: int = 0) -> int:
    left: int = match.view()["players"][player]["score"]
    return left


@pytest.mark.parametrize("points", range(181))
def test_a_total_is_taken_exactly_if_three_darts_can_make_it(points: int) -> None:
    if points not in POSSIBLE:
        assert refused(begun(), points) == "no_such_visit"
        return
    match = entered(begun(), points)
    assert (score(match), match.turn.awaits, len(match.turn.darts)) == (501 - points, "next", 3)


@pytest.mark.parametrize(("game", "points"), [("count_up", 85), ("high_score", 140)])
def test_games_that_count_points_take_totals(game: str, points: int) -> None:
    assert score(entered(begun(game), points)) == points


@pytest.mark.parametrize("game", ["cricket", "shanghai", "killer"])
def test_games_of_beds_take_none(game: str) -> None:
    assert refused(begun(game), 60) == "no_such_visit"


def test_a_leg_of_several_takes_totals() -> None:
    opened = open_match(Header("x01", ("Ann", "Bob"), {"best_of": 3}), GAMES, FACES)
    assert isinstance(opened, Match)
    assert score(entered(opened, 100)) == 401


def test_what_is_left_bounds_a_total() -> None:
    match = begun(start=101)
    assert score(entered(match, 60)) == 41
    assert score(entered(match, 99)) == 2
    # One left, nothing left without a double, and a bust.
    assert [refused(match, points) for points in (100, 101, 102, 180)] == ["no_such_visit"] * 4
    assert score(entered(match, 0)) == 101


@pytest.mark.parametrize(("bed", "darts"), [("D20", 3), ("D18", 3), ("DB", 2)])
def test_a_visit_that_finishes_names_its_bed_and_its_darts(bed: str, darts: int) -> None:
    match = entered(begun(start=101), 101, bed, darts)
    assert match.view()["result"]["bed"] == bed
    assert match.view()["result"]["leg_darts"] == darts
    assert match.view()["players"][0]["checkout_hits"] == 1


def test_a_bed_that_cannot_finish_is_refused() -> None:
    match = begun(start=101)
    for bed, darts in (("S20", 3), ("D20", 1), ("D20", 2), ("T20", 3)):
        assert refused(match, 101, bed, darts) == "no_such_visit"
    # Fewer darts without a finish are not a visit.
    assert refused(match, 60, "T20", 1) == "no_such_visit"


def test_a_player_who_is_not_in_yet_enters_darts() -> None:
    match = begun(**{"in": "double"})
    assert refused(match, 100) == "no_such_visit"
    opened = after(match, Throw(SEGMENTS["D20"]), Next(), Next())
    assert score(entered(opened, 100)) == 361


def test_a_total_replaces_the_darts_of_the_turn() -> None:
    match = after(entered(begun(), 140), Next())
    match = after(entered(match, 26), Correct(1, SEGMENTS["T20"]))
    match = entered(match, 45)
    assert (score(match), score(match, 1)) == (361, 456)
    assert len(match.turn.darts) == 3


def test_a_total_after_an_earlier_correction_is_refused() -> None:
    match = after(entered(begun(), 140), Next(), Throw(SEGMENTS["S1"]), Correct(1, MISS, 1))
    assert refused(match, 45) == "undo_only"


def test_a_total_of_a_match_that_is_over_is_refused() -> None:
    won = after(entered(begun(start=101), 101, "DB", 2), Next())
    assert won.finished
    assert refused(won, 45) == "finished"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 180), max_size=12))
def test_a_typed_leg_loses_no_point(totals: list[int]) -> None:
    match, left = begun(start=501), [501, 501]
    for points in totals:
        outcome = visit_actions(match, VisitTotal(points))
        player = (match.turns[-1].number) % 2
        possible = points in POSSIBLE and left[player] - points >= 2
        assert isinstance(outcome, Refusal) != possible
        if isinstance(outcome, Refusal):
            continue
        done = after(match, *outcome)
        # Undone dart by dart.
        assert after(done, *(Undo() for _ in outcome)) == match
        match = after(done, Next())
        left[player] -= points
        assert [score(match, 0), score(match, 1)] == left
