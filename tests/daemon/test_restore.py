"""`oche backup` and `oche restore`: next to a running daemon, over power cuts, and with files that are not backups."""

import argparse
import asyncio
import contextlib
import io
import os
import sqlite3
import tarfile
from pathlib import Path
from typing import Any

import pytest

from daemon.cli.backup import MOST_BYTES, backup, restore
from daemon.people.access import User
from daemon.people.users import change, load
from daemon.record.journal import Entry, Journal
from daemon.record.journal_file import SCHEMA
from daemon.record.reader import BoardRow, History, MatchRow
from tests.faults.mounts import volatile
from tests.rig import oche

MATCH = MatchRow(
    "m1", "lounge", '{"game":"x01","players":["Ann","Bob"],"options":{}}', "{}", "2026-11-21T20:00:00+00:00"
)

CUTS = 8


def _write(journal: Journal, seq: int) -> None:
    asyncio.run(journal.write(Entry(BoardRow("lounge", seq, seq, "m1"), MATCH, ((seq, '{"throw":"T20"}'),))))


def test_a_journal_that_was_moved_away_is_not_replaced_under_a_daemon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`oche restore` asks to move a journal away; a daemon that is running would go on writing to the moved file."""
    data, file = tmp_path / "data", tmp_path / "backup.tar.gz"
    with contextlib.closing(Journal(data)) as journal:
        _write(journal, 1)
        assert backup(argparse.Namespace(data=data, file=file)) == 0
        for part in list(data.glob("oche.db*")):
            part.rename(tmp_path / part.name)
        assert restore(argparse.Namespace(data=data, file=file)) == 1
        assert "Stop it" in capsys.readouterr().err
        assert not (data / "oche.db").exists()
    assert restore(argparse.Namespace(data=data, file=file)) == 0
    with contextlib.closing(Journal(data)) as journal:
        assert journal.actions("m1") == ['{"throw":"T20"}']


def test_what_a_later_version_wrote_is_read_or_refused(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with contextlib.closing(Journal(data)) as journal:
        _write(journal, 1)
    with contextlib.closing(sqlite3.connect(data / "oche.db")) as db:
        db.execute("ALTER TABLE match ADD COLUMN note TEXT")
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}")

    def said(*arguments: str, code: int) -> str:
        ran = oche(*arguments, "--data", str(data), check=False)
        assert ran.returncode == code, ran.stderr
        return ran.stdout + ran.stderr

    assert "x01: Ann, Bob" in said("matches", code=0)
    assert "T20" in said("export", "m1", code=0)
    assert "1 matches" in said("backup", str(tmp_path / "later.tar.gz"), code=0)
    assert "newer oche" in said("forget", "Ann", code=1)


def _cut(mount: Path, number: int) -> None:
    (mount / ".cut").write_text(str(number))


@pytest.mark.skipif(not os.access("/dev/fuse", os.R_OK | os.W_OK), reason="needs /dev/fuse")
def test_a_backup_that_was_reported_outlasts_a_power_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also when it replaces the previous backup: a cut must not leave neither of them."""
    data = tmp_path / "data"
    with volatile(tmp_path / "disk") as mount, contextlib.closing(Journal(data)) as journal:
        for number in range(1, CUTS + 1):
            _write(journal, number)
            assert backup(argparse.Namespace(data=data, file=mount / "backup.tar.gz")) == 0
            _cut(mount, number)
            again = tmp_path / f"again-{number}"
            assert restore(argparse.Namespace(data=again, file=mount / "backup.tar.gz")) == 0, capsys.readouterr().err
            assert len(History(again).actions("m1")) == number


