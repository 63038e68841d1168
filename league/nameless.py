"""A match without the names of its players: what a node sends to a hall, and what it signs.

The players are called after their seats, `Player 1` and so on. The match has the same text after one of its players is
forgotten, so a signature outlives a name.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from engine.match import Header

_SEAT_NAME: Final = re.compile(r"Player [0-9]{1,3}")
_NAMED: Final[Mapping[str, str | None]] = {"first": None, "defend": "by", "combat": "against"}
"""The actions that name a player: where the name is in their value, None where it is the value."""
_BY_WORD: Final = frozenset({"best_of", "points"})
"""The options of formats whose keys are words, never names."""


def seat_name(seat: int) -> str:
    """The name of the player in a seat, from 1, in a match without names."""
    return f"Player {seat}"


def is_seat_name(name: str) -> bool:
    """Whether a name is that of a seat, as a forgotten player has."""
    return _SEAT_NAME.fullmatch(name) is not None


def nameless_header(header: Header) -> dict[str, Any]:
    """The header without names and boards, as JSON: options by player, also those of a leg, are renamed too."""
    names = _names(header)
    options = {key: _option(key, value, names) for key, value in header.options.items()}
    return Header(header.game, tuple(names.values()), options, header.rules).to_json()


def nameless_action(action: Mapping[str, Any], header: Header) -> dict[str, Any]:
    """An action of the match without names: the user name in its remark `by` is left out."""
    names, renamed = _names(header), {}
    for key, value in action.items():
        if key in _NAMED:
            renamed[key] = _renamed_in(value, _NAMED[key], names)
        elif key != "by":
            renamed[key] = value
    return renamed


def _names(header: Header) -> dict[str, str]:
    return {name: seat_name(seat) for seat, name in enumerate(header.players, 1)}


def _option(name: str, value: Any, names: Mapping[str, str]) -> Any:
    """An option with the players' names as its keys, or with legs that have such options. Others have no names: a
    player can be called like one of their words."""
    if isinstance(value, list):
        return [_leg(one, names) for one in value]
    if isinstance(value, dict) and name not in _BY_WORD:
        return {names.get(key, key): one for key, one in value.items()}
    return value


def _leg(leg: Any, names: Mapping[str, str]) -> Any:
    options = leg.get("options") if isinstance(leg, dict) else None
    if not isinstance(options, dict):
        return leg
    return leg | {"options": {key: _option(key, value, names) for key, value in options.items()}}


def _renamed_in(value: Any, key: str | None, names: Mapping[str, str]) -> Any:
    if key is None:
        return _renamed(value, names)
    return {k: _renamed(v, names) if k == key else v for k, v in value.items()} if isinstance(value, dict) else value


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    return names.get(value, value) if isinstance(value, str) else value
