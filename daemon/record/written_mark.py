"""How far the journal was written, in a file of its own: what reveals that the end of its log is gone.

SQLite takes a log (WAL) whose end is damaged or cut off for one that was never longer, so nothing inside the database
can tell. The mark is written after each commit and before anybody is told of it, and never flushed: it costs a dart a
few microseconds. A killed process leaves its written pages behind, so the mark is then exact. After a power cut it can
be older than the journal, never newer: the journal is on the disk before the mark is written at all.
"""

import contextlib
import json
import logging
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from daemon.record.chain import row_sum
from daemon.record.reader import BoardRow
from daemon.system.secure_files import give_to_owner

log = logging.getLogger(__name__)

NAME: Final = "written"
MAX_BYTES: Final = 256 * 1024
"""More than the counters of all boards of a node take; a longer file is not read."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What was written to the journal `journal` with entry number `entry` and before.

    `boards` are the counters of each board, `actions` the number of actions of the match on it.
    """

    journal: str
    entry: int
    boards: dict[str, BoardRow] = field(default_factory=dict)
    actions: dict[str, int] = field(default_factory=dict)


class WrittenMark:
    """The mark of a data directory. Open for as long as the journal is."""

    def __init__(self, folder: Path) -> None:
        self._file: int | None = None
        path = folder / NAME
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            give_to_owner(path, folder)
        except OSError as error:
            log.warning("a journal that loses its end will not be noticed: %s", error)

    def read(self) -> Extent | None:
        """The last mark, None where there is none that can be read."""
        try:
            text = b"" if self._file is None else os.pread(self._file, MAX_BYTES, 0)
        except OSError:
            return None
        return parsed(text)

    def write(self, extent: Extent) -> None:
        """Where the disk is full the mark stays behind, and shows less: no dart waits for it."""
        with contextlib.suppress(OSError):
            if self._file is not None:
                os.pwrite(self._file, written(extent), 0)

    def close(self) -> None:
        """Lets go of the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def written(extent: Extent) -> bytes:
    """The mark as a line; what an older and longer one left behind it does not count."""
    boards = {name: [row.seq, row.revision, row.match, row.mark] for name, row in extent.boards.items()}
    text = json.dumps([extent.journal, extent.entry, boards, extent.actions], separators=(",", ":"))
    return f"{row_sum('mark', text).hex()} {text}\n".encode()


def parsed(mark: bytes) -> Extent | None:
    """What a mark says, None where it is torn, damaged or empty."""
    line, end, _ = mark.partition(b"\n")
    found, _, text = line.decode(errors="replace").partition(" ")
    if not end or found != row_sum("mark", text).hex():
        return None
    journal, entry, boards, actions = json.loads(text)
    return Extent(journal, entry, {name: BoardRow(name, *row) for name, row in boards.items()}, actions)
