"""The order of the test files of a whole run: long files first, between files of many short tests.

A file is run by one worker. Long files that begin last leave the other workers idle at the end, and files that mostly
wait for a daemon or a browser leave processors idle unless others compute beside them.
"""

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final

HEAVY: Final = Path(__file__).parent / "heavy_files.txt"
"""Seconds and name of each long file; `scripts/durations.py` writes it."""


def heavy_files() -> dict[str, float]:
    """Returns the seconds of the long files."""
    rows = (line.split() for line in HEAVY.read_text("utf-8").splitlines())
    return {name: float(seconds) for seconds, name in rows}


def ordered(files: Sequence[str], heavy: dict[str, float]) -> list[str]:
    """Returns the files, given once for each of their tests, in the order in which workers begin them, each once.

    The same on every worker: xdist refuses to run tests that were collected in different orders.
    """
    counts = {name: files.count(name) for name in sorted(set(files))}
    longest = sorted((name for name in counts if name in heavy), key=lambda name: -heavy[name])
    others = sorted((name for name in counts if name not in heavy), key=lambda name: -counts[name])
    pairs = zip_longest(longest, others)
    return [name for pair in pairs for name in pair if name is not None]
