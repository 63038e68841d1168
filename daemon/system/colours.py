"""Colours for terminals: none in a pipe, in a file, or where NO_COLOR says so."""

import os
import sys
from typing import Literal, TextIO

Colour = Literal["red", "green", "yellow"]


def is_screen(stream: TextIO) -> bool:
    """Whether colours and lines that are drawn over are wanted: a terminal that can, and no NO_COLOR."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, colour: Colour, stream: TextIO | None = None) -> str:
    """The text in a colour where `stream` (default stdout) is a screen, else as it is."""
    if not is_screen(sys.stdout if stream is None else stream):
        return text
    # Loaded where it is wanted: it takes longer than many a command.
    from rich.color import ColorSystem
    from rich.style import Style

    return Style(color=colour).render(text, color_system=ColorSystem.STANDARD)
