"""What is wrong with a data file: where it is, and a message that says what to do."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a file. `key` is its path (`pace.repeat_ms`), empty for the whole file."""

    file: str
    key: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}: {self.key}" if self.key else self.file
        return f"{where}: {self.message}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns ` Did you mean 'X'?` if a known word is close, else an empty text: to be appended to a message."""
    words = list(known)
    # Case is what people get wrong most, and it would count as a difference below.
    near = [name for name in words if name.lower() == word.lower()]
    near = near or difflib.get_close_matches(word[:64], words, n=1, cutoff=0.6)
    return f" Did you mean {near[0]!r}?" if near else ""
