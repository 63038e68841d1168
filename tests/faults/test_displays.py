"""Promise 5, the other half: a display that is stuck or hostile holds up no dart and nobody else."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, Self

import pytest

from daemon.network.fair_turns import RateLimit
from daemon.web.mqtt_proxy import BURST, FRAME, PACE, frame_size
from tests.daemon.house import changed
from tests.faults.memory import MEMORY_MIB, memory_mib
from tests.mqtt_clients import Referee, Watcher, watching
from tests.rig import LIMIT_SECONDS, Daemon, PtyBoard, free_port, until

X01 = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001, "legs": 20, "out": "open"}}}
BROKER_MIB: Final = 64
"""The embedded broker's resident memory, whatever its displays do; docs/reliability.md states it."""
DISPLAYS: Final = 30
PATIENCE: Final = ("from daemon.web import mqtt_proxy", "mqtt_proxy.STUCK_SECONDS = 0.5")
COMMAND: Final = "oche/test/board/lounge/command"
SHOWN: Final = ("oche/+/board/+/hit", "oche/+/board/+/match")
"""What a display shows. Who hears a flood of commands too is dropped messages by its broker, and proves nothing."""


class RawMqttClient:
    """An MQTT client written by hand, over the pages' WebSocket or at the port for programs, that need not read."""

    # CONNECT of 3.1.1 without a client id, and the longest keep-alive: mosquitto with `max_keepalive` may refuse 0.
    HELLO: Final = bytes.fromhex("100c00044d515454040200780000")

    def __init__(self, port: int, *, websocket: bool = True, hello: bytes = HELLO) -> None:
        self._websocket = websocket
        self.line = socket.socket()
        self.line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self.line.settimeout(LIMIT_SECONDS)
        self.line.connect(("127.0.0.1", port))
        if websocket:
            self.line.sendall(
                b"GET /mqtt HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\n"
                b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            )
            said = b""
            while b"\r\n\r\n" not in said:
                said += self.line.recv(1)
            assert b" 101 " in said
        self.send(hello)

    def subscribe(self) -> None:
        """To everything, at QoS 0."""
        self.send(bytes.fromhex("820b0001") + b"\x00\x06oche/#\x00")

    def publish(self, payload: bytes, topic: str = COMMAND) -> None:
        self.packet(0x30, struct.pack(">H", len(topic)) + topic.encode() + payload)

    def packet(self, kind: int, body: bytes) -> None:
        self.send(bytes([kind]) + _length(len(body)) + body)

    def send(self, data: bytes) -> None:
        self.line.sendall(_frame(data) if self._websocket else data)

    def ended(self) -> bool:
        """Reads until the other side closes the connection."""
        with suppress(ConnectionError):
            while self.line.recv(65536):
                pass
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()


def _length(size: int) -> bytes:
    out = bytearray()
    while True:
        size, low = divmod(size, 128)
        out.append(low | (0x80 if size else 0))
        if not size:
            return bytes(out)


def _frame(data: bytes, opcode: int = 0x82) -> bytes:
    """A frame with a mask of zeros, which changes nothing."""
    if len(data) < 126:
        size = struct.pack(">B", 0x80 | len(data))
    elif len(data) < 65536:
        size = struct.pack(">BH", 0x80 | 126, len(data))
    else:
        size = struct.pack(">BQ", 0x80 | 127, len(data))
    return bytes([opcode]) + size + bytes(4) + data


