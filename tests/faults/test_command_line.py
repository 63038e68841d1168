"""Exit codes of all commands, each with a message and never a traceback."""

import contextlib
import io
import os
import re
import select
import socket
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.cli.parser import parser
from daemon.record.journal import Journal
from daemon.system.exit_codes import EXITS, Exit
from daemon.system.urls import UsageError, http_address
from tests.rig import LIMIT_SECONDS, OCHE, PtyBoard, free_port, takes_connections, until


def oche(*arguments: str, folder: Path) -> tuple[int, str]:
    """Runs a command. Returns its exit code and its stderr."""
    environment = os.environ | {"XDG_STATE_HOME": str(folder)}
    done = subprocess.run(
        [OCHE, *arguments], check=False, capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "dance",
        "access dance",
        "access add ann --role king",
        "run --dance",
        "setup --http 0.0.0.0:8081",
        "learn /dev/ttyUSB0 --http 0.0.0.0:8081",
        "run --board lounge",
        "run --board lounge=virtual",
        "run --board LOUNGE=virtual@sim:",
        "run --board a=nothing@sim:",
        "run --board a=virtual@sim:?skill=good",
        "run --board a=virtual@sim:?dance=1",
        "run --board a=maddarts@/dev/x?baud=fast",
        "run --board a=maddarts@tcp://h:99999",
        "run --board a=virtual@sim: --board a=virtual@sim:",
        "run --http 99999",
        "run --http 8080x",
        "run --http :8080",
        "run --http localhost:99999",
        "run --broker ftp://x",
        "run --broker mqtt://h:99999",
        "run --node A/B",
        "run --config /nowhere/oche.toml",
        "run --config /",
        "listen virtual@sim:?skill=x",
        "listen maddarts@replay:/nosuchfile",
        "throw T21",
        "throw {",
        "simulate croquet",
        "replay /nowhere.jsonl",
    ],
)
def test_a_wrong_command_line_is_reported(tmp_path: Path, line: str) -> None:
    code, said = oche(*line.split(), folder=tmp_path)
    assert code == 2
    assert said.strip()
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "text", ["a = [" + "[" * 5000, 'node = "x', "boards = 5", "dance = 1", "\x00", "node = 1e999", "[boards]\na = 5"]
)
def test_a_bad_configuration_is_reported(tmp_path: Path, text: str) -> None:
    file = tmp_path / "oche.toml"
    file.write_text(text)
    code, said = oche("run", "--config", str(file), folder=tmp_path)
    assert (code, "Traceback" in said) == (2, False)


def test_a_configuration_that_is_not_text_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "oche.toml"
    file.write_bytes(b"\xff\xfe\x00")
    code, said = oche("run", "--config", str(file), folder=tmp_path)
    assert (code, "Traceback" in said) == (2, False)


def test_a_data_directory_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code, said = oche("run", "--data", str(tmp_path / "file" / "data"), folder=tmp_path)
    assert (code, "Traceback" in said) == (1, False)
    assert "--data" in said


@pytest.mark.parametrize("which", ["--http", "--broker"])
def test_a_port_that_is_taken_is_reported(tmp_path: Path, which: str) -> None:
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
    """Makes a data directory with a damaged journal."""
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
def test_a_damaged_journal_is_reported(tmp_path: Path, how: str, command: str) -> None:
    folder = damaged(tmp_path / "data", how)
    code, said = oche(*command.split(), "--data", str(folder), folder=tmp_path)
    if command == "run":
        assert code == 1
        assert "oche.db" in said
        assert "--data" in said
    assert code in (0, 1)
    assert "Traceback" not in said


MISSING = "/nosuchdir/data"
NOBODY = "mqtt://127.0.0.1:1"
DOCTOR = ("doctor", "--seconds", "0.1", "--root", "{folder}", "--config", "{empty}")
COMMANDS = tuple(parser().commands())
WORDS = (*COMMANDS, "--http", "--data", "--", "-", "=", "@")
CODES: dict[str, tuple[int, tuple[str, ...]]] = {
    # Commands that end without a board, a broker or an answer.
    "boards": (Exit.DONE, ("boards",)),
    "doctor": (
        Exit.DONE,
        ("doctor", "--seconds", "0.1", "--root", "{folder}", "--data", "{folder}", "--config", "{empty}"),
    ),
    "flash": (Exit.DONE, ("flash",)),
    "rules": (Exit.DONE, ("rules", "x01", "--json")),
    "simulate": (Exit.DONE, ("simulate", "x01", "--matches", "1")),
    # Elsewhere than in `/`, which takes root.
    "install-service": (
        Exit.DONE,
        ("install-service", "--dry-run", "--program", "/usr/local/bin/oche", "--root", "{folder}"),
    ),
    "broker-config": (Exit.DONE, ("broker-config", "--data", "{folder}", "--out", "{folder}/out", "--node", "n")),
    "access": (Exit.DONE, ("access", "list", "--data", "{folder}")),
    "access alone": (Exit.DONE, ("access",)),
    "nothing": (Exit.DONE, ()),
    "version": (Exit.DONE, ("--version",)),
    # Refused, or failed.
    "run 1": (Exit.FAILED, ("run", "--data", "/proc/nosuchdir/data")),
    "setup 1": (Exit.FAILED, ("setup", "--config", "{folder}/new.toml")),
    "doctor 1": (Exit.FAILED, (*DOCTOR, "--data", MISSING)),
    "boards 1": (Exit.FAILED, ("boards", "/dev/nosuchport")),
    "listen 1": (Exit.FAILED, ("listen", "maddarts@replay:/proc")),
    "learn 1": (Exit.FAILED, ("learn", "/dev/nosuchport", "--out", "{folder}/x.toml")),
    "flash 1": (Exit.FAILED, ("flash", "/dev/nosuchport")),
    "replay 1": (Exit.FAILED, ("replay", "{match}")),
    "simulate 1": (Exit.FAILED, ("simulate", "x01", "--options", '{"start": -1}')),
    "matches 1": (Exit.FAILED, ("matches", "--data", MISSING)),
    "export 1": (Exit.FAILED, ("export", "m1", "--data", MISSING)),
    "forget 1": (Exit.FAILED, ("forget", "Ann", "--data", MISSING)),
    "hand 1": (Exit.FAILED, ("hand", "Ann", "--data", MISSING)),
    "salvage 1": (Exit.FAILED, ("salvage", "{folder}/out", "--data", MISSING)),
    "backup 1": (Exit.FAILED, ("backup", "{folder}/backup", "--data", MISSING)),
    "restore 1": (Exit.FAILED, ("restore", "{match}", "--data", "{folder}/new")),
    "access 1": (Exit.FAILED, ("access", "list", "--data", MISSING)),
    "broker-config 1": (Exit.FAILED, ("broker-config", "--out", "/proc/out", "--node", "n")),
    "throw 1": (Exit.FAILED, ("throw", "T20", "--broker", NOBODY)),
    "watch 1": (Exit.FAILED, ("watch", "--once", "--broker", NOBODY)),
    "show 1": (Exit.FAILED, ("show", "--config", "{door}", "--broker", NOBODY)),
    "install-service 1": (Exit.FAILED, ("install-service", "--program", "/home/ann/oche", "--root", "{folder}/root")),
}
"""Command lines and their exit codes. A wrong command line is tested for all commands below."""


