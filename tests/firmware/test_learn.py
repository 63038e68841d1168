"""`oche learn` with the flashed image: contacts are pressed, the board file that comes out is played with."""

import random
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.daemon.listening import Listening
from tests.drivers.boards import beds_apart
from tests.firmware.any_board import MS, Cell, Part
from tests.firmware.avr_parts import FIRMWARE, LEONARDO, MEGA, image, needs_emulator
from tests.firmware.board import Board
from tests.firmware.conftest import Make
from tests.firmware.live import LiveBoard
from tests.firmware.pico import Emulator, PicoBoard, pico_image
from tests.firmware.pico import is_installed as pico_is_installed
from tests.learning.board import Learning
from tests.learning.membrane import Membrane, membrane
from tests.learning.scanner import STEP_MS, Pupil
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto

pytestmark = needs_emulator
SEED = 4
FEW = 25
"""Answers that show what is odd; a whole lesson takes the emulator half a minute."""


@pytest.fixture(params=["Uno", "Pico"])
def live(request: pytest.FixtureRequest, images: Path, tmp_path: Path) -> Iterator[LiveBoard]:
    """An Arduino behind its USB chip, and a Pico on its own USB."""
    if request.param == "Pico" and not pico_is_installed():
        pytest.skip("the compiler or the emulator for the Pico is missing: scripts/setup test")
    with ExitStack() as ends:
        board: Path | PicoBoard = image("atmega328p", images)
        if request.param == "Pico":
            emulator = Emulator()
            ends.callback(emulator.end)
            board = PicoBoard(emulator, pico_image(images, "BAUD=1000000"))
            board.plug()
        live = LiveBoard(board, tmp_path, slow=request.param == "Pico")
        ends.callback(live.close)
        yield live


class Owner:
    """Presses what is asked, in quick succession, with bouncing contacts."""

    def __init__(self, live: LiveBoard, wired: Membrane) -> None:
        self._live, self._wired = live, wired
        self._last: Cell | None = None

    def answer(self, learning: Learning, asks: int = 1000) -> int:
        """Follows the lesson for `asks` steps or to its end; returns the number of steps."""
        done = 0
        while done < asks and (asked := learning.next_ask()) is not None:
            cell = self._wired.cell(asked)
            if cell is None:
                learning.type("s")
            else:
                # On the board's own clock, for it may be slower than ours here. One bed twice within 1.5 s does not
                # count, and nobody presses the next one sooner than after an eighth of a second.
                self._live.wait_ms(1600 if cell == self._last else 150)
                self._live.dart(cell, hold_ms=60)
                self._last = cell
            done += 1
        return done


