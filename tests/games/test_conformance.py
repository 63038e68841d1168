"""Every built-in game passes the conformance suite, on random matches of all sizes and options."""

from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conformance import check, random_match
from engine.game import Game
from engine.games import GAMES, families
from engine.options import Flag, Number, OneOf, Option, PerPlayer
from engine.random_play import start
from engine.refusals import Refusal
from tests.games.setups import SETUPS, face_of

NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
CLASSICS: Final = [name for name, family in families().items() if family == "classics"]
KINDS: Final = [(name, options) for name in CLASSICS for options in SETUPS.get(name, ({},))]
OTHERS: Final = [name for name in GAMES if name not in CLASSICS]

NARROW: Final = 6
"""Numbers are drawn from the low end of their range, so that rounds, lives and limits end a match."""


def values(option: Option) -> st.SearchStrategy[Any]:
    """Values of an option."""
    match option.kind:
        case Number(low, high):
            return st.integers(low, min(high, low + NARROW))
        case OneOf(words):
            return st.sampled_from(words)
        case Flag():
            return st.booleans()
        case PerPlayer(low, high, True):
            return st.dictionaries(st.sampled_from(NAMES[:2]), st.integers(low, high))
        case _:
            return st.just(option.default)


@st.composite
def matches_of(draw: st.DrawFn, game: Game[Any]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Players and options of a match that can be played. Half of the options are left out."""
    most = min(len(NAMES), game.seats.stop - 1)
    players = NAMES[: draw(st.integers(game.seats.start, most))]
    drawn = {option.name: draw(st.none() | values(option)) for option in game.options}
    options = {name: value for name, value in drawn.items() if value is not None}
    while isinstance(refused := start(game, players, options), Refusal):
        # Options that exclude each other, or more teams than players: one is left out, until the rest can be played.
        assert options, refused
        del options[draw(st.sampled_from(sorted(options)))]
    return players, options


@pytest.mark.parametrize(("name", "options"), KINDS)
@settings(max_examples=5, deadline=None, derandomize=True)
@given(seats=st.integers(1, 5), seed=st.integers(0, 2**32))
def test_classic_conforms(name: str, options: dict[str, Any], seats: int, seed: int) -> None:
    game = GAMES[name]
    players = NAMES[: min(max(seats, game.seats.start), game.seats.stop - 1)]
    assert list(check(game, players, options, face_of(game, options), Random(seed))) == []


@pytest.mark.parametrize("name", OTHERS)
@settings(max_examples=8, deadline=None, derandomize=True)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_game_conforms(name: str, data: st.DataObject, seed: int) -> None:
    game = GAMES[name]
    players, options = data.draw(matches_of(game))
    assert list(check(game, players, options, None, Random(seed))) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_random_match_depends_only_on_its_chooser(name: str) -> None:
    game = GAMES[name]
    players, options = NAMES[: max(2, game.seats.start)], dict[str, Any]()
    once, again, other = (
        random_match(game, players, options, face_of(game, options), Random(seed), 60) for seed in (1, 1, 2)
    )
    assert once == again != other
