"""The exit codes of every command, in one place."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final


class Exit(IntEnum):
    """What a command's exit code says: `EXITS` has it in words."""

    DONE = 0
    FAILED = 1
    USAGE = 2


EXITS: Final[Mapping[Exit, str]] = {
    Exit.DONE: "The command did what it was asked.",
    Exit.FAILED: "The command was refused or failed, or was stopped with Ctrl-C; a sentence on stderr says why.",
    Exit.USAGE: "The command line, or a file that it names as input, is wrong; a sentence on stderr says what is.",
}
"""For help, manual pages and `docs/commands.md`."""


class Failed(Exception):
    """The command is refused or cannot go on: exit code 1. The text is the sentence for stderr."""
