"""Checks every match of a journal and counts those that are over: `python -m daemon.history.check_all DATA`.

The daemon starts it as a process of the lowest priority (`daemon/history/upkeep.py`): a thread would delay darts. It
prints a line of JSON for each damaged match.
"""

import contextlib
import dataclasses
import json
import os
import sys
from pathlib import Path

from daemon.history.archive import Archive
from daemon.record.reader import History
from daemon.system.catalogue import faces, games


def main(folder: Path) -> None:
    """Returns when every match is checked and counted."""
    for damage in Archive(History(folder), games(), faces()).look_over():
        print(json.dumps(dataclasses.asdict(damage)), flush=True)


if __name__ == "__main__":
    with contextlib.suppress(OSError):  # A service may not be allowed to.
        os.nice(19)
    main(Path(sys.argv[1]))
