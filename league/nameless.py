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


def seat_name(seat: int) -> str:
    """The name of the player in a seat, from 1, in a match without names."""
    return f"Player {seat}"


def is_seat_name(name: str) -> bool:
    """Whether a name is that of a seat, as a forgotten player has."""
    return _SEAT_NAME.fullmatch(name) is not None


def nameless_header(header: Header) -> dict[str, Any]:
    """The header without names and boards, as JSON: options with names in them are renamed too."""
    names = _names(header)
    options = {key: _renamed(value, names) for key, value in header.options.items()}
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


def _renamed_in(value: Any, key: str | None, names: Mapping[str, str]) -> Any:
    if key is None:
        return _renamed(value, names)
    return {k: _renamed(v, names) if k == key else v for k, v in value.items()} if isinstance(value, dict) else value


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The same JSON with each name replaced wherever it is a whole string or a key."""
    match value:
        case str():
            return names.get(value, value)
        case list():
            return [_renamed(part, names) for part in value]
        case dict():
            return {names.get(key, key): _renamed(part, names) for key, part in value.items()}
        case _:
            return value
