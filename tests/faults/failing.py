"""A file system that fails on request: `python -m tests.faults.failing FOLDER`, by FUSE.

After an error number is written to the file `.fail`, every write and every new file fails with it; 0 ends that.
"""

import errno
import os
import sys
from pathlib import Path
from typing import Any, Final

import mfusepy

from tests.faults.volatile import CUT, Volatile

FAIL: Final = "/.fail"


class Failing(Volatile):
    """Reading works; every change fails."""

    def __init__(self) -> None:
        super().__init__()
        self._error = 0

    def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
        return super().getattr(CUT if path == FAIL else path, fh)

    def open(self, path: str, flags: int) -> int:
        if path == FAIL:
            return 0
        if self._error == errno.EROFS and flags & os.O_ACCMODE != os.O_RDONLY:
            self._check()
        return super().open(path, flags)

    def truncate(self, path: str, length: int, fh: int | None = None) -> int:
        return 0 if path == FAIL else super().truncate(path, length, fh)

    def statfs(self, path: str) -> dict[str, int]:
        free = 0 if self._error == errno.ENOSPC else 900
        return {"f_bsize": 4096, "f_frsize": 4096, "f_blocks": 1000, "f_bfree": free, "f_bavail": free}

    def create(self, path: str, mode: int, fi: Any = None) -> int:
        self._check()
        return super().create(path, mode, fi)

    def mkdir(self, path: str, mode: int) -> int:
        self._check()
        return super().mkdir(path, mode)

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
        if path == FAIL:
            self._error = int(data)
            return len(data)
        self._check()
        return super().write(path, data, offset, fh)

    def fsync(self, path: str, datasync: int, fh: int) -> int:
        self._check()
        return super().fsync(path, datasync, fh)

    def _check(self) -> None:
        if self._error:
            raise mfusepy.FuseOSError(self._error)


def fail(mount: Path, number: int) -> None:
    """Makes every change of a file fail with this error from now on; 0 ends that."""
    (mount / FAIL[1:]).write_text(str(number))


if __name__ == "__main__":
    mfusepy.FUSE(Failing(), sys.argv[1], foreground=True, nothreads=True, attr_timeout=0, entry_timeout=0)
