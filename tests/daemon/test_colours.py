"""The colour of a player: kept beside their files, one at a time, and forgotten with them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.people import colours, player_files
from daemon.people.player_files import MOST_PLAYERS, listed
from engine.refusals import Refusal
from tests.daemon.test_player_files import MP3


def test_a_colour_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    assert colours.colour_of(tmp_path, "Ann") is None
    for colour in ("#0060ff", "#00c0a0"):
        assert colours.choose(tmp_path, "Ann", colour) is None
    assert colours.colour_of(tmp_path, "Ann") == "00c0a0"
    assert listed(tmp_path) == {"ann": {"colour": "#00c0a0"}}
    colours.remove(tmp_path, "Ann")
    colours.remove(tmp_path, "Ann")
    assert colours.colour_of(tmp_path, "Ann") is None
    assert list((tmp_path / "people").iterdir()) == []


def test_a_colour_and_sounds_keep_each_other(tmp_path: Path) -> None:
    player_files.put(tmp_path, "Ann", "won", MP3)
    colours.choose(tmp_path, "Ann", "#0060ff")
    assert listed(tmp_path)["ann"].keys() == {"won", "colour"}
    colours.remove(tmp_path, "Ann")
    assert listed(tmp_path)["ann"].keys() == {"won"}
    colours.choose(tmp_path, "Ann", "#0060ff")
    player_files.remove(tmp_path, "Ann", "won")
    assert listed(tmp_path)["ann"].keys() == {"colour"}
    assert player_files.forget(tmp_path, "Ann") == []
    assert listed(tmp_path) == {}


@pytest.mark.parametrize("colour", ["", "0060ff", "#0060f", "#0060FF", "#../..", "#0060ff\n", "#00"])
def test_what_is_not_a_colour(tmp_path: Path, colour: str) -> None:
    assert isinstance(colours.choose(tmp_path, "Ann", colour), Refusal)
    assert not (tmp_path / "people").exists()


@given(st.text(max_size=300))
def test_every_name_can_be_asked_for(player: str) -> None:
    assert colours.colour_of(Path("/nonexistent"), player) is None


def test_players_with_a_colour_are_bounded_as_those_with_files(tmp_path: Path) -> None:
    for number in range(MOST_PLAYERS):
        assert colours.choose(tmp_path, f"Player {number}", "#0060ff") is None
    assert isinstance(colours.choose(tmp_path, "Ann", "#0060ff"), Refusal)
    assert colours.choose(tmp_path, "Player 0", "#00c0a0") is None
