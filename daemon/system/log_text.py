"""Text of others for a log: without control characters, which a terminal would obey, and of bounded length."""

import logging
import re
from typing import Final

LONGEST_NAME: Final = 64
"""Characters of a name that a client gave itself; a longer one is cut."""
LONGEST_LINE: Final = 300
"""Characters of a line of another program; a longer one is cut."""
LONGEST_RECORD: Final = 16 * 1024
"""Characters of one record of our own, with its traceback; a longer one is cut."""
CUT: Final = "…"
_NAME: Final = re.compile(rf"(\S{{{LONGEST_NAME}}})\S+")


def printable(text: str) -> str:
    """Returns the text without control characters, except line breaks and tabs."""
    return "".join(char if char.isprintable() or char in "\n\t" else "?" for char in text)


def cut(text: str, longest: int) -> str:
    """Returns the text or, if it is longer than `longest`, its beginning with a mark."""
    return text if len(text) <= longest else text[:longest] + CUT


def foreign_line(text: str) -> str:
    """Returns a line of another program, which may have names of clients in it: each word and the whole are cut."""
    return cut(_NAME.sub(rf"\1{CUT}", printable(text).replace("\n", " ")), LONGEST_LINE)


class LogFormatter(logging.Formatter):
    """Formats records so that they are safe to print to a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return cut(printable(super().format(record)), LONGEST_RECORD)
