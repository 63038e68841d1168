"""The guide for board authors is built as it is written: its board file and its dialect."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boards.board import Board, ReportLayout
from boards.board_files import board_from_toml
from boards.board_shape import BoardFile, PaceTable
from boards.identity import Port, recognise
from daemon.system.config import load_settings
from drivers import DRIVERS, shapes
from drivers.driver import Driver
from drivers.events import Button, DartLanded, DoubtfulDart
from drivers.pipeline import Pipeline
from engine.segments import SEGMENTS
from tests.rig import OCHE, PtyBoard

GUIDE = (Path(__file__).parents[2] / "docs" / "boards.md").read_text(encoding="utf-8")
FILES = {name: text for _, name, text in re.findall(r"```(\w+) file=(\S+)\n(.*?)```", GUIDE, re.DOTALL)}
MS = 1_000_000


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    """The driver of the guide, imported from a file as any other."""
    path = tmp_path / "hit_word.py"
    path.write_text(FILES["hit_word.py"], encoding="utf-8")
    spec = importlib.util.spec_from_file_location("hit_word", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["hit_word"] = module
    spec.loader.exec_module(module)
    made: Driver = module.DRIVER
    yield made
    del sys.modules["hit_word"]


def test_the_board_of_the_guide() -> None:
    board = board_from_toml(FILES["garage.toml"], "garage.toml", shapes())
    assert isinstance(board, Board), board
    reading = Pipeline(board, DRIVERS[board.dialect])
    heard = [*reading.feed(b"6,5\r\n", 0), *reading.feed(b"6,5\r\n", 520 * MS), *reading.feed(b"7,0\r\n", 3000 * MS)]
    assert heard == [
        DartLanded(SEGMENTS["T20"], 0, (6, 5)),
        DoubtfulDart(SEGMENTS["T20"], 520 * MS),
        Button("next", 3000 * MS),
    ]


def test_the_marks_of_the_guide() -> None:
    board = board_from_toml(FILES["garage.toml"] + FILES["marks.toml"], "garage.toml", shapes())
    assert isinstance(board, Board), board
    port = Port("/dev/ttyACM0", 0x1209, 0x0B0A, "Garage board", serial="GARAGE-1")
    assert recognise(port, [board.marks(115200)]).model == "garage"
    assert board.speech.names == ("OpenDarts",)


def test_the_reports_of_the_guide() -> None:
    head = 'name = "pad"\ntitle = "x"\ndialect = "usb-bits"\nsource = "x"\nlearn = true\n'
    board = board_from_toml(head + FILES["report.toml"], "pad.toml", shapes())
    assert isinstance(board, Board), board
    assert board.report == ReportLayout(1, 0x82, 3, 1, 8)


def test_the_configuration_of_the_guide(tmp_path: Path) -> None:
    (tmp_path / "oche.toml").write_text(FILES["oche.toml"], encoding="utf-8")
    boards = load_settings(str(tmp_path / "oche.toml"), [], None, None, None, "test").boards
    assert {spec.name: spec.url.place.split("/")[-1][:9] for spec in boards} == {
        "lounge": "usb-1a86_",
        "bar": "pci-0000:",
        "cellar": "950323038",
    }


def test_the_board_of_the_guide_is_listened_to_and_its_recording_replayed(pty: PtyBoard, tmp_path: Path) -> None:
    path = tmp_path / "garage.toml"
    path.write_text(FILES["garage.toml"], encoding="utf-8")
    record = tmp_path / "garage.jsonl"
    command = [OCHE, "listen", f"{path}@{pty.path}", "--record", str(record)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as listening:
        assert listening.stdout is not None and listening.stderr is not None
        assert any(line == "listening\n" for line in listening.stderr)
        pty.say(b"6,5\r\n")
        assert listening.stdout.readline() == "T20\n"
        listening.terminate()
    command = [OCHE, "listen", f"{path}@replay:{record}?pace=0"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "T20\n"


def test_every_board_command_of_the_guide_is_one() -> None:
    """Each option that the guide shows, the command line has."""
    shown = set(re.findall(r"(?:oche (boards|listen|run)[^`\n]*?) (--[a-z]+)", GUIDE))
    assert ("boards", "--why") in shown and ("run", "--record") in shown
    for command, option in shown:
        helped = subprocess.run([OCHE, command, "--help"], capture_output=True, text=True, check=True).stdout
        assert option in helped, (command, option)


def test_the_dialect_of_the_guide(driver: Driver) -> None:
    board = Board(name="hit-word", title="", dialect=driver.name, can=driver.can)
    reading = Pipeline(board, driver)
    stream = b"\xff\x00hit T20\nhit X\nnext\n"
    heard = [h for n in range(len(stream)) for h in reading.feed(stream[n : n + 1], 1000 * MS)]
    assert [h for h in heard if isinstance(h, DartLanded | Button)] == [
        DartLanded(SEGMENTS["T20"], 1000 * MS),
        Button("next", 1000 * MS),
    ]
    assert reading.counters["garbage"] == 3
    assert [type(h) for h in reading.feed(b"hit T20\n", 1400 * MS)] == [DoubtfulDart]
    assert [type(h) for h in reading.feed(b"hit T20\n", 2400 * MS)] == [DartLanded]


def test_the_dialect_of_the_guide_is_not_one_of_ours(driver: Driver) -> None:
    assert driver.name not in DRIVERS


def test_every_dialect_and_every_key_is_in_the_guide() -> None:
    for name in DRIVERS:
        assert f"`{name}`" in GUIDE, name
    for key in BoardFile.model_fields:
        assert f"`{key}`" in GUIDE or f"`[{key}]`" in GUIDE or f"`[[{key}]]`" in GUIDE, key
    assert "drivers/driver.py" in GUIDE and PaceTable.model_fields
