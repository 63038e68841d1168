"""`oche replay`: the end of match files; a file that is not one gets a line number and a message."""

import json
import resource
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from daemon.main import main
from tests.rig import OCHE

HEADER: Final = '{"match": 1, "rules": 1, "game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}}'
MOST_MEMORY: Final = 90 * 1024 * 1024
"""Less than the garbage, and three times what the program has at its start."""
GARBAGE_BYTES: Final = 100 * 1024 * 1024


def written(folder: Path, *lines: str | bytes) -> str:
    file = folder / "match.jsonl"
    file.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    return str(file)


def test_the_end_state_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, HEADER, '{"throw": "T20"}', '{"throw": "MISS", "by": "board", "at_ms": 5}', "")
    assert main(["replay", "--json", file]) == 0
    state = json.loads(capsys.readouterr().out)
    assert state["players"][0]["score"] == 241
    assert state["turn"] == state["turn"] | {"player": "Ann", "darts": ["T20", "MISS"], "awaits": "throw"}


def test_every_state_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, HEADER, '{"throw": "T20"}', '{"throw": "T19"}', '{"undo": true}')
    assert main(["replay", "--every", file]) == 0
    states = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [state["players"][0]["score"] for state in states] == [241, 184, 241]


def test_hands_are_shown_only_when_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ranks, suits = "A23456789TJQK", "CDHS"
    deck = json.dumps({"deck": [rank + suit for suit in suits for rank in ranks]})
    header = '{"match": 1, "game": "dards", "players": ["Ann", "Bob", "Cid"], "options": {"order": "listed"}}'
    file = written(tmp_path, header, deck)
    assert main(["replay", "--json", file]) == 0
    assert not any("hand" in player for player in json.loads(capsys.readouterr().out)["players"])
    assert main(["replay", "--json", "--private", file]) == 0
    assert all(player["hand"] for player in json.loads(capsys.readouterr().out)["players"])


@pytest.mark.parametrize(
    ("lines", "code", "line", "reason"),
    [
        ((HEADER, '{"throw": "T20"}', '{"throw": "T2'), 1, 3, "not_json"),
        ((HEADER, '{"thrwo": "T20"}'), 1, 2, "unknown_action"),
        ((HEADER, '{"throw": "T21"}'), 1, 2, "bad_value"),
        ((HEADER, "", '{"throw": "T20"}', '{"choose": {"wild": 3}}'), 1, 4, "not_awaited"),
        ((HEADER, b'{"throw": "T20\xff"}'), 1, 2, "not_json"),
        ((HEADER, '{"throw": NaN}'), 1, 2, "not_json"),
        ((HEADER, "[" * 60_000), 1, 2, "not_json"),
        ((HEADER, '{"throw": "' + "x" * 70_000 + '"}'), 1, 2, "too_large"),
        ((HEADER, '{"choose": {"zone": "\\ud800"}}'), 1, 2, "not_json"),
        ((HEADER, '{"undo": true}'), 1, 2, "nothing_to_undo"),
        ((HEADER.replace("301", "99"),), 1, 1, "bad_option"),
        ((HEADER.replace("start", "begin"),), 1, 1, "unknown_option"),
        ((HEADER.replace("x01", "croquet"),), 2, 1, "unknown_game"),
        ((HEADER.replace("Bob", "Ann"),), 2, 1, "bad_players"),
        ((HEADER.replace('"Ann", "Bob"', ""),), 2, 1, "bad_players"),
        ((HEADER.replace('"Ann"', '""'),), 2, 1, "bad_players"),
        ((HEADER.replace('"rules": 1', '"rules": 7'),), 2, 1, "bad_value"),
        (("no match at all",), 2, 1, "not_json"),
        (("",), 2, 1, "not_json"),
        (("\x00\x01\x02",), 2, 1, "not_json"),
    ],
)
def test_a_damaged_file_is_answered(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    lines: tuple[str | bytes, ...],
    code: int,
    line: int,
    reason: str,
) -> None:
    file = written(tmp_path, *lines)
    assert main(["replay", "--json", file]) == code
    said = capsys.readouterr()
    assert said.err.startswith(f"{file}:{line}: {reason}: ")
    assert said.err.rstrip().endswith(".")
    # Of a match that was begun the state before the refused line is there all the same.
    assert bool(said.out) == (code == 1 and line > 1)


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "/nowhere/at/all.jsonl"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_standard_input_that_cannot_be_read() -> None:
    # Nothing is mapped at the address 0 of a process, so that a read fails.
    with open("/proc/self/mem", "rb", buffering=0) as memory:  # noqa: PTH123 - read by its descriptor
        done = subprocess.run([OCHE, "replay", "-"], stdin=memory, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "-: cannot be read: Input/output error.\n")


def test_the_worst_of_several_files_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = written(tmp_path, HEADER, '{"throw": "T20"}')
    assert main(["replay", "--json", good, "/nowhere.jsonl"]) == 2
    assert json.loads(capsys.readouterr().out)["players"][0]["score"] == 241


@pytest.mark.parametrize(("start", "code"), [(b"", 2), (HEADER.encode() + b"\n", 1)], ids=["alone", "after a header"])
@pytest.mark.parametrize("piece", [b"\xa5" * 4096, b"garbage\n" * 512], ids=["one line", "many lines"])
def test_a_hundred_megabytes_of_garbage_take_no_memory(start: bytes, code: int, piece: bytes) -> None:
    process = subprocess.Popen(
        [OCHE, "replay", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, bufsize=0
    )
    resource.prlimit(process.pid, resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    assert process.stdin is not None
    assert process.stderr is not None
    # Where the pipe breaks, it has seen enough.
    with suppress(BrokenPipeError):
        process.stdin.write(start)
        for _ in range(GARBAGE_BYTES // len(piece)):
            process.stdin.write(piece)
    process.stdin.close()
    said = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait() == code
    assert "not_json: " in said or "too_large: " in said
