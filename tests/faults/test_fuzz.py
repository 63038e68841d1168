"""Promise 3: no bytes from a board, no message, no file and no request raises, hangs or grows memory.

`scripts/soak fuzz` goes on where this ends, led by the coverage.
"""

import http.client
import random
import socket
from pathlib import Path
from typing import Final

import pytest

from tests.faults.fuzz import tries
from tests.faults.parsers import PARSERS
from tests.rig import Daemon, Mosquitto, PtyBoard, Referee, Watcher, until

TRIES: Final = 400


@pytest.mark.parametrize("name", PARSERS)
def test_no_bytes_raise(name: str) -> None:
    assert tries(name, TRIES, seed=1) > 0


GOOD: Final = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /mqtt HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n",
)
BODIES: Final = (
    b"",
    b"\x82\x85aaaa" + b"x" * 20,
    b"\x81\xff" + b"\xff" * 14,
    b"\x00" * 4000,
    b"A" * 70_000,
    b"\x88\x00",
)


def test_no_request_ends_the_server(tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard) -> None:
    """Half requests, long headers, broken frames on many connections; then the pages are there and a dart counts."""
    chance = random.Random(1)
    with Daemon(tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url) as daemon:
        until(lambda: "display is at" in daemon.log(), "the pages")
        open_ones = []
        for _ in range(150):
            data = bytearray(chance.choice(GOOD) + chance.choice(BODIES))
            for _ in range(chance.randint(0, 4)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            client = socket.create_connection(("127.0.0.1", daemon.http))
            client.sendall(bytes(data[: chance.randint(1, len(data))]))
            if chance.random() < 0.5:
                client.close()
            else:
                open_ones.append(client)
        connection = http.client.HTTPConnection("127.0.0.1", daemon.http)
        connection.request("GET", "/games.json", headers={"X-Long": "x" * 7000})
        assert connection.getresponse().status == 200
        connection.close()
        referee = Referee(watcher, "lounge")
        referee.online()
        pty.say(b"20;3\r\n")
        watcher.wait(lambda m: m.topic.endswith("/hit"), "the hit")
        for client in open_ones:
            client.close()
        assert daemon.stop() == 0
        assert "Traceback" not in daemon.log()
