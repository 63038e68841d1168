"""Bots in X01: they follow a plan once a process has solved it, and the game's advice until then."""

import asyncio
import contextlib
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from daemon.session import x01_plan_process, x01_plans
from daemon.session.bot_advice import BotAdvice, thinker
from daemon.session.x01_plans import FOLDER, Key, X01Plans
from daemon.system.catalogue import faces, games
from engine.actions import GameAction, Next, Throw
from engine.game import Aim
from engine.geometry import BOARD_MM
from engine.match import Header, Match
from engine.matchfile import open_match
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from tests.rig import LIMIT_SECONDS, until
from twin.x01_plan import unpack

SKILL, HIGHEST = 40.0, 41
"""Few scores, so that the plan is solved within a second or two."""
BOTS = {"Rex": SKILL, "Max": SKILL}


def opened(options: dict[str, Any], game: str = "x01", players: tuple[str, ...] = ("Rex", "Max")) -> Match:
    found = open_match(Header(game, players, options), games(), faces())
    assert isinstance(found, Match)
    return found


def children() -> set[str]:
    """The ids of the processes that this one has started and that have not ended."""
    found: set[str] = set()
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError):  # A thread that has ended meanwhile.
            found.update((thread / "children").read_text().split())
    return found


def after(match: Match, *actions: GameAction | str) -> Match:
    for action in actions:
        found = apply(match, Throw(SEGMENTS[action]) if isinstance(action, str) else action)
        assert not isinstance(found, Refusal), found
        match = found
    return match


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a plan that the real process has written, as a daemon has it made."""
    data = tmp_path_factory.mktemp("data")
    plans = X01Plans(data, 0.0, HIGHEST, nice=0)
    match = opened({"start": 101})
    assert plans.aim(match, SKILL, BOTS) is None

    async def work() -> None:
        solving = plans.solve_wanted()
        assert solving is not None
        async with asyncio.timeout(600):
            await solving
        assert plans.aim(match, SKILL, BOTS) is not None
        assert plans.solve_wanted() is None

    asyncio.run(work())
    return data


def test_a_bot_follows_the_plan(solved: Path) -> None:
    plans = X01Plans(solved)
    plan = unpack((solved / FOLDER / Key(40, "double", False).file_name).read_bytes())
    assert plan is not None
    match = after(opened({"start": 101}), "T20", Next(), "T20", "S1", "S2", Next(), "S1")
    # Rex began the visit with 41; Max has 38.
    aim = plans.aim(match, SKILL, BOTS)
    assert isinstance(aim, Aim)
    assert (aim.x * BOARD_MM, aim.y * BOARD_MM) == plan.aim(40, 41, 2, plan.visits_from(38))
    # Somebody alone plays for the fewest visits.
    alone = after(opened({"start": 101}, players=("Rex",)), "T20", Next(), "S1")
    found = plans.aim(alone, SKILL, BOTS)
    assert found is not None
    assert (found.x * BOARD_MM, found.y * BOARD_MM) == plan.aim(40, 41, 2)
    # A leg of a match in a format is a leg.
    series = after(opened({"start": 101, "best_of": 3}), "T20", Next(), "T20", "S1", "S2", Next(), "S1")
    assert plans.aim(series, SKILL, BOTS) == aim


def test_nothing_is_planned_where_no_dart_of_x01_is_due(solved: Path) -> None:
    plans = X01Plans(solved)
    for match in (
        opened({}, "cricket"),
        opened({"in": "double"}),
        after(opened({}), "T20", "T20", "T20"),
        opened({"order": "bull", "best_of": 3}),
    ):
        assert plans.aim(match, SKILL, BOTS) is None
    # The opponent's plan is not there: they are taken to be as good.
    assert plans.aim(opened({"start": 101}), SKILL, {"Rex": SKILL, "Max": 7.0}) is not None


def with_advice(data: Path, act: Callable[[BotAdvice, X01Plans], Coroutine[Any, Any, None]]) -> None:
    async def evening(executor: ThreadPoolExecutor) -> None:
        plans = X01Plans(data, 0.0, HIGHEST, nice=0)
        try:
            async with asyncio.timeout(LIMIT_SECONDS):
                await act(BotAdvice(executor, plans), plans)
        finally:
            await plans.stop()

    with thinker() as executor:
        asyncio.run(evening(executor))


def test_advice_comes_from_the_plan(solved: Path) -> None:
    match = opened({"start": 101})

    async def act(advice: BotAdvice, plans: X01Plans) -> None:
        found = await advice.of(match, SKILL, BOTS)
        assert found.aim == plans.aim(match, SKILL, BOTS)

    with_advice(solved, act)


@pytest.mark.parametrize("content", [None, b"", b"damaged"])
def test_until_it_is_there_the_game_advises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    """Without numpy it never is; a damaged file is none."""
    monkeypatch.setattr(x01_plans, "has_numpy", lambda: False)
    if content is not None:
        (tmp_path / FOLDER).mkdir()
        (tmp_path / FOLDER / Key(40, "double", False).file_name).write_bytes(content)
    match = opened({"start": 101})

    async def act(advice: BotAdvice, plans: X01Plans) -> None:
        for _ in range(3):
            assert await advice.of(match, SKILL, BOTS) == match.game.advice(match.state, SKILL)
            await asyncio.sleep(0)

    with_advice(tmp_path, act)


def test_work_ends_with_the_daemon(tmp_path: Path) -> None:
    """The plan of a whole match is solved in many seconds: the process is killed, and leaves no file."""

    async def work() -> None:
        plans = X01Plans(tmp_path, 0.0)
        assert plans.aim(opened({}), SKILL, BOTS) is None
        before = children()
        plans.solve_wanted()
        await asyncio.to_thread(until, lambda: bool(children() - before), "a process that solves")
        await plans.stop()
        assert children() <= before
        assert plans.solve_wanted() is None
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(work())
    assert not (tmp_path / FOLDER).exists()


def test_a_plan_that_cannot_be_written_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FOLDER).write_text("not a folder")
    plans = X01Plans(tmp_path, 0.0, 8, nice=0)
    assert plans.aim(opened({"start": 101}), SKILL, BOTS) is None

    async def work() -> None:
        solving = plans.solve_wanted()
        assert solving is not None
        await solving

    asyncio.run(work())
    [warning] = [record.getMessage() for record in caplog.records if record.name == x01_plans.__name__]
    assert warning == f"{x01_plans.WORK}, x01-40-double-split.plan, was not written: its process ended with the code 1"
    errors = capfd.readouterr().err
    assert "cannot be written" in errors
    assert "Traceback" not in errors


def test_a_folder_has_a_bounded_number_of_plans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(x01_plan_process, "MOST", 2)
    (tmp_path / FOLDER).mkdir()
    for number, name in enumerate(("first", "second")):
        file = tmp_path / FOLDER / f"{name}.plan"
        file.touch()
        os.utime(file, (number, number))
    x01_plan_process.main(tmp_path, Key(63, "open", True), 8)
    assert sorted(path.name for path in (tmp_path / FOLDER).iterdir()) == ["second.plan", "x01-63-open-full.plan"]
