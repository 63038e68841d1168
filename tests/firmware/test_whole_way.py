"""From a contact that is pressed to the score at a subscriber: the flashed image, a pty, the daemon, a broker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.segments import PLAYABLE, SEGMENTS
from tests.firmware.board import Cell, image, needs_emulator
from tests.firmware.live import LiveBoard
from tests.rig import Daemon, Mosquitto, Referee, Watcher

pytestmark = needs_emulator
X01 = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}}}


def cell_of(text: str) -> Cell:
    return divmod(PLAYABLE.index(SEGMENTS[text]), 10)


def board_file(folder: Path) -> Path:
    """A board of 8 rows and 10 columns, its beds in a row."""
    names = [bed.text for bed in PLAYABLE] + ["."] * (80 - len(PLAYABLE))
    rows = [" ".join([str(r), *names[r * 10 : r * 10 + 10]]) for r in range(8)]
    grid = "\n".join([" ".join(map(str, range(10))), *rows])
    path = folder / "garage.toml"
    path.write_text(
        f'name = "garage"\ntitle = "Garage"\ndialect = "oche-matrix"\nsource = "a test"\ngrid = """\n{grid}\n"""\n',
        encoding="utf-8",
    )
    return path


@pytest.fixture
def live(images: Path) -> Iterator[LiveBoard]:
    board = LiveBoard(image("atmega328p", images))
    yield board
    board.close()


def test_a_match_on_the_firmware(live: LiveBoard, tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    board = f"lounge={board_file(tmp_path)}@{live.path}"
    with Daemon(tmp_path, "--board", board, "--broker", broker.url) as daemon:
        referee = Referee(watcher, "lounge")
        referee.online()
        assert referee.ask(X01)["ok"]
        live.dart(cell_of("T20"))
        state = referee.state(lambda s: s["turn"]["darts"] == ["T20"], "the first dart")
        assert state["players"][0]["score"] == 241
        daemon.kill()
        # Nobody is there, and the board is reset on top of it, as it is when a port is opened.
        live.dart(cell_of("T19"))
        live.wait_ms(30)
        live.press_reset()
        live.wait_ms(30)
        live.dart(cell_of("D5"))
        since = len(watcher.seen)
        daemon.start()
        referee.online(since)
        state = referee.state(lambda s: s["turn"]["darts"] == ["T20", "T19", "D5"], "what came meanwhile", since)
        assert state["players"][0]["score"] == 301 - 60 - 57 - 10
        watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] == 3, "the third hit")
        assert [hit["id"] for hit in watcher.all("/hit")] == ["lounge-1", "lounge-2", "lounge-3"]
