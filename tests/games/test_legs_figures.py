"""The figures of a match in several legs are those of the whole match, whoever starts a leg and whatever is between."""

from typing import Any

import pytest

from engine.actions import Correct, Deck, Undo
from engine.cards import NUMBERS
from engine.match import Match
from engine.play import apply
from engine.segments import SEGMENTS
from tests.games.test_formats import begun, played

ONE_LEG = "T20 S1 D20 |"
MISSES = "MISS MISS MISS |"


def of(match: Match, name: str = "Ann") -> dict[str, Any]:
    """The player's entry in the view."""
    found: dict[str, Any] = next(player for player in match.view()["players"] if player["name"] == name)
    return found


def test_the_average_of_x01_goes_on_in_the_next_leg() -> None:
    match = played(begun("x01", start=101, best_of=3), f"{ONE_LEG} S20 MISS MISS |")
    assert (of(match)["average"], of(match)["darts"], of(match)["leg_darts"]) == (101.0, 3, 0)
    match = played(match, "MISS MISS MISS")
    # 101 points in six darts; one finish in as many darts as could have finished.
    ann = of(match)
    assert (ann["average"], ann["first_nine"], ann["darts"], ann["leg_darts"]) == (50.5, 50.5, 6, 3)
    assert (ann["checkout_hits"], ann["best_visit"], ann["visits"]) == (1, 101, [0])
    assert (of(match, "Bob")["average"], of(match, "Bob")["darts"]) == (20.0, 3)


def test_a_correction_and_an_undo_change_the_figures_of_the_match() -> None:
    match = played(begun("x01", start=101, best_of=3), f"{ONE_LEG} S20")
    corrected = apply(match, Correct(1, SEGMENTS["T20"]))
    assert isinstance(corrected, Match)
    assert of(corrected, "Bob")["average"] == 180.0
    for _ in range(3):
        corrected = apply(corrected, Undo())
        assert isinstance(corrected, Match)
    assert corrected.state == played(begun("x01", start=101, best_of=3), "T20 S1 D20").state


def test_teams_keep_their_figures() -> None:
    match = played(begun("x01", 4, start=101, teams=2, best_of=3), ONE_LEG)
    assert [of(match, name)["average"] for name in ("Ann", "Bob", "Cid", "Dee")] == [101.0, 0.0, 101.0, 0.0]


def test_the_marks_per_round_of_cricket_go_on_in_the_next_leg() -> None:
    match = played(begun("cricket", numbers=[20, 19], best_of=3), f"T20 T19 | {MISSES}")
    ann, bob = of(match), of(match, "Bob")
    assert (ann["mpr"], ann["darts"], ann["best_visit"], ann["visits"]) == (6.0, 2, 6, [])
    assert (bob["mpr"], bob["visits"]) == (0.0, [0])
    match = played(match, "D20")
    assert (of(match)["mpr"], of(match)["darts"]) == (4.0, 3)


def test_the_legs_before_change_neither_the_ranking_nor_who_throws() -> None:
    """At the limit of rounds the marks of the leg decide, and in a team the first partner begins again."""
    match = played(begun("cricket", numbers=[20, 19], rounds=1, best_of=3), f"T20 T19 | S1 MISS MISS | {MISSES}")
    assert of(match)["legs"] == 1
    leg = played(match, f"S20 MISS MISS | {MISSES}")
    assert (of(leg)["legs"], of(leg, "Bob")["legs"]) == (1, 1)
    teams = played(begun("cricket", 4, numbers=[20], teams=2, best_of=3), f"{MISSES} {MISSES} T20 |")
    assert teams.turn.player == "Bob"


@pytest.mark.parametrize("name", ["random_cricket", "crazy_cricket", "hidden_cricket"])
def test_crickets_on_drawn_numbers_keep_their_marks_per_round(name: str) -> None:
    deck = Deck(tuple(sorted(NUMBERS, key=lambda card: -NUMBERS[card])))

    def dealt(match: Match) -> Match:
        while match.turn.awaits == "deck":
            outcome = apply(match, deck)
            assert isinstance(outcome, Match), outcome
            match = outcome
        return match

    match = dealt(begun(name, count=1, with_bull=False, best_of=3))
    match = dealt(played(match, "T20 |"))
    assert (of(match)["legs"], of(match)["mpr"], of(match, "Bob")["mpr"]) == (1, 3.0, 0.0)
    match = dealt(played(match, MISSES))
    assert (of(match)["mpr"], of(match, "Bob")["mpr"]) == (3.0, 0.0)
    assert of(played(match, "S20"))["mpr"] == 2.0


def test_a_medley_has_the_figures_of_each_of_its_games() -> None:
    x01, cricket = {"game": "x01", "options": {"start": 101}}, {"game": "cricket", "options": {"numbers": [20]}}
    match = played(begun("medley", legs=[x01, cricket, x01, cricket, x01], play="all"), ONE_LEG)
    assert "average" not in of(match)
    # Bob starts the Cricket and wins it; Ann starts the next leg of X01.
    match = played(match, "T20 |")
    assert (of(match)["average"], of(match)["legs"], of(match, "Bob")["legs"]) == (101.0, 1, 1)
    match = played(played(match, ONE_LEG), "MISS")
    assert (of(match)["mpr"], of(match, "Bob")["mpr"]) == (0.0, 1.5)


def test_the_result_of_a_leg_has_the_figures_of_the_leg_and_that_of_the_match_those_of_the_match() -> None:
    match = played(begun("x01", start=101, best_of=3), f"{ONE_LEG} {MISSES} T20 S1 D20")
    result = match.view()["result"]
    assert (result["of"], result["winners"]) == ("match", ["Ann"])
    ann, bob = (next(side for side in result["players"] if side["name"] == name) for name in ("Ann", "Bob"))
    assert (ann["darts"], ann["average"], ann["legs"], bob["darts"], bob["legs"]) == (6, 101.0, 2, 3, 0)
    match = played(begun("x01", start=101, best_of=5), f"{ONE_LEG} {MISSES} S1 MISS MISS | {MISSES} T20 D20")
    result = match.view()["result"]
    ann = next(side for side in result["players"] if side["name"] == "Ann")
    assert (result["of"], ann["darts"], ann["average"], ann["legs"]) == ("leg", 5, 60.6, 2)
