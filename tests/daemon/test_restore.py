"""`oche restore` where a daemon runs, and what a later version has written, at the command line of this one."""

import argparse
import asyncio
import contextlib
import os
import sqlite3
import subprocess
import tarfile
from pathlib import Path

import pytest

from daemon.cli.backup import backup, restore
from daemon.people.access import User
from daemon.people.users import change, load
from daemon.record.history import BoardRow, History, MatchRow
from daemon.record.journal import Entry, Journal
from daemon.record.journal_file import SCHEMA
from tests.faults.cuts import volatile
from tests.rig import OCHE

MATCH = MatchRow(
    "m1", "lounge", '{"game":"x01","players":["Ann","Bob"],"options":{}}', "{}", "2026-11-21T20:00:00+00:00"
)

CUTS = 8


def _write(journal: Journal, seq: int) -> None:
    asyncio.run(journal.write(Entry(BoardRow("lounge", seq, seq, "m1"), MATCH, ((seq, '{"throw":"T20"}'),))))


def test_a_journal_that_was_moved_away_is_not_replaced_under_a_daemon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ "Move it away", restore says; the daemon would go on writing where nobody looks."""
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


def test_what_a_later_version_wrote_is_read_or_said(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with contextlib.closing(Journal(data)) as journal:
        _write(journal, 1)
    with contextlib.closing(sqlite3.connect(data / "oche.db")) as db:
        db.execute("ALTER TABLE match ADD COLUMN note TEXT")
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}")

    def said(*arguments: str, code: int) -> str:
        ran = subprocess.run([OCHE, *arguments, "--data", str(data)], check=False, capture_output=True, text=True)
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
    """Over the one before it: else a cut would leave neither."""
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
def test_what_was_put_back_outlasts_a_power_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE])
def test_a_backup_without_a_journal_puts_nothing_back(
    tmp_path: Path, kind: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not an empty one, which would then be in the way of the right backup."""
    with tarfile.open(tmp_path / "evil.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("oche.db")
        member.type, member.linkname = kind, "/etc/passwd"
        archive.addfile(member)
    data = tmp_path / "data"
    assert restore(argparse.Namespace(data=data, file=tmp_path / "evil.tar.gz")) == 1
    assert capsys.readouterr().err.endswith("there is no oche.db in it.\n")
    assert not (data / "oche.db").exists()
