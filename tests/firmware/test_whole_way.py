"""From a contact that is pressed to the score at a subscriber: the flashed image, a pty, the daemon, a broker."""

import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from drivers.frames import frame
from engine.segments import PLAYABLE
from tests.daemon.listening import Listening
from tests.daemon.thrown import each_once
from tests.firmware.any_board import AnyBoard
from tests.firmware.avr_parts import LEONARDO, UNO, image, needs_emulator
from tests.firmware.board import Board
from tests.firmware.evening import board_file, cell_of, whole_evening
from tests.firmware.host import Noise
from tests.firmware.library_board import HAS_COMPILER, LibraryBoard, library
from tests.firmware.live import LiveBoard
from tests.firmware.pico import Emulator, PicoBoard, is_installed, pico_image
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

pytestmark = needs_emulator
KILLS = 6
X01 = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}}}


@pytest.fixture
def live(images: Path, tmp_path: Path) -> Iterator[LiveBoard]:
    board = LiveBoard(image("atmega328p", images), tmp_path)
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
        hit(watcher, 3)
        assert [hit["id"] for hit in each_once(watcher.all("/hit"))] == ["lounge-1", "lounge-2", "lounge-3"]


@pytest.fixture(params=["an Uno", "a Pico", "the library"])
def any_live(request: pytest.FixtureRequest, images: Path, tmp_path: Path) -> Iterator[LiveBoard]:
    """A board of each kind."""
    with ExitStack() as stack:
        board: AnyBoard
        if request.param == "an Uno":
            board = Board(UNO, image("atmega328p", images))
        elif request.param == "a Pico":
            if not is_installed():
                pytest.skip("the compiler or the emulator of the Pico is missing: scripts/setup test installs them")
            emulator = Emulator()
            stack.callback(emulator.end)
            board = PicoBoard(emulator, pico_image(images, "BAUD=1000000"))
        else:
            if not HAS_COMPILER:
                pytest.skip("there is no C compiler here: sudo apt install gcc make")
            board = LibraryBoard(library(images))
        with ExitStack() as unless_live:
            unless_live.callback(board.end)
            live = LiveBoard(board, tmp_path)
            unless_live.pop_all()
        stack.callback(live.close)
        yield live


def test_a_bed_of_a_board_without_a_table_is_told_with_its_row_and_column(any_live: LiveBoard) -> None:
    live = any_live
    listening = Listening(f"oche-matrix@{live.path}")
    listening.ready()
    live.dart((3, 7))
    assert listening.line(lambda line: line.get("reason") == "unmapped")["contact"] == "3,7"
    assert listening.stop() == 0


