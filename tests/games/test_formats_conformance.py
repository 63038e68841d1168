"""Every game passes the conformance suite in the formats that it allows, also one of another package.

Each run plays one match of every game, in a format that is drawn; `scripts/formats` plays all pairs.
"""

from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game
from engine.games import GAMES
from tests.games.formats import FORMATS, allowed, faults, setup
from tests.games.test_kit import BLIND, DUEL

PLUG_INS: Final = (BLIND, DUEL)
"""Games of another package: one with secrets, and one in which everyone throws for a number first."""


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=1, deadline=None, derandomize=True)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_every_game_conforms_in_a_format(name: str, data: st.DataObject, seed: int) -> None:
    form = data.draw(st.sampled_from(allowed(GAMES[name])))
    assert list(faults(setup(GAMES[name], form, Random(seed)), Random(seed))) == []


@pytest.mark.parametrize("game", PLUG_INS, ids=lambda game: str(game.name))
@pytest.mark.parametrize("form", FORMATS)
def test_a_plug_in_conforms_in_every_format(game: Game[Any], form: str) -> None:
    if form in allowed(game):
        assert list(faults(setup(game, form, Random(1)), Random(1))) == []
    else:
        assert form in ("handicap", "freeze")


@pytest.mark.parametrize("form", FORMATS)
def test_formats_are_allowed_by_some_games(form: str) -> None:
    assert any(form in allowed(GAMES[name]) for name in ("x01", "count_up"))
