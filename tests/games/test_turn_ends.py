"""The state names the command that ends the turn: pages offer that one, and know no rules."""

import random
from typing import Any, Final

import pytest

from engine.actions import Action, Done, Next
from engine.games import GAMES
from engine.match import Match
from engine.play import apply
from engine.random_play import random_action, some_darts, start
from engine.refusals import Refusal
from tests.games.setups import SETUPS, face_of

LOOKS: Final = 120
"""States of a match that are compared."""
COMMANDS: Final[dict[str, Action]] = {"next": Next(), "done": Done()}
MATCHES: Final = [(name, options) for name in sorted(GAMES) for options in SETUPS.get(name, ({},))]


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_a_turn_can_be_ended_by_the_command_that_its_state_names(name: str, options: dict[str, Any]) -> None:
    game, chance = GAMES[name], random.Random(7)
    face = face_of(game, options)
    seats = min(max(2, game.seats.start), game.seats.stop - 1)
    match = start(game, ("Ann", "Bob", "Cid", "Dee")[:seats], options, face)
    darts, looks = some_darts(face), 0
    while isinstance(match, Match) and not match.finished and looks < LOOKS:
        possible = [key for key, action in COMMANDS.items() if isinstance(apply(match, action), Match)]
        named = match.view()["turn"].get("ends")
        assert len(possible) <= 1
        assert named == (possible[0] if possible else None)
        match, looks = apply(match, random_action(match, darts, chance)), looks + 1
    assert not isinstance(match, Refusal), match
    assert looks > 0
    assert not match.finished or "ends" not in match.view()["turn"]