def shown(guide: str, chapter: str, port: Path) -> list[list[str]]:
    """The commands that a chapter of a guide shows, with the port of this board."""
    text = (FIRMWARE.parent / guide).read_text(encoding="utf-8").split(f"# {chapter}\n")[1]
    blocks = re.findall(r"```sh\n(.*?)```", text.split("\n#")[0], re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [shlex.split(line.replace("/dev/ttyACM0", str(port)), comments=True)[1:] for line in lines]


def test_the_guide_from_a_wired_matrix_to_its_first_match(
    live: LiveBoard, tmp_path: Path, broker: Mosquitto, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command that it shows, as it is shown. In the middle of the lesson its process is killed."""
    monkeypatch.chdir(tmp_path)
    learn, listen, run = shown("firmware/README.md", "3. Name the beds", live.path)
    _, named = shown("docs/boards.md", "A matrix on our own firmware", live.path)
    assert (learn[0], named[0], listen[0], run[:2]) == ("learn", "learn", "listen", ["run", "--board"])
    wired = membrane(SEED)
    owner = Owner(live, wired)
    assert learn[2] == named[2] == "--out"
    learning = Learning(learn[1], Path(learn[3]))
    assert owner.answer(learning, 12) == 12, "\n".join(learning.lines[-12:])
    following = learning.next_ask()
    learning.kill()
    # Somebody presses while nobody listens: that is no answer.
    live.dart(wired.cells["T7"])
    again = Learning(named[1], Path(named[3]))
    assert again.next_ask() == following
    again._read -= 1
    asked = 12 + owner.answer(again)
    assert again.ended() == 0, "\n".join(again.lines[-12:])
    assert "Continuing after 12 answers." in again.lines
    assert asked < 30
    assert "<svg" in Path("garage.svg").read_text()
    assert "rebound_ms = 150.0" in Path("garage.toml").read_text()
    assert re.search(r"^settle_us = 1\d$", Path("garage.toml").read_text(), re.MULTILINE)

    listening = Listening(*listen[1:])
    listening.ready()
    # So soon two beds next to each other would be one dart.
    beds = beds_apart("S", "T", "D")
    for bed in beds:
        live.dart(wired.cells[bed])
        live.wait_ms(25)
    assert listening.segments(62) == beds
    assert listening.stop() == 0

    with Daemon(tmp_path, *run[1:], "--broker", broker.url):
        referee = Referee(watcher, "garage")
        referee.online()
        assert referee.ask({"start": {"game": "x01", "players": ["Ann"], "options": {"start": 301}}})["ok"]
        live.dart(wired.cells["T20"])
        state = referee.state(lambda s: s["turn"]["darts"] == ["T20"], "the first dart")
        assert state["players"][0]["score"] == 241


@pytest.mark.parametrize(("part", "usb", "rate"), [(MEGA, False, ""), (LEONARDO, True, "?baud=115200")])
def test_every_part_is_known_by_its_greeting(images: Path, tmp_path: Path, part: Part, usb: bool, rate: str) -> None:
    """The Leonardo on its own USB, at whatever rate the address says; the Mega is reset while it is waited for."""
    live = LiveBoard(image(part.name, images), tmp_path, part=part, usb=usb)
    learning = Learning(f"{live.path}{rate}", tmp_path / "garage.toml")
    try:
        learning.line("Do not touch")
        if not usb:
            live.press_reset()
        assert learning.line("The board speaks oche-matrix")
        assert learning.line("  1. ") == "  1. Press the outer single 20. (at most 62 left)"
        live.dart((7, 9), hold_ms=60)
        assert learning.line("  heard") == "  heard '7,9'"
    finally:
        learning.kill()
        live.close()


class Flashed:
    """The emulated board as `Pupil` has a scanner, in virtual time."""

    def __init__(self, board: Board) -> None:
        self._board, self._sent = board, bytearray()
        board.heard = lambda byte, _cycle: self._sent.append(byte)

    @property
    def ms(self) -> int:
        return self._board.now // MS

    def press(self, cells: Iterable[Cell]) -> None:
        for cell in cells:
            self._board.close(cell)

    def let_go(self, cells: Iterable[Cell]) -> None:
        for cell in cells:
            self._board.open(cell)

    def host(self, data: bytes) -> None:
        self._board.say(data)

    def pass_time(self) -> bytes:
        self._board.run(STEP_MS * MS)
        said, self._sent = bytes(self._sent), bytearray()
        self._board.heard = lambda byte, _cycle: self._sent.append(byte)
        return said


def test_foils_with_faults_are_learned_and_named(make: Make) -> None:
    """Two rows touch each other, a wire is off, a contact hangs from the start: as the firmware itself reports it."""
    wired, rng = membrane(4), random.Random(4)
    board = make()
    joined, off, hanging = sorted((wired.cells["S20"][0], wired.cells["T1"][0])), wired.cells["D20"][1], (4, 5)
    assert hanging not in wired.cells.values() and off != hanging[1]
    board.close(hanging)
    pupil = Pupil(Flashed(board), rng)
    last: list[Cell] = []
    for _ in range(FEW):
        assert pupil.lesson.ask is not None
        cell = wired.cell(pupil.lesson.ask.name)
        if cell is None or cell[1] == off:
            pupil.lesson.skip()
            continue
        cells = [(row, cell[1]) for row in (joined if cell[0] in joined else [cell[0]])]
        # The same bed twice is so only after a third of a second.
        pupil.wait(300 if cells == last else 0)
        last = cells
        # Somewhere in a scan: which row is looked at first is a matter of luck.
        board.run(rng.randrange(2 * MS))
        pupil.scanner.press(cells)
        pupil.wait(30)
        pupil.scanner.let_go(cells)
        # It is told within an eighth of a second and a tick.
        pupil.wait(230)
    found = pupil.matrix.oddities(pupil.lesson)
    assert found[0] == f"Rows {joined[0]} and {joined[1]} touch each other: what closes in one closes in the other."
    assert found[1].startswith("Nothing came from ") and f"column {off}" in found[1]
    assert found[2].startswith("Contact 4,5 was closed though nobody pressed it")
    # Of two rows that touch each other the lower one stands for both, whichever was looked at first.
    whole = {bed: (min(joined) if row in joined else row, col) for bed, (row, col) in wired.cells.items() if col != off}
    codes = {
        bed.text: pupil.lesson.code_of(bed) for bed in pupil.lesson.beds() if pupil.lesson.state_of(bed) == "proven"
    }
    assert len(codes) > 8
    assert codes == {bed: "{},{}".format(*whole[bed]) for bed in codes}
