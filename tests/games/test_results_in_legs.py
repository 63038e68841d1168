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


@pytest.mark.parametrize("game", ["count_up", "cricket"])
def test_a_leg_that_ends_with_its_last_round_has_a_result_too(game: str) -> None:
    played = Played(game, ["Ann", "Bob"], {"rounds": 1, "best_of": 3})
    played.act("T20", "MISS", "MISS", "next", "MISS", "MISS")
    assert result_of(played) is None
    played.act("MISS")
    assert result_of(played) == {"of": "leg", "winners": ["Ann"]}
    played.act("next")
    assert result_of(played) is None


def test_a_turn_that_could_be_closed_early_has_no_result() -> None:
    played = Played("count_up", ["Ann", "Bob"], {"rounds": 1, "best_of": 3})
    played.act("T20", "next", "S1")
    assert result_of(played) is None
