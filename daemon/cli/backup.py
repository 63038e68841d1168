"""`oche backup` and `oche restore`: what oche stores, in one file and back.

What is worked out from the journal is left out, and the folders of sounds and pictures that people copy there.
"""

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

from daemon.houses import invitations
from daemon.people import cards, player_files, users
from daemon.record.journal import Journal
from daemon.record.journal_file import DATABASE_ERRORS, LOCK, JournalError, lock, make_folder
from daemon.record.reader import History
from daemon.record.written_mark import hand_on
from daemon.shipping import membership
from daemon.system import show_file
from daemon.system.colours import painted
from daemon.system.disk_errors import DISK_ERRORS, disk_trouble
from daemon.system.error_text import error_text
from daemon.system.exit_codes import Exit
from daemon.system.named_file import open_named
from daemon.system.progress import Counted, progress, summed
from daemon.system.secure_files import give_to_owner, sync
from daemon.tournament import tournament_file

KEPT: Final = (users.FILE, membership.FILE, invitations.FILE, show_file.FILE)
"""Files that are copied unchanged, besides the journal."""
FOLDERS: Final = ("boards", player_files.FOLDER, cards.FOLDER, tournament_file.FOLDER)
"""Folders of the data directory that are copied with all their files."""
MOST_BYTES: Final = 512 * 1024 * 1024
"""The largest unpacked backup; a larger one is refused. A year of darts every evening is 10 MiB."""
MOST_FILES: Final = 10_000
"""The most files in a backup; one with more is refused. A real one has some hundred: two, and one for
each board file, tournament, card, and picture or sound of a player."""
MOST_AT_ONCE: Final = 1024 * 1024
DEEPEST: Final = 8
"""The most parts of a path in a backup. `LONGEST_NAME` bounds the bytes of each part."""
LONGEST_NAME: Final = 255


def backup(arguments: argparse.Namespace) -> int:
    """Writes one file with everything up to this moment; the daemon can be running."""
    data: Path = arguments.data
    journal = History(data).path
    if not journal.is_file():
        print(f"There is nothing to back up in {data} yet.", file=sys.stderr)
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
    # Only its owner can read it: it contains the hashes of passwords.
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
        # Flushed first, because it can replace the previous backup.
        sync(unfinished)
        unfinished.replace(target)
        # A network share may not support flushing a folder.
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
        # tarfile only calls its method read.
        archive.addfile(about, cast("IO[bytes]", Counted(content, more)))


def restore(arguments: argparse.Namespace) -> int:
    """Unpacks a backup into a data directory without a journal; no daemon can be running there."""
    data: Path = arguments.data
    try:
        open_named(arguments.file).close()
    except OSError as error:
        print(f"{arguments.file} cannot be restored: {error.strerror or error}.", file=sys.stderr)
        return Exit.USAGE
    try:
        make_folder(data)
        # Locked: a daemon can still be writing to a journal that was moved away.
        with lock(data):
            return _restore(arguments.file, data)
    except (OSError, JournalError) as error:
        why = disk_trouble(error, data) if isinstance(error, OSError) else error
        print(f"{arguments.file} cannot be restored: {why}", file=sys.stderr)
        return 1


def _restore(file: Path, data: Path) -> int:
    journal = History(data).path
    # SQLite would apply the log of another journal to this one.
    for left in (journal, journal.with_name(f"{journal.name}-wal"), journal.with_name(f"{journal.name}-shm")):
        if left.exists():
            print(f"{data} already has {left.name}; move it away, or name another --data.", file=sys.stderr)
            return 1
    try:
        # Unpacked next to its place first: a file that is not a journal must not block the next attempt.
        with tempfile.TemporaryDirectory(prefix=".restore-", dir=data) as unpacked:
            folder = Path(unpacked)
            _unpack(file, folder, journal.name)
            users.load(folder)
            hand_on(data, folder)
            with contextlib.closing(Journal(folder)):
                count = len(History(folder).matches())
            # The one in its place is locked until everything is there.
            (folder / LOCK).unlink()
            _move(folder, data)
    except gzip.BadGzipFile:
        print(f"{file} cannot be restored: it is not gzipped, so `oche backup` did not write it.", file=sys.stderr)
        return 1
    except OSError as error:
        # The fault is in the disk that is written to, or in the file itself.
        at_fault = disk_trouble(error, data) if error.errno in DISK_ERRORS else f"{error.strerror or error}."
        print(f"{file} cannot be restored: {at_fault}", file=sys.stderr)
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
        print(f"{file} cannot be restored: {error_text(error)}.", file=sys.stderr)
        return 1
    print(painted(f"{data}: {count} matches", "green"))
    return 0


def _unpack(file: Path, folder: Path, journal: str) -> None:
    """Unpacks the files of a backup to the folder. TarError if the archive is not a backup, or too large."""
    found = False
    with (
        open_named(file) as packed,
        progress(f"Reading {file.name}", file.stat().st_size) as done,
        gzip.GzipFile(fileobj=cast("IO[bytes]", Counted(packed, summed(done)))) as unpacked,
        tarfile.open(fileobj=cast("IO[bytes]", _Bounded(unpacked)), mode="r:") as archive,
    ):
        for count, member in enumerate(archive, 1):
            if count > MOST_FILES:
                raise tarfile.TarError(f"it has more than {MOST_FILES} files, so it is not a backup of oche")
            if _is_ours(member, journal):
                _put_back(archive, member, folder)
                found = found or member.name == journal
    if not found:
        raise tarfile.TarError(f"it is not a backup of oche: it has no {journal}")


class _Bounded:
    """An unpacked archive that raises TarError when it becomes too large. It is read once, from the start."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self._stream = stream

    def tell(self) -> int:
        return self._stream.tell()

    def seek(self, to: int) -> int:
        self._check(to)
        return self._stream.seek(to)

    def read(self, size: int) -> bytes:
        # tarfile reads a long name in one piece, whatever length the archive claims.
        if size > MOST_AT_ONCE:
            raise tarfile.TarError("a name in it is too long")
        self._check(self.tell() + size)
        return self._stream.read(size)

    def _check(self, at: int) -> None:
        if at > MOST_BYTES:
            raise tarfile.TarError(
                f"it unpacks to more than {MOST_BYTES // 1024**2} MiB, so nothing was restored. If it is really "
                "yours, unpack it by hand: tar -xzf FILE -C DATA"
            )


def _move(folder: Path, data: Path) -> None:
    """Moves the unpacked files to the data directory and its owner, the journal last."""
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
    """Whether a backup can have this file. Refuses links, paths that lead out of the folder, and unknown names."""
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
    except DATABASE_ERRORS:
        return False


def _copy(journal: Path, copy: Path) -> None:
    """Makes a consistent copy of a database that can be written to at the same time."""
    with (
        contextlib.closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as source,
        contextlib.closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
