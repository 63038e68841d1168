"""The ways to read a code as two coordinates, and back."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

TOKEN = re.compile(r"\d+|[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Two of a line's numbers or letters: `3,7`, `R3C7`, `B4`."""

    first: int
    second: int
    example: str
    padded: bool = False

    def cell(self, code: str) -> tuple[int, int] | None:
        """Returns the coordinates of a code; `None` if the view does not fit it."""
        tokens = TOKEN.findall(code)
        if TOKEN.sub("#", code) != TOKEN.sub("#", self.example):
            return None
        same = [a == b for a, b in zip(tokens, TOKEN.findall(self.example), strict=True)]
        if not all(alike or n in (self.first, self.second) for n, alike in enumerate(same)):
            return None
        return _number(tokens[self.first]), _number(tokens[self.second])

    def code(self, cell: tuple[int, int]) -> str:
        """Returns the code of coordinates, written like the example."""
        wanted = dict(zip((self.first, self.second), cell, strict=True))
        parts, end = [], 0
        for n, match in enumerate(TOKEN.finditer(self.example)):
            parts.append(self.example[end : match.start()])
            parts.append(self._text(match[0], wanted[n]) if n in wanted else match[0])
            end = match.end()
        return "".join(parts) + self.example[end:]

    def _text(self, like: str, value: int) -> str:
        if not like.isdigit():
            return chr(value)
        return f"{value:0{len(like)}d}" if self.padded else str(value)


@dataclass(frozen=True, slots=True)
class Packed:
    """One number, a byte or written out, that is row times `width` plus column plus `base`."""

    width: int
    base: int
    byte: bool
    prefix: str = ""
    digits: int = 0

    def cell(self, code: str) -> tuple[int, int] | None:
        text = code if self.byte else code.removeprefix(self.prefix)
        if self.byte:
            value = ord(code) if len(code) == 1 else -1
        else:
            value = int(text) if text.isascii() and text.isdigit() and code.startswith(self.prefix) else -1
        return None if value < self.base else divmod(value - self.base, self.width)

    def code(self, cell: tuple[int, int]) -> str:
        value = cell[0] * self.width + cell[1] + self.base
        return chr(value) if self.byte else f"{self.prefix}{value:0{self.digits}d}"


View = Tokens | Packed


def views(codes: Sequence[str], byte: bool) -> tuple[View, ...]:
    """Returns the ways to read all of these codes as coordinates."""
    if not codes:
        return ()
    found: list[View] = []
    if byte:
        found = [Packed(width, base, True) for width in range(4, 25) for base in (0, 1)]
    else:
        tokens = TOKEN.findall(codes[0])
        padded = any(t[0] == "0" and len(t) > 1 for code in codes for t in TOKEN.findall(code))
        count = len(tokens)
        found = [Tokens(a, b, codes[0], padded) for a in range(count) for b in range(a + 1, count)]
        if tokens and tokens[-1].isdigit() and codes[0].endswith(tokens[-1]):
            digits = len(tokens[-1]) if padded else 0
            prefix = codes[0][: -len(tokens[-1])]
            found += [Packed(width, base, False, prefix, digits) for width in range(4, 25) for base in (0, 1)]
    return tuple(view for view in found if all(view.cell(code) is not None for code in codes))


def _number(token: str) -> int:
    return int(token) if token.isdigit() else ord(token)
