"""The guide for board authors is built as it is written: its board file and its dialect."""

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boards.board import Board
from boards.board_files import board_from_toml
from boards.board_shape import BoardFile, PaceTable
from drivers import DRIVERS, shapes
from drivers.contract import Driver
from drivers.reading import Button, Dart, Doubtful, Reading
from engine.segments import SEGMENTS

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
    reading = Reading(board, DRIVERS[board.dialect])
    heard = [*reading.feed(b"6,5\r\n", 0), *reading.feed(b"6,5\r\n", 520 * MS), *reading.feed(b"7,0\r\n", 3000 * MS)]
    assert heard == [
        Dart(SEGMENTS["T20"], 0, (6, 5)),
        Doubtful(SEGMENTS["T20"], 520 * MS),
        Button("next", 3000 * MS),
    ]


def test_the_dialect_of_the_guide(driver: Driver) -> None:
    board = Board(name="hit-word", title="", dialect=driver.name, can=driver.can)
    reading = Reading(board, driver)
    stream = b"\xff\x00hit T20\nhit X\nnext\n"
    heard = [h for n in range(len(stream)) for h in reading.feed(stream[n : n + 1], 1000 * MS)]
    assert [h for h in heard if isinstance(h, Dart | Button)] == [
        Dart(SEGMENTS["T20"], 1000 * MS),
        Button("next", 1000 * MS),
    ]
    assert reading.counters["garbage"] == 3
    assert [type(h) for h in reading.feed(b"hit T20\n", 1400 * MS)] == [Doubtful]
    assert [type(h) for h in reading.feed(b"hit T20\n", 2400 * MS)] == [Dart]


def test_the_dialect_of_the_guide_is_not_one_of_ours(driver: Driver) -> None:
    assert driver.name not in DRIVERS


def test_every_dialect_and_every_key_is_in_the_guide() -> None:
    for name in DRIVERS:
        assert f"`{name}`" in GUIDE, name
    for key in BoardFile.model_fields:
        assert f"`{key}`" in GUIDE or f"`[{key}]`" in GUIDE or f"`[[{key}]]`" in GUIDE, key
    assert "drivers/contract.py" in GUIDE and PaceTable.model_fields
