"""Every registered game passes the conformance suite, on random matches of all sizes and options."""

from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conformance import check, random_match
from engine.games import GAMES
from tests.games.setups import SETUPS, face_of

NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
KINDS: Final = [(name, options) for name in GAMES for options in SETUPS.get(name, ({},))]


@pytest.mark.parametrize(("name", "options"), KINDS)
@settings(max_examples=5, deadline=None, derandomize=True)
@given(seats=st.integers(1, 5), seed=st.integers(0, 2**32))
def test_game_conforms(name: str, options: dict[str, Any], seats: int, seed: int) -> None:
    game = GAMES[name]
    players = NAMES[: min(max(seats, game.seats.start), game.seats.stop - 1)]
    assert list(check(game, players, options, face_of(game, options), Random(seed))) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_random_match_depends_only_on_its_chooser(name: str) -> None:
    game = GAMES[name]
    players = NAMES[: max(2, game.seats.start)]
    once, again, other = (random_match(game, players, {}, face_of(game, {}), Random(seed)) for seed in (1, 1, 2))
    assert once == again != other
