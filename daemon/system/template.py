"""The template of an MQTT input: which line of its dialect a published payload is.

A template is text with JSON pointers (RFC 6901) in braces: `{/sector};{/multiplier}` makes `20;3` of
`{"sector": 20, "multiplier": 3}`. `{}` is the whole payload as text, and the default. `{{` and `}}` are braces.

Not chosen: a language of our own with tables and conditions (`ring == "triple" -> 3`). A payload with other words
than any dialect is read by `any-line`, whose board file is such a table, and is checked. Not chosen: a pointer to a
segment, with a dialect of JSON alone: boards publish numbers and rings in two fields, or three digits that are not
JSON.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

WHOLE: Final = "{}"
LONGEST_TEMPLATE: Final = 200
LONGEST_PAYLOAD: Final = 4096
"""Bytes of a payload; a longer one makes no line."""
LONGEST_LINE: Final = 250
"""Characters of a line; a longer one is not made. No dialect has longer ones."""
_PART: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[^{}]+|[{}]")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A JSON pointer, as its steps; none is the whole payload."""

    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template: text and pointers, in their order."""

    parts: tuple[str | Pointer, ...]

    def line(self, payload: bytes) -> str | None:
        """Returns the line that a payload is, without its end; `None` if the template does not fit it."""
        if len(payload) > LONGEST_PAYLOAD:
            return None
        try:
            text = payload.decode("utf-8").strip()
            value = _parse(text) if any(isinstance(part, Pointer) and part.steps for part in self.parts) else None
        except (ValueError, RecursionError):
            return None
        found = []
        for part in self.parts:
            said = part if isinstance(part, str) else text if not part.steps else _at(value, part.steps)
            if said is None:
                return None
            found.append(said)
        line = "".join(found)
        return line if line.isprintable() and 0 < len(line) <= LONGEST_LINE else None


def parse_template(text: str) -> Template | str:
    """Returns a template, or what is wrong with it."""
    if not 0 < len(text) <= LONGEST_TEMPLATE or not text.isprintable():
        return f"a template has 1 to {LONGEST_TEMPLATE} printable characters"
    parts: list[str | Pointer] = []
    for found in _PART.finditer(text):
        piece, pointer = found[0], found[1]
        if pointer is None and piece in ("{", "}"):
            return "a brace in a template is written twice, unless it is that of a JSON pointer, like {/sector}"
        if pointer is None:
            parts.append(piece[0] if piece in ("{{", "}}") else piece)
        elif pointer and (not pointer.startswith("/") or re.search(r"~(?![01])", pointer)):
            return f"{{{pointer}}} is not a JSON pointer: write {{/sector}}, or {{}} for the whole payload"
        else:
            parts.append(Pointer(tuple(map(_unescaped, pointer.split("/")[1:]))))
    if not any(isinstance(part, Pointer) for part in parts):
        return "a template without {} or a JSON pointer makes every message the same dart"
    return Template(tuple(parts))


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def _parse(text: str) -> Any:
    # Numbers stay as they are written: 20 is 20 and not 20.0.
    return json.loads(text, parse_int=_Number, parse_float=_Number, parse_constant=_refuse)


class _Number(str):
    """A number, as it is written."""

    __slots__ = ()


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _at(value: Any, steps: tuple[str, ...]) -> str | None:
    """The text or number at a pointer; `None` if there is neither."""
    for step in steps:
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and re.fullmatch(r"0|[1-9][0-9]{0,3}", step) and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return str(value) if isinstance(value, str) else None
