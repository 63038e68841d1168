"""The games and faces by whose rules a hall checks matches: those that come with the program, and those of packages."""

import logging
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import boards
from boards.face_files import face_from_toml
from engine.faces import Faces
from engine.game import Game
from engine.games import GAMES

log = logging.getLogger(__name__)


@cache
def games() -> Mapping[str, Game[Any]]:
    """Every game by name. A game of a package that cannot be loaded is left out, and logged."""
    found: dict[str, Game[Any]] = {name: GAMES[name] for name in GAMES}
    for entry in entry_points(group="oche.games"):
        if entry.name not in found:
            try:
                found[entry.name] = entry.load()
            except Exception:  # Code from outside can raise anything.
                log.exception("the game %s of %s is left out", entry.name, entry.value)
    return found


@cache
def faces() -> Faces:
    """Every face by name."""
    files = sorted((Path(boards.__file__).parent / "faces").glob("*.toml"))
    read = [face_from_toml(path.read_text(encoding="utf-8"), path.name) for path in files]
    return {face.name: face for face in read if not isinstance(face, tuple)}
