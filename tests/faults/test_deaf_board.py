"""A board that sends and never reads: nothing that is written to it holds up the daemon or the other boards."""

import asyncio
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from daemon.links.link import Link
from daemon.links.opener import UNTAKEN_BYTES, open_link
from daemon.system.urls import board_url
from tests.drivers.test_frames import edge, hello
from tests.faults.test_service import Systemd
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard, again_and_again, until

PAUSE_SECONDS: Final = 0.0003
"""Between two frames, so that each is acknowledged by itself: so the way to the board is full after some thousands."""


class DeafBoard:
    """A board that sends edges of one contact until it is stopped, and reads nothing."""

    def __init__(self, pty: PtyBoard) -> None:
        self.sent = 0
        self._pty, self._enough = pty, threading.Event()
        self._thread = threading.Thread(target=self._talk, daemon=True)

    def _talk(self) -> None:
        # Ends when the port goes away.
        with suppress(OSError):
            self._pty.say(hello(1))
            while not self._enough.wait(PAUSE_SECONDS):
                self._pty.say(edge(self.sent, 0, (0x10, 0x11)[self.sent % 2], self.sent))
                self.sent += 1

    def __enter__(self) -> "DeafBoard":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._enough.set()


def test_the_other_board_plays_on_and_the_daemon_ends(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    systemd = Systemd(tmp_path)
    deaf = PtyBoard(tmp_path, "deaf")
    boards = ("--board", f"deaf=oche-matrix@{deaf.path}", "--board", f"lounge=maddarts@{pty.path}")
    with Daemon(tmp_path, *boards, "--broker", broker.url, environment=systemd.environment) as daemon:
        referee, other = Referee(watcher, "lounge"), Referee(watcher, "deaf")
        referee.online()
        other.online()
        assert referee.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})["ok"]
        beats: list[float] = []

        def beat() -> None:
            systemd.hears("WATCHDOG=1")
            beats.append(time.monotonic())

        # A socket that nobody reads would hold the daemon up instead of the board.
        with again_and_again(beat, 0.0), DeafBoard(deaf) as talker:
            topic = f"{other.root}/status"
            watcher.wait(
                lambda m: m.topic == topic and m.payload.get("reason") == "not-reading", "that it does not read"
            )
            dropped = lambda m: m.topic == topic and m.payload["counters"].get("untaken", 0) > 100  # noqa: E731
            watcher.wait(dropped, "what it did not take")
            pty.say(b"20;3\r\n")
            referee.state(lambda s: s["turn"]["darts"] == ["T20"], "the dart of the other board")
            sent, alive = talker.sent, len(beats)
            until(lambda: talker.sent > sent + 100 and len(beats) > alive + 2, "that it is heard further, and alive")
        with DeafBoard(deaf):
            assert daemon.stop() == 0
    systemd.close()
    deaf.unplug()


def test_a_board_that_reads_again_is_online_again(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    board = PtyBoard(tmp_path, "slow")
    with Daemon(tmp_path, "--board", f"slow=oche-matrix@{board.path}", "--broker", broker.url):
        referee = Referee(watcher, "slow")
        referee.online()
        topic = f"{referee.root}/status"
        with DeafBoard(board):
            watcher.wait(lambda m: m.topic == topic and m.payload.get("reason") == "not-reading", "that it does not")
            since = len(watcher.seen)
            reading = threading.Thread(target=_reads_on, args=(board,), daemon=True)
            reading.start()
            referee.online(since)
        board.unplug()
        reading.join()


def _reads_on(board: PtyBoard) -> None:
    with suppress(OSError, ValueError):
        while board.heard(65536):
            pass


@contextmanager
def _serial(folder: Path) -> Iterator[str]:
    board = PtyBoard(folder)
    yield f"serial://{board.path}"
    board.unplug()


@contextmanager
def _tcp(_folder: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        accepted: list[socket.socket] = []
        threading.Thread(target=lambda: accepted.append(server.accept()[0]), daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        for line in accepted:
            line.close()


@pytest.mark.parametrize("board", [_serial, _tcp])
def test_what_a_board_does_not_take_is_bounded(
    tmp_path: Path, board: Callable[[Path], AbstractContextManager[str]]
) -> None:
    """Whole messages are dropped, the link can still be closed, and the end waits for nothing."""

    async def write(link: Link) -> int:
        dropped = 0
        piece = os.urandom(512)
        for _ in range(40_000):
            dropped += not link.write(piece)
            if dropped == 100:
                return link._transport.get_write_buffer_size()  # type: ignore[attr-defined,no-any-return]
            # What the system has room for is taken in the loop's own time.
            await asyncio.sleep(0)
        raise AssertionError("everything was taken")

    async def session(url: str) -> int:
        link = await open_link(board_url(url), 9600)
        try:
            return await write(link)
        finally:
            link.close()

    with board(tmp_path) as url:
        assert 0 < asyncio.run(session(url)) <= UNTAKEN_BYTES