class FloodedDaemon:
    """A daemon with a board on a pty, its own broker, and a subscriber at its port."""

    def __init__(self, daemon: Daemon, port: int, pty: PtyBoard, watcher: Watcher) -> None:
        self.daemon, self.port, self.pty, self.watcher = daemon, port, pty, watcher
        self.referee = Referee(watcher, "lounge")
        self._darts = 0

    def dart(self) -> None:
        """Throws a dart and waits for its hit and state."""
        self._darts += 1
        since = len(self.watcher.seen)
        # Another bed than the one before: the same so soon again is a doubt.
        self.pty.say(b"%d;1\r\n" % (20 - self._darts % 2))
        number = self._darts
        self.watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] == number, "the hit", since)
        self.referee.state(lambda s: bool(s["turn"]["darts"]), "the state", since)
        if number % 3 == 0:
            # Repeated, because a command may be dropped in a flood.
            until(lambda: self.referee_says_next(since), "the next turn")

    def referee_says_next(self, since: int) -> bool:
        self.watcher.publish(COMMAND, {"next": True})
        turns = [m for m in self.watcher.seen[since:] if m.topic.endswith("/match") and m.payload]
        return turns[-1].payload["turn"]["awaits"] == "throw" and not turns[-1].payload["turn"]["darts"]

    def memory(self) -> None:
        """Asserts the stated limits."""
        assert memory_mib(self.daemon.pid) < MEMORY_MIB
        broker = int((self.daemon.data / "broker" / "mosquitto.pid").read_text())
        assert memory_mib(broker) < BROKER_MIB


@contextmanager
def _room(tmp_path: Path, pty: PtyBoard, program: str) -> Iterator[FloodedDaemon]:
    port = free_port()
    board = ("--board", f"lounge=maddarts@{pty.path}", "--broker", f"embedded://127.0.0.1:{port}")
    with Daemon(tmp_path, *board, program=program) as daemon, watching(port, *SHOWN) as watcher:
        with watching(port) as asking:
            referee = Referee(asking, "lounge")
            referee.online()
            assert referee.ask(X01)["ok"]
        found = FloodedDaemon(daemon, port, pty, watcher)
        until(lambda: "display is at" in daemon.log(), "the pages")
        yield found
        found.memory()
        assert "Traceback" not in daemon.log()


@pytest.fixture
def room(tmp_path: Path, pty: PtyBoard) -> Iterator[FloodedDaemon]:
    with _room(tmp_path, pty, changed(tmp_path, *PATIENCE)) as found:
        yield found


def test_displays_that_do_not_read_are_put_out_and_hold_up_nobody(room: FloodedDaemon) -> None:
    with ExitStack() as stack, watching(room.port, "oche/test/status") as status:
        stuck = [stack.enter_context(RawMqttClient(room.daemon.http)) for _ in range(DISPLAYS)]
        for display in stuck:
            display.subscribe()
        for _ in range(12):
            # Who sees everything sees commands too: enough to fill every pipe.
            for _ in range(2):
                room.watcher.publish(COMMAND, b'{"pad": "' + b"x" * 60_000 + b'"}')
            room.dart()
        status.wait(lambda m: m.payload.get("counters", {}).get("stuck") == DISPLAYS, "their number in the status")
        assert all(display.ended() for display in stuck)
        room.dart()


def test_displays_at_the_port_for_programs_that_do_not_read(room: FloodedDaemon) -> None:
    """There it is the broker that must not keep everything for them: it keeps 200 messages of at most 128 KiB."""
    with ExitStack() as stack, watching(room.port, "oche/test/status") as status:
        for _ in range(3):
            stack.enter_context(RawMqttClient(room.port, websocket=False)).subscribe()
        for _ in range(17):
            for _ in range(30):
                room.watcher.publish(COMMAND, b'{"pad": "' + b"x" * 60_000 + b'"}')
            room.dart()
        status.wait(lambda m: m.payload.get("counters", {}).get("missed", 0) > 0, "what they missed")


def test_who_was_put_out_and_comes_again_sees_what_is(room: FloodedDaemon) -> None:
    with RawMqttClient(room.daemon.http) as stuck, watching(room.port, "oche/test/status") as status:
        stuck.subscribe()
        for _ in range(12):
            room.watcher.publish(COMMAND, b'{"pad": "' + b"x" * 60_000 + b'"}')
            room.dart()
        status.wait(lambda m: m.payload.get("counters", {}).get("stuck") == 1, "its disconnection")
        assert stuck.ended()
    again = Watcher(room.daemon.http, websocket=True)
    again.wait(lambda m: m.topic.endswith("/match") and m.payload == room.watcher.last("lounge/match"), "the match")
    again.close()


