"""Turns the text of a file in `boards/faces/` into a face: TOML, with the `kind` of face.

A file with mistakes gives no face but all of its mistakes at once.
"""

import tomllib
from collections.abc import Callable, Mapping
from typing import Any, Final

from boards.circle_face import circles
from boards.zone_face import world_map
from engine.faces import Face

_KINDS: Final[Mapping[str, Callable[[Mapping[str, Any]], Face | tuple[str, ...]]]] = {
    "circles": circles,
    "zones": world_map,
}
"""The function that turns a table into a face, by kind."""


def face_from_toml(text: str, file: str) -> Face | tuple[str, ...]:
    """Returns the face that the text describes, or a message for each mistake, which begins with the file's name.

    `file` is a bare name like `yatzy.toml`; the face in it has the name `yatzy`.
    """
    try:
        table = tomllib.loads(text)
        if _is_beyond_toml(table):
            return (f"{file}: a whole number in it is larger than any that TOML has.",)
    except (ValueError, RecursionError) as error:
        return (f"{file}: this is not TOML: {error}.",)
    kind = table.get("kind")
    checker = _KINDS.get(kind) if isinstance(kind, str) else None
    if checker is None:
        return (f"{file}: kind is {' or '.join(_KINDS)}.",)
    face = checker(table)
    wrong = face if isinstance(face, tuple) else ()
    if isinstance(table.get("name"), str) and table["name"] != file.removesuffix(".toml"):
        wrong += (f"name is {table['name'][:64]!r}, and must be that of the file, without .toml.",)
    return tuple(f"{file}: {message}" for message in wrong) if wrong or isinstance(face, tuple) else face


def _is_beyond_toml(value: object) -> bool:
    """Whether a number has more than 64 bits: Python reads it but cannot always convert it to text."""
    match value:
        case dict():
            return any(map(_is_beyond_toml, value.values()))
        case list():
            return any(map(_is_beyond_toml, value))
        case int():
            return not -(2**63) <= value < 2**63
    return False
