"""How far the journal was written, in a file of its own: it reveals that the end of the journal's log is gone.

To SQLite a log (WAL) whose end is damaged or cut off looks like a shorter log, so nothing inside the database can tell.
The mark is written after each commit, before anybody is told of it, and never flushed: it costs a dart a few
microseconds. Written pages outlast a killed process, so the mark is exact then. After a power cut it can be older than
the journal but never newer, because the journal is flushed before the mark is written.

The mark outlives the journal: whatever is put in its place, the boards go on with the numbers after those in the mark,
because no hit id may name two darts.
"""

import contextlib
import json
import logging
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from daemon.record.chain import json_text, row_checksum
from daemon.record.changes import BoardRow
from daemon.system.secure_files import give_to_owner

log = logging.getLogger(__name__)

NAME: Final = "written"
MAX_BYTES: Final = 256 * 1024
"""How much of the file is read, more than the counters of all boards of a node take."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What the journal with the id `journal` contains after entry number `entry`.

    An empty id is that of no journal: the counters are those that were given, and nothing else is compared.
    `boards` are the counters of each board, `actions` the number of actions of the match on it, both by board name.
    """

    journal: str
    entry: int
    boards: dict[str, BoardRow] = field(default_factory=dict)
    actions: dict[str, int] = field(default_factory=dict)


class WrittenMark:
    """The mark of a data directory, open while the journal is."""

    def __init__(self, folder: Path) -> None:
        self._file: int | None = None
        path = folder / NAME
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            give_to_owner(path, folder)
        except OSError as error:
            log.warning("the file %s cannot be used; a journal that loses its end is not noticed: %s", path, error)

    def read(self) -> Extent | None:
        """Returns the last mark, or None if it is missing or cannot be read."""
        try:
            text = b"" if self._file is None else os.pread(self._file, MAX_BYTES, 0)
        except OSError:
            return None
        return parse_mark(text)

    def write(self, extent: Extent) -> None:
        """Writes the mark. On a full disk the old mark stays and reveals less; no dart waits for it."""
        with contextlib.suppress(OSError):
            if self._file is not None:
                os.pwrite(self._file, mark_line(extent), 0)

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def hand_on(folder: Path, to: Path) -> None:
    """Writes the counters of a data directory to the folder of a journal that takes its place there.

    OSError if they cannot be read or written. Does nothing if there are none.
    """
    try:
        mark = parse_mark((folder / NAME).read_bytes())
    except FileNotFoundError:
        return
    if mark is not None:
        (to / NAME).write_bytes(mark_line(Extent("", 0, mark.boards)))


def mark_line(extent: Extent) -> bytes:
    """The mark as one line. The rest of an older, longer line after it is ignored."""
    # Not json.dumps, which takes four times as long, for every dart.
    boards = ",".join(
        f"{json_text(name)}:[{row.seq},{row.revision},{json_text(row.match)},{json_text(row.mark)}]"
        for name, row in extent.boards.items()
    )
    actions = ",".join(f"{json_text(name)}:{count}" for name, count in extent.actions.items())
    text = f"[{json_text(extent.journal)},{extent.entry},{{{boards}}},{{{actions}}}]"
    return f"{row_checksum('mark', text).hex()} {text}\n".encode()


def parse_mark(mark: bytes) -> Extent | None:
    """The content of a mark, None if it is torn, damaged or empty."""
    line, end, _ = mark.partition(b"\n")
    found, _, text = line.decode(errors="replace").partition(" ")
    if not end or found != row_checksum("mark", text).hex():
        return None
    journal, entry, boards, actions = json.loads(text)
    return Extent(journal, entry, {name: BoardRow(name, *row) for name, row in boards.items()}, actions)