def test_a_match_on_a_leonardos_own_usb(images: Path, tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    live = LiveBoard(image("atmega32u4", images), tmp_path, part=LEONARDO, usb=True)
    board = f"lounge={board_file(tmp_path)}@{live.path}"
    try:
        with Daemon(tmp_path, "--board", board, "--broker", broker.url) as daemon:
            referee = Referee(watcher, "lounge")
            referee.online()
            assert referee.ask(X01)["ok"]
            live.dart(cell_of("T20"))
            hit(watcher, 1)
            daemon.kill()
            live.dart(cell_of("T19"))
            live.wait_ms(30)
            daemon.start()
            live.dart(cell_of("D5"))
            state = referee.state(lambda s: s["turn"]["darts"] == ["T20", "T19", "D5"], "all three")
            assert state["players"][0]["score"] == 301 - 60 - 57 - 10
    finally:
        live.close()


def test_a_dart_on_the_disk_that_was_not_acknowledged_does_not_come_twice(
    live: LiveBoard, tmp_path: Path, broker: Mosquitto, watcher: Watcher
) -> None:
    """The acknowledgement is what is lost: whatever the board then says again, the journal has it already."""
    board = f"lounge={board_file(tmp_path)}@{live.path}"
    with Daemon(tmp_path, "--board", board, "--broker", broker.url) as daemon:
        referee = Referee(watcher, "lounge")
        referee.online()
        live.dart(cell_of("T20"))
        hit(watcher, 1)
        # A board that gets no acknowledgement of its oldest edge soon sends that one alone.
        live.wait_ms(500)
        live.deaf.set()
        live.dart(cell_of("T19"))
        live.dart(cell_of("D5"), after_ms=20)
        hit(watcher, 3)
        daemon.kill()
        live.deaf.clear()
        since = len(watcher.seen)
        daemon.start()
        referee.online(since)
        live.dart(cell_of("S7"))
        hit(watcher, 4)
    # The last one before the kill may have been under way, and come again as the same.
    once = list(dict.fromkeys(darts(watcher)))
    assert once == [("lounge-1", "T20"), ("lounge-2", "T19"), ("lounge-3", "D5"), ("lounge-4", "S7")]


def test_killed_at_any_moment_no_dart_is_missing_and_none_counts_twice(
    live: LiveBoard, tmp_path: Path, broker: Mosquitto, watcher: Watcher
) -> None:
    """Darts go on all the time, and the daemon is killed in the middle of whatever it does."""
    rng, beds = random.Random(1), [bed.text for bed in PLAYABLE]
    thrown: list[str] = []
    daemon = Daemon(tmp_path, "--board", f"lounge={board_file(tmp_path)}@{live.path}", "--broker", broker.url)
    for n in range(KILLS):
        since = len(watcher.seen)
        with daemon:
            Referee(watcher, "lounge").online(since)
            for _ in range(6):
                thrown.append(rng.choice(beds))
                live.dart(cell_of(thrown[-1]))
                live.wait_ms(rng.uniform(18, 30))
            # A different place of the way each time: scan, line, decoder, disk, broker, acknowledgement.
            live.wait_ms(n % 10 / 2)
            daemon.kill()
    since = len(watcher.seen)
    with daemon:
        hit(watcher, len(thrown))
    seen = darts(watcher)
    # One that was under way to the broker may come again, as the same.
    once = dict(seen)
    assert all(once[name] == segment for name, segment in seen)
    assert once == {f"lounge-{n}": bed for n, bed in enumerate(thrown, 1)}


def hit(watcher: Watcher, seq: int) -> None:
    watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] == seq, f"hit {seq}")


def darts(watcher: Watcher) -> list[tuple[str, str]]:
    return [(hit["id"], hit["segment"]) for hit in each_once(watcher.all("/hit"))]


def test_an_evening_on_a_bad_line(tmp_path: Path, images: Path) -> None:
    """A share of `python -m tests.firmware.evening`, which throws ten thousand, on a line three times as bad."""
    evening = whole_evening(tmp_path, images, darts=100, away=2, noise=Noise(0.001, 0.001, 0.001))
    assert evening.hits == evening.pressed, evening.counters
    assert evening.ids == [f"lounge-{n}" for n in range(1, 101)]
    assert evening.spoilt > 0
    assert evening.quick >= 25


def test_a_board_that_cannot_be_understood_is_shown_as_one(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    """It says nothing; then something in another version; then it is brought up to date, and plays."""
    pty = PtyBoard(tmp_path)

    def hello(version: int) -> bytes:
        return frame(bytes([1, version, 1, 8, 10, 0, 1, 0, 64, 5, 0, 0, 0, 0, 0, 0]) + b"A board!")

    def status(state: str, reason: str | None, since: int = 0) -> Any:
        seen = watcher.wait(
            lambda m: m.topic.endswith("lounge/status") and m.payload["state"] == state
            and m.payload.get("reason") == reason, f"{state} {reason}", since,
        )  # fmt: skip
        return seen.payload

    board = f"lounge={board_file(tmp_path)}@{pty.path}"
    with Daemon(tmp_path, "--board", board, "--broker", broker.url):
        Referee(watcher, "lounge").online()
        status("faulty", "silent")
        pty.say(hello(3))
        message = status("faulty", "version")["message"]
        assert "version 3" in message and "version 1" in message
        since = len(watcher.seen)
        pty.say(hello(1) + frame(b"\x10\0\0\0\0\0"))
        hit(watcher, 1)
        status("online", None, since)
        pty.unplug()
        since = len(watcher.seen)
        status("offline", "missing", since)
        pty.plug()
        status("online", None, since)
    pty.unplug()
