"""What is on the shelf: board models and faces, read from the files that come with the program, and games.

A bad file disables itself alone, and all of its problems are told. So does a
game that another package brings.
"""

import logging
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final

import boards
from boards.board import Board
from boards.board_files import board_from_toml
from boards.face_files import face_from_toml
from boards.problems import did_you_mean
from daemon.system.named_file import read_named
from daemon.system.urls import UsageError
from drivers import shapes
from engine.faces import Faces
from engine.game import Game
from engine.games import GAMES

log = logging.getLogger(__name__)

FOLDER: Final = Path(boards.__file__).parent
ENTRY_POINTS: Final = "oche.games"
"""The group in which a package names its games; `docs/games.md` shows how."""


@cache
def models() -> dict[str, Board]:
    """Every board model, by name."""
    found: dict[str, Board] = {}
    for path in sorted((FOLDER / "models").glob("*.toml")):
        board = board_from_toml(path.read_text(encoding="utf-8"), path.name, shapes())
        if isinstance(board, Board):
            found[board.name] = board
        else:
            log.error("%s", "\n".join(str(problem) for problem in board))
    return found


def model(name: str) -> Board:
    """The model of this name, or of the board file at this path. UsageError where there is none."""
    path = Path(name if name.endswith(".toml") else FOLDER / "models" / f"{name}.toml")
    try:
        text = read_named(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error}.") from error
    except OSError as error:
        if name.endswith(".toml") and path.exists():
            raise UsageError(f"The board file {path} cannot be read: {error.strerror}.") from error
        near = "" if name.endswith(".toml") else did_you_mean(name, models())
        raise UsageError(f"There is no board model {name!r}; `oche boards` lists them.{near}") from error
    except ValueError as error:
        raise UsageError(f"There is no board model {name!r}; `oche boards` lists them.") from error
    board = board_from_toml(text, path.name, shapes())
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


class _Games(Mapping[str, Game[Any]]):
    """The games that come with the program, each imported when it is asked for, and then those from outside."""

    def __init__(self, outside: Mapping[str, Game[Any]]) -> None:
        self._outside = outside

    def __getitem__(self, name: str) -> Game[Any]:
        return self._outside[name] if name in self._outside else GAMES[name]

    def __iter__(self) -> Iterator[str]:
        yield from GAMES
        yield from self._outside

    def __len__(self) -> int:
        return len(GAMES) + len(self._outside)


@cache
def games() -> Mapping[str, Game[Any]]:
    """Every game, by name."""
    outside: dict[str, Game[Any]] = {}
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name):
        problem = None
        if entry.name in GAMES or entry.name in outside:
            problem = "there is a game of this name already"
        else:
            try:
                game = entry.load()
            except Exception as error:
                # Whatever is wrong with it, the others are played.
                problem = f"it cannot be loaded, {type(error).__name__}: {error}"
            else:
                problem = _problem(entry, game)
        if problem is None:
            outside[entry.name] = game
        else:
            log.error("The game %s of %s is left out: %s.", entry.name, entry.value, problem)
    return _Games(outside)


def _problem(entry: EntryPoint, game: object) -> str | None:
    """Why this is no game of that name, or None where it is one."""
    missing = [name for name in vars(Game) if not name.startswith("_") and not hasattr(game, name)]
    if missing:
        return f"it is no game, it has no {', '.join(missing)}"
    named = getattr(game, "name", None)
    return None if named == entry.name else f"it calls itself {named!r}"
