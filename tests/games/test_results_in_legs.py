"""The result that displays get when a leg of a match in a format is won: of the leg, the set, or the match."""

from typing import Any

import pytest

from tests.show.played import Played

WON = ("T20", "S1", "D20")
LOST = ("MISS", "MISS", "MISS", "next")


def result_of(played: Played) -> dict[str, Any] | None:
    """What the last state says."""
    found: dict[str, Any] | None = played.cues[-1].state.get("result")
    return found


@pytest.mark.parametrize("game", ["x01", "cricket"])
def test_a_leg_is_not_the_match(game: str) -> None:
    options = {"start": 101} if game == "x01" else {"numbers": [20]}
    won = WON if game == "x01" else ("T20",)
    played = Played(game, ["Ann", "Bob"], options | {"best_of": 3})
    played.act(*won)
    assert (found := result_of(played)) is not None
    assert (found["of"], found["winners"]) == ("leg", ["Ann"])
    played.act("next")
    assert result_of(played) is None
    played.act(*LOST, *won)
    assert (found := result_of(played)) is not None
    assert (found["of"], found["winners"]) == ("match", ["Ann"])
    played.act("next")
    assert played.match.finished


def test_the_last_leg_of_a_set_is_the_set() -> None:
    played = Played("x01", ["Ann", "Bob"], {"start": 101, "best_of": {"legs": 1, "sets": 3}})
    played.act(*WON)
    assert (found := result_of(played)) is not None
    assert found["of"] == "set"


def test_a_shared_leg_that_is_played_again_has_no_result() -> None:
    played = Played("cricket", ["Ann", "Bob"], {"numbers": [20], "rounds": 1, "best_of": 3})
    played.act("MISS", "MISS", "MISS", "next", "MISS", "MISS", "MISS")
    assert result_of(played) is None


def test_a_leg_of_every_game_has_a_result() -> None:
    """The sides with their scores and the legs of the match; the game needs none of its own."""
    played = Played("count_up", ["Ann", "Bob"], {"rounds": 1, "best_of": 3})
    played.act("T20", "MISS", "MISS", "next", "S1", "MISS", "MISS")
    assert (found := result_of(played)) is not None
    assert (found["of"], found["winners"]) == ("leg", ["Ann"])
    assert found["players"] == [{"name": "Ann", "score": 60, "legs": 1}, {"name": "Bob", "score": 1, "legs": 0}]
    played.act("undo")
    assert result_of(played) is None


def test_a_leg_that_ends_by_an_early_next_has_its_result_until_the_next_action() -> None:
    played = Played("count_up", ["Ann", "Bob"], {"rounds": 1, "best_of": 3})
    played.act("T20", "next", "next")
    state = played.cues[-1].state
    assert (state["leg"], state["turn"]["awaits"]) == (2, "throw")
    assert (found := result_of(played)) is not None
    assert (found["of"], found["winners"], found["players"][0]["score"]) == ("leg", ["Ann"], 60)
    played.act("S1")
    assert result_of(played) is None


def test_the_result_of_a_medley_names_the_winner_of_the_match_and_not_of_its_last_leg() -> None:
    leg = {"game": "count_up", "options": {"rounds": 1}}
    played = Played("medley", ["Ann", "Bob"], {"legs": [leg] * 3, "play": "all"})
    played.act("T20", "next", "next", "next", "T20", "next", "MISS", "next", "T20", "MISS", "MISS")
    assert (found := result_of(played)) is not None
    assert (found["of"], found["winners"]) == ("match", ["Ann"])
    assert [side["legs"] for side in found["players"]] == [2, 1]
