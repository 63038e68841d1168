"""`oche backup` and `oche restore`: what is in the file, and what is refused."""

import argparse
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from daemon.cli.access import access
from daemon.cli.backup import backup, restore
from daemon.main import main
from daemon.people.access import User
from daemon.people.users import FILE, load, save
from daemon.record.journal import Journal


def test_a_backup_contains_everything(tmp_path: Path) -> None:
    data, file, again = tmp_path / "data", tmp_path / "oche.tar.gz", tmp_path / "again"
    Journal(data).close()
    save(data, {"ann": User("ann", "player", "$7$1$AAAA$AAAA")})
    (data / "boards").mkdir()
    (data / "boards" / "mine.toml").write_text("x = 1")
    (data / "show.toml").write_text("# my lights\n")
    assert backup(argparse.Namespace(data=data, file=file)) == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert restore(argparse.Namespace(data=again, file=file)) == 0
    assert load(again) == load(data)
    assert (again / "boards" / "mine.toml").read_text() == "x = 1"
    assert (again / "show.toml").read_text() == "# my lights\n"
    assert restore(argparse.Namespace(data=again, file=file)) == 1, "a journal is never overwritten"


@pytest.mark.parametrize("name", ["../out", "/tmp/out", "boards/../../out", "other/file", "boards//x"])
def test_a_forged_backup_writes_nothing_elsewhere(tmp_path: Path, name: str) -> None:
    data, file, again = tmp_path / "data", tmp_path / "oche.tar.gz", tmp_path / "deep" / "again"
    Journal(data).close()
    assert backup(argparse.Namespace(data=data, file=file)) == 0
    with tarfile.open(file) as archive:
        members = [(member, archive.extractfile(member)) for member in archive.getmembers()]
        contents = [(member, source.read() if source else b"") for member, source in members]
    with tarfile.open(file, "w:gz") as archive:
        for member, content in [*contents, (tarfile.TarInfo(name), b"evil")]:
            member.size = len(content)
            archive.addfile(member, BytesIO(content))
    before = set(tmp_path.rglob("*"))
    assert restore(argparse.Namespace(data=again, file=file)) == 0
    new = {path for path in set(tmp_path.rglob("*")) - before if path.is_file() and path.read_bytes() == b"evil"}
    assert not new


def test_an_invalid_backup_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "no.tar.gz"
    file.write_bytes(b"\x1f\x8bnothing")
    assert restore(argparse.Namespace(data=tmp_path / "data", file=file)) == 1
    assert "cannot be restored" in capsys.readouterr().err
    assert backup(argparse.Namespace(data=tmp_path / "data", file=file)) == 1
    assert access(argparse.Namespace(what="list", data=tmp_path)) == 0


def test_a_forged_backup_without_a_journal_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, data = tmp_path / "evil.tar.gz", tmp_path / "data"
    with tarfile.open(file, "w:gz") as archive:
        for name, content in (("oche.db", b"no database" * 1000), (FILE, b"no users")):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, BytesIO(content))
    assert restore(argparse.Namespace(data=data, file=file)) == 1
    assert "cannot be restored" in capsys.readouterr().err
    assert [path.name for path in data.rglob("*") if path.is_file()] == ["lock"]


def test_a_stale_wal_is_not_applied_to_a_restored_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, again, file = tmp_path / "data", tmp_path / "again", tmp_path / "b.tar.gz"
    Journal(data).close()
    assert backup(argparse.Namespace(data=data, file=file)) == 0
    again.mkdir()
    (again / "oche.db-wal").write_bytes(b"of another journal")
    assert restore(argparse.Namespace(data=again, file=file)) == 1
    assert "oche.db-wal" in capsys.readouterr().err


def test_a_damaged_journal_does_not_replace_the_last_backup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, file = tmp_path / "data", tmp_path / "b.tar.gz"
    Journal(data).close()
    assert backup(argparse.Namespace(data=data, file=file)) == 0
    before = file.read_bytes()
    journal = data / "oche.db"
    sound = journal.read_bytes()
    for at in range(4096, len(sound), 4096):
        with journal.open("r+b") as damaged:
            damaged.seek(at)
            damaged.write(b"\xff" * 512)
    assert backup(argparse.Namespace(data=data, file=file)) == 1
    assert "damaged" in capsys.readouterr().err
    assert file.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"data", "b.tar.gz"}


def test_a_journal_whose_schema_is_not_text_is_not_backed_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Journal(tmp_path / "data").close()
    journal = tmp_path / "data" / "oche.db"
    content = bytearray(journal.read_bytes())
    # SQLite quotes the schema in its message, which cannot be decoded then.
    content[content.index(b"CREATE TABLE") + 2] ^= 0x80
    journal.write_bytes(content)
    assert backup(argparse.Namespace(data=tmp_path / "data", file=tmp_path / "b.tar.gz")) == 1
    assert "damaged" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


def test_a_backup_does_not_follow_a_symbolic_link(tmp_path: Path) -> None:
    data, file, other = tmp_path / "data", tmp_path / "b.tar.gz", tmp_path / "other"
    Journal(data).close()
    other.write_text("mine")
    (tmp_path / ".b.tar.gz.part").symlink_to(other)
    assert backup(argparse.Namespace(data=data, file=file)) == 0
    assert other.read_text() == "mine"
    assert file.stat().st_mode & 0o777 == 0o600


def test_rewritten_broker_files_are_private_again(tmp_path: Path) -> None:
    words = ["broker-config", "--out", str(tmp_path), "--node", "test", "--data", str(tmp_path / "data")]
    secret = [tmp_path / name for name in ("oche.passwords", "oche.acl", "oche.url")]
    for path in secret:
        path.write_text("old")
        path.chmod(0o666)
    assert main(words) == 0
    assert {path.stat().st_mode & 0o777 for path in secret} == {0o600}
