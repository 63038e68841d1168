"""Which hit of a board went out last, in a file of its own that is written and never flushed.

A process that is killed leaves its written pages behind, so after a SIGKILL
this is exact: no hit is missing on the bus and none comes twice. After a power
cut it can be old, and then hits come again, with the ids that they had. In
the journal it would cost every dart a second flush of the disk.
"""

import os
from pathlib import Path


class SentMark:
    """The number of the last hit that was handed to the broker. Open for as long as the process lives."""

    def __init__(self, folder: Path, board: str) -> None:
        self._file = os.open(folder / f"sent-{board}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def read(self) -> int:
        """0 where nothing, or nothing readable, was marked."""
        text = os.pread(self._file, 20, 0)
        return int(text) if text.isdigit() else 0

    def write(self, seq: int) -> None:
        os.pwrite(self._file, b"%020d" % seq, 0)
