"""The bus ends when it is cancelled, whatever its connection does at that moment."""

import asyncio
import getpass
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from daemon.mqtt.bus import Bus
from daemon.mqtt.connection import LARGEST
from daemon.system.urls import BrokerUrl
from tests.rig import LIMIT_SECONDS, MOSQUITTO, until


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A mosquitto with a Unix socket, `line`."""
    config = tmp_path / "mosquitto.conf"
    config.write_text(f"listener 0 {tmp_path / 'line'}\nallow_anonymous true\nuser {getpass.getuser()}\n")
    broker = subprocess.Popen([MOSQUITTO, "-c", str(config)], stderr=subprocess.DEVNULL)
    try:
        until((tmp_path / "line").exists, "the broker's socket")
        yield broker
    finally:
        broker.kill()
        broker.wait(LIMIT_SECONDS)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Bus]:
    """A bus that is connected to the broker, which must end when it is cancelled once."""
    bus = Bus("test", lambda _message: None)
    task = asyncio.create_task(bus.run(BrokerUrl("unix", path=str(folder / "line"), port=1), {}))
    async with asyncio.timeout(LIMIT_SECONDS):
        await bus.connected.wait()
    yield bus
    task.cancel()
    await asyncio.wait({task}, timeout=LIMIT_SECONDS)
    assert task.cancelled()


def test_a_broker_that_takes_nothing_does_not_keep_the_bus(tmp_path: Path, broker: subprocess.Popen[bytes]) -> None:
    """The library raises when the end of a connection takes too long, in place of the cancellation: the bus went on,
    and the daemon that was told to stop never ended."""

    async def end() -> None:
        async with running(tmp_path) as bus:
            broker.send_signal(signal.SIGSTOP)
            client = bus._client
            assert client is not None
            client.timeout = 0.1
            # More than the system takes: the end of the connection cannot be written.
            bus.retain("board/den/match", {"text": "x" * LARGEST})
            await asyncio.sleep(0)
        assert client._client.socket() is None, "a socket that nobody closes is a descriptor that is lost"

    asyncio.run(end())


@pytest.mark.parametrize("rounds", range(3))
def test_a_broker_that_ends_with_the_daemon_does_not_keep_it(
    tmp_path: Path, broker: subprocess.Popen[bytes], rounds: int
) -> None:
    async def end() -> None:
        async with running(tmp_path):
            # The loop has no turn meanwhile: it does not know yet that the broker is gone.
            broker.kill()
            broker.wait(LIMIT_SECONDS)
            for _ in range(rounds):
                await asyncio.sleep(0)

    asyncio.run(end())