@pytest.mark.parametrize("pages", [True, False], ids=["the pages", "the port for programs"])
def test_who_floods_holds_up_nobody(room: FloodedDaemon, pages: bool) -> None:
    """10,000 commands, each with an id, as fast as the broker accepts them; another display receives every dart."""
    sent = threading.Event()

    def flood(display: RawMqttClient) -> None:
        with suppress(OSError):
            for n in range(10_000):
                display.publish(b'{"id": %d, "dance": 1}' % n)
        sent.set()

    other = Watcher(room.daemon.http, "oche/+/board/+/hit", websocket=True)
    with RawMqttClient(room.daemon.http if pages else room.port, websocket=pages) as hostile:
        flooding = threading.Thread(target=flood, args=(hostile,))
        flooding.start()
        for number in range(1, 31):
            room.dart()
            other.wait(lambda m, number=number: m.payload["seq"] == number, "the hit at another display")  # type: ignore[misc]
        # Ends a `send` that blocks, unless the other side closed the connection before.
        with suppress(OSError):
            hostile.line.shutdown(socket.SHUT_RDWR)
        flooding.join(LIMIT_SECONDS)
    other.close()
    assert sent.is_set()


RUBBISH = {
    "1 MB in one message": b"x" * 1_000_000,
    "half a letter": b'{"id": "\xe2\x82',
    "deep": b"[" * 60_000,
    "deeper": b'{"a":' * 20_000,
    "another kind": b"\x00\xff" * 100,
    "a command beyond the limit": b'{"id": "big", "pad": "' + b"x" * 100_000 + b'"}',
    "one beyond the broker's": b'{"id": "big", "pad": "' + b"x" * 200_000 + b'"}',
}


def test_no_rubbish_through_the_pages_harms_anybody(room: FloodedDaemon) -> None:
    for payload in RUBBISH.values():
        with RawMqttClient(room.daemon.http) as hostile, suppress(ConnectionError):
            for _ in range(20):
                hostile.publish(payload)
        room.dart()
    for frame in (
        _frame(b"text", 0x81),
        _frame(b"\xff\xfe", 0x81),
        b"\x83\x80\x00\x00\x00\x00",
        b"\xff" * 1000,
        _frame(b"never ends", 0x02) + _frame(b"x" * 60_000, 0x00) * 10,
        _frame(b"ping", 0x89) * 1000,
        _frame(bytes.fromhex("f0ffffff7f")),
        b"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",
    ):
        with RawMqttClient(room.daemon.http) as hostile, suppress(ConnectionError):
            hostile.line.sendall(frame)
        room.dart()


def test_the_pace_lets_a_burst_through_and_then_so_much_a_second() -> None:
    pace = RateLimit(0.0, PACE, BURST)
    assert pace.wait(BURST, 0.0) == 0
    assert pace.wait(PACE, 0.0) == 1
    assert pace.wait(0, 1.0) == 0
    assert pace.wait(PACE, 1.0) == 1
    # After a rest it may send a burst again, and no more than that.
    assert pace.wait(BURST, 1e6) == 0
    assert pace.wait(1, 1e6) > 0


def test_acknowledgements_of_an_identified_client_count_little() -> None:
    """A hundred boards have 130 states a second, and a late acknowledgement delays the next state."""
    puback, command = b"\x40\x02\x00\x01", b"\x30" + bytes(30)
    assert PACE / frame_size(puback, is_identified=True) > 500
    assert frame_size(puback, is_identified=False) == FRAME + len(puback)
    for is_identified in (True, False):
        assert frame_size(command, is_identified=is_identified) == FRAME + len(command)
        assert frame_size(b"", is_identified=is_identified) == FRAME
