"""Boards of a match when another one is in trouble, and when they start matches at once."""

import asyncio
import json
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.record.changes import Change
from daemon.record.journal import Journal
from daemon.record.journal_file import JournalError
from daemon.session import board_record
from daemon.session.inbox import WatchdogProbe
from daemon.session.recorded_match import RecordedMatch
from tests.daemon.side_by_side import side_by_side, until
from tests.rig import LIMIT_SECONDS

START: Final[dict[str, Any]] = {"game": "x01", "players": ["Ann", "Bob"], "boards": ["lounge", "kitchen"]}


def test_who_waits_for_a_full_disk_is_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_record, "DISK_RETRY_SECONDS", 0.001)
    write, full = Journal.write, False

    async def sometimes(journal: Journal, *changes: Change) -> None:
        if full:
            raise JournalError("The disk is full.")
        await write(journal, *changes)

    monkeypatch.setattr(Journal, "write", sometimes)

    async def run() -> None:
        nonlocal full
        async with asyncio.timeout(LIMIT_SECONDS), side_by_side(tmp_path, "lounge", "kitchen") as both:
            await both.command("lounge", {"start": START})
            full = True
            throws = [asyncio.create_task(both.throw(board, "S20")) for board in ("lounge", "kitchen")]
            for _ in range(3):
                for session in both.sessions.values():
                    alive = asyncio.Semaphore(0)
                    await session.inbox.put(WatchdogProbe(alive))
                    await alive.acquire()
            assert not any(throw.done() for throw in throws)
            full = False
            await asyncio.gather(*throws)
            assert both.darts("kitchen") == ["S20"]
            assert [session.darts for session in both.sessions.values()] == [1, 1]

    asyncio.run(run())


def test_a_full_disk_is_told_at_all_boards_of_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_record, "DISK_RETRY_SECONDS", 0.001)

    async def run() -> None:
        async with asyncio.timeout(LIMIT_SECONDS), side_by_side(tmp_path, "lounge", "kitchen", "attic") as boards:

            def states() -> list[str]:
                statuses = (boards.bus.retained(f"board/{name}/status") or "{}" for name in boards.sessions)
                return [json.loads(status)["state"] for status in statuses]

            async def full(*_changes: Change) -> None:
                raise JournalError("The disk is full.")

            await boards.command("lounge", {"start": START})
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(boards.journal, "write", full)
                dart = asyncio.create_task(boards.throw("lounge", "S20"))
                await until(lambda: states()[0] == "faulty")
                assert states() == ["faulty", "faulty", "offline"]
                await boards.command("kitchen", {"id": 1, "undo": True})
                assert boards.bus.replies[-1]["reason"] == "disk"
                assert not dart.done()
            await dart
            assert states() == ["offline"] * 3
            await boards.command("kitchen", {"id": 2, "throw": "S1"})
            assert boards.bus.replies[-1]["ok"]
            assert boards.darts("lounge") == ["S20", "S1"]

    asyncio.run(run())


def test_a_board_that_fails_to_show_a_change_keeps_it_from_no_other_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_recorded: RecordedMatch | None) -> None:
        raise ValueError("a fault of its driver")

    async def run() -> None:
        async with asyncio.timeout(LIMIT_SECONDS), side_by_side(tmp_path, "lounge", "kitchen") as both:
            await both.command("lounge", {"start": START})
            monkeypatch.setattr(both.sessions["lounge"]._lamps, "show", fail)
            await both.throw("lounge", "T20")
            assert both.darts("kitchen") == both.darts("lounge") == ["T20"]
            await until(lambda: '"failed":1' in (both.bus.retained("board/lounge/status") or ""))

    asyncio.run(run())


def test_starts_at_once_do_not_wait_for_each_other(tmp_path: Path) -> None:
    names = ("attic", "kitchen", "lounge")

    async def run() -> None:
        async with asyncio.timeout(LIMIT_SECONDS), side_by_side(tmp_path, *names) as boards:
            for turn in range(10):
                pairs = [(names[n], names[(n + 1 + turn % 2) % 3]) for n in range(3)]
                starts = (
                    boards.command(first, {"start": {**START, "boards": [first, second]}}) for first, second in pairs
                )
                await asyncio.gather(*starts)
                groups = {session._match.group for session in boards.sessions.values()}
                for group in groups:
                    assert group.recorded is None or len(group.members) == 2
                    assert len({boards.bus.retained(f"board/{member.name}/match") for member in group.members}) == 1
                assert sum(len(group.members) for group in groups) == 3
                for name in names:
                    await boards.command(name, {"stop": True})

    asyncio.run(run())
