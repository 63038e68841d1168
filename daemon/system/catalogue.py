"""Board models, faces, games and dialects by name: those that come with the program and those of other packages.

A bad file, game or dialect disables itself alone, and all of its problems are logged.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

import boards
from boards.board import Board
from boards.board_files import board_from_toml
from boards.face_files import face_from_toml
from boards.problems import Problem, did_you_mean
from daemon.system.named_file import read_named
from daemon.system.urls import UsageError
from drivers import DRIVERS, shapes
from drivers.driver import Decoder, Driver
from engine.faces import Faces
from engine.game import Game
from engine.games import GAMES

log = logging.getLogger(__name__)

FOLDER: Final = Path(boards.__file__).parent
GAME_ENTRY_POINTS: Final = "oche.games"
"""The entry-point group in which a package names its games; `docs/games.md` shows how."""
DIALECT_ENTRY_POINTS: Final = "oche.dialects"
"""The entry-point group in which a package names its dialects; `docs/boards.md` shows how."""


@cache
def dialects() -> Mapping[str, Driver]:
    """Returns every dialect by name: those that come with the program, then those of other packages."""
    return {**DRIVERS, **_from_packages(DIALECT_ENTRY_POINTS, "dialect", DRIVERS, _driver_problem)}


def check_board(text: str, filename: str) -> Board | tuple[Problem, ...]:
    """Returns the board that a board file describes, or everything that is wrong with the file."""
    return board_from_toml(text, filename, shapes(dialects()))


@cache
def models() -> dict[str, Board]:
    """Returns every board model by name."""
    found: dict[str, Board] = {}
    for path in sorted((FOLDER / "models").glob("*.toml")):
        board = check_board(path.read_text(encoding="utf-8"), path.name)
        if isinstance(board, Board):
            found[board.name] = board
        else:
            log.error("%s", "\n".join(str(problem) for problem in board))
    return found


def model(name: str) -> Board:
    """Returns the model of this name, or of the board file at this path. Raises UsageError if it does not exist."""
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
    board = check_board(text, path.name)
    if not isinstance(board, Board):
        raise UsageError("\n".join(str(problem) for problem in board))
    return board


@cache
def faces() -> Faces:
    """Returns every face by name."""
    found = {}
    for path in sorted((FOLDER / "faces").glob("*.toml")):
        face = face_from_toml(path.read_text(encoding="utf-8"), path.name)
        if isinstance(face, tuple):
            log.error("%s", "\n".join(face))
        else:
            found[face.name] = face
    return found


class _Games(Mapping[str, Game[Any]]):
    """The games that come with the program, each imported on first use, then those of other packages."""

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
    """Returns every game by name."""
    return _Games(_from_packages(GAME_ENTRY_POINTS, "game", GAMES, _game_problem))


def _from_packages(
    group: str, kind: str, ours: Collection[str], problem_of: Callable[[Any], str | None]
) -> dict[str, Any]:
    """Returns what other packages name in an entry-point group. Logs and leaves out what cannot be used."""
    found: dict[str, Any] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        if entry.name in ours or entry.name in found:
            problem: str | None = f"there is a {kind} of this name already"
        else:
            try:
                loaded = entry.load()
                problem = problem_of(loaded)
            except Exception as error:
                # Code from outside can raise anything; the others must still load.
                problem = f"it cannot be loaded, {type(error).__name__}: {error}"
            else:
                if problem is None and loaded.name != entry.name:
                    problem = f"it calls itself {loaded.name!r}"
        if problem is None:
            found[entry.name] = loaded
        else:
            log.error("The %s %s of %s is left out: %s.", kind, entry.name, entry.value, problem)
    return found


def _game_problem(game: object) -> str | None:
    missing = _missing(Game, game)
    return f"it is not a game, it has no {missing}" if missing else None


def _driver_problem(driver: object) -> str | None:
    if not isinstance(driver, Driver):
        return f"it is not a Driver but a {type(driver).__name__}"
    missing = _missing(Decoder, driver.decoder())
    return f"its decoder has no {missing}" if missing else None


def _missing(protocol: type, candidate: object) -> str:
    return ", ".join(name for name in vars(protocol) if not name.startswith("_") and not hasattr(candidate, name))
