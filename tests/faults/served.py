"""Bytes for the daemon's web server, from many visitors at once: broken HTTP requests, and broken WebSocket frames."""

import http.client
import random
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.faults.fuzz import HANG_SECONDS, mutated
from tests.faults.memory import MEMORY_MIB, memory_mib
from tests.mqtt_clients import Referee, watching
from tests.rig import Daemon, Mosquitto, PtyBoard, until

VISITORS: Final = 50
"""At a time; `daemon/network/connection_limits.py` lets in 400."""
REQUESTS: Final = 6
"""How many requests a client sends at most, one after another."""
STAYS_SECONDS: Final = 0.15

UPGRADE: Final = (
    b"GET /mqtt HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n"
)


def _frame(code: int, payload: bytes) -> bytes:
    """A client's frame. Its mask is zero, so that what is in it can be read here."""
    size = len(payload)
    head = bytes([code, 0x80 | size]) if size < 126 else bytes([code, 0xFE]) + size.to_bytes(2, "big")
    return head + bytes(4) + payload


CONNECT: Final = b"\x10\x10\x00\x04MQTT\x04\x02\x00\x3c\x00\x04fuzz"
SUBSCRIBE: Final = b"\x82\x0b\x00\x01\x00\x06oche/#\x01"
PUBLISH: Final = b"\x30\x20\x00\x1doche/test/board/lounge/commandx"
BODY: Final = b'{"code": "123456", "name": "Ann"}'
CHUNKS: Final = b'5\r\n{"cod\r\n1c\r\ne": "123456", "name": "Ann"}\r\n0\r\n\r\n'

GOOD: Final[dict[str, list[bytes]]] = {
    "http": [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /games.json HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nAccept: */*\r\n\r\n",
        b'HEAD /geometry.json HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: "x"\r\nRange: bytes=0-9\r\n\r\n',
        b"GET /history.json?player=Ann&before=20260101-000000-abcdef HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /players/%C3%84nn%20B.json HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic QW5uOmI=\r\n\r\n",
        b"GET /../%2e%2e/etc/passwd HTTP/1.1\r\nHost: [::1]:80\r\nCookie: a=b; c=d\r\nX-Long: "
        + b"x" * 3000
        + b"\r\n\r\n",
        b"POST /pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%b" % (len(BODY), BODY),
        b"POST /pair HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKS,
        b"OPTIONS * HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\nExpect: 100-continue\r\n\r\n",
        UPGRADE,
    ],
    "websocket": [
        _frame(0x82, CONNECT),
        _frame(0x82, SUBSCRIBE),
        _frame(0x82, PUBLISH),
        _frame(0x02, b"\xc0") + _frame(0x80, b"\x00"),
        _frame(0x89, b"ping"),
        _frame(0x82, b"\x30\xff\x7f" + b"x" * 3000),
        _frame(0x81, "text €".encode()),
    ],
}


@dataclass(slots=True)
class _Visitor:
    """A connection, what is to be sent, and when it leaves."""

    line: socket.socket
    left: bytes
    size: int
    since: float
    leaves: float
    """When it says that no more will come; the answers to what was whole come before that, or not."""
    has_left: bool = False


def flood(port: int, kind: str, chance: random.Random, enough: Callable[[int], bool]) -> int:
    """Sends until `enough` returns true for the number of bytes, and returns how many bytes the server has read.

    A connection that the server closed does not count: nobody read what came behind the broken request."""
    visitors: list[_Visitor] = []
    read = 0
    try:
        while not enough(read):
            while len(visitors) < VISITORS:
                visitors.append(_come(port, kind, chance))
            at_work = []
            for visitor in visitors:
                took = _turn(visitor)
                if took is None:
                    assert time.monotonic() - visitor.since < HANG_SECONDS, "the server leaves a line open for ever"
                    at_work.append(visitor)
                else:
                    read += took
                    visitor.line.close()
            if len(at_work) == len(visitors):
                # The server is behind.
                time.sleep(0.001)
            visitors = at_work
    finally:
        for visitor in visitors:
            visitor.line.close()
    return read


def _come(port: int, kind: str, chance: random.Random) -> _Visitor:
    line = socket.create_connection(("127.0.0.1", port))
    line.setblocking(False)
    said = b"".join(mutated(GOOD[kind], chance, few=3) for _ in range(chance.randint(1, REQUESTS)))
    if kind == "websocket":
        said = UPGRADE + said
    now = time.monotonic()
    return _Visitor(line, said, len(said), now, now + chance.uniform(0.0, STAYS_SECONDS))


def _turn(visitor: _Visitor) -> int | None:
    """None as long as it is not over with this one; then the bytes that were read of it."""
    try:
        if visitor.left:
            visitor.left = visitor.left[visitor.line.send(visitor.left) :]
        elif not visitor.has_left and time.monotonic() > visitor.leaves:
            visitor.line.shutdown(socket.SHUT_WR)
            visitor.has_left = True
        while visitor.line.recv(1 << 16):
            pass
    except BlockingIOError:
        return None
    except OSError:
        return 0
    return visitor.size if visitor.has_left else 0


def visited(folder: Path, kind: str, seed: int, enough: Callable[[int], bool]) -> int:
    """A daemon under such a flood; the bytes it took. AssertionError where it did not stay what it was."""
    pty = PtyBoard(folder)
    with (
        Mosquitto(folder) as broker,
        watching(broker.port, "oche/+/board/#") as watcher,
        Daemon(folder, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url) as daemon,
    ):
        until(lambda: "display is at" in daemon.log(), "the pages")
        Referee(watcher, "lounge").online()
        read = flood(daemon.http, kind, random.Random(seed), enough)
        visit = http.client.HTTPConnection("127.0.0.1", daemon.http)
        visit.request("GET", "/games.json", headers={"X-Long": "x" * 7000})
        assert visit.getresponse().status == 200
        visit.close()
        since = len(watcher.seen)
        pty.say(b"20;3\r\n")
        watcher.wait(lambda m: m.topic.endswith("/hit"), "a dart after the flood", since)
        assert memory_mib(daemon.pid) < MEMORY_MIB
        assert daemon.stop() == 0
        assert "Traceback" not in daemon.log(), daemon.log()[-4000:]
    pty.unplug()
    return read
