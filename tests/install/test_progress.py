"""Colours, and progress with the time left, only on a terminal."""

import os
import re
import subprocess
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.record.journal import Journal
from daemon.system.progress import time_left
from tests.install.conftest import ROOT
from tests.rig import LIMIT_SECONDS, OCHE

ESCAPE = "\x1b["


def on_a_terminal(*words: str, **more: str) -> tuple[int, str, str]:
    """Runs a command on terminals. Returns its exit code, its stderr and its stdout."""
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"} | more
    seen: list[bytes] = [b"", b""]
    ends = [os.openpty(), os.openpty()]
    process = subprocess.Popen(
        [OCHE, *words], stdin=subprocess.DEVNULL, stdout=ends[0][1], stderr=ends[1][1], env=environment
    )

    def collect(number: int) -> None:
        while True:
            try:
                piece = os.read(ends[number][0], 4096)
            except OSError:
                return  # The other end was closed.
            seen[number] += piece

    readers = [threading.Thread(target=collect, args=(number,)) for number in (0, 1)]
    for reader, (_, there) in zip(readers, ends, strict=True):
        os.close(there)
        reader.start()
    code = process.wait(LIMIT_SECONDS)
    for reader, (here, _) in zip(readers, ends, strict=True):
        reader.join()
        os.close(here)
    return code, seen[1].decode(), seen[0].decode()


def in_a_pipe(*words: str) -> str:
    done = subprocess.run(
        [OCHE, *words], capture_output=True, text=True, check=False, env=os.environ | {"TERM": "xterm"}
    )
    return done.stdout + done.stderr


def played(folder: Path) -> Path:
    Journal(folder).close()
    return folder


def test_a_simulation_shows_how_long_it_still_takes(tmp_path: Path) -> None:
    words = ("simulate", "x01", "--seed", "7", "--matches", "12")
    # Long enough for an estimate: 12 matches take a third of a second.
    code, said, _ = on_a_terminal(*words[:-1], "300")
    assert code == 0
    assert re.search(r"\d+%", said)
    assert re.search(r"about \d+ (s|min) left", said)
    assert ESCAPE in said
    assert ESCAPE not in in_a_pipe(*words)
    # No progress without colours either.
    assert on_a_terminal(*words, NO_COLOR="1")[1] == ""
    assert on_a_terminal(*words, TERM="dumb")[1] == ""


def test_a_backup_and_its_restore_show_their_progress(tmp_path: Path) -> None:
    data, file = played(tmp_path / "data"), tmp_path / "backup.tar.gz"
    (data / "boards").mkdir()
    (data / "boards" / "garage.toml").write_text("name = 'garage'\n")
    code, said, stdout = on_a_terminal("backup", str(file), "--data", str(data))
    assert (code, "100%" in said, ESCAPE in stdout) == (0, True, True)
    code, said, _ = on_a_terminal("restore", str(file), "--data", str(tmp_path / "new"))
    assert (code, "100%" in said) == (0, True)
    assert (tmp_path / "new/boards/garage.toml").read_text() == "name = 'garage'\n"
    assert ESCAPE not in in_a_pipe("backup", str(file), "--data", str(data))


def test_the_doctor_and_errors_have_colours_on_a_terminal_alone(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("")
    places = ("--root", str(tmp_path), "--data", str(tmp_path), "--config", str(tmp_path / "empty.toml"))
    words = ("doctor", "--seconds", "0.1", *places)
    assert f"{ESCAPE}32mok" in on_a_terminal(*words)[2]
    assert ESCAPE not in on_a_terminal(*words, NO_COLOR="1")[2]
    assert f"{ESCAPE}31moche:" in on_a_terminal("matches", "--data", "/nosuchdir")[1]
    assert ESCAPE not in in_a_pipe("matches", "--data", "/nosuchdir")


@given(done=st.integers(-1, 100), total=st.integers(0, 100), seconds=st.floats(0, 1e6))
def test_the_time_left_is_known_between_the_first_and_the_last(done: int, total: int, seconds: float) -> None:
    assert bool(time_left(done, total, seconds)) == (0 < done < total)


def test_the_time_left_is_printed() -> None:
    assert time_left(10, 62, 20.0) == "about 2 min left"
    assert time_left(31, 62, 31.0) == "about 31 s left"


def can_mount() -> bool:
    probe = ["unshare", "--mount", "--map-root-user", "mount", "-t", "tmpfs", "-o", "ro", "none", "/dev/shm"]
    try:
        return subprocess.run(probe, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not can_mount(), reason="this kernel lets nobody mount in a name space of their own")
def test_without_semaphores_one_process_plays() -> None:
    script = 'mount -t tmpfs -o ro none /dev/shm && exec "$@"'
    words = ["simulate", "x01", "--matches", "60", "--seed", "7", "--json"]
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh", OCHE, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, "/dev/shm" in done.stderr, "Traceback" in done.stderr) == (0, True, False), done.stderr
    assert '"matches": 60' in done.stdout
