"""Whether SQLite can read the journal's file: its pages, and its indexes beside their tables.

For a million darts the check takes 0.35 s on a PC, and nearly all of it is the table of actions. So a long journal is
checked at the start without its actions, which the next dart does not need: those of the matches on the boards are read
and compared with their checksums anyway. The whole file is checked afterwards, while darts are thrown
(`daemon/history/upkeep.py`). No index of SQLite's belongs to the actions, so it can be only the others that have to be
rebuilt.
"""

import contextlib
import os
import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CHECKED_AT_START = 4 * 1024 * 1024
"""Bytes of the longest file that is checked whole at the start, which takes about 10 ms: 30,000 darts."""
_CHECKED_LATER: Final = "action"


@dataclass(frozen=True, slots=True)
class StructureFault:
    """What is wrong with the file, in SQLite's words."""

    what: str
    only_indexes: bool
    """Whether every page can be read and only an index differs from its table, which has all of its content."""


def is_checked_later(path: Path) -> bool:
    """Whether there is a journal that is too long to be checked whole at the start."""
    return path.exists() and path.stat().st_size > CHECKED_AT_START


def structure_fault(db: sqlite3.Connection, *, whole: bool = True) -> StructureFault | None:
    """The first thing that is wrong with the file, None if it is sound. Without `whole` the actions are left out."""
    if whole:
        return _fault(db, "1")
    tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    faults = (_fault(db, _quoted(table)) for (table,) in tables if table != _CHECKED_LATER)
    return next((fault for fault in faults if fault is not None), None)


def check_in_use(path: Path) -> StructureFault | None:
    """Checks the whole of a file that is being written, at the lowest priority: for a thread that does nothing else.

    sqlite3.Error or UnicodeDecodeError if it cannot be checked.
    """
    with contextlib.suppress(OSError):  # A service may not be allowed to.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        return structure_fault(db)


def _fault(db: sqlite3.Connection, what: str) -> StructureFault | None:
    # The full check: the quick one does not compare indexes with their tables, and a match that is missing in an index
    # cannot be found by its id.
    found = str(db.execute(f"PRAGMA integrity_check({what})").fetchone()[0])
    if found == "ok":
        return None
    only_indexes = db.execute(f"PRAGMA quick_check({what})").fetchone()[0] == "ok"
    return StructureFault(" ".join(found.split()), only_indexes)


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"
