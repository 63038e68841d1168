"""Promise 5: who asks the broker for more than it can remember ends nothing but, for a moment, the broker."""

import os
import signal
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from tests.faults.memory import memory_mib
from tests.faults.test_displays import RawMqttClient
from tests.mqtt_clients import Referee, watching
from tests.rig import Daemon, free_port, until

BROKER_MIB: Final = 128
"""The embedded broker's resident memory, whatever its clients ask for; docs/reliability.md states it."""
AT_ONCE: Final = 200
MOST: Final = 200_000
"""Without a bound, this many filters took more than a gigabyte."""
DEEP: Final = "/a" * 30


class GreedySubscriber(RawMqttClient):
    """Subscribes and subscribes; with a session that is kept when it goes."""

    def __init__(self, port: int, name: bytes) -> None:
        super().__init__(port, websocket=False, hello=b"\x10\x0d\x00\x04MQTT\x04\x00\x00\x00\x00\x01" + name)
        self.name, self.count = name.decode(), 0

    def ask(self) -> None:
        filters = (f"oche/{self.name}{self.count + n}{DEEP}".encode() for n in range(AT_ONCE))
        body = b"\x00\x01" + b"".join(struct.pack(">H", len(text)) + text + b"\x00" for text in filters)
        self.packet(0x82, body)
        self.line.recv(65536)
        self.count += AT_ONCE


class EmbeddedBroker:
    """A daemon with an embedded broker, which may end, and its memory."""

    def __init__(self, daemon: Daemon, port: int) -> None:
        self.daemon, self.port = daemon, port

    @property
    def broker(self) -> int:
        """Its process."""
        with suppress(OSError, ValueError):
            return int((self.daemon.data / "broker" / "mosquitto.pid").read_text())
        return 0

    def memory(self) -> float:
        with suppress(OSError):
            return memory_mib(self.broker)
        return 0

    def flood(self, name: bytes, until_mib: int) -> None:
        """Subscribes until the broker has that much memory or disconnects the client."""
        with GreedySubscriber(self.port, name) as greedy, suppress(OSError):
            while greedy.count < MOST and self.memory() < until_mib:
                greedy.ask()
                assert self.memory() < BROKER_MIB

    def counts(self) -> None:
        """Asserts that a new display sees the match and that a dart counts."""
        with watching(self.port) as watcher:
            referee = Referee(watcher, "lounge")
            referee.online()
            before = referee.state(lambda _: True, "the match")["players"][0]["darts"]
            assert referee.ask({"throw": "S1"})["ok"]
            referee.state(lambda s: s["players"][0]["darts"] == before + 1 or s["turn"]["darts"], "the dart")


@pytest.fixture
def embedded_broker(tmp_path: Path) -> Iterator[EmbeddedBroker]:
    port = free_port()
    with Daemon(tmp_path, "--broker", f"embedded://127.0.0.1:{port}", "--board", "lounge=virtual@sim:") as daemon:
        with watching(port) as watcher:
            referee = Referee(watcher, "lounge")
            referee.online()
            assert referee.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})["ok"]
        yield EmbeddedBroker(daemon, port)


def test_endless_subscriptions_do_not_exceed_the_memory_limit(embedded_broker: EmbeddedBroker) -> None:
    embedded_broker.flood(b"a", BROKER_MIB)
    embedded_broker.counts()
    assert embedded_broker.memory() < BROKER_MIB


def test_a_state_that_was_too_large_is_not_loaded_again(embedded_broker: EmbeddedBroker) -> None:
    """The broker writes sessions down, and would end again and again over one that it cannot hold."""
    embedded_broker.flood(b"a", BROKER_MIB * 5 // 8)
    os.kill(first := embedded_broker.broker, signal.SIGUSR1)
    until((embedded_broker.daemon.data / "broker" / "mosquitto.db").exists, "what it wrote down")
    # Over too much it ends sometimes, and sometimes it disconnects the subscriber; here it surely ends.
    os.kill(first, signal.SIGKILL)
    until(lambda: embedded_broker.broker not in (0, first), "another broker")
    embedded_broker.counts()
    assert embedded_broker.memory() < BROKER_MIB // 4
