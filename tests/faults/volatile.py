"""A file system whose unsynced writes are really thrown away: `python -m tests.faults.volatile FOLDER`, by FUSE.

Kept is what POSIX promises and nothing more: the bytes of a file that was
synced, and the names of a folder that was synced. Everything since is in
the machine's memory. Writing a number to the file `.cut` is the power cut:
of what was not synced a random part, drawn with that number, stays (a disk
writes when it likes, in any order, and tears a write at a sector), and the rest
is gone. It holds no file open over a cut: the daemon is dead by then.
"""

import errno
import os
import random
import stat
import sys
from dataclasses import dataclass, field
from typing import Any, Final

import mfusepy

SECTOR: Final = 512
CUT: Final = "/.cut"


@dataclass(slots=True)
class Node:
    """A file or a folder: as programs see it, and as the disk has it with what is on the way there."""

    mode: int
    data: bytearray = field(default_factory=bytearray)
    names: dict[str, "Node"] = field(default_factory=dict)
    synced: bytes = b""
    synced_names: dict[str, "Node"] = field(default_factory=dict)
    under_way: list[tuple[int, bytes] | int] = field(default_factory=list)
    """Writes as (offset, bytes), truncations as a length."""


class Volatile(mfusepy.Operations):  # type: ignore[misc]
    """The operations that a daemon with SQLite and mosquitto needs."""

    use_ns = True

    def __init__(self) -> None:
        self._root = Node(stat.S_IFDIR | 0o755)
        self.cuts = self.lost = 0

    def _node(self, path: str) -> Node:
        node = self._root
        for name in path.split("/"):
            if name:
                if name not in node.names:
                    raise mfusepy.FuseOSError(errno.ENOENT)
                node = node.names[name]
        return node

    def _folder(self, path: str) -> tuple[Node, str]:
        above, _, name = path.rpartition("/")
        return self._node(above), name

    def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
        if path == CUT:
            return {"st_mode": stat.S_IFREG | 0o666, "st_size": 0, "st_nlink": 1}
        node = self._node(path)
        about = {"st_mode": node.mode, "st_size": len(node.data), "st_nlink": 1, "st_blksize": 4096}
        return about | {"st_uid": os.getuid(), "st_gid": os.getgid()}

    def readdir(self, path: str, fh: int) -> list[str]:
        return [".", "..", *self._node(path).names]

    def mkdir(self, path: str, mode: int) -> int:
        folder, name = self._folder(path)
        folder.names[name] = Node(stat.S_IFDIR | mode)
        return 0

    def create(self, path: str, mode: int, fi: Any = None) -> int:
        folder, name = self._folder(path)
        folder.names[name] = Node(stat.S_IFREG | stat.S_IMODE(mode))
        return 0

    def mknod(self, path: str, mode: int, dev: int) -> int:
        folder, name = self._folder(path)
        folder.names[name] = Node(mode)
        return 0

    def open(self, path: str, flags: int) -> int:
        if path != CUT:
            self._node(path)
        return 0

    def read(self, path: str, size: int, offset: int, fh: int) -> bytes:
        return b"" if path == CUT else bytes(self._node(path).data[offset : offset + size])

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
        if path == CUT:
            self._cut(self._root, random.Random(int(data)))
            return len(data)
        node = self._node(path)
        _put(node.data, offset, data)
        node.under_way.append((offset, bytes(data)))
        return len(data)

    def truncate(self, path: str, length: int, fh: int | None = None) -> int:
        if path != CUT:
            node = self._node(path)
            _resize(node.data, length)
            node.under_way.append(length)
        return 0

    def fsync(self, path: str, datasync: int, fh: int) -> int:
        node = self._node(path)
        node.synced, node.under_way = bytes(node.data), []
        return 0

    def fsyncdir(self, path: str, datasync: int, fh: int) -> int:
        node = self._node(path)
        node.synced_names = dict(node.names)
        return 0

    def unlink(self, path: str) -> int:
        folder, name = self._folder(path)
        del folder.names[name]
        return 0

    rmdir = unlink

    def rename(self, old: str, new: str) -> int:
        folder, name = self._folder(old)
        to, new_name = self._folder(new)
        to.names[new_name] = folder.names.pop(name)
        return 0

    def chmod(self, path: str, mode: int) -> int:
        node = self._node(path)
        node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode)
        return 0

    def chown(self, path: str, uid: int, gid: int) -> int:
        return 0

    def utimens(self, path: str, times: Any = None) -> int:
        return 0

    def _cut(self, node: Node, chance: random.Random) -> None:
        """Leaves what the disk has: of the names and the writes under way a random part."""
        if not stat.S_ISDIR(node.mode):
            data, kept = bytearray(node.synced), chance.choice((0.0, 0.5, 1.0))
            for change in node.under_way:
                if chance.random() < kept:
                    if isinstance(change, int):
                        _resize(data, change)
                    else:
                        offset, written = change
                        torn = chance.randrange(len(written) // SECTOR + 1) * SECTOR
                        _put(data, offset, written if chance.random() < 0.7 else written[:torn])
            node.data, node.synced, node.under_way = data, bytes(data), []
            return
        for name in {**node.synced_names, **node.names}:
            then, now = node.synced_names.get(name), node.names.get(name)
            left = then if then is now or chance.random() < 0.5 else now
            if left is None:
                node.names.pop(name, None)
            else:
                node.names[name] = left
        node.synced_names = dict(node.names)
        for child in node.names.values():
            self._cut(child, chance)


def _put(data: bytearray, offset: int, written: bytes) -> None:
    if offset > len(data):
        data.extend(bytes(offset - len(data)))
    data[offset : offset + len(written)] = written


def _resize(data: bytearray, length: int) -> None:
    if length < len(data):
        del data[length:]
    else:
        data.extend(bytes(length - len(data)))


def main(folder: str) -> None:
    """Serves until it is unmounted."""
    mfusepy.FUSE(Volatile(), folder, foreground=True, nothreads=True, attr_timeout=0, entry_timeout=0, direct_io=False)


if __name__ == "__main__":
    main(sys.argv[1])
