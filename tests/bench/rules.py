"""Darts a second of processor time in the engine alone: matches of random legal play, one after the other."""

import random
import time
from typing import Any, Final

from daemon.system.catalogue import faces
from engine.actions import Action, Throw
from engine.conformance import random_match
from engine.games import GAMES
from engine.match import Match, apply
from engine.matchfile import open_match
from engine.refusals import Refusal
from tests.bench.figures import Figure

SECONDS: Final = 0.5
GOALS: Final = {"dart_wars": 2000.0}
USUAL_GOAL: Final = 20_000.0


def speed(name: str, best_of: int | None = None) -> Figure:
    """Plays one recorded random match again and again for `SECONDS`, in legs if `best_of` says so; counts the darts."""
    match, actions = _record(name, {} if best_of is None else {"best_of": best_of})
    darts = sum(isinstance(action, Throw) for action in actions)
    thrown, began = 0, time.process_time()
    while (took := time.process_time() - began) < SECONDS:
        _play(match, actions, legal=name == "dart_wars")
        thrown += darts
    legs = "" if best_of is None else f", best of {best_of}"
    return Figure(
        f"darts a second in the engine, {name}{legs}",
        thrown / took,
        "darts/s",
        GOALS.get(name, USUAL_GOAL),
        at_least=True,
    )


def _record(name: str, options: dict[str, Any]) -> tuple[Match, list[Action]]:
    game = GAMES[name]
    players = ("Ann", "Bob", "Cid")[: max(2, game.seats.start)]
    face = game.face({option.name: option.default for option in game.options})
    record = random_match(game, players, options, None if face is None else faces()[face], random.Random(1))
    opened = open_match(record.header, GAMES, faces())
    assert not isinstance(opened, Refusal)
    return opened, list(record.actions)


def _play(match: Match, actions: list[Action], *, legal: bool) -> None:
    for action in actions:
        if legal:
            match.legal()
        outcome = apply(match, action)
        assert not isinstance(outcome, Refusal)
        match = outcome
