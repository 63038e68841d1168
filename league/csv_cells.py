"""CSV of spreadsheets: which sign is between two cells, and texts that a spreadsheet would take as a formula."""

import csv
import io
from typing import Final

from engine.refusals import Refusal

BETWEEN: Final = (",", ";", "\t")
"""Signs between two cells. Where a number has a decimal comma, spreadsheets write semicolons."""
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins with one of these is a formula to a spreadsheet."""


def rows_of(text: str, column: str) -> list[list[str]] | Refusal:
    """The lines of a table. The sign between two cells is that with which the first line names `column`; a comma if
    none does. Refusal `bad_value` for what is not CSV."""
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    sign = next((sign for sign in BETWEEN if column in head_of([first.split(sign)])), ",")
    try:
        return list(csv.reader(io.StringIO(text), delimiter=sign))
    except csv.Error as error:
        return Refusal("bad_value", f"This is not CSV: {error}.")


def head_of(table: list[list[str]]) -> list[str]:
    """The names of the columns in the first line; none without one."""
    return [cell.strip().strip('"').casefold() for cell in table[0]] if table else []


def guarded(text: str) -> str:
    """The cell for a text: with an apostrophe in front of what would be a formula."""
    return f"'{text}" if text.lstrip("'").startswith(FORMULA) else text


def unguarded(cell: str) -> str:
    """The text of a cell that `guarded` has made."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA) else cell
