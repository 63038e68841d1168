"""Darts a second of processor time in the engine: matches of random legal play of every game, alone and in formats."""

import math
import random
import time
from typing import Any, Final

from daemon.system.catalogue import faces
from engine.actions import Action, Foul, Throw
from engine.games import GAMES
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.options import PerPlayer
from engine.play import apply
from engine.random_play import played_on
from engine.refusals import Refusal
from tests.bench.figures import Figure
from tests.games.formats import NAMES, allowed, face_of

MATCHES: Final = 5
"""How many matches of a row are recorded: a short one alone is mostly its begin and its end."""
SECONDS: Final = 0.4
TIMES: Final = 5
"""How long, and how often at least, they are played again. The fastest time counts: others only ever make it slower."""
TRIES: Final = 5
"""How often a row is measured that is below its goal: on a busy machine no moment of `SECONDS` may be quiet."""
GOALS: Final = {"dart_wars": 2000.0}
USUAL_GOAL: Final = 20_000.0
ALONE: Final = ""


def speeds() -> list[Figure]:
    """The speed of every game, alone and in each format that it allows. Real-time priority makes it steadier."""
    return [speed(name, form) for name in GAMES for form in (ALONE, *allowed(GAMES[name]))]


def speed(name: str, form: str = ALONE) -> Figure:
    """The darts a second of recorded random matches that are played again and again."""
    records = [_record(header(name, form), seed) for seed in range(MATCHES)]
    thrown = sum(isinstance(action, Throw | Foul) for _, actions in records for action in actions)
    took, goal = [math.inf] * MATCHES, GOALS.get(name, USUAL_GOAL)
    for _ in range(TRIES):
        legal = name == "dart_wars"
        took = [min(best, _fastest(*record, legal=legal)) for best, record in zip(took, records, strict=True)]
        if thrown / sum(took) >= goal:
            break
    label = f"darts a second in the engine, {name}{form and f', {form}'}"
    return Figure(label, thrown / sum(took), "darts/s", goal, at_least=True)


def header(name: str, form: str) -> Header:
    """A match of usual length of a game in a format."""
    game = GAMES[name]
    players = NAMES if form == "freeze" else NAMES[: max(2, game.seats.start)]
    if form == "medley":
        legs = [{"game": name}] * 3
        return Header("medley", players, {"legs": legs}, NEWEST)
    return Header(name, players, _options(name, form, players), NEWEST)


def _options(name: str, form: str, players: tuple[str, ...]) -> dict[str, Any]:
    match form:
        case "best_of":
            return {"best_of": 3}
        case "bull_off":
            return {"order": "bull"}
        case "handicap":
            kind = next(option.kind for option in GAMES[name].options if option.name == "handicap")
            assert isinstance(kind, PerPlayer)
            return {"handicap": {players[0]: kind.low + 1}}
        case "freeze":
            return {"freeze": True}
        case _:
            return {}


def _record(header: Header, seed: int) -> tuple[Match, list[Action]]:
    opened = open_match(header, GAMES, faces())
    assert not isinstance(opened, Refusal), opened
    return opened, list(played_on(opened, face_of(opened), random.Random(seed)).actions)


def _fastest(match: Match, actions: list[Action], *, legal: bool) -> float:
    """The seconds that one match takes."""
    took: list[float] = []
    while len(took) < TIMES or sum(took) < SECONDS / MATCHES:
        began = time.process_time()
        _play(match, actions, legal=legal)
        took.append(time.process_time() - began)
    return min(took)


def _play(match: Match, actions: list[Action], *, legal: bool) -> None:
    for action in actions:
        if legal:
            match.legal()
        outcome = apply(match, action)
        assert not isinstance(outcome, Refusal)
        match = outcome
