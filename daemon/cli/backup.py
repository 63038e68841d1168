"""`oche backup` and `oche restore`: everything that oche keeps, in one file and back."""

import argparse
import contextlib
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

from daemon.cli.colours import painted
from daemon.cli.progress import Counted, progress, summed
from daemon.error_text import error_text
from daemon.owner import give_to_owner, sync
from daemon.people import users
from daemon.record.history import History
from daemon.record.journal import Journal
from daemon.record.journal_file import JournalError, make, taken

KEPT: Final = (users.FILE,)
"""What is copied as it is, beside the journal."""
FOLDERS: Final = ("boards",)
"""Folders of the data directory that are copied whole."""


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
        print(f"The backup could not be written: {error_text(error)}.", file=sys.stderr)
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
        make(data)
        # Somebody may have moved a journal away of which a daemon goes on writing the log.
        with taken(data):
            return _restore(arguments.file, data)
    except (OSError, JournalError) as error:
        print(f"{arguments.file} could not be put back: {error_text(error)}.", file=sys.stderr)
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
    except (
        OSError,
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
    with tarfile.open(file, "r:gz") as archive:
        if not any(member.name == journal and member.isfile() for member in archive.getmembers()):
            raise tarfile.TarError(f"it is no backup, there is no {journal} in it")
        ours = [member for member in archive.getmembers() if _is_ours(member, journal)]
        with progress(f"Reading {file.name}", sum(member.size for member in ours)) as done:
            more = summed(done)
            for member in ours:
                _put_back(archive, member, folder, more)


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
    known = member.name in (journal, *KEPT) or (parts[0] in FOLDERS and not {"", ".", ".."} & set(parts))
    return member.isfile() and known


def _put_back(archive: tarfile.TarFile, member: tarfile.TarInfo, data: Path, more: Callable[[int], None]) -> None:
    content = archive.extractfile(member)
    assert content is not None  # it is a file
    target = data / member.name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.touch(mode=0o600)
    with content, target.open("wb") as file:
        shutil.copyfileobj(Counted(content, more), file)


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
