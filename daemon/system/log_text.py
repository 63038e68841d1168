"""What others have written, made fit for a log: a terminal must not obey it, and no line of it fills a disk."""

import logging
import re
from typing import Final

LONGEST_NAME: Final = 64
"""Characters of a name that a client gave itself; what is longer is cut."""
LONGEST_LINE: Final = 300
"""Characters of a line that another program has written."""
LONGEST_RECORD: Final = 16 * 1024
"""Characters of one record of our own, with its traceback."""
CUT: Final = "…"
_NAME: Final = re.compile(rf"(\S{{{LONGEST_NAME}}})\S+")


def printable(text: str) -> str:
    """The text without anything that a terminal would obey; line breaks and tabs stay."""
    return "".join(char if char.isprintable() or char in "\n\t" else "?" for char in text)


def cut(text: str, longest: int) -> str:
    """The text, or its beginning with a mark where it is longer."""
    return text if len(text) <= longest else text[:longest] + CUT


def foreign_line(text: str) -> str:
    """One line of another program, with names that clients have chosen: each word of it is cut, and the whole."""
    return cut(_NAME.sub(rf"\1{CUT}", printable(text).replace("\n", " ")), LONGEST_LINE)


class LogFormatter(logging.Formatter):
    """Records as they are safe to be read at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return cut(printable(super().format(record)), LONGEST_RECORD)
