"""Messages for errors of a disk: which disk it is, what is wrong with it, and what to do."""

import errno
import os
import sqlite3
from pathlib import Path
from typing import Final, Literal

from daemon.system.error_text import reason

Fault = Literal["full", "read-only", "failing", "rights"]

_ERRNO: Final[dict[int, Fault]] = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EROFS: "read-only",
    errno.EIO: "failing",
    errno.EACCES: "rights",
    errno.EPERM: "rights",
}
DISK_ERRORS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO})
"""The errors of `_ERRNO` that only a disk causes."""
_SQLITE: Final[dict[int, Fault]] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_IOERR: "failing",
}
_AMBIGUOUS: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)
"""SQLite's errors that may also mean a full or a read-only disk; the file system tells which."""


def disk_trouble(error: Exception, path: Path, doing: str = "written") -> str:
    """Returns what is wrong after an error at `path`, where, and what to do. `doing` is for errors of no disk."""
    disk = _disk(path)
    match _fault(error, path):
        case "full":
            return f"{path} cannot be written: {disk} is full. Make room on it; `oche doctor` says how."
        case "read-only":
            return (
                f"{path} cannot be written: {disk} is read-only, as a disk becomes after an error. Restart the "
                "machine; if it is read-only again, copy what is on it to a new disk."
            )
        case "failing":
            return (
                f"{path} cannot be read or written: {disk} fails (input/output error), and making room will not help. "
                "Back up what is on it to another disk, then replace it; `dmesg` has the errors."
            )
        case "rights":
            return f"{path} cannot be written: this user may not. Change its owner."
        case None:
            return f"{path} cannot be {doing}: {reason(error)}."


def is_disk_fault(error: Exception, path: Path) -> bool:
    """Whether the disk at `path` is the cause of an error, and not what a file on it holds."""
    return _fault(error, path) is not None


def _fault(error: Exception, path: Path) -> Fault | None:
    if isinstance(error, OSError):
        return _ERRNO.get(error.errno or 0)
    # The low byte is the error; the others are where in SQLite it happened.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return (_state(path) if code in _AMBIGUOUS else None) or _SQLITE.get(code)


def _state(path: Path) -> Fault | None:
    """Returns the state that the file system reports; None if that is neither full nor read-only."""
    try:
        about = os.statvfs(_nearest(path))
    except OSError:
        return None
    return "read-only" if about.f_flag & os.ST_RDONLY else "full" if about.f_blocks and not about.f_bavail else None


def _disk(path: Path) -> str:
    """Returns the device of a path and its mount point, from `/proc/self/mountinfo`; see proc(5)."""
    try:
        at = _nearest(path).stat().st_dev
        for line in Path("/proc/self/mountinfo").read_text(errors="replace").splitlines():
            fields, _, more = line.partition(" - ")
            _id, _parent, number, _root, mount, *_ = fields.split()
            if number == f"{os.major(at)}:{os.minor(at)}":
                return f"the disk {more.split()[1]} (mounted at {_unescaped(mount)})"
    except (OSError, ValueError, IndexError):
        pass  # The message has the path.
    return "its disk"


def _nearest(path: Path) -> Path:
    """Returns the path, or the nearest folder above it that exists."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def _unescaped(mount: str) -> str:
    for code in (" ", "\t", "\n", "\\"):
        mount = mount.replace(f"\\{ord(code):03o}", code)
    return mount
