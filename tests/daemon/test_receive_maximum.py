"""A broker gets no more messages before it acknowledges them than it says that it takes: MQTT 5.0, 3.3.4-9."""

import asyncio
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from aiomqtt import MqttError, ProtocolVersion

from daemon.mqtt.connection import connection
from daemon.system.urls import broker_url
from tests.mqtt_clients import watching
from tests.rig import LIMIT_SECONDS, Mosquitto

CONNECT: Final = 0x10
PUBLISH: Final = 0x32
MESSAGES: Final = 10


class StrictBroker:
    """A broker for one connection, on a Unix socket, which acknowledges a message when it has as many as it takes."""

    def __init__(self, path: Path, receive_maximum: int | None, *, drops: int = 0, reason: bytes = b"") -> None:
        """It drops the acknowledgements of the first messages, as mosquitto does in a flood, and says the `reason` in
        the others."""
        self._drops, self._reason = drops, reason
        self.most = 0
        """How many messages it had at most that it had not acknowledged."""
        self.texts: list[bytes] = []
        properties = b"" if receive_maximum is None else b"\x21" + receive_maximum.to_bytes(2, "big")
        self._room = MESSAGES if receive_maximum is None else receive_maximum
        self._connack = bytes((0x20, 3 + len(properties), 0, 0, len(properties))) + properties
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.bind(str(path))
        self._server.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._thread.join()
        self._server.close()

    def _serve(self) -> None:
        line, _ = self._server.accept()
        arrived, waiting = b"", list[bytes]()
        # The client may close the line before it has read everything.
        with line, suppress(ConnectionError):
            while piece := line.recv(1 << 16):
                arrived += piece
                while len(arrived) > 1 and len(arrived) >= 2 + arrived[1]:
                    packet, arrived = arrived[: 2 + arrived[1]], arrived[2 + arrived[1] :]
                    if packet[0] == CONNECT:
                        line.sendall(self._connack)
                    elif packet[0] == PUBLISH:
                        topic = 4 + int.from_bytes(packet[2:4], "big")
                        waiting.append(packet[topic : topic + 2])
                        self.texts.append(packet[topic + 3 :])
                if len(self.texts) <= self._drops:
                    waiting.clear()
                self.most = max(self.most, len(waiting))
                if len(self.texts) == MESSAGES:
                    self._acknowledge(line, waiting, len(waiting))
                elif len(waiting) >= self._room:
                    self._acknowledge(line, waiting, 1)

    def _acknowledge(self, line: socket.socket, waiting: list[bytes], count: int) -> None:
        size = bytes((2 + len(self._reason),))
        line.sendall(b"".join(b"\x40" + size + number + self._reason for number in waiting[:count]))
        del waiting[:count]


@pytest.mark.parametrize(("maximum", "most"), [(1, 1), (3, 3), (MESSAGES, MESSAGES), (None, MESSAGES)])
def test_a_broker_never_has_more_than_it_takes(
    tmp_path_factory: pytest.TempPathFactory, maximum: int | None, most: int
) -> None:
    path = tmp_path_factory.mktemp("strict") / "s"
    broker = StrictBroker(path, maximum)
    taken = list[bool | None]()

    async def play() -> None:
        async with connection(broker_url(f"unix://{path}"), ProtocolVersion.V5, None, "c") as client:
            all_taken = asyncio.Event()

            def acknowledged(watched: bool | None) -> None:
                taken.append(watched)
                if len(taken) == MESSAGES:
                    all_taken.set()

            for n in range(MESSAGES):
                client.send("t", str(n), retain=False, acknowledged=acknowledged)
                client.flush()
            await all_taken.wait()

    asyncio.run(play())
    broker.close()
    assert broker.texts == [b"%d" % n for n in range(MESSAGES)]
    assert (broker.most, taken) == (most, [True] * MESSAGES)


def test_what_waits_for_room_has_no_deadline_yet(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A broker that takes long for all together, and not for each, is not late, and gets no more than it takes."""
    path = tmp_path_factory.mktemp("strict") / "s"
    broker = StrictBroker(path, 1)

    async def play() -> None:
        async with connection(broker_url(f"unix://{path}"), ProtocolVersion.V5, None, "c") as client:
            taken = asyncio.Semaphore(0)
            for n in range(MESSAGES):
                client.send("t", str(n), retain=False, acknowledged=lambda _: taken.release())
            deadlines = list[float]()
            for _ in range(MESSAGES):
                [(due, _acknowledged)] = client._unacknowledged.values()
                deadlines.append(due)
                await taken.acquire()
            assert deadlines == sorted(set(deadlines)), "each begins when its message is passed on"

    asyncio.run(play())
    broker.close()
    assert broker.most == 1


def test_a_refused_message_is_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("strict") / "s"
    broker = StrictBroker(path, 1, reason=b"\x87")
    refused = list[int]()

    async def play() -> None:
        async with connection(broker_url(f"unix://{path}"), ProtocolVersion.V5, None, "c") as client:
            client.on_refused = refused.append
            done = asyncio.Event()
            client.send("t", "0", retain=False, acknowledged=lambda _: done.set())
            await done.wait()

    asyncio.run(play())
    broker.close()
    assert refused == [0x87]


def test_a_dropped_acknowledgement_does_not_stop_what_waits_for_it(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next message is sent all the same, and its acknowledgement counts for both."""
    path = tmp_path_factory.mktemp("strict") / "s"
    broker = StrictBroker(path, 1, drops=1)
    monkeypatch.setattr("daemon.mqtt.client.GRACE_SECONDS", LIMIT_SECONDS)
    taken = list[bool | None]()

    async def play() -> None:
        async with connection(broker_url(f"unix://{path}"), ProtocolVersion.V5, None, "c") as client:
            usual, client.timeout = client.timeout, 0.02
            last = asyncio.Event()
            for n in range(3):
                client.send("t", str(n), retain=False, acknowledged=taken.append)
            client.send("t", "3", retain=False, acknowledged=lambda _: last.set())
            await last.wait()
            client.timeout = usual

    asyncio.run(play())
    broker.close()
    assert taken == [True] * 3
    assert broker.texts == [b"0", b"1", b"2", b"3"]


def test_what_waits_for_room_is_not_sent_when_the_connection_has_ended(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("strict") / "s"
    broker = StrictBroker(path, 1)
    taken = list[bool | None]()

    async def play() -> None:
        async with connection(broker_url(f"unix://{path}"), ProtocolVersion.V5, None, "c") as client:
            for n in range(3):
                client.send("t", str(n), retain=False, acknowledged=taken.append)
            client.hang_up()
            with pytest.raises(MqttError):
                async for _ in client.received():
                    pass
        client.abandon()

    asyncio.run(play())
    broker.close()
    assert taken == [None] * 3


def test_mosquitto_gets_everything_in_order(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path)
    with (tmp_path / "outside-mosquitto.conf").open("a") as config:
        config.write("max_inflight_messages 2\n")

    async def play() -> None:
        async with connection(broker_url(broker.url), ProtocolVersion.V5, None, "c") as client:
            taken = asyncio.Semaphore(0)
            for n in range(300):
                client.send("t", str(n), retain=False, acknowledged=lambda _: taken.release())
            for _ in range(300):
                await taken.acquire()

    with broker, watching(broker.port, "t") as watcher:
        asyncio.run(play())
        watcher.wait(lambda message: message.payload == 299, "the last message")
        assert [message.payload for message in watcher.seen] == list(range(300))
