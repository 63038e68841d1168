"""What games of the kit count for their players, by hand."""

from typing import Any

import pytest

from engine.actions import Choose, Next, Throw
from engine.games import GAMES
from engine.match import Match
from engine.play import apply
from engine.random_play import start
from engine.segments import SEGMENTS
from engine.statistics import statistics_of, visits


def shown(game: str, text: str, players: tuple[str, ...] = ("Ann",), **options: Any) -> list[dict[str, Any]]:
    """What displays get of each player after these darts; `|` is `next`, and `number` or `ring` a claim."""
    match = start(GAMES[game], players, options)
    assert isinstance(match, Match), match
    for word in text.split():
        claim = Choose("claim", word) if word in ("number", "ring") else None
        outcome = apply(match, claim or (Next() if word == "|" else Throw(SEGMENTS[word])))
        assert isinstance(outcome, Match), (word, outcome)
        match = outcome
    counts = statistics_of(GAMES[game])
    found = counts.count(visits(match), match.finished)
    return [dict(counts.show(found[name])) for name in players if name in found]


@pytest.mark.parametrize(
    ("text", "average", "best"),
    [
        ("S1 |", 101.0, 101),  # 1 and two misses of 50
        ("|", 150.0, 150),
        ("S1 S1", 3.0, 2),  # the turn goes on: nothing is missed yet
        ("S1 S2 MISS |", 53.0, 53),
    ],
)
def test_darts_that_are_not_thrown_in_low_ball_are_misses(text: str, average: float, best: int) -> None:
    assert shown("low_ball", text, rounds=1) == [{"average": average, "best_turn": best}]


def test_the_best_turn_in_low_ball_is_the_lowest_of_whole_turns() -> None:
    assert shown("low_ball", "S1 | S20 S20 S20 |", rounds=2)[0]["best_turn"] == 60


def test_darts_that_are_not_thrown_on_the_way_down_are_misses() -> None:
    assert shown("hi_lo", "S20 | S10 |", rounds=2) == [{"average": -67.5, "best_turn": 20}]


def test_the_best_turn_in_unders_is_the_lowest() -> None:
    text = "S5 S1 S3 | S1 MISS S1 | S1 S1 S1 | S1 S1 D1 | S1 S1 |"
    assert [player["best_turn"] for player in shown("unders", text, ("Ann", "Bob"))] == [3, 4]


def test_the_best_score_in_unders_is_the_most_lives() -> None:
    assert statistics_of(GAMES["unders"]).best["best_score"] is max
    assert statistics_of(GAMES["low_ball"]).best["best_score"] is min


@pytest.mark.parametrize("points", [False, True])
@pytest.mark.parametrize(
    ("text", "rate"),
    [("S20 S19 S18 |", 100.0), ("T20 S20 MISS |", 33.33), ("T20 T20 S1 |", 66.67), ("S5 SB DB |", 66.67)],
)
def test_a_dart_that_closes_or_scores_is_a_hit_in_mickey_mouse(points: bool, text: str, rate: float) -> None:
    """The second triple 20 is one of three triples; alone, nobody leaves a 20 open to score on."""
    assert shown("mickey_mouse", text, points=points)[0]["hit_rate"] == rate


def test_a_dart_that_scores_alone_is_a_hit_in_mickey_mouse() -> None:
    text = "T20 S20 S20 | MISS |"
    assert shown("mickey_mouse", text, ("Ann", "Bob"), points=True) == [{"hit_rate": 100.0}, {"hit_rate": 0.0}]


@pytest.mark.parametrize("points", [False, True])
def test_a_dart_whose_use_is_asked_for_is_a_hit_in_mickey_mouse(points: bool) -> None:
    text = "T20 number S5 T19 ring |"
    assert shown("mickey_mouse", text, claim="ask", points=points)[0]["hit_rate"] == 66.67


@pytest.mark.parametrize(
    ("game", "text", "found"),
    [
        ("shanghai", "D1 MISS MISS | S2 D2 S20 |", {"average": 4.0, "hit_rate": 50.0, "best_turn": 6}),
        ("halve_it", "S15 T15 S2 | S8 S7 MISS |", {"average": 30.0, "hit_rate": 33.33, "best_turn": 60}),
        ("bermuda", "S12 D12 S5 |", {"average": 36.0, "hit_rate": 66.67, "best_turn": 36}),
        ("baseball", "S1 T1 S20 | S15 S17 MISS |", {"average": 2.0, "hit_rate": 33.33, "best_turn": 4}),
    ],
)
def test_darts_in_the_target_of_the_round_are_hits(game: str, text: str, found: dict[str, Any]) -> None:
    assert shown(game, text) == [found]
