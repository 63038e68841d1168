"""`oche learn` with the flashed image: contacts are pressed, the board file that comes out is played with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.test_listen import Listening
from tests.firmware.board import Cell, image, needs_emulator
from tests.firmware.live import LiveBoard
from tests.learning.board import Learning
from tests.learning.membrane import Membrane, membrane

pytestmark = needs_emulator
SEED = 4


@pytest.fixture
def live(images: Path, tmp_path: Path) -> Iterator[LiveBoard]:
    board = LiveBoard(image("atmega328p", images), tmp_path)
    yield board
    board.close()


class Owner:
    """Presses what is asked, at the pace of somebody in a hurry; his contacts ring."""

    def __init__(self, live: LiveBoard, wired: Membrane) -> None:
        self._live, self._wired = live, wired
        self._last: Cell | None = None

    def answer(self, learning: Learning, asks: int = 1000) -> int:
        """Does what is asked, so many times or to the end; how often that was."""
        done = 0
        while done < asks and (asked := learning.next_ask()) is not None:
            cell = self._wired.cell(asked)
            if cell is None:
                learning.type("s")
            else:
                # On the board's own clock, for it may be slower than ours here. Nobody presses one bed twice within a
                # third of a second, and the next one sooner than after an eighth.
                self._live.wait_ms(500 if cell == self._last else 150)
                self._live.dart(cell, hold_ms=60)
                self._last = cell
            done += 1
        return done


def test_a_matrix_is_learned_and_played_with(live: LiveBoard, tmp_path: Path) -> None:
    wired, file = membrane(SEED), tmp_path / "garage.toml"
    owner = Owner(live, wired)
    learning = Learning(str(live.path), file)
    assert owner.answer(learning, 12) == 12
    following = learning.next_ask()
    # The command is killed, somebody presses meanwhile, and the lesson goes on where it was.
    learning.kill()
    live.dart(wired.cells["T7"])
    again = Learning(str(live.path), file)
    assert again.next_ask() == following
    again._read -= 1
    owner.answer(again)
    assert again.ended() == 0, again.lines
    assert "Going on after 12 answers." in again.lines
    listening = Listening(f"{file}@{live.path}")
    listening.ready()
    for cell in wired.cells.values():
        live.dart(cell)
        live.wait_ms(45)
    assert listening.segments(62) == list(wired.cells)
    assert listening.stop() == 0
