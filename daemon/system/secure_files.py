"""Writes files with the right owner: nobody else reads a secret, and the daemon reads what root writes."""

import os
import tempfile
from pathlib import Path


def give_to_owner(path: Path, folder: Path) -> None:
    """Gives a file that root has written to the owner of the data directory `folder`. Does nothing for other users."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def write_secret(path: Path, content: str | bytes, folder: Path | None = None) -> None:
    """Writes a file atomically, with mode 0600; as root for the owner of `folder`. OSError if that fails.

    Text is written in UTF-8.
    """
    number, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    unfinished = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        if folder is not None:
            give_to_owner(unfinished, folder)
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def sync(path: Path) -> None:
    """Flushes a file, or the names in a folder, to the disk, so that a power cut does not undo it."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
