"""`oche listen` on a real pty: one line for each dart, whatever happens to the wire."""

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rig import LIMIT_SECONDS, OCHE, PtyBoard


class Listening:
    """`oche listen` as a process, its lines as they come."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [OCHE, "listen", *arguments, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._listening = 0
        self._threads = [threading.Thread(target=self._read_lines), threading.Thread(target=self._read_words)]
        for thread in self._threads:
            thread.start()

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._news:
                self.lines.append(json.loads(line))
                self._news.notify_all()

    def _read_words(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            with self._news:
                self._listening += line.strip() == "listening"
                self._news.notify_all()

    def ready(self, times: int = 1) -> None:
        """Waits until the port has been opened so many times, and input counts."""
        with self._news:
            assert self._news.wait_for(lambda: self._listening >= times, LIMIT_SECONDS)

    def segments(self, count: int) -> list[str]:
        """The first hits, as many as that; there must be no more."""
        with self._news:
            assert self._news.wait_for(lambda: len(self._hits()) >= count, LIMIT_SECONDS), self.lines
            return [hit["segment"] for hit in self._hits()]

    def line(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first such line."""
        with self._news:
            assert self._news.wait_for(lambda: any(map(wanted, self.lines)), LIMIT_SECONDS), self.lines
            return next(filter(wanted, self.lines))

    def _hits(self) -> list[dict[str, Any]]:
        return [line for line in self.lines if "segment" in line]

    def stop(self) -> int:
        self._process.terminate()
        return self.ended()

    def ended(self) -> int:
        """Waits for its end; the exit code."""
        code = self._process.wait(LIMIT_SECONDS)
        for thread in self._threads:
            thread.join()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        return code


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


def test_a_contact_that_is_on_no_table_is_told_with_its_cell(pty: PtyBoard) -> None:
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
    [("maddarts", "MODEL@URL"), ("nothing@/dev/null", "no board model"), ("maddarts@gopher://x", "no board"),
     ("virtual@sim:?speed=1", "no setting")],
)  # fmt: skip
def test_a_wrong_command_line_is_said(board: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    from daemon.main import main

    assert main(["listen", board]) == 2
    assert word in capsys.readouterr().err
