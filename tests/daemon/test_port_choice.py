"""The embedded broker's port where none is named: another one, if somebody takes the chosen one in the meantime."""

import asyncio
import os
import socket
import stat
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from daemon.mqtt import broker as embedded
from daemon.mqtt.broker_process import PortTakenError
from daemon.system.urls import broker_url
from tests.rig import LIMIT_SECONDS, MOSQUITTO, free_port, takes_connections, until


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch) -> int:
    """The default port, here one that no other daemon on this machine chooses."""
    port = free_port()
    monkeypatch.setattr(embedded, "PORT", port)
    return port


@pytest.fixture
def thread() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def listening(port: int) -> socket.socket:
    return socket.create_server(("127.0.0.1", port))


def chosen(folder: Path, url: str = "embedded:") -> int:
    """Starts a broker, and returns the port where it answers."""

    async def begin() -> int:
        async with embedded.broker(broker_url(url), folder, "test", (), None) as endpoints:
            port = int(endpoints.public.rpartition(":")[2])
            assert takes_connections(port)
            return port

    return asyncio.run(begin())


def late_mosquitto(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts a mosquitto first on the path that starts when somebody has written to the pipe, which is returned."""
    pipe, program = folder / "pipe", folder / "bin" / "mosquitto"
    os.mkfifo(pipe)
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\n[ ! -p {pipe} ] || read -r _ <{pipe}\nexec {MOSQUITTO} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return pipe


def take_when_read(pipe: Path, port: int) -> socket.socket:
    """Waits until somebody reads the pipe, takes the port, and lets them go on."""
    with pipe.open("w") as reader:
        taken = listening(port)
        pipe.unlink()
        reader.write("\n")
    return taken


def test_a_port_that_is_taken_before_the_broker_starts(tmp_path: Path, wanted: int, thread: ThreadPoolExecutor) -> None:
    # The daemon writes this file when it has chosen the port, and waits until somebody reads it.
    access = tmp_path / "broker" / "access"
    access.parent.mkdir()
    os.mkfifo(access)
    access.chmod(0o660)

    def take() -> socket.socket:
        until(lambda: stat.S_IMODE(access.stat().st_mode) == 0o600, "the daemon at the file")
        taken = listening(wanted)
        with access.open("rb") as reader:
            access.unlink()
            reader.read()
        return taken

    other: Future[socket.socket] = thread.submit(take)
    assert chosen(tmp_path) != wanted
    other.result(LIMIT_SECONDS).close()


def test_a_port_that_is_taken_while_the_broker_starts(
    tmp_path: Path, wanted: int, thread: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = thread.submit(take_when_read, late_mosquitto(tmp_path, monkeypatch), wanted)
    assert chosen(tmp_path) != wanted
    other.result(LIMIT_SECONDS).close()


def test_a_port_that_is_named_is_the_only_one(
    tmp_path: Path, thread: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    other = thread.submit(take_when_read, late_mosquitto(tmp_path, monkeypatch), port)
    with pytest.raises(PortTakenError, match=f"127.0.0.1:{port}: the port is taken"):
        chosen(tmp_path, f"embedded://127.0.0.1:{port}")
    other.result(LIMIT_SECONDS).close()


def test_the_default_port_is_taken_first(tmp_path: Path, wanted: int) -> None:
    assert chosen(tmp_path) == wanted
    with closing(listening(wanted)):
        assert chosen(tmp_path) != wanted
