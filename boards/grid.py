"""Tables of contacts as people write them: a grid for a matrix, single contacts, keys for characters."""

from collections.abc import Callable, Mapping
from typing import Final

from boards.board import Cell

Say = Callable[[str, str], None]
"""Reports a problem: takes a key and a message."""

LONGEST_LINE: Final = 64
"""Bytes of the longest line that can be in a table."""

Written = list[tuple[Cell, str, str]]
"""For each contact its cell, the key that names it in messages, and the text of its meaning."""


def cells_of_grid(grid: str | None, say: Say) -> Written:
    """Reads a grid: the first line has column numbers, every other line a row number and its cells, `.` for none."""
    if grid is None:
        return []
    lines = [line.split() for line in grid.splitlines() if line.strip()]
    if not lines:
        say("grid", "The grid is empty.")
        return []
    header, *body = lines
    columns = [_index(text, "grid", say) for text in header]
    if len(set(columns)) != len(columns):
        say("grid", "A column is there twice.")
    written: Written = []
    rows: set[int] = set()
    for first, *cells in body:
        row = _index(first, "grid", say)
        key = f"grid row {first[:8]}"
        if row in rows:
            say(key, f"Row {row} is there twice.")
        rows.add(row)
        if len(cells) != len(columns):
            say(key, f"The row has {len(cells)} cells and the first line {len(columns)} columns; write . for none.")
        written += [((row, col), key, text) for col, text in zip(columns, cells, strict=False) if text != "."]
    return written


def cells_of_contacts(contacts: Mapping[str, str], say: Say) -> Written:
    """Reads single contacts, `"8,0" = "button:game"`, which would make a grid wide."""
    written: Written = []
    for key, text in contacts.items():
        row, _, col = key.partition(",")
        if is_index(row) and is_index(col):
            written.append(((int(row), int(col)), f"contacts.{key}", text))
        else:
            say(f"contacts.{key[:16]}", "A contact is a row and a column, like 3,7.")
    return written


def row_of_line(line: str) -> int:
    """Returns the row of a line's contact: its bytes as one number, so that one character gives its code."""
    return int.from_bytes(line.encode("latin-1", "replace"), "big")


def cells_of_lines(lines: Mapping[str, str], say: Say) -> Written:
    """Reads lines as the board sends them, without their ends."""
    written: Written = []
    for line, text in lines.items():
        if not line.strip() or line != line.strip() or len(line) > LONGEST_LINE:
            say(f"lines.{line[:16]}", f"A line has 1 to {LONGEST_LINE} characters, and no blanks around them.")
        else:
            written.append(((row_of_line(line), 0), f"lines.{line[:16]}", text))
    return written


def cells_of_keys(keys: Mapping[str, str], say: Say) -> Written:
    """Reads characters: the code of each is the row of its contact."""
    written: Written = []
    for key, text in keys.items():
        if len(key) != 1:
            say(f"keys.{key[:16]}", "A key is one character.")
        else:
            written.append(((ord(key), 0), f"keys.{key}", text))
    return written


def _index(text: str, key: str, say: Say) -> int:
    if is_index(text):
        return int(text)
    say(key, f"{text[:16]!r} is not the number of a row or column.")
    return 0


def is_index(text: str) -> bool:
    """Whether a text is the number of a row or a column."""
    return text.isascii() and text.isdigit() and len(text) <= 3
