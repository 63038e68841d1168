"""The built-in games by name, found by their files: a game is the `GAME` of the module of its name in its family."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from engine.game import Game
from engine.texts import Text

FAMILIES: Final[Mapping[str, Text]] = {
    "classics": Text("Classics", "Klassiker", "Classiques"),
    "count_up": Text("Count-up", "Punkte zählen", "Compter les points"),
    "targets": Text("Target by round", "Ziel je Runde", "Une cible par tour"),
    "races": Text("Race, elimination, Cricket", "Rennen, Ausscheiden, Cricket", "Course, élimination, Cricket"),
    "party": Text("Board, territory, party", "Brett, Gebiet, Party", "Plateau, territoire, ambiance"),
    "practice": Text("Practice", "Training", "Entraînement"),
}
"""The families in the order in which people see them. Each but the first is a folder here."""

_CLASSICS: Final = ("x01", "cricket", "cerberus", "dards", "yatzy_dart", "dart_wars")
"""These fill several modules each, next to this file."""


@cache
def families() -> Mapping[str, str]:
    """The family of every built-in game by the name of the game, in order."""
    found = dict.fromkeys(_CLASSICS, "classics")
    for family in FAMILIES:
        for module in sorted(iter_modules([f"{path}/{family}" for path in __path__]), key=lambda module: module.name):
            if not module.name.startswith("_"):
                found[module.name] = family
    return found


class _Games(Mapping[str, Game[Any]]):
    """Imports a game when it is looked up, so that the program starts sooner."""

    def __getitem__(self, name: str) -> Game[Any]:
        family = families()[name]
        room = "engine.games" if family == "classics" else f"engine.games.{family}"
        game: Game[Any] = import_module(f"{room}.{name}").GAME
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(families())

    def __len__(self) -> int:
        return len(families())


GAMES: Final[Mapping[str, Game[Any]]] = _Games()
