"""File systems of the tests, mounted by FUSE."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from tests.rig import LIMIT_SECONDS, until


@contextmanager
def mounted(module: str, folder: Path) -> Iterator[Path]:
    """Makes the folder and mounts the file system of a module of this package there, until the end of the block."""
    folder.mkdir(parents=True)
    serving = subprocess.Popen([sys.executable, "-m", f"tests.faults.{module}", str(folder)])
    try:
        until(lambda: folder.is_mount() or serving.poll() is not None, "the mount")
        assert serving.poll() is None, "FUSE is not usable here"
        yield folder
    finally:
        subprocess.run(["fusermount", "-u", "-z", str(folder)], check=False)
        serving.wait(LIMIT_SECONDS)


def volatile(folder: Path) -> AbstractContextManager[Path]:
    """A mounted file system that forgets what was not synced; see `volatile.py`."""
    return mounted("volatile", folder)


def failing(folder: Path) -> AbstractContextManager[Path]:
    """A mounted file system that fails on request; see `failing.py`."""
    return mounted("failing", folder)