@pytest.mark.skipif(not os.access("/dev/fuse", os.R_OK | os.W_OK), reason="needs /dev/fuse")
def test_what_was_restored_outlasts_a_power_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, file = tmp_path / "data", tmp_path / "backup.tar.gz"
    with contextlib.closing(Journal(data)) as journal:
        _write(journal, 1)
    change(data, lambda _: {"ann": User("ann", "player", "$7$1$AAAA$AAAA")})
    (data / "boards").mkdir()
    (data / "boards" / "mine.toml").write_text("x" * 3000)
    assert backup(argparse.Namespace(data=data, file=file)) == 0
    with volatile(tmp_path / "disk") as mount:
        for number in range(CUTS):
            again = mount / f"again-{number}"
            assert restore(argparse.Namespace(data=again, file=file)) == 0, capsys.readouterr().err
            _cut(mount, number)
            assert History(again).actions("m1") == ['{"throw":"T20"}']
            assert set(load(again)) == {"ann"}
            assert (again / "boards" / "mine.toml").read_text() == "x" * 3000


def _refused(file: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert restore(argparse.Namespace(data=data, file=file)) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{file} cannot be restored: ")
    assert said.count("\n") == 1
    assert "Errno" not in said
    assert {path.name for path in data.iterdir()} <= {"lock"}, "part of it was kept"
    return said


def _sound_backup(folder: Path) -> Path:
    with contextlib.closing(Journal(folder / "first")) as journal:
        _write(journal, 1)
    assert backup(argparse.Namespace(data=folder / "first", file=folder / "sound.tar.gz")) == 0
    return folder / "sound.tar.gz"


class _Zeros(io.RawIOBase):
    """An endless file of zeros."""

    def readinto(self, buffer: Any) -> int:
        buffer[:] = bytes(len(buffer))
        return len(buffer)


@pytest.mark.parametrize("name", ["oche.db", "boards/large.toml", "of-nobody"])
def test_a_backup_that_grows_too_large_is_refused(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive bomb. The bound is lower here to make the test quicker."""
    monkeypatch.setattr("daemon.cli.backup.MOST_BYTES", 16 * 1024 * 1024)
    file = tmp_path / "bomb.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        member = tarfile.TarInfo(name)
        member.size = 17 * 1024 * 1024
        archive.addfile(member, _Zeros())
    assert "more than 16 MiB" in _refused(file, tmp_path / "data", capsys)


def test_a_sound_backup_is_restored(tmp_path: Path) -> None:
    assert MOST_BYTES == 512 * 1024 * 1024, "what docs/access.md says"
    assert restore(argparse.Namespace(data=tmp_path / "again", file=_sound_backup(tmp_path))) == 0


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("boards/" + "a/" * 5000 + "x.toml", "path of 5002 parts"),
        ("boards/" + "a" * 300 + ".toml", "305 characters the longest"),
        ("boards/" + "a" * 2_000_000, "a name in it is too long"),
    ],
)
def test_a_backup_with_deep_paths_is_refused(
    tmp_path: Path, name: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deep.tar.gz"
    with tarfile.open(_sound_backup(tmp_path)) as sound, tarfile.open(file, "w:gz") as archive:
        journal = sound.extractfile("oche.db")
        assert journal is not None
        archive.addfile(sound.getmember("oche.db"), journal)
        archive.addfile(tarfile.TarInfo(name))
    capsys.readouterr()
    assert what in _refused(file, tmp_path / "data", capsys)


def test_a_backup_of_many_files_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daemon.cli.backup.MOST_FILES", 100)
    file = tmp_path / "many.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        for number in range(101):
            archive.addfile(tarfile.TarInfo(f"boards/{number}"))
    assert "more than 100 files" in _refused(file, tmp_path / "data", capsys)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE])
def test_a_backup_without_a_journal_restores_nothing(
    tmp_path: Path, kind: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty journal would block the right backup."""
    with tarfile.open(tmp_path / "evil.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("oche.db")
        member.type, member.linkname = kind, "/etc/passwd"
        archive.addfile(member)
    data = tmp_path / "data"
    assert restore(argparse.Namespace(data=data, file=tmp_path / "evil.tar.gz")) == 1
    assert capsys.readouterr().err.endswith("it has no oche.db.\n")
    assert not (data / "oche.db").exists()


def test_a_file_that_is_not_there_is_a_wrong_command_and_makes_no_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    assert restore(argparse.Namespace(data=data, file=tmp_path / "missing.tar.gz")) == 2
    assert "cannot be restored: No such file or directory." in capsys.readouterr().err
    assert not data.exists()
