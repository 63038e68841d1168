"""The exit codes of every command; `docs/commands.md` has the same table."""

from enum import IntEnum


class Exit(IntEnum):
    """What a command's exit code says."""

    DONE = 0
    """The command did what it was asked."""
    FAILED = 1
    """The command was refused or failed, or was stopped with Ctrl-C; a sentence on stderr says why."""
    USAGE = 2
    """The command line, or a file that it names as input, is wrong; a sentence on stderr says how it is written."""


class Failed(Exception):
    """The command is refused or cannot go on: exit code 1. The text is the sentence for stderr."""
