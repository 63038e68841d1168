"""From what is kept of matches to the hand that threw them: nobody says where they aimed."""

from dataclasses import replace

import pytest

from engine.game import Advice
from engine.games.x01 import X01
from engine.games.x01_state import State
from tests.twin.played import play
from tests.twin.thrower import Thrower
from twin.aims import WAYS, thrown
from twin.fit import fit
from twin.hand import Hand

PUB = Hand(22, 28, 0.2, 3, -4)


@pytest.mark.parametrize(("game", "darts"), [("x01", 900), ("cricket", 600)])
def test_the_hand_of_a_record_is_found(game: str, darts: int) -> None:
    matches = play(game, Thrower(PUB, seed=11), 22, darts)
    found = fit(thrown(matches, "Ann", darts))
    assert found is not None
    assert found.darts == darts
    assert abs(found.hand.x_mm - PUB.x_mm) < 4 * found.error.x_mm
    assert abs(found.hand.y_mm - PUB.y_mm) < 4 * found.error.y_mm
    assert found.ways[WAYS.index(22)] > 0.9


def test_the_darts_of_others_are_not_counted() -> None:
    matches = play("x01", Thrower(PUB, seed=1), 25, 60)
    assert thrown(matches, "Bob", 60) == []


def test_the_newest_matches_are_enough() -> None:
    matches = play("x01", Thrower(PUB, seed=1), 25, 300, start=301)
    assert len(matches) > 2
    known = sum(row.count for row in thrown(matches, "Ann", 10))
    assert 10 <= known < 300


class Mute(X01):
    """A game that fails after some darts when it is asked for advice."""

    def advice(self, state: State, skill_mm: float) -> Advice:
        if state.seats[0].left < 400:
            raise ZeroDivisionError
        return super().advice(state, skill_mm)


def test_a_match_whose_game_fails_counts_nothing() -> None:
    matches = play("x01", Thrower(PUB, seed=1), 25, 30)
    faulty = replace(matches[0], game=Mute())
    assert thrown([faulty], "Ann", 60) == []
    assert thrown([faulty, *matches], "Ann", 60) == thrown(matches, "Ann", 60)
