"""`oche learn` as a process: it learns a board on a pty, also after it was killed."""

import json
import os
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.system.catalogue import model
from daemon.teach.lesson_file import Files
from drivers import DRIVERS
from drivers.events import DartLanded
from drivers.frames import frame
from drivers.pipeline import Pipeline
from learning.hearing import Grammar
from learning.lesson import Answer, Lesson
from learning.result import board_file
from tests.daemon.listening import Listening
from tests.learning.board import Learning, answer
from tests.learning.unknown import Person, Unknown, draw
from tests.rig import PtyBoard, again_and_again


@pytest.fixture
def pty(tmp_path: Path) -> Iterator[PtyBoard]:
    board = PtyBoard(tmp_path)
    yield board
    board.unplug()


def board_like(word: str, byte: bool = False) -> Unknown:
    """Returns the first regular board without faults whose lines have this word."""
    return next(b for b in map(draw, range(500)) if b.regular and b.kind.endswith(word) and b.byte == byte
                and None not in b.codes.values() and len(set(b.codes.values())) == len(b.codes))  # fmt: skip


def decoded(file: Path, board: Unknown) -> dict[str, str]:
    """Returns what the learned file makes of the code of each bed."""
    learnt = model(str(file))
    heard = {}
    for bed, code in board.codes.items():
        assert code is not None
        reading = Pipeline(learnt, DRIVERS[learnt.dialect])
        darts = reading.feed(code.encode("latin-1") + (b"" if board.byte else b"\r\n"), 10**10)
        heard[bed] = "".join(str(d.dart) for d in darts if isinstance(d, DartLanded))
    return heard


@pytest.mark.parametrize(("word", "byte"), [("{r},{c}", False), ("R{r}C{c}", False), ("byte", True)])
def test_a_board_on_a_pty_is_learnt_and_decoded(pty: PtyBoard, tmp_path: Path, word: str, byte: bool) -> None:
    board = board_like(word, byte)
    learning = Learning(str(pty.path), tmp_path / "garage.toml")
    asked = answer(learning, pty, Person(board, 1), board)
    assert learning.ended() == 0, learning.lines
    assert asked < 60
    # Nothing was written to it, and its file has the speed at which it was learned.
    os.set_blocking(pty._ours, False)
    with pytest.raises(BlockingIOError):
        pty.heard()
    assert termios.tcgetattr(pty._theirs)[5] == termios.B9600
    assert model(str(tmp_path / "garage.toml")).baud == 9600
    assert decoded(tmp_path / "garage.toml", board) == {bed: bed for bed in board.codes}
    assert "<svg" in (tmp_path / "garage.svg").read_text()
    assert any("20  #" in line for line in learning.lines)
    heard = ["T20", "D5", "DB"]
    listening = Listening(f"{tmp_path / 'garage.toml'}@{pty.path}")
    listening.ready()
    for bed in heard:
        code = board.codes[bed]
        assert code is not None
        pty.say(code.encode("latin-1") + (b"" if board.byte else b"\r\n"))
    assert listening.segments(len(heard)) == heard
    listening.stop()


def test_a_lesson_that_was_killed_goes_on(pty: PtyBoard, tmp_path: Path) -> None:
    board = board_like("{c};{r}")
    out = tmp_path / "garage.toml"
    learning = Learning(str(pty.path), out)
    assert answer(learning, pty, Person(board, 1), board, 9) == 9
    # The ninth answer is saved before the tenth question.
    tenth = learning.next_ask()
    learning.kill()
    again = Learning(str(pty.path), out)
    assert again.next_ask() == tenth
    again._read -= 1
    answer(again, pty, Person(board, 1), board)
    assert again.ended() == 0, again.lines
    assert "Continuing after 9 answers." in again.lines
    assert any("has not greeted" in line for line in learning.lines)
    # The dialect is known by then: no greeting is awaited.
    assert not any("has not greeted" in line for line in again.lines)
    assert decoded(out, board) == {bed: bed for bed in board.codes}


@pytest.mark.parametrize(
    ("said", "word"),
    [(b"", "does not answer"), (frame(bytes([1, 3]) + bytes(22)), "version 3 of oche-matrix")],
    ids=["silent", "another version"],
)
def test_our_firmware_that_cannot_be_learned_is_told(pty: PtyBoard, tmp_path: Path, said: bytes, word: str) -> None:
    with again_and_again(lambda: pty.say(said), 0.2):
        learning = Learning(f"oche-matrix@{pty.path}", tmp_path / "garage.toml")
        assert learning.next_ask() is None
    assert learning.ended() == 1
    assert any(word in line for line in learning.lines), learning.lines


def test_a_lesson_of_a_former_version_goes_on(tmp_path: Path) -> None:
    """It knows nothing of boards that are recognised."""
    files = Files(tmp_path / "garage.toml")
    grammar = {"byte": False, "ending": "LF", "repeat_ms": 500.0, "release": None}
    files.lesson.write_text(json.dumps({"lesson": 1, "grammar": grammar, "answers": [["SO20", "3,7"]]}))
    assert files.load() == (Grammar(False, "LF", 500.0), [Answer("SO20", "3,7")])


@pytest.mark.parametrize(
    ("url", "out", "word"),
    [
        ("gopher://x", "a.toml", "not a valid board"),
        ("/dev/null", "a.txt", ".toml"),
        ("maddarts@/dev/null", "a.toml", "nothing to learn"),
        ("no-such@/dev/null", "a.toml", "no-such"),
    ],
)
def test_a_wrong_command_line_is_said(
    url: str, out: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from daemon.main import main

    assert main(["learn", url, "--out", str(tmp_path / out)]) == 2
    assert word in capsys.readouterr().err


def test_one_bed_of_a_learnt_board_is_repaired(pty: PtyBoard, tmp_path: Path) -> None:
    """T13 took the code of another bed: both are asked again, and no other."""
    board = board_like("{r},{c}")
    files = Files(tmp_path / "garage.toml")
    lesson, person = Lesson(), Person(board, 1)
    while lesson.ask is not None:
        code = person.press(lesson.ask.name)
        lesson.skip() if code is None else lesson.heard(code)
    wrong, right = board.codes["D1"], board.codes["DB"]
    assert wrong is not None and right is not None
    # The bull was pressed wrongly, twice and slowly.
    kept = [Answer(a.asked, wrong if a.asked == "DB" else a.code) for a in lesson.answers]
    grammar = Grammar(False, "CR LF", 0.0)
    files.save(grammar, kept, f"{pty.path}", is_finished=True)
    files.board.write_text(board_file(Lesson(False, kept), grammar, "garage"))
    repair = Learning(f"{files.board}", files.board, "--again", "db")
    assert answer(repair, pty, person, board) <= 6
    assert repair.ended() == 0, repair.lines
    assert decoded(files.board, board) == {bed: bed for bed in board.codes}


@pytest.mark.parametrize(
    ("bed", "file", "word"),
    [("X9", "garage.toml", "not a bed"), ("T13", "none.toml", "no board file"), ("T13", "/dev/x", "board file")],
)
def test_a_repair_that_cannot_be_is_said(
    bed: str, file: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from daemon.main import main

    monkeypatch.chdir(tmp_path)
    assert main(["learn", "--again", bed, file]) == 2
    assert word in capsys.readouterr().err
