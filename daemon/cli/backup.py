"""`oche backup` and `oche restore`: everything that oche keeps, in one file and back."""

import argparse
import contextlib
import gzip
import os
import shutil
import sqlite3
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Final, cast

from daemon.people import users
from daemon.record.journal import Journal
from daemon.record.journal_file import JournalError, lock, make_folder
from daemon.record.reader import History
from daemon.system.colours import painted
from daemon.system.disk_errors import DISK_ERRORS, disk_trouble
from daemon.system.error_text import error_text
from daemon.system.named_file import open_named
from daemon.system.progress import Counted, progress, summed
from daemon.system.secure_files import give_to_owner, sync

KEPT: Final = (users.FILE,)
"""What is copied as it is, beside the journal."""
FOLDERS: Final = ("boards",)
"""Folders of the data directory that are copied whole."""
MOST_BYTES: Final = 512 * 1024 * 1024
"""What a backup may unpack to. A year of darts every evening is 10 MiB; a backup beyond it is refused."""
MOST_FILES: Final = 10_000
"""How many files a backup may have. There are as many as board files, and two more."""
MOST_AT_ONCE: Final = 1024 * 1024
DEEPEST: Final = 8
"""How many parts the path of a file in a backup may have, and how many bytes a part."""
LONGEST_NAME: Final = 255


def backup(arguments: argparse.Namespace) -> int:
    """Writes one file, with the daemon running or not; what it wrote before this moment is in it."""
    data: Path = arguments.data
    journal = History(data).path
    if not journal.is_file():
        print(f"There is nothing to keep in {data} yet.", file=sys.stderr)
        return 1
    target: Path = arguments.file
    try:
        with tempfile.TemporaryDirectory(prefix="oche-backup-") as folder:
            copy = Path(folder) / journal.name
            _copy(journal, copy)
            if not _is_sound(copy):
                print(f"{journal} is damaged; {target} was not written. Keep your last backup.", file=sys.stderr)
                return 1
            count = len(History(copy.parent).matches())
            parts = [copy, *(data / name for name in (*KEPT, *FOLDERS) if (data / name).exists())]
            _pack(parts, target)
    except (OSError, sqlite3.Error, JournalError) as error:
        why = disk_trouble(error, target) if isinstance(error, OSError) else f"{error_text(error)}."
        print(f"The backup could not be written: {why}", file=sys.stderr)
        return 1
    print(painted(f"{target}: {count} matches", "green"))
    return 0


def _pack(parts: Iterable[Path], target: Path) -> None:
    # Readable by its owner alone, for it has passwords in it, as hashes.
    number, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.absolute().parent)
    unfinished = Path(name)
    try:
        whole = [(path, path.relative_to(part.parent)) for part in parts for path in (part, *sorted(part.rglob("*")))]
        size = sum(path.stat().st_size for path, _ in whole if path.is_file())
        with (
            os.fdopen(number, "wb") as file,
            tarfile.open(fileobj=file, mode="w:gz") as archive,
            progress(f"Writing {target.name}", size) as done,
        ):
            more = summed(done)
            for path, within in whole:
                _add(archive, path, str(within), more)
        # It may take the place of the last one.
        sync(unfinished)
        unfinished.replace(target)
        # A share of another machine may know no such thing of a folder.
        with contextlib.suppress(OSError):
            sync(target.absolute().parent)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def _add(archive: tarfile.TarFile, path: Path, name: str, more: Callable[[int], None]) -> None:
    about = archive.gettarinfo(path, name)
    if not about.isreg():
        archive.addfile(about)
        return
    with path.open("rb") as content:
        # The library reads it, and nothing else is asked of a file.
        archive.addfile(about, cast("IO[bytes]", Counted(content, more)))


def restore(arguments: argparse.Namespace) -> int:
    """Puts a backup back into a data directory that has no journal; oche must not be running there."""
    data: Path = arguments.data
    try:
        make_folder(data)
        # Somebody may have moved a journal away of which a daemon goes on writing the log.
        with lock(data):
            return _restore(arguments.file, data)
    except (OSError, JournalError) as error:
        why = disk_trouble(error, data) if isinstance(error, OSError) else error
        print(f"{arguments.file} could not be put back: {why}", file=sys.stderr)
        return 1


