"""Dart Wars: the bots come to an end, and move as their advice means it."""

from random import Random

import pytest

from engine.actions import Done, Move, Throw
from engine.darts import Position
from engine.games.dart_wars import GAME
from engine.games.dart_wars_state import State
from tests.games.setups import FACES
from tests.games.test_dart_wars import NAMES, WORLD, begin, darts, play, standing


def bots(face: str, seats: int, seed: int, skill_mm: float = 15.0) -> State:
    """A match of equal bots to its end."""
    choose, world = Random(seed), FACES[face]
    state = GAME.new(NAMES[:seats], {"order": "bull", "supply": 15, "face": face, "handicap": {}}, world)
    assert isinstance(state, State)
    while state.phase != "over":
        assert state.number < 2000, "the bots do not come to an end"
        advice = GAME.advice(state, skill_mm)
        if advice.aim is not None:
            spread = skill_mm / 170
            at = Position(advice.aim.x + choose.gauss(0, spread), advice.aim.y + choose.gauss(0, spread))
            state = play(state, Throw(at))
        else:
            assert advice.action is not None
            assert GAME.legal(state).allows(advice.action)
            state = play(state, advice.action)
    return state


@pytest.mark.parametrize("face", ["dart_wars", "dart_wars_82"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_bots_come_to_an_end(face: str, seats: int) -> None:
    for seed in range(3):
        assert GAME.winners(bots(face, seats, seed)) is not None


def test_a_bot_walks_into_an_empty_homeland() -> None:
    state = standing(begin("gaul", "italy", "hawaii"), gaul=(3, 0, 0), russia=(0, 3, 0), hawaii=(0, 0, 3))
    aim = GAME.advice(state, 5.0).aim
    assert aim is not None
    assert WORLD.zones_of(Position(aim.x, aim.y)) == ("italy",)
    assert GAME.advice(darts(state, "italy"), 5.0).action == Move(1, "gaul")


def test_a_bot_takes_new_countries_and_leaves_nobody_unprotected() -> None:
    state = standing(begin("gaul", "hawaii"), gaul=(3, 0), hawaii=(0, 3))
    assert GAME.advice(darts(state, "britain"), 5.0).action == Move(1, "gaul")
    beset = standing(begin("gaul", "hawaii"), gaul=(1, 0), italy=(0, 4), hawaii=(0, 3))
    assert GAME.advice(darts(beset, "north_sea"), 5.0).action == Done()
