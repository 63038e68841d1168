"""`oche backup` and `oche restore`: everything that oche keeps, in one file and back."""

import argparse
import contextlib
import shutil
import sqlite3
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from daemon import users
from daemon.history import History
from daemon.journal import Journal, JournalError

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
            parts = [copy, *(data / name for name in (*KEPT, *FOLDERS) if (data / name).exists())]
            unfinished = target.with_name(f".{target.name}.part")
            unfinished.touch(mode=0o600)  # it has passwords in it, as hashes
            with tarfile.open(unfinished, "w:gz") as archive:
                for part in parts:
                    archive.add(part, part.name)
            unfinished.replace(target)
    except (OSError, sqlite3.Error) as error:
        print(f"The backup could not be written: {error}.", file=sys.stderr)
        return 1
    print(f"{target}: {len(History(data).matches())} matches")
    return 0


def restore(arguments: argparse.Namespace) -> int:
    """Puts a backup back into a data directory that has no journal; oche must not be running there."""
    data: Path = arguments.data
    journal = History(data).path
    if journal.exists():
        print(f"{data} has a journal already; move {journal.name} away, or name another --data.", file=sys.stderr)
        return 1
    try:
        with tarfile.open(arguments.file, "r:gz") as archive:
            names = archive.getnames()
            if journal.name not in names:
                print(f"{arguments.file} is no backup: there is no {journal.name} in it.", file=sys.stderr)
                return 1
            for member in archive.getmembers():
                if _is_ours(member, journal.name):
                    _put_back(archive, member, data)
        with contextlib.closing(Journal(data)):
            count = len(History(data).matches())
    except (OSError, tarfile.TarError, EOFError, sqlite3.Error, JournalError) as error:
        print(f"{arguments.file} could not be put back: {error}.", file=sys.stderr)
        return 1
    print(f"{data}: {count} matches")
    return 0


def _is_ours(member: tarfile.TarInfo, journal: str) -> bool:
    """A made-up archive must not write anywhere else: no links, no way up, no folder of another name."""
    parts = member.name.split("/")
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


def _copy(journal: Path, copy: Path) -> None:
    """A sound copy of a database that may be written to meanwhile."""
    with (
        contextlib.closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as source,
        contextlib.closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
