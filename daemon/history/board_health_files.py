"""What was worked out about the beds of each board: files of the data directory, made again when they are missing.

They contain no names of players.
"""

import json
import os
from pathlib import Path
from typing import Any, Final

from daemon.system.secure_files import give_to_owner, write_secret

FOLDER: Final = "board-health"
MOST: Final = 40
"""How many boards have a file; the one that was written first goes."""


def read(data: Path, board: str) -> dict[str, Any]:
    """What is known of a board; empty if nothing is, or the file is damaged."""
    try:
        about = json.loads(_path_of(data, board).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return about if isinstance(about, dict) else {}


def write(data: Path, board: str, about: dict[str, Any]) -> None:
    """Keeps what is known of a board. OSError if it cannot be written."""
    path = _path_of(data, board)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    give_to_owner(path.parent, data)
    write_secret(path, json.dumps(about).encode(), data)
    files = sorted(path.parent.glob("*.json"), key=os.path.getmtime)
    for old in files[:-MOST]:
        old.unlink(missing_ok=True)


def _path_of(data: Path, board: str) -> Path:
    return data / FOLDER / f"{board}.json"
