"""The address at which a hall listens, and the processes behind it."""

import asyncio
import os
import resource
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from hall import processes
from hall.server import allow_connections, listen
from tests.hall.postgres import Postgres
from tests.rig import LIMIT_SECONDS


def test_a_name_with_addresses_of_both_kinds_means_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `localhost` in the /etc/hosts of a new Debian, where the other address comes first."""

    def found(_host: str, port: int, **_more: Any) -> list[Any]:
        six = (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::1", port, 0, 0))
        return [six, (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    with listen("localhost", 0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_more_nodes_than_the_usual_limit_of_files_can_connect() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        allow_connections()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_process_that_does_not_end_is_killed(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "END_SECONDS", 0.2)

    def children() -> list[int]:
        """Those that this thread has started."""
        path = Path(f"/proc/{os.getpid()}/task/{threading.get_native_id()}/children")
        return [int(child) for child in path.read_text().split()]

    async def work() -> None:
        stop = asyncio.Event()
        with listen("127.0.0.1", 0) as listener:
            before = set(children())
            running = asyncio.create_task(processes.run(postgres.url("stopped"), listener, 2, None, stop))
            async with asyncio.timeout(LIMIT_SECONDS):
                while len(started := set(children()) - before) < 4:  # noqa: ASYNC110 -- nobody says it.
                    await asyncio.sleep(0.01)
                for child in started:
                    os.kill(child, signal.SIGSTOP)
                stop.set()
                await running
        assert not started & set(children())

    asyncio.run(work())


def test_a_process_that_cannot_be_started_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    program, started = tmp_path / "python", tmp_path / "started"
    monkeypatch.setattr(processes, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(sys, "executable", str(program))

    async def work() -> None:
        stop = asyncio.Event()
        with listen("127.0.0.1", 0) as listener:
            running = asyncio.create_task(processes.run("postgresql:///hall", listener, 2, None, stop))
            async with asyncio.timeout(LIMIT_SECONDS):
                while "cannot be started" not in caplog.text:  # noqa: ASYNC110 -- nobody says it.
                    await asyncio.sleep(0.01)
                script = tmp_path / "script"
                script.write_text(f"#!/bin/sh\n: > {started}\n")
                script.chmod(0o755)
                script.rename(program)
                while not started.exists():  # noqa: ASYNC110 -- nobody says it.
                    await asyncio.sleep(0.01)
                stop.set()
                await running

    asyncio.run(work())
