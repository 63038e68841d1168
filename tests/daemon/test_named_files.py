"""Every file that a user names at the command line: whatever is there in its place, the command ends with words."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.rig import LIMIT_SECONDS, OCHE

"""Far beyond what any of these takes: a command that hangs fails."""


def _pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _binary(path: Path) -> Path:
    path.write_bytes(bytes(range(256)) * 1000)
    return path


def _huge(path: Path) -> Path:
    """A gigabyte that is on no disk."""
    with path.open("wb") as file:
        file.truncate(1024**3)
    return path


KINDS: Final[dict[str, Callable[[Path], Path]]] = {
    "an endless one": lambda _path: Path("/dev/zero"),
    "a pipe": _pipe,
    "a folder": _folder,
    "a binary": _binary,
    "a huge one": _huge,
    "a missing one": lambda path: path,
}

COMMANDS: Final = {
    "replay": ["replay", "FILE"],
    "replay, after a sound one": ["replay", "SOUND", "FILE"],
    "configuration": ["run", "--config", "FILE", "--data", "DATA"],
    "restore": ["restore", "FILE", "--data", "DATA"],
    "board file": ["listen", "FILE@sim:"],
    "season": ["season", "fixtures", "FILE"],
    "results of a season": ["season", "tables", "SEASON", "--results", "FILE"],
    "entrants": ["tournament", "enter", "--csv", "FILE"],
}
SEASON: Final = """
season = 1
name = "2026"
[[division]]
name = "A"
teams = ["Crown", "Anchor"]
"""


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_is_none_ends_in_words(tmp_path: Path, command: str, kind: str) -> None:
    sound = tmp_path / "sound.jsonl"
    sound.write_text('{"match": 1, "game": "x01", "players": ["Ann", "Bob"]}\n')
    file = KINDS[kind](tmp_path / "file.toml")
    if kind == "an endless one" and command == "board file":
        # What ends with .toml is a file of the user's; a link to the device has that name.
        file = tmp_path / "file.toml"
        file.symlink_to("/dev/zero")
    season = tmp_path / "season.toml"
    season.write_text(SEASON)
    words = {"FILE": str(file), "SOUND": str(sound), "SEASON": str(season), "DATA": str(tmp_path / "data")}
    arguments = [words.get(part, part.replace("FILE", str(file))) for part in COMMANDS[command]]
    ran = subprocess.run(
        ["sh", "-c", 'ulimit -v 1500000; exec "$@"', "sh", OCHE, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
    )
    assert ran.returncode in (1, 2)
    assert str(file) in ran.stderr
    assert "Traceback" not in ran.stderr
    assert "Errno" not in ran.stderr
    assert "failed," not in ran.stderr
    assert 1 <= ran.stderr.count("\n") <= 2


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        (["replay", "-"], 2, "-:1: too_large: This is longer than 64 KiB."),
        (["tournament", "enter", "--csv", "-"], 2, "it is larger than 1024 KiB"),
        (["access", "add", "ann", "--role", "player"], 1, "password"),
    ],
)
def test_an_endless_line_at_the_standard_input_ends(tmp_path: Path, command: list[str], code: int, words: str) -> None:
    if command[0] == "access":
        command = [*command, "--data", str(tmp_path)]
    with Path("/dev/zero").open("rb") as zeros:
        ran = subprocess.run(
            ["sh", "-c", 'ulimit -v 1500000; exec "$@"', "sh", OCHE, *command],
            check=False,
            capture_output=True,
            text=True,
            stdin=zeros,
            timeout=LIMIT_SECONDS,
        )
    assert (ran.returncode, ran.stderr.count("\n")) == (code, 1)
    assert words in ran.stderr
