"""Checks every match of a journal and counts those that are over: `python -m daemon.history.check_all DATA`.

A process of its own, at the lowest priority, which the daemon starts (`daemon/history/upkeep.py`): a thread next to the
event loop would delay darts. Prints a line of JSON for each match that is damaged.
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
    """Ends when everything was looked at."""
    with contextlib.suppress(OSError):  # A service may not.
        os.nice(19)
    for damage in Archive(History(folder), games(), faces()).look_over():
        print(json.dumps(dataclasses.asdict(damage)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
