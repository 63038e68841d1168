"""`oche listen` on a real pty: one line for each dart, whatever happens to the wire."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.listening import Listening
from tests.rig import PtyBoard


@pytest.fixture
def listening(pty: PtyBoard) -> Iterator[Listening]:
    process = Listening(f"maddarts@{pty.path}")
    process.ready()
    yield process
    process.stop()


def test_one_byte_at_a_time_after_garbage(pty: PtyBoard, listening: Listening) -> None:
    for byte in b"\x00\xff\xfe;;garbage 99\r\n20;3\r\n7;1\r\n25;2\r\n0;1\r\n":
        pty.say(bytes([byte]))
    assert listening.segments(4) == ["T20", "S7", "DB", "MISS"]
    ids = [line["id"] for line in listening.lines if "segment" in line]
    assert ids == ["maddarts-1", "maddarts-2", "maddarts-3", "maddarts-4"]
    assert all("event" in line for line in listening.lines if "segment" not in line)


def test_cut_in_the_middle_of_a_line(pty: PtyBoard, listening: Listening) -> None:
    pty.say(b"20;3\r\n1")
    assert listening.segments(1) == ["T20"]
    pty.unplug()
    pty.plug()
    listening.ready(2)
    pty.say(b"9;3\r\n19;3\r\n")
    assert listening.segments(3) == ["T20", "T9", "T19"]


def test_a_board_that_listens_is_greeted(pty: PtyBoard) -> None:
    process = Listening(f"loewen-darts@{pty.path}")
    process.ready()
    assert pty.heard() == b"BAUS\n"
    process.stop()


def test_a_contact_outside_the_table_is_reported_with_its_cell(pty: PtyBoard) -> None:
    """So that the table of a board can be written down, bed by bed."""
    process = Listening(f"opendarts@{pty.path}")
    process.ready()
    pty.say(b"3,7\r\n")
    assert process.line(lambda line: line.get("reason") == "unmapped")["contact"] == "3,7"
    process.stop()


def test_a_recording_is_replayed_to_the_same_hits(pty: PtyBoard, tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    live = Listening(f"maddarts@{pty.path}", "--record", str(file))
    live.ready()
    pty.say(b"20;3\r\n")
    live.segments(1)
    pty.say(b"5;2\r\n")
    assert live.segments(2) == ["T20", "D5"]
    assert live.stop() == 0
    again = Listening(f"maddarts@replay:{file}?pace=0")
    assert again.segments(2) == ["T20", "D5"]
    assert again.ended() == 0


def test_the_virtual_board_throws_by_itself() -> None:
    process = Listening("virtual@sim:?skill=0&seed=1&pace=0.2")
    assert process.segments(3)[:3] == ["T20", "T20", "T20"]
    process.stop()


@pytest.mark.parametrize(
    ("board", "word"),
    [("maddarts", "MODEL@URL"), ("nothing@/dev/null", "no board model"), ("maddarts@gopher://x", "not a valid board"),
     ("virtual@sim:?speed=1", "no setting")],
)  # fmt: skip
def test_a_wrong_command_line_is_said(board: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    from daemon.main import main

    assert main(["listen", board]) == 2
    assert word in capsys.readouterr().err
