"""What the daemon says where somebody may be looking: on its terminal, or in the file that it was pointed at."""

import os
import sys
from typing import TextIO


def say(sentence: str, to: TextIO) -> None:
    """Says it, if that can be done. A full disk under the file, or a reader who has left, ends no match."""
    try:
        print(sentence, file=to, flush=True)
    except OSError:
        # The log may be read again later. Of the standard output nothing more comes, and what could not be written
        # would be tried once more at the end, and make an exit code of its own.
        if to is sys.stdout:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, to.fileno())
            os.close(nowhere)
