"""Faces from the text of their files in `boards/faces/`: TOML, with a `kind` that says what kind of face it is.

A file that is wrong makes no face, and all of its mistakes are said at once.
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
"""How the table of a file becomes a face, by its kind. A new kind has its checker in a file of its own."""


def face_from_toml(text: str, file: str) -> Face | tuple[str, ...]:
    """The face that the text describes, or a sentence for each of its mistakes, with the file's name before it.

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
    """Whether a number in it has more than 64 bits: Python reads it, and cannot always write it out again."""
    match value:
        case dict():
            return any(map(_is_beyond_toml, value.values()))
        case list():
            return any(map(_is_beyond_toml, value))
        case int():
            return not -(2**63) <= value < 2**63
    return False
