"""The table of a board that does not know how it hangs: its numbers turn, its rings stay."""

from collections.abc import Mapping
from typing import Final

from boards.board import Cell, Meaning
from engine.segments import CLOCKWISE, SEGMENTS, Segment

UPRIGHT: Final = 15
"""The number that is next to the button in the table of a board file."""


def turned(contacts: Mapping[Cell, Meaning], at_button: int) -> dict[Cell, Meaning]:
    """Returns the table of a board that hangs with the number `at_button` next to its button."""
    by = CLOCKWISE.index(at_button) - CLOCKWISE.index(UPRIGHT)
    return {cell: _turned(meaning, by) for cell, meaning in contacts.items()}


def at_button(reported: int, pressed: int) -> int:
    """Returns the number next to the button of a board that reported one number when another was pressed."""
    by = CLOCKWISE.index(pressed) - CLOCKWISE.index(reported)
    return CLOCKWISE[(CLOCKWISE.index(UPRIGHT) + by) % len(CLOCKWISE)]


def _turned(meaning: Meaning, by: int) -> Meaning:
    if not isinstance(meaning, Segment) or meaning.number not in CLOCKWISE:
        return meaning
    number = CLOCKWISE[(CLOCKWISE.index(meaning.number) + by) % len(CLOCKWISE)]
    return SEGMENTS[meaning.text.rstrip("0123456789") + str(number)]
