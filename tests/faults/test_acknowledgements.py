"""Promise 4: a broker that takes messages and never says so is as good as away; another connection mends it.

mosquitto does so in a flood: it drops what it has to send to a client that does not keep up, acknowledgements among it.
"""

import asyncio
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import aiomqtt
import pytest

from daemon.mqtt import client as client_of_library
from daemon.mqtt.bus import Bus
from daemon.mqtt.client import Client
from daemon.mqtt.connection import command_client
from daemon.record.reader import History
from daemon.system.urls import broker_url
from tests.daemon.house import changed
from tests.mqtt_clients import Referee, Watcher, watching
from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto, PtyBoard, free_port, until

PUBACK: Final = 4
X01: Final = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}}}
IMPATIENT: Final = ("from daemon.mqtt import connection", "connection.ANSWER_SECONDS = 1.0")


class LossyProxy:
    """A TCP proxy to a broker that can drop the acknowledgements of its open connections."""

    def __init__(self, broker: int) -> None:
        self.port = free_port()
        self.connections = 0
        self._broker = broker
        self._losing: set[socket.socket] = set()
        self._open: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._let_in, daemon=True).start()

    def lose(self) -> None:
        self._losing = set(self._open)

    def keep(self) -> None:
        self._losing = set()

    def _let_in(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                far = socket.create_connection(("127.0.0.1", self._broker))
                self._open += [near, far]
                self.connections += 1
                threading.Thread(target=self._up, args=(near, far), daemon=True).start()
                threading.Thread(target=self._down, args=(far, near), daemon=True).start()

    def _up(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while data := near.recv(65536):
                far.sendall(data)
        _end(near, far)

    def _down(self, far: socket.socket, near: socket.socket) -> None:
        with suppress(OSError), far.makefile("rb") as packets:
            while head := packets.read(1):
                size = b""
                while not size or size[-1] & 0x80:
                    size += packets.read(1)
                body = packets.read(sum((digit & 0x7F) << (7 * n) for n, digit in enumerate(size)))
                if head[0] >> 4 != PUBACK or far not in self._losing:
                    near.sendall(head + size + body)
        _end(near, far)

    def close(self) -> None:
        for line in (self._door, *self._open):
            _end(line)
            line.close()


def _end(*lines: socket.socket) -> None:
    for line in lines:
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)


@contextmanager
def _way(broker: Mosquitto) -> Iterator[LossyProxy]:
    way = LossyProxy(broker.port)
    try:
        yield way
    finally:
        way.close()


def test_without_acknowledgements_it_reconnects_and_publishes_everything(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    board = f"lounge=maddarts@{pty.path}"
    with _way(broker) as way:
        url = f"mqtt://127.0.0.1:{way.port}"
        program = changed(tmp_path, *IMPATIENT)
        with Daemon(tmp_path, "--board", board, "--broker", url, program=program) as daemon:
            referee = Referee(watcher, "lounge")
            referee.online()
            assert referee.ask(X01)["ok"]
            # On a busy machine an acknowledgement of the broker itself can have come too late.
            before = way.connections
            way.lose()
            since = len(watcher.seen)
            pty.say(b"20;3\r\n")
            referee.state(lambda s: s["turn"]["darts"] == ["T20"], "the dart", since)
            until(lambda: way.connections > before, "another connection")
            watcher.wait(lambda m: m.topic == "oche/test/status" and m.payload["state"] == "online", "online", since)
            # Commands and messages pass as before.
            assert referee.ask({"throw": "T19"})["ok"]
            assert referee.ask({"next": True})["revision"] == watcher.last("lounge/match")["revision"]
            assert "Traceback" not in daemon.log()


def test_a_later_acknowledgement_counts_for_the_messages_before_it(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    """MQTT-4.6.0-2: acknowledgements come in the order of the messages."""
    with _way(broker) as way:
        url = f"mqtt://127.0.0.1:{way.port}"
        with Daemon(tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", url) as daemon:
            referee = Referee(watcher, "lounge")
            referee.online()
            assert referee.ask(X01)["ok"]
            # Twenty are more than may be in flight for one board, if those that were lost counted for ever.
            for number in range(1, 21):
                way.lose()
                _throw(pty, watcher, number)
                way.keep()
                assert referee.ask({"next": True})["ok"]
            assert way.connections == 1
            assert "Broker" not in daemon.log()


def test_the_lost_acknowledgement_of_the_last_message_ends_no_connection(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broker is asked again before the connection ends: it may have had nothing else to acknowledge."""
    # The time that a busy broker may take is not what is tested.
    monkeypatch.setattr(client_of_library, "GRACE_SECONDS", LIMIT_SECONDS)

    async def play(way: LossyProxy) -> None:
        bus = Bus("test", lambda _: None)
        running = asyncio.create_task(bus.run(broker_url(f"mqtt://127.0.0.1:{way.port}"), {}))
        await bus.connected.wait()
        while bus._in_flight:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert bus._client is not None
        way.lose()
        taken, lost = asyncio.Event(), asyncio.Event()
        with monkeypatch.context() as brief:
            brief.setattr(bus._client, "timeout", 0.5)
            bus.send_text("board/lounge/hit", "{}", taken=taken.set, lost=lost.set)
        # The broker has it, and has acknowledged it.
        await asyncio.to_thread(watcher.wait, lambda m: m.topic.endswith("/hit"), "the hit")
        bus.send("board/lounge/event", {})
        await asyncio.to_thread(watcher.wait, lambda m: m.topic.endswith("/event"), "the event")
        way.keep()
        ends = [asyncio.create_task(event.wait()) for event in (taken, lost)]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        assert taken.is_set() and way.connections == 1
        for task in (running, *ends):
            task.cancel()
        await asyncio.gather(running, *ends, return_exceptions=True)

    with _way(broker) as way, watching(broker.port) as watcher:
        asyncio.run(asyncio.wait_for(play(way), LIMIT_SECONDS))


def test_no_hit_is_dropped_when_a_silent_broker_is_connected_again(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    with _way(broker) as way:
        url = f"mqtt://127.0.0.1:{way.port}"
        program = changed(tmp_path, *IMPATIENT)
        with Daemon(tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", url, program=program):
            Referee(watcher, "lounge").online()
            way.lose()
            for number in range(1, 41):
                pty.say(b"%d;1\r\n" % (20 - number % 2))
            until(lambda: way.connections > 1, "another connection")
            watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] == 40, "the last hit")
            hits = [m.payload["seq"] for m in watcher.seen if m.topic.endswith("/hit")]
            # Those without an acknowledgement come twice, with the same ids.
            assert list(dict.fromkeys(hits)) == list(range(1, 41))


def test_hits_that_a_hung_broker_never_read_outlast_a_sigkill(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    """The system has taken them, the broker has not: the mark of what was sent must not count them."""
    daemon = Daemon(tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url)
    with daemon:
        Referee(watcher, "lounge").online()
        _throw(pty, watcher, 1)
        assert broker._process is not None
        broker._process.send_signal(signal.SIGSTOP)
        for number in (2, 3):
            pty.say(b"%d;1\r\n" % (20 - number % 2))
        until(lambda: 3 in History(daemon.data).hits("lounge", after=0), "the hits in the journal")
        daemon.kill()
        broker._process.kill()
        broker._process.wait(LIMIT_SECONDS)
        since = len(watcher.seen)
        broker.start()
        daemon.start()
        for number in (2, 3):
            watcher.wait(lambda m, n=number: m.topic.endswith("/hit") and m.payload["seq"] == n, "the hit", since)  # type: ignore[misc]


def _throw(pty: PtyBoard, watcher: Watcher, number: int) -> None:
    """Throws a dart and waits for its hit; another bed than the one before: the same so soon again is a doubt."""
    pty.say(b"%d;1\r\n" % (20 - number % 2))
    watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] == number, "the hit")


def test_a_process_that_was_paused_reads_the_acknowledgement_first(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deadline passes in the pause; a busy machine makes such pauses, and so does a laptop that sleeps."""
    pause_seconds = 0.3
    # The time that a busy broker may take is not what is tested.
    monkeypatch.setattr(client_of_library, "GRACE_SECONDS", LIMIT_SECONDS)

    def pause() -> None:
        time.sleep(pause_seconds)

    async def play() -> list[bool | None]:
        acknowledged: asyncio.Queue[bool | None] = asyncio.Queue()
        async with command_client(broker_url(broker.url)) as client:
            client.timeout = pause_seconds / 2
            client.send("before it is written", "", retain=False, acknowledged=acknowledged.put_nowait)
            pause()
            found = [await _first(acknowledged, client)]
            client.send("after", "", retain=False, acknowledged=acknowledged.put_nowait)
            while client._client.want_write():  # noqa: ASYNC110
                await asyncio.sleep(0)
            pause()
            return [*found, await _first(acknowledged, client)]

    assert asyncio.run(play()) == [True, True]


async def _first(acknowledged: "asyncio.Queue[bool | None]", client: Client) -> bool | None:
    """Returns what the next acknowledgement says; None if the connection ends before."""
    said, ended = asyncio.create_task(acknowledged.get()), asyncio.create_task(_end_of(client))
    done, waiting = await asyncio.wait({said, ended}, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    return said.result() if said in done else None


async def _end_of(client: Client) -> None:
    with suppress(aiomqtt.MqttError):
        async for _ in client.messages:
            pass
