"""Boards for the tests of the firmware. Images are built once a run."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.firmware.any_board import Part
from tests.firmware.avr_parts import UNO, image
from tests.firmware.board import RISE_US, Board

Make = Callable[..., Board]


@pytest.fixture(scope="session")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("images")


@pytest.fixture
def make(images: Path) -> Iterator[Make]:
    """Makes a board: `make(part, baud, settle_us, rise_us, boot_loader)`."""
    made: list[Board] = []

    def one(
        part: Part = UNO,
        baud: int = 1_000_000,
        settle_us: int = 10,
        rise_us: float = RISE_US,
        boot_loader: Path | None = None,
    ) -> Board:
        board = Board(part, image(part.name, images, baud, settle_us), baud, rise_us, boot_loader)
        made.append(board)
        return board

    yield one
    for board in made:
        board.end()
