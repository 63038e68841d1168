"""Reads files that a user names, and the standard input: nothing in them makes a command hang or fill the memory."""

import errno
import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO, Final

from daemon.system.urls import UsageError

TEXT_BYTES: Final = 1024 * 1024
"""The largest configuration, board file or list; larger ones are refused. Real ones have a thousandth of it."""

_KINDS: Final = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def open_named(path: Path) -> BinaryIO:
    """Returns an ordinary file, open for reading. OSError, with a sentence as `strerror`, for anything else."""
    # Non-blocking: opening a pipe without a writer would wait forever.
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    kind = stat.S_IFMT(os.fstat(number).st_mode)
    if kind != stat.S_IFREG:
        os.close(number)
        raise OSError(errno.EINVAL, f"it is {_KINDS.get(kind, 'not a file')}, not an ordinary file", str(path))
    return os.fdopen(number, "rb")


def read_named(path: Path) -> bytes:
    """Returns the content of an ordinary file. OSError, with a sentence as `strerror`, beyond TEXT_BYTES."""
    with open_named(path) as file:
        return _read(file, str(path))


def named_text(path: Path | None) -> str:
    """Returns the text of an ordinary file, or without one of the standard input. UsageError if it cannot be read."""
    name = "-" if path is None else str(path)
    try:
        return (_read(sys.stdin.buffer, name) if path is None else read_named(path)).decode("utf-8")
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8: {error}.") from error


def _read(file: BinaryIO, name: str) -> bytes:
    found = file.read(TEXT_BYTES + 1)
    if len(found) > TEXT_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {TEXT_BYTES // 1024} KiB", name)
    return found
