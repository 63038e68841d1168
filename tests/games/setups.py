"""Faces and options for the conformance tests of each game; the options exercise rules other than the defaults."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import boards
from boards.face_files import face_from_toml
from engine.actions import GameAction
from engine.faces import Face
from engine.game import Game, Step


def face(name: str) -> Face:
    """The built-in face of this name."""
    file = Path(boards.__file__).parent / "faces" / f"{name}.toml"
    made = face_from_toml(file.read_text("utf-8"), file.name)
    assert not isinstance(made, tuple), made
    return made


S = TypeVar("S")


def played(game: Game[S], state: S, *actions: GameAction) -> S:
    """The state after actions, all of which the game must accept."""
    for action in actions:
        step = game.apply(state, action)
        assert isinstance(step, Step), f"{action}: {step}"
        state = step.state
    return state


FACES: Final[Mapping[str, Face]] = {name: face(name) for name in ("yatzy", "dart_wars", "dart_wars_82")}


def face_of(game: Game[Any], options: Mapping[str, Any]) -> Face | None:
    """The face that a game is played on with these options."""
    name = game.face({option.name: options.get(option.name, option.default) for option in game.options})
    return None if name is None else FACES[name]


SETUPS: Final[Mapping[str, tuple[dict[str, Any], ...]]] = {
    "x01": (
        {},
        {"start": 101, "in": "double", "out": "master", "bull": "full"},
        {"start": 101, "out": "open", "legs": 2, "sets": 2, "handicap": {"Ann": 151}},
    ),
    "cricket": ({}, {"mode": "cut-throat", "rounds": 0}, {"mode": "no-score", "numbers": [20, 3, "bull"], "rounds": 5}),
    "cerberus": ({}, {"cerberus_points": 0, "margin": 40}, {"cerberus_points": 9}),
    "dards": (
        {},
        {"mode": "hands", "order": "listed"},
        {"mode": "rapid", "wild": True},
        {"mode": "hands", "wild": True},
    ),
    "dart_wars": ({}, {"order": "listed", "supply": 5}, {"face": "dart_wars_82", "order": "listed"}),
}
"""Sets of options for each game; games that are not listed use their defaults."""
