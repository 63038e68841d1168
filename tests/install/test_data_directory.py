"""Commands that read matches find the data directory or say that it is missing; they create nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from daemon.record.journal import Journal
from daemon.system.data_directory import data_directory, find
from daemon.system.exit_codes import Failed
from tests.install.conftest import ROOT
from tests.rig import oche

READERS = (
    ("matches",),
    ("export", "m1"),
    ("forget", "Ann"),
    ("backup", "backup.tar.gz"),
    ("access", "list"),
    ("access", "remove", "ann"),
    ("doctor", "--seconds", "0.1", "--config", str(ROOT / "systemd/oche.toml")),
)
"""Commands that read the data directory, with their other arguments."""


def played(folder: Path) -> Path:
    """Makes a data directory with an empty journal."""
    Journal(folder).close()
    return folder


def test_the_users_own_matches_come_first_and_the_services_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, service = tmp_path / "own", tmp_path / "service"
    assert find(own, service) == own
    service.mkdir()
    assert find(own, service) == service
    assert capsys.readouterr().err == ""
    played(own)
    assert find(own, service) == own
    assert str(service) in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() != 0, reason="another user has to be asked, which takes root")
def test_a_user_who_may_not_read_the_service_data_learns_where_it_is(open_to_all: Path) -> None:
    service = open_to_all / "service"
    played(service).chmod(0o700)
    script = (
        "import os; from pathlib import Path; from daemon.system.data_directory import find; os.setuid(65534)\n"
        f"try: find(Path('/nosuchdir'), Path({str(service)!r}))\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Failed ")
    assert str(service) in done.stdout
    assert "sudo" in done.stdout


@pytest.mark.parametrize("words", READERS, ids=" ".join)
@pytest.mark.parametrize("named", [True, False], ids=["named", "found"])
def test_a_data_directory_that_is_missing_is_said_and_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], named: bool
) -> None:
    state = tmp_path / "state"
    missing = state / "oche"
    if not named and (words[0] == "doctor" or Path("/var/lib/oche").is_dir()):
        pytest.skip("a machine where nothing was played yet is well, and on this one a service has played")
    monkeypatch.chdir(tmp_path)
    data = ("--data", missing) if named else ()
    done = oche(*words, *data, check=False, environment={"XDG_STATE_HOME": str(state)})
    assert done.returncode == 1
    assert str(missing) in (done.stdout if words[0] == "doctor" else done.stderr)
    assert not state.exists()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_where_nothing_was_played_is_not_an_empty_history(tmp_path: Path) -> None:
    done = oche("matches", "--data", str(tmp_path), check=False)
    assert (done.returncode, done.stdout, "no journal" in done.stderr) == (1, "", True)
    played(tmp_path / "data")
    done = oche("matches", "--data", str(tmp_path / "data"), check=False)
    assert (done.returncode, done.stdout, "No match" in done.stderr) == (0, "", True)


def test_a_file_is_not_a_data_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Failed, match="not a directory"):
        data_directory(tmp_path / "file")
