"""The guide for board authors is built as it is written: its board file and its dialect."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from boards.board import Board, ReportLayout
from boards.board_files import board_from_toml
from boards.board_shape import BoardFile, PaceTable
from boards.identity import Port, recognise
from daemon.system.catalogue import dialects, model
from daemon.system.config import load_settings
from drivers import DRIVERS, shapes
from drivers.driver import Driver
from drivers.events import Button, DartLanded, DoubtfulDart
from drivers.pipeline import Pipeline
from engine.segments import SEGMENTS
from tests.packages import install
from tests.rig import OCHE, PtyBoard

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "boards.md").read_text(encoding="utf-8")
FILES = {name: text for _, name, text in re.findall(r"```(\w+) file=(\S+)\n(.*?)```", GUIDE, re.DOTALL)}
MS = 1_000_000


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages: the guide's dialect, and others that are broken."""
    folder = tmp_path_factory.mktemp("site")
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    modules = {name: FILES[name] for name in ("hit_word.py", "test_hit_word.py")}
    install(folder, project["name"], "oche.dialects", project["entry-points"]["oche.dialects"], modules)
    broken = {
        "absent": "no_such_module:DRIVER",
        "crash": "crash_dialect:DRIVER",
        "no-record": "half_dialect:NAME",
        "no-decoder": "half_dialect:NO_DECODER",
        "half": "half_dialect:HALF",
        "alias": "hit_word:DRIVER",
        "suffix": "hit_word:DRIVER",
    }
    half = """
from dataclasses import replace
from hit_word import DRIVER

class Half:
    def feed(self, data, at_ns):
        return ()

NAME = "no-record"
NO_DECODER = replace(DRIVER, name="no-decoder", decoder=lambda: 1 / 0)
HALF = replace(DRIVER, name="half", decoder=Half)
"""
    install(folder, "oche-broken", "oche.dialects", broken, {"crash_dialect.py": "1 / 0\n", "half_dialect.py": half})
    board = 'name = "shed"\ntitle = "The shed"\ndialect = "hit-word"\nsource = "the guide"\n'
    (folder / "shed.toml").write_text(board, encoding="utf-8")
    return folder


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(site))
    dialects.cache_clear()
    yield site
    dialects.cache_clear()


@pytest.fixture
def driver(installed: Path) -> Driver:
    """The driver of the guide, as the catalogue loads it."""
    return dialects()["hit-word"]


def test_the_board_of_the_guide() -> None:
    board = board_from_toml(FILES["garage.toml"], "garage.toml", shapes())
    assert isinstance(board, Board), board
    pipeline = Pipeline(board, DRIVERS[board.dialect])
    heard = [*pipeline.feed(b"6,5\r\n", 0), *pipeline.feed(b"6,5\r\n", 520 * MS), *pipeline.feed(b"7,0\r\n", 3000 * MS)]
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
    pipeline = Pipeline(board, driver)
    stream = b"\xff\x00hit T20\nhit X\nnext\n"
    heard = [h for n in range(len(stream)) for h in pipeline.feed(stream[n : n + 1], 1000 * MS)]
    assert [h for h in heard if isinstance(h, DartLanded | Button)] == [
        DartLanded(SEGMENTS["T20"], 1000 * MS),
        Button("next", 1000 * MS),
    ]
    assert pipeline.counters["garbage"] == 3
    assert [type(h) for h in pipeline.feed(b"hit T20\n", 1400 * MS)] == [DoubtfulDart]
    assert [type(h) for h in pipeline.feed(b"hit T20\n", 2400 * MS)] == [DartLanded]


def test_dialects_of_packages_are_found_and_broken_ones_left_out(
    installed: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found = dialects()
    assert list(found) == [*DRIVERS, "hit-word"]
    assert found["suffix"] is DRIVERS["suffix"]
    told = {line.split()[2]: line for line in caplog.messages}
    assert told.keys() == {"absent", "alias", "crash", "half", "no-decoder", "no-record", "suffix"}
    assert "it cannot be loaded, ModuleNotFoundError" in told["absent"]
    assert "it calls itself 'hit-word'" in told["alias"]
    assert "it cannot be loaded, ZeroDivisionError" in told["crash"]
    assert "its decoder has no reset, rejects, pending" in told["half"]
    assert "it cannot be loaded, ZeroDivisionError" in told["no-decoder"]
    assert "it is not a Driver but a str" in told["no-record"]
    assert "there is a dialect of this name already" in told["suffix"]


def test_a_board_file_can_name_a_dialect_of_a_package(installed: Path) -> None:
    board = model(str(installed / "shed.toml"))
    assert board.dialect == "hit-word" and "next" in board.can.buttons


def oche(site: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(site), str(ROOT)))
    return subprocess.run(
        [sys.executable, "-m", *command],
        env=os.environ | {"PYTHONPATH": path},
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_program_listens_to_a_board_of_a_package(site: Path) -> None:
    piece = {"at_ms": 0, "hex": b"hit T20\n".hex()}
    (site / "shed.jsonl").write_text(f'{{"recording": 1}}\n{json.dumps(piece)}\n', encoding="utf-8")
    heard = oche(site, "daemon.main", "listen", "shed.toml@replay:shed.jsonl?pace=0")
    assert (heard.returncode, heard.stdout) == (0, "T20\n"), heard.stderr
    assert "The dialect half of half_dialect:HALF is left out" in heard.stderr
    listed = oche(site, "daemon.main", "boards")
    assert re.search(r"hit-word +lines like hit T20", listed.stdout), listed.stdout


def test_the_suite_of_the_guide_passes(site: Path) -> None:
    passed = oche(site, "pytest", "-q", "-p", "no:cacheprovider", "test_hit_word.py")
    assert passed.returncode == 0 and "1 passed" in passed.stdout, passed.stdout


def test_every_dialect_and_every_key_is_in_the_guide() -> None:
    for name in DRIVERS:
        assert f"`{name}`" in GUIDE, name
    for key in BoardFile.model_fields:
        assert f"`{key}`" in GUIDE or f"`[{key}]`" in GUIDE or f"`[[{key}]]`" in GUIDE, key
    assert "drivers/driver.py" in GUIDE and PaceTable.model_fields
