"""The games that come with the program, by name. To add one, write its module with a `GAME` and its line here."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final, cast

from engine.game import Game

_MODULES: Final = {
    "x01": "engine.games.x01",
    "cricket": "engine.games.cricket",
    "cerberus": "engine.games.cerberus",
    "dards": "engine.games.dards",
    "yatzy_dart": "engine.games.yatzy_dart",
    "dart_wars": "engine.games.dart_wars",
}


class _Games(Mapping[str, Game[Any]]):
    """A game is imported when it is asked for: a start of the program needs one of them, not all."""

    def __getitem__(self, name: str) -> Game[Any]:
        return cast(Game[Any], import_module(_MODULES[name]).GAME)

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


GAMES: Final[Mapping[str, Game[Any]]] = _Games()
