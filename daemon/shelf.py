"""What is on the shelf: board models and faces, read from the files that come with the program.

A bad file disables itself alone, and all of its problems are told.
"""

import logging
from functools import cache
from pathlib import Path
from typing import Final

import boards
from boards.board import Board
from boards.board_files import board_from_toml
from boards.face_files import face_from_toml
from daemon.urls import UsageError
from drivers import DRIVERS
from engine.faces import Faces

log = logging.getLogger(__name__)

FOLDER: Final = Path(boards.__file__).parent


@cache
def models() -> dict[str, Board]:
    """Every board model, by name."""
    found: dict[str, Board] = {}
    for path in sorted((FOLDER / "models").glob("*.toml")):
        board = board_from_toml(path.read_text(encoding="utf-8"), path.name, {n: d.shape for n, d in DRIVERS.items()})
        if isinstance(board, Board):
            found[board.name] = board
        else:
            log.error("%s", "\n".join(str(problem) for problem in board))
    return found


def model(name: str) -> Board:
    """The model of this name, or of the board file at this path. UsageError where there is none."""
    path = Path(name if name.endswith(".toml") else FOLDER / "models" / f"{name}.toml")
    if not path.is_file():
        raise UsageError(f"There is no board model {name!r}; `oche boards` lists them.")
    board = board_from_toml(path.read_text(encoding="utf-8"), path.name, {n: d.shape for n, d in DRIVERS.items()})
    if not isinstance(board, Board):
        raise UsageError("\n".join(str(problem) for problem in board))
    return board


@cache
def faces() -> Faces:
    """Every face, by name."""
    found = {}
    for path in sorted((FOLDER / "faces").glob("*.toml")):
        face = face_from_toml(path.read_text(encoding="utf-8"), path.name)
        if isinstance(face, tuple):
            log.error("%s", "\n".join(face))
        else:
            found[face.name] = face
    return found
