"""Standard streams that are closed, full, or not what a command expects: it plays on, or ends in words."""

import os
import select
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from daemon.system.exit_codes import Exit
from tests.rig import LIMIT_SECONDS, OCHE, PtyBoard, free_port, takes_connections, until


def closed_streams(*numbers: int) -> Callable[[], None]:
    def close() -> None:
        for number in numbers:
            os.close(number)

    return close


@pytest.mark.parametrize("numbers", [(0,), (1,), (0, 1), (0, 1, 2)], ids=str)
def test_a_daemon_whose_streams_are_closed_plays(tmp_path: Path, numbers: tuple[int, ...]) -> None:
    http = free_port()
    log = tmp_path / "log"
    (tmp_path / "empty.toml").write_text("")
    command = [
        OCHE,
        "run",
        "--config",
        str(tmp_path / "empty.toml"),
        "--data",
        str(tmp_path / "data"),
        "--http",
        str(http),
    ]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--broker", f"embedded://127.0.0.1:{free_port()}"],
            preexec_fn=closed_streams(*numbers),  # noqa: PLW1509 - nothing else closes a stream
            stdout=out,
            stderr=out,
        )
        try:
            until(lambda: takes_connections(http), "the pages")
        finally:
            process.terminate()
            code = process.wait(LIMIT_SECONDS)
    assert (code, "Traceback" in log.read_text()) == (0, False), log.read_text()


@pytest.mark.parametrize("numbers", [(0,), (1,), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("line", ["boards", "learn /dev/nosuchport", "setup --config {folder}/x/y.toml", "replay -"])
def test_a_command_with_closed_streams_prints_no_traceback(tmp_path: Path, line: str, numbers: tuple[int, ...]) -> None:
    done = subprocess.run(
        [OCHE, *line.format(folder=tmp_path).split()],
        preexec_fn=closed_streams(*numbers),
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode in list(Exit)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_standard_input_that_is_a_device_or_a_file_ends_a_lesson_in_words(tmp_path: Path, pty: PtyBoard) -> None:
    """The event loop can wait for neither."""
    file = tmp_path / "answers"
    file.write_text("s\n")
    for name in ("/dev/null", str(file)):
        with open(name, "rb") as answers:  # noqa: PTH123
            learning = subprocess.Popen(
                [OCHE, "learn", str(pty.path), "--out", str(tmp_path / "x.toml")],
                stdin=answers,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            assert learning.stdout is not None
            said = ""
            while "Type s and Enter" not in said:
                line = learning.stdout.readline()
                assert line, said
                said += line
            learning.terminate()
            said += learning.communicate(timeout=LIMIT_SECONDS)[0]
        assert "Traceback" not in said
        assert "Exception" not in said


def has_reader(pipe: int) -> bool:
    """Whether somebody holds the reading end of a pipe: poll(2) reports an error at the other end if nobody does."""
    poll = select.poll()
    poll.register(pipe, select.POLLERR)
    return not poll.poll(0)


@pytest.mark.parametrize(
    "line",
    [
        "boards",
        "--help",
        "install-service --dry-run --program /usr/local/bin/oche --root {folder}",
        "simulate x01 --matches 3",
        "replay {folder}/match.jsonl",
        # Played by several processes, where the machine has several processors.
        """simulate x01 --matches 51 --options {"start":101}""",
    ],
)
def test_a_reader_who_leaves_and_a_full_disk_end_a_command_without_a_traceback(tmp_path: Path, line: str) -> None:
    (tmp_path / "match.jsonl").write_text('{"match": 1, "game": "x01", "players": ["Ann", "Bob"]}\n{"throw": "T20"}\n')
    command = [OCHE, *line.replace("{folder}", str(tmp_path)).split()]
    gone, kept = os.pipe()
    os.close(gone)
    # A process that another thread forks at this moment has it too, until it becomes another program.
    until(lambda: not has_reader(kept), "a pipe without a reader")
    with open(kept, "wb") as nobody, open("/dev/full", "r+b", buffering=0) as full:  # noqa: PTH123 - it is not made if missing
        for out, words in ((nobody, ""), (full, "No space left on device")):
            done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, check=False)
            assert done.returncode == Exit.FAILED, done.stderr
            assert done.stderr == (f"oche: {words}.\n" if words else "")
    done = subprocess.run(
        command,
        stderr=subprocess.PIPE,
        preexec_fn=closed_streams(1),
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (Exit.FAILED, "oche: stdout is closed: nothing can be printed.\n")
