"""Which hit of a board went out last, in a file of its own that is written and never flushed.

A process that is killed leaves its written pages behind, so after a SIGKILL
this is exact: no hit is missing on the bus and none comes twice. After a power
cut it can be old, and then hits come again, with the ids that they had. In
the journal it would cost every dart a second flush of the disk.
"""

import contextlib
import logging
import os
from pathlib import Path

log = logging.getLogger(__name__)


class SentMark:
    """The number of the last hit that was handed to the broker. Open for as long as the process lives."""

    def __init__(self, folder: Path, board: str) -> None:
        self._file: int | None = None
        try:
            self._file = os.open(folder / f"sent-{board}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            log.warning("hits may come twice after a restart: %s", error)

    def read(self) -> int:
        """0 where nothing, or nothing readable, was marked."""
        try:
            text = b"" if self._file is None else os.pread(self._file, 20, 0)
        except OSError:
            return 0
        return int(text) if text.isdigit() else 0

    def write(self, seq: int) -> None:
        """Where the disk is full the mark stays behind, and hits may come again: no dart waits for it."""
        with contextlib.suppress(OSError):
            if self._file is not None:
                os.pwrite(self._file, b"%020d" % seq, 0)
