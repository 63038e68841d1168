"""The built-in games by name. To add one, write a module with a `GAME`, and a loader here."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from engine.game import Game


def _x01() -> Game[Any]:
    from engine.games.x01 import GAME

    return GAME


def _cricket() -> Game[Any]:
    from engine.games.cricket import GAME

    return GAME


def _cerberus() -> Game[Any]:
    from engine.games.cerberus import GAME

    return GAME


def _dards() -> Game[Any]:
    from engine.games.dards import GAME

    return GAME


def _yatzy_dart() -> Game[Any]:
    from engine.games.yatzy_dart import GAME

    return GAME


def _dart_wars() -> Game[Any]:
    from engine.games.dart_wars import GAME

    return GAME


_LOADERS: Final[Mapping[str, Callable[[], Game[Any]]]] = {
    "x01": _x01,
    "cricket": _cricket,
    "cerberus": _cerberus,
    "dards": _dards,
    "yatzy_dart": _yatzy_dart,
    "dart_wars": _dart_wars,
}


class _Games(Mapping[str, Game[Any]]):
    """Imports a game when it is looked up, so that the program starts sooner."""

    def __getitem__(self, name: str) -> Game[Any]:
        return _LOADERS[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(_LOADERS)

    def __len__(self) -> int:
        return len(_LOADERS)


GAMES: Final[Mapping[str, Game[Any]]] = _Games()
