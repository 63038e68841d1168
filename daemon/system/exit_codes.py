"""The exit codes of every command, in one place."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final


class Exit(IntEnum):
    """The exit codes; `EXITS` has their meanings."""

    DONE = 0
    FAILED = 1
    USAGE = 2


EXITS: Final[Mapping[Exit, str]] = {
    Exit.DONE: "The command succeeded.",
    Exit.FAILED: "The command was refused, failed, or was stopped with Ctrl-C; a message on stderr says why.",
    Exit.USAGE: "The command line, or a file that it names as input, is wrong; a message on stderr says what.",
}
"""The meanings, for the help, the manual pages and `docs/commands.md`, which a test holds to them."""


class Failed(Exception):
    """The command is refused or cannot go on: exit code 1. The text is the message for stderr."""
