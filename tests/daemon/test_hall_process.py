"""The daemon's side of the process that sends to a hall: when it is started, and when its status is published."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from daemon.shipping import process
from daemon.shipping.membership import Membership, save
from daemon.shipping.process import HallProcess
from daemon.system.hall_config import HallConfig
from tests.rig import LIMIT_SECONDS


def run(hall: HallProcess, test: Callable[[], Awaitable[None]]) -> None:
    """Runs a test while the process is looked after."""

    async def work() -> None:
        running = asyncio.create_task(hall.run())
        try:
            await test()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(work())


async def until(condition: Callable[[], bool]) -> None:
    limit = asyncio.get_running_loop().time() + LIMIT_SECONDS
    while not condition():
        assert asyncio.get_running_loop().time() < limit
        await asyncio.sleep(0.005)


def test_after_a_join_that_failed_no_process_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = 0

    async def ends_at_once(_process: HallProcess) -> int:
        nonlocal starts
        starts += 1
        return 0

    monkeypatch.setattr(process, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(process, "PAUSES", (0.01,))
    monkeypatch.setattr(HallProcess, "_run_once", ends_at_once)

    async def test() -> None:
        await until(lambda: starts > 0)
        await asyncio.sleep(0.2)
        assert starts == 1
        save(tmp_path, Membership("https://darts.example.org", "crown", b"1" * 32, "token"))
        await until(lambda: starts > 2)

    save(tmp_path, Membership("https://darts.example.org", "crown", b"1" * 32))
    run(HallProcess(tmp_path, HallConfig(), lambda: None), test)


def test_the_last_number_of_lines_is_published_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "TOLD_SECONDS", 0.1)
    told: list[object] = []
    hall = HallProcess(tmp_path, HallConfig(), lambda: told.append(hall.status))

    async def test() -> None:
        hall._tell_status({"state": "connected", "waiting": 2})
        hall._tell_status({"state": "connected", "waiting": 1})
        hall._tell_status({"state": "connected", "waiting": 0})
        assert len(told) == 1
        await until(lambda: len(told) > 1)
        assert told[1] == {"state": "connected", "waiting": 0}
        hall._tell_status({"state": "connected", "waiting": 1})
        hall._tell_status({"state": "away", "waiting": 1})
        await asyncio.sleep(0.2)
        assert [len(told), told[-1]] == [3, {"state": "away", "waiting": 1}]

    run(hall, test)