def _restore(file: Path, data: Path) -> int:
    journal = History(data).path
    # A log that an other journal left behind would be played into this one.
    for left in (journal, journal.with_name(f"{journal.name}-wal"), journal.with_name(f"{journal.name}-shm")):
        if left.exists():
            print(f"{data} has {left.name} already; move it away, or name another --data.", file=sys.stderr)
            return 1
    try:
        # Looked at beside its place first: what is no journal does not lie in the way of the next try.
        with tempfile.TemporaryDirectory(prefix=".restore-", dir=data) as unpacked:
            folder = Path(unpacked)
            _unpack(file, folder, journal.name)
            users.load(folder)
            with contextlib.closing(Journal(folder)):
                count = len(History(folder).matches())
            _move(folder, data)
    except gzip.BadGzipFile:
        print(f"{file} could not be put back: `oche backup` did not make it, for it is not gzipped.", file=sys.stderr)
        return 1
    except OSError as error:
        # Of the disk that is written to, or of the file itself, of which it has a sentence.
        at_fault = disk_trouble(error, data) if error.errno in DISK_ERRORS else f"{error.strerror or error}."
        print(f"{file} could not be put back: {at_fault}", file=sys.stderr)
        return 1
    except (
        ValueError,
        tarfile.TarError,
        EOFError,
        zlib.error,
        sqlite3.Error,
        JournalError,
        users.UsersError,
    ) as error:
        print(f"{file} could not be put back: {error_text(error)}.", file=sys.stderr)
        return 1
    print(painted(f"{data}: {count} matches", "green"))
    return 0


def _unpack(file: Path, folder: Path, journal: str) -> None:
    """Writes the parts that are ours to the folder. TarError for an archive that is none of ours, or too large."""
    found = False
    with (
        open_named(file) as packed,
        progress(f"Reading {file.name}", file.stat().st_size) as done,
        gzip.GzipFile(fileobj=cast("IO[bytes]", Counted(packed, summed(done)))) as unpacked,
        tarfile.open(fileobj=cast("IO[bytes]", _Bounded(unpacked)), mode="r:") as archive,
    ):
        for count, member in enumerate(archive, 1):
            if count > MOST_FILES:
                raise tarfile.TarError(f"it has more than {MOST_FILES} files in it, which no backup of ours has")
            if _is_ours(member, journal):
                _put_back(archive, member, folder)
                found = found or member.name == journal
    if not found:
        raise tarfile.TarError(f"it is no backup, there is no {journal} in it")


class _Bounded:
    """An unpacked archive that ends with a TarError where it becomes too large. It is read once, from its beginning."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self._stream = stream

    def tell(self) -> int:
        return self._stream.tell()

    def seek(self, to: int) -> int:
        self._check(to)
        return self._stream.seek(to)

    def read(self, size: int) -> bytes:
        # The library reads a long name whole, however long the archive says that it is.
        if size > MOST_AT_ONCE:
            raise tarfile.TarError("a name in it is too long")
        self._check(self.tell() + size)
        return self._stream.read(size)

    def _check(self, at: int) -> None:
        if at > MOST_BYTES:
            raise tarfile.TarError(
                f"it unpacks to more than {MOST_BYTES // 1024**2} MiB, and nothing of it was kept. If it is really "
                "yours, unpack it by hand: tar -xzf FILE -C DATA"
            )


def _move(folder: Path, data: Path) -> None:
    """What was unpacked to its place, as the data directory's owner's; the journal last."""
    for path in sorted(folder.rglob("*"), reverse=True, key=lambda path: (path.is_dir(), path.suffix != ".db")):
        target = data / path.relative_to(folder)
        if path.is_dir():
            target.mkdir(mode=0o700, parents=True, exist_ok=True)
        else:
            sync(path)
            path.replace(target)
        give_to_owner(target, data)
        sync(target.parent)


def _is_ours(member: tarfile.TarInfo, journal: str) -> bool:
    """A made-up archive must not write anywhere else: no links, no way up, no folder of another name."""
    parts = member.name.split("/")
    if parts[0] in FOLDERS and (len(parts) > DEEPEST or max(map(len, map(os.fsencode, parts))) > LONGEST_NAME):
        raise tarfile.TarError(
            f"a file in it has a path of {len(parts)} parts, {max(map(len, parts))} characters the longest: "
            f"{member.name[:40]}…"
        )
    known = member.name in (journal, *KEPT) or (parts[0] in FOLDERS and not {"", ".", ".."} & set(parts))
    return member.isfile() and known


def _put_back(archive: tarfile.TarFile, member: tarfile.TarInfo, data: Path) -> None:
    content = archive.extractfile(member)
    assert content is not None  # it is a file
    target = data / member.name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.touch(mode=0o600)
    with content, target.open("wb") as file:
        shutil.copyfileobj(content, file)


def _is_sound(journal: Path) -> bool:
    try:
        with contextlib.closing(sqlite3.connect(journal)) as db:
            return bool(db.execute("PRAGMA integrity_check(1)").fetchall() == [("ok",)])
    except sqlite3.DatabaseError:
        return False


def _copy(journal: Path, copy: Path) -> None:
    """A sound copy of a database that may be written to meanwhile."""
    with (
        contextlib.closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as source,
        contextlib.closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
