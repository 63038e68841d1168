"""Exit codes: 1 where something failed, 2 where the command line is wrong; a sentence each time, never a traceback."""

import os
import socket
import sqlite3
import subprocess
from pathlib import Path

import pytest

from daemon.record.journal import Journal
from tests.rig import LIMIT_SECONDS, OCHE, free_port


def oche(*arguments: str, folder: Path) -> tuple[int, str]:
    """The exit code, and what was said on stderr."""
    environment = os.environ | {"XDG_STATE_HOME": str(folder)}
    done = subprocess.run(
        [OCHE, *arguments], check=False, capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "",
        "dance",
        "run --board lounge",
        "run --board lounge=virtual",
        "run --board LOUNGE=virtual@sim:",
        "run --board a=nothing@sim:",
        "run --board a=virtual@sim:?skill=good",
        "run --board a=virtual@sim:?dance=1",
        "run --board a=maddarts@/dev/x?baud=fast",
        "run --board a=maddarts@tcp://h:99999",
        "run --board a=virtual@sim: --board a=virtual@sim:",
        "run --http 8080",
        "run --http localhost:99999",
        "run --broker ftp://x",
        "run --broker mqtt://h:99999",
        "run --node A/B",
        "run --config /nowhere/oche.toml",
        "run --config /",
        "listen virtual@sim:?skill=x",
        "throw T21",
        "throw {",
        "simulate golf",
        "replay /nowhere.jsonl",
    ],
)
def test_a_wrong_command_line_is_told(tmp_path: Path, line: str) -> None:
    code, said = oche(*line.split(), folder=tmp_path)
    assert code == 2
    assert said.strip()
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "text", ["a = [" + "[" * 5000, 'node = "x', "boards = 5", "dance = 1", "\x00", "node = 1e999", "[boards]\na = 5"]
)
def test_a_bad_configuration_is_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "oche.toml"
    file.write_text(text)
    code, said = oche("run", "--config", str(file), folder=tmp_path)
    assert (code, "Traceback" in said) == (2, False)


def test_a_configuration_that_is_no_text_is_told(tmp_path: Path) -> None:
    file = tmp_path / "oche.toml"
    file.write_bytes(b"\xff\xfe\x00")
    code, said = oche("run", "--config", str(file), folder=tmp_path)
    assert (code, "Traceback" in said) == (2, False)


def test_a_data_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code, said = oche("run", "--data", str(tmp_path / "file" / "data"), folder=tmp_path)
    assert (code, "Traceback" in said) == (1, False)
    assert "--data" in said


@pytest.mark.parametrize("which", ["--http", "--broker"])
def test_a_port_that_is_taken_is_told(tmp_path: Path, which: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        places = {"--http": f"127.0.0.1:{free_port()}"} | {which: address}
        if which == "--broker":
            places["--broker"] = f"embedded://{address}"
        words = [word for place in places.items() for word in place]
        code, said = oche("run", "--data", str(tmp_path / "data"), *words, folder=tmp_path)
    assert (code, "Traceback" in said) == (1, False)
    assert which in said


def damaged(folder: Path, how: str) -> Path:
    """A journal as a bad disk leaves it."""
    Journal(folder).close()
    file = folder / "oche.db"
    with sqlite3.connect(file) as db:
        rows = [(f"m{n}", "b", '{"match": 1}', "{}", "2026", None, None, None) for n in range(500)]
        columns = "id, board, header, bots, started, ended, result, winners"
        db.executemany(f"INSERT INTO match ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    db.close()
    content = bytearray(file.read_bytes())
    if how == "head":
        content[:100] = bytes(100)
    elif how == "middle":
        content[5000:30000] = b"\xa5" * 25000
    elif how == "end":
        del content[len(content) // 2 :]
    else:
        content = bytearray(b"not a database\n" * 500)
    file.write_bytes(content)
    return folder


@pytest.mark.parametrize("how", ["head", "middle", "end", "text"])
@pytest.mark.parametrize("command", ["run", "matches", "export m7"])
def test_a_damaged_journal_is_told(tmp_path: Path, how: str, command: str) -> None:
    folder = damaged(tmp_path / "data", how)
    code, said = oche(*command.split(), "--data", str(folder), folder=tmp_path)
    if command == "run":
        assert code == 1
        assert "oche.db" in said
        assert "--data" in said
    assert code in (0, 1)
    assert "Traceback" not in said
