"""A wrong command line, a bad configuration, a taken port and damaged data: a sentence, and never a traceback."""

import contextlib
import io
import socket
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.cli.parser import parser
from daemon.record.journal import Journal
from daemon.system.exit_codes import Exit
from daemon.system.urls import UsageError, http_address
from tests.faults.command import oche
from tests.rig import Mosquitto, free_port


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


DEEP = '{"a":' * 2000 + "1" + "}" * 2000
NOT_TEXT = "\udcff"
"""How Python gives an argument that is the byte FF."""


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "x01", "--options", DEEP),
        ("simulate", "x01", "--options", '{"start": 1e999}'),
        ("fair", "cricket", "Ann=12", "Bob=20", "--options", DEEP),
        ("invite", "x01", "Ann", "--guest", "Bob", "--options", DEEP),
        ("tournament", "new", "F", "--options", DEEP),
        ("tournament", "new", "F", "--set", '{"a": NaN}'),
        ("tournament", "enter", "A", "--bot", "nan"),
        ("tournament", "enter", "A", "--bot", "1e999"),
        ("tournament", "enter", NOT_TEXT),
        ("export", NOT_TEXT),
        ("throw", "T20", "--node", "#"),
        ("throw", "T20", "--board", "a" * 70_000),
        ("watch", "--once", "--board", NOT_TEXT),
        ("run", "--http", "127.0.0.1:0"),
    ],
)
def test_a_value_that_cannot_be_meant_is_a_wrong_command_line(
    tmp_path: Path, broker: Mosquitto, words: tuple[str, ...]
) -> None:
    Journal(tmp_path / "data").close()
    if words[0] in ("throw", "watch"):
        words = (*words, "--broker", broker.url)
    if words[0] == "export":
        words = (*words, "--data", str(tmp_path / "data"))
    code, said = oche(*words, folder=tmp_path)
    assert code == Exit.USAGE, said
    assert said.startswith("oche: ")
    assert "failed, " not in said
    assert "No daemon" not in said


WORDS = (*parser().commands(), "--http", "--data", "--", "-", "=", "@")


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
