"""Cells of CSV for spreadsheets, which take a text that begins with one of a few signs as a formula."""

from typing import Final

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins with one of these is a formula to a spreadsheet."""


def guarded(text: str) -> str:
    """The cell for a text: with an apostrophe in front of what would be a formula."""
    return f"'{text}" if text.lstrip("'").startswith(FORMULA) else text


def unguarded(cell: str) -> str:
    """The text of a cell that `guarded` has made."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA) else cell
