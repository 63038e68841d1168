"""numpy, which not every installation has: whether it is there, and the command that installs it."""

import sys
from importlib.util import find_spec
from typing import Final

DEBIAN_HOME: Final = "/usr/lib/oche"
"""The environment of our Debian package. It has a link to the numpy of Debian, which may be missing."""


def has_numpy() -> bool:
    """Whether numpy is there, without importing it: it takes memory."""
    return find_spec("numpy") is not None


def install_command() -> str:
    """The command that installs numpy for this program."""
    return "sudo apt install python3-numpy" if sys.prefix == DEBIAN_HOME else "pip install 'oche[twin]'"
