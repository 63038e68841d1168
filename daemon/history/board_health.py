"""Works out which beds of a board fail: `python -m daemon.history.board_health DATA BOARD STATE NICE [MODEL]`.

The daemon starts it as a process of the lowest priority (`daemon/web/work_queue.py`), as it does for a hand: numpy
takes memory, and the work takes seconds.
"""

import contextlib
import os
import sys
from pathlib import Path

from boards.board import Board
from daemon.history import board_health_files
from daemon.history.board_darts import examine
from daemon.history.board_health_answer import ENOUGH_DARTS, VERSION, BoardHealth, FaultOfBoard
from daemon.record.reader import History
from daemon.system.catalogue import faces, games, model
from twin.board_health import BoardFault


def main(data: Path, board: str, state: str, model_name: str | None) -> None:
    """Returns when the file of the board is written."""
    spec = None if model_name is None else model(model_name)
    board_health_files.write(data, board, {**health(History(data), board, spec), "version": VERSION, "of": state})


def health(history: History, board: str, spec: Board | None) -> BoardHealth:
    """What the newest darts on a board say of it, from the same figures as `oche doctor`."""
    found = examine(history, board, spec, games(), faces())
    known: BoardHealth = {
        "state": "few" if found.darts < ENOUGH_DARTS else "ready",
        "darts": found.darts,
        "players": found.players,
        "needed": ENOUGH_DARTS,
        "lines": found.has_lines,
    }
    if found.darts >= ENOUGH_DARTS:
        known["faults"] = [_fault(fault) for fault in found.faults]
    return known


def _fault(fault: BoardFault) -> FaultOfBoard:
    about: FaultOfBoard = {
        "kind": fault.kind,
        "name": fault.name,
        "beds": list(fault.beds),
        "seen": fault.seen,
        "expected": fault.expected,
    }
    if fault.kind != "doubled":
        about["chance"] = fault.chance
    return about


if __name__ == "__main__":
    with contextlib.suppress(OSError):  # A service may not be allowed to.
        os.nice(int(sys.argv[4]))
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[5] if len(sys.argv) > 5 else None)
