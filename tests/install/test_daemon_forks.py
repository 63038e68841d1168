"""Daemons that are forked run as those of a new interpreter do: output, exit codes, signals, environment, folder."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from daemon.system.version import version
from tests.daemon_forks import ForkedProcess, start_forked
from tests.rig import LIMIT_SECONDS, OCHE, Daemon, free_port, oche, takes_connections, until

Run = Callable[..., ForkedProcess]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Starts a command of which the output goes to the file `output`."""

    def start(*words: str) -> ForkedProcess:
        with (tmp_path / "output").open("wb") as output:
            return start_forked([OCHE, *words], output.fileno())

    return start


def test_a_command_prints_and_ends(run: Run, tmp_path: Path) -> None:
    assert run("--version").wait(LIMIT_SECONDS) == 0
    assert (tmp_path / "output").read_text() == f"oche {version()}\n"


def test_an_exit_code_and_stderr_are_the_program_s(run: Run, tmp_path: Path) -> None:
    words = ("replay", str(tmp_path / "missing"))
    installed = subprocess.run([OCHE, *words], check=False, capture_output=True, text=True)
    process = run(*words)
    assert process.wait(LIMIT_SECONDS) == process.poll() == installed.returncode != 0
    assert (tmp_path / "output").read_text() == installed.stderr != ""


def test_a_command_reads_its_input_and_its_streams_are_apart(tmp_path: Path) -> None:
    words = ("access", "add", "rita", "--role", "referee", "--data")
    installed = subprocess.run(
        [OCHE, *words, str(tmp_path / "one")], input="pässwört €\n", check=False, capture_output=True, text=True
    )
    forked = oche(*words, tmp_path / "other", given="pässwört €\n")
    assert (forked.returncode, forked.stdout, forked.stderr) == (0, installed.stdout, installed.stderr)
    assert "pässwört" not in forked.stdout
    refused = oche(*words, tmp_path / "none", check=False)
    assert (refused.returncode, refused.stdout) == (1, "") and refused.stderr
    with pytest.raises(subprocess.CalledProcessError):
        oche(*words, tmp_path / "none")


def test_the_environment_and_the_folder_are_the_test_s(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("--version").wait(LIMIT_SECONDS) == 0
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    monkeypatch.chdir(tmp_path)
    assert run("matches").wait(LIMIT_SECONDS) == 1
    assert "state/oche" in (tmp_path / "output").read_text()
    (tmp_path / "bad.oche").write_text("not a match")
    assert run("replay", "bad.oche").wait(LIMIT_SECONDS) != 0
    assert "bad.oche" in (tmp_path / "output").read_text()


def test_a_daemon_is_killed_and_stopped(tmp_path: Path) -> None:
    daemon = Daemon(tmp_path, "--broker", f"embedded://127.0.0.1:{free_port()}", "--board", "a=virtual@sim:")
    with daemon:
        until(lambda: takes_connections(daemon.http), "the pages' port")
        os.kill(daemon.pid, signal.SIGSTOP)
        os.kill(daemon.pid, signal.SIGCONT)
        daemon.kill()
        assert not takes_connections(daemon.http)
        daemon.start()
        until(lambda: takes_connections(daemon.http), "the pages' port")
        assert daemon.stop() == 0


def test_the_code_of_a_signal_is_negative_and_the_end_may_take_longer(tmp_path: Path, run: Run) -> None:
    process = run("run", "--data", str(tmp_path / "data"), "--http", f"localhost:{free_port()}", "--broker", "demo:")
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.0)
    process.kill()
    assert process.wait(LIMIT_SECONDS) == -signal.SIGKILL
    process.kill()
