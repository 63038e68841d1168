"""A file system that fails when it is told to: `python -m tests.faults.failing FOLDER`, by FUSE.

Writing an error number to the file `.fail` makes every write, and the making of every file, end with it; 0 ends that.
"""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import mfusepy

from tests.faults.volatile import CUT, Volatile
from tests.rig import LIMIT_SECONDS, until

FAIL: Final = "/.fail"


class Failing(Volatile):
    """What is in memory stays; what would change it fails."""

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


@contextmanager
def failing(folder: Path) -> Iterator[Path]:
    """The file system, mounted; `fail(mount, number)` makes it fail."""
    folder.mkdir(parents=True)
    serving = subprocess.Popen([sys.executable, "-m", "tests.faults.failing", str(folder)])
    try:
        until(lambda: folder.is_mount() or serving.poll() is not None, "the mount")
        assert serving.poll() is None, "FUSE is not usable here"
        yield folder
    finally:
        subprocess.run(["fusermount", "-u", "-z", str(folder)], check=False)
        serving.wait(LIMIT_SECONDS)


def fail(mount: Path, number: int) -> None:
    """From now on everything that would change a file ends with this error; 0 for nothing any more."""
    (mount / FAIL[1:]).write_text(str(number))


if __name__ == "__main__":
    mfusepy.FUSE(Failing(), sys.argv[1], foreground=True, nothreads=True, attr_timeout=0, entry_timeout=0)
