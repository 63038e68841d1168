"""Colours for terminals: none in a pipe, in a file, or with NO_COLOR."""

import os
import sys
from typing import Literal, TextIO

Colour = Literal["red", "green", "yellow"]


def is_screen(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours and overwritten lines, and NO_COLOR is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, colour: Colour, stream: TextIO | None = None) -> str:
    """Returns the text in a colour if `stream` (default stdout) is a screen, otherwise as it is."""
    if not is_screen(sys.stdout if stream is None else stream):
        return text
    # Imported late: it takes longer than many a command.
    from rich.color import ColorSystem
    from rich.style import Style

    return Style(color=colour).render(text, color_system=ColorSystem.STANDARD)