@pytest.mark.parametrize(("code", "words"), CODES.values(), ids=CODES)
def test_the_table_of_exit_codes(tmp_path: Path, code: int, words: tuple[str, ...]) -> None:
    (tmp_path / "empty.toml").write_text("")
    match = tmp_path / "match.jsonl"
    match.write_text('{"match": 1, "game": "x01", "players": ["Ann", "Bob"]}\n{"throw": "T21"}\n')
    door = tmp_path / "door.toml"
    # An address of the documentation, which no machine has.
    door.write_text('[caller_door]\naddress = "192.0.2.1:8079"\ntoken = "no-token-but-24-letters"\n')
    places = {"folder": tmp_path, "empty": tmp_path / "empty.toml", "match": match, "door": door}
    filled = [word if word.startswith('{"') else word.format(**places) for word in words]
    ended, said = oche(*filled, folder=tmp_path)
    assert ended == code, said
    assert "Traceback" not in said
    assert "[Errno" not in said
    # The doctor prints what it found to stdout.
    assert bool(said) == (code != Exit.DONE) or words[0] == "doctor", said
    assert not Path(MISSING).parent.exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_row_and_refuses_a_strange_option(tmp_path: Path, command: str) -> None:
    # `rules` fails only for a game of another package that has no cards.
    assert ("rules" if command == "rules" else f"{command} 1") in CODES
    code, said = oche(command, "--no-such-option", folder=tmp_path)
    assert (code, said.count("oche: ")) == (Exit.USAGE, 1)


def test_the_guide_has_the_table_of_exit_codes() -> None:
    guide = (Path(__file__).parents[2] / "docs/commands.md").read_text()
    rows = re.findall(r"^\| ([0-9]+) \| (.*) \|$", guide, re.MULTILINE)
    assert {int(code): says for code, says in rows} == EXITS
    assert list(EXITS) == list(Exit)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("matchs", "'matches'"),
        ("access lst", "'list'"),
        ("run --broad lounge=virtual@sim:", "'--board'"),
        ("access add ann --role player --genrate", "'--generate'"),
        ("access add ann --role refree", "'referee'"),
        ("listen madarts@/dev/ttyUSB0", "'maddarts'"),
        ("run --board lounge=vitrual@sim:", "'virtual'"),
        ("simulate criket", "'cricket'"),
        ('simulate x01 --options {"strat":301}', "'start'"),
    ],
)
def test_a_misspelled_word_gets_a_suggestion(tmp_path: Path, line: str, meant: str) -> None:
    code, said = oche(*line.split(), folder=tmp_path)
    assert code in (Exit.FAILED, Exit.USAGE)
    assert f"Did you mean {meant}?" in said


@pytest.mark.parametrize("command", ["rules", "simulate"])
def test_an_unknown_game_is_one_short_line(tmp_path: Path, command: str) -> None:
    missing = "oche: There is no game 'criket'. Did you mean 'cricket'? `oche rules` lists all games.\n"
    assert oche(command, "criket", folder=tmp_path) == (Exit.USAGE, missing)


@given(words=st.lists(st.text(max_size=12) | st.sampled_from(WORDS), max_size=5))
def test_any_words_are_a_command_or_a_sentence(words: list[str]) -> None:
    stderr = io.StringIO()
    try:
        with contextlib.redirect_stderr(stderr), contextlib.redirect_stdout(io.StringIO()):
            parser().parse_args(words)
    except SystemExit as end:
        assert end.code in (Exit.DONE, Exit.USAGE)
        assert end.code == Exit.DONE or stderr.getvalue().startswith("oche: ")


@given(text=st.text(max_size=24) | st.from_regex(r"\A([a-z.:\[\]]*:)?[0-9]{1,6}\Z"))
def test_an_address_is_read_or_refused(text: str) -> None:
    try:
        host, port = http_address(text)
    except UsageError:
        return
    assert host
    assert 0 <= port < 65536
    if text.isascii() and text.isdecimal():
        assert (host, port) == ("localhost", int(text))


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
