#!/usr/bin/env python3
"""Writes tests/heavy_files.txt, by which a whole run is ordered, from what a run with `--durations=0` printed.

scripts/durations.py LOG
"""

import re
import sys
from collections import Counter
from pathlib import Path
from typing import Final

LEAST_SECONDS: Final = 12.0
"""Shorter files are left out."""
TABLE: Final = Path(__file__).parent.parent / "tests" / "heavy_files.txt"
DURATION: Final = re.compile(r"^([\d.]+)s (?:call|setup|teardown) +(tests/[^:]+)::", re.MULTILINE)


def main(arguments: list[str]) -> int:
    """Returns 2 if no log is named, 1 if it has no durations."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    seconds: Counter[str] = Counter()
    for duration, name in DURATION.findall(Path(arguments[0]).read_text("utf-8")):
        seconds[name] += float(duration)
    if not seconds:
        print(f"{arguments[0]} has no durations: run pytest with --durations=0.", file=sys.stderr)
        return 1
    rows = [f"{round(count)} {name}\n" for name, count in seconds.most_common() if count >= LEAST_SECONDS]
    TABLE.write_text("".join(rows), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
