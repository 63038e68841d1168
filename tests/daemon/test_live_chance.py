"""The chance to win: worked out by a process of its own for the state that is shown, and for that alone."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from daemon.people import hand_files
from daemon.session import chance_process
from daemon.session.board_session import BoardSession
from daemon.session.chance_process import Chances
from daemon.session.chance_work import MOST_FAILURES, ChanceWork, Wanted
from daemon.session.live_chance import LiveChance
from engine.match import Header
from tests.daemon.side_by_side import SideBySide, side_by_side
from tests.daemon.test_chance_questions import HANDS, after, asked
from tests.rig import LIMIT_SECONDS

Play = Callable[[SideBySide, ChanceWork], Coroutine[object, object, None]]


def children() -> set[str]:
    """The ids of the processes that this one has started and that have not ended."""
    found: set[str] = set()
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError):  # A thread that has ended meanwhile.
            found.update((thread / "children").read_text().split())
    return found


def play(folder: Path, act: Play, spread_of: Callable[[str], float | None] = lambda _: None) -> None:
    """Runs `act` with two boards whose matches have chances."""

    async def run() -> None:
        before, work = children(), ChanceWork(0.0, nice=0)
        try:
            async with asyncio.timeout(LIMIT_SECONDS), side_by_side(folder, "lounge", "kitchen") as boards:
                for session in boards.sessions.values():
                    LiveChance(session, work, spread_of)
                await act(boards, work)
        finally:
            await work.stop()
        assert children() <= before

    asyncio.run(run())


def start(game: str = "count_up", **more: Any) -> dict[str, Any]:
    return {"start": {"game": game, "players": ["Rex", "Max"], "bots": HANDS, **more}}


async def chance(boards: SideBySide, board: str = "lounge") -> dict[str, float]:
    """The chance that is shown, as soon as it is."""
    while True:
        shown = boards.shown(board)
        if shown is not None and "chance" in shown:
            found: dict[str, float] = shown["chance"]
            return found
        await asyncio.sleep(0.02)


def test_the_chance_is_in_the_state_until_the_match_moves_on(tmp_path: Path) -> None:
    async def act(boards: SideBySide, _: ChanceWork) -> None:
        await boards.command("lounge", start())
        first = await chance(boards)
        assert set(first) == {"Rex", "Max"}
        revision = boards.sessions["lounge"].revision
        for _turn in range(2):
            await boards.throw("lounge", "T20", "T20", "T20")
            await boards.command("lounge", {"next": True})
            await boards.throw("lounge", "S1", "S1", "S1")
            await boards.command("lounge", {"next": True})
        shown = boards.shown("lounge")
        assert shown is not None
        assert "chance" not in shown
        assert (await chance(boards))["Rex"] > first["Rex"]
        assert boards.sessions["lounge"].revision == revision + 16
        await boards.command("lounge", {"stop": True})
        assert boards.shown("lounge") is None

    play(tmp_path, act)


def test_a_match_on_two_boards_shows_it_on_both(tmp_path: Path) -> None:
    async def act(boards: SideBySide, _: ChanceWork) -> None:
        await boards.command("kitchen", start(boards=["lounge", "kitchen"]))
        assert await chance(boards, "lounge") == await chance(boards, "kitchen")

    play(tmp_path, act)


def test_people_have_the_hand_of_their_page(tmp_path: Path) -> None:
    hand_files.write(tmp_path, "Ann", {"hand": {"skill_mm": 9.5}})

    async def act(boards: SideBySide, _: ChanceWork) -> None:
        await boards.command("lounge", start(players=["Ann", "Max"], bots={"Max": 40.0}))
        assert (await chance(boards))["Ann"] > 0.95

    play(tmp_path, act, lambda name: hand_files.spread_of(tmp_path, name))


def test_where_the_board_throws_for_people_they_have_its_skill() -> None:
    session = SimpleNamespace(on_change=lambda _: None, find_fair_by=lambda _: None)
    live = LiveChance(cast(BoardSession, session), ChanceWork(), {"Ann": 9.5}.get)
    header = Header("x01", ("Ann", "Bob", "Max"), {})
    assert live._hands(header, {"Max": 40.0}, 25.0) == {"Ann": 25.0, "Bob": 25.0, "Max": 40.0}
    assert live._hands(header, {"Max": 40.0}, None) == {"Ann": 9.5, "Max": 40.0}


def test_without_a_hand_there_is_no_chance(tmp_path: Path) -> None:
    """Nothing is shown of the match of Ann, whose hand nobody knows, before that of the other board is."""

    async def act(boards: SideBySide, _: ChanceWork) -> None:
        await boards.command("lounge", start(players=["Ann", "Max"], bots={"Max": 40.0}))
        await boards.command("kitchen", start())
        await chance(boards, "kitchen")
        shown = boards.shown("lounge")
        assert shown is not None
        assert "chance" not in shown

    play(tmp_path, act)


@pytest.fixture
def endless() -> Iterator[dict[str, Any]]:
    """A question that is worked on for long: poor hands at a game of many darts."""
    yield asked(after("dart_wars", {"order": "listed"}), {"Rex": 60.0, "Max": 60.0})


def test_what_has_moved_on_is_dropped_at_once(endless: dict[str, Any]) -> None:
    shown: list[str] = []

    async def run() -> None:
        work, done = ChanceWork(0.0, nice=0), asyncio.Event()
        asked_for = asyncio.Event()

        def ask() -> dict[str, Any]:
            loop.call_soon_threadsafe(asked_for.set)
            return endless

        loop = asyncio.get_running_loop()
        try:
            work.want("lounge", Wanted(ask, lambda _: shown.append("before")))
            async with asyncio.timeout(LIMIT_SECONDS):
                await asked_for.wait()
                work.drop("lounge")
                work.want("kitchen", Wanted(lambda: asked(after("count_up", {})), lambda _: done.set()))
                await done.wait()
        finally:
            await work.stop()

    asyncio.run(run())
    assert shown == []


class Failing(ChanceWork):
    """No process can be started."""

    def __init__(self) -> None:
        super().__init__(0.0)
        self.started, self.failed = 0, asyncio.Event()

    async def _start(self) -> asyncio.subprocess.Process:
        self.started += 1
        self.failed.set()
        raise OSError("no room for a process")


def test_a_process_that_fails_is_replaced_and_in_the_end_given_up(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        work = Failing()
        async with asyncio.timeout(LIMIT_SECONDS):
            for _ in range(MOST_FAILURES):
                work.failed.clear()
                work.want("lounge", Wanted(dict, lambda _: None))
                await work.failed.wait()
        work.want("lounge", Wanted(dict, lambda _: None))
        await work.stop()
        assert work.started == MOST_FAILURES

    asyncio.run(run())
    assert "no room for a process" in caplog.text


def test_whoever_waits_is_told_that_there_is_no_answer() -> None:
    """Before the processes have failed too often, when they have, and afterwards."""
    told: list[str] = []

    def wanted(name: str) -> Wanted:
        def show(found: dict[str, Any]) -> None:
            assert found == {}
            told.append(name)

        return Wanted(dict, show)

    names = [f"board {n}" for n in range(MOST_FAILURES + 2)]

    async def run() -> None:
        work = Failing()
        async with asyncio.timeout(LIMIT_SECONDS):
            for name in names:
                work.want(name, wanted(name))
            while len(told) < len(names):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        work.want("late", wanted("late"))
        await work.stop()

    asyncio.run(run())
    assert told == [*names, "late"]


def test_a_question_that_cannot_be_made_is_answered(caplog: pytest.LogCaptureFixture) -> None:
    told: list[dict[str, Any]] = []

    def ask() -> dict[str, Any]:
        raise RuntimeError("a game of another package")

    async def run() -> None:
        work = ChanceWork(0.0)
        async with asyncio.timeout(LIMIT_SECONDS):
            work.want("lounge", Wanted(ask, told.append))
            while not told:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await work.stop()

    asyncio.run(run())
    assert told == [{}]
    assert "a game of another package" in caplog.text


def test_a_game_that_fails_does_not_end_the_process(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A game of another package can raise anything."""

    def fail(*_: Any) -> None:
        raise RuntimeError("out of darts")

    monkeypatch.setattr(chance_process, "count", fail)
    chance_process._reply(Chances(Random(1)), json.dumps(asked(after("count_up", {}))).encode())
    out, err = capfd.readouterr()
    assert out == "{}\n"
    assert "out of darts" in err


def test_a_question_that_is_void_before_it_is_read_is_not_worked_on() -> None:
    """Both lines wait when the process has started."""
    line = json.dumps(asked(after("count_up", {}))).encode() + b"\n"
    command = [sys.executable, "-m", "daemon.session.chance_process", "0"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        os.write(process.stdin.fileno(), line + b"\n")
        assert process.stdout.readline() == b"{}\n"
        os.write(process.stdin.fileno(), line)
        assert "chance" in json.loads(process.stdout.readline())
        process.stdin.close()
