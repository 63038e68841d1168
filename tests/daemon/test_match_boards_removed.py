"""One match on several boards when one of them is removed during play."""

import asyncio
import json
from pathlib import Path

import pytest

from daemon.session import bots
from daemon.session.bot_advice import BotAdvice
from daemon.session.bots import Bots
from daemon.session.x01_plans import X01Plans
from tests.daemon.side_by_side import SideBySide, until
from tests.daemon.test_match_boards import START, play
from tests.daemon.test_match_boards_away import OTHER, begin, state
from tests.rig import LIMIT_SECONDS


def test_a_bot_plays_on_when_its_board_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PACE_SECONDS", 0.001)

    async def one(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": START | {"bots": {"Bob": 20}}})
        await boards.throw("lounge", "T20", "T20", "T20")
        await boards.command("lounge", {"next": True})
        players = Bots(boards.sessions["lounge"], BotAdvice(boards.thinker, solved := X01Plans(tmp_path)))
        players.plan()
        await boards.remove("kitchen")
        await until(lambda: state(boards, "lounge")["turn"]["player"] == "Ann")
        players.stop()
        await solved.stop()

    play(tmp_path, one)


def test_a_bot_of_a_missing_board_plays_on_when_another_board_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first board acts for a missing one: when it is removed as well, the next one acts."""
    monkeypatch.setattr(bots, "PACE_SECONDS", 0.001)
    start = START | {"players": ["Ann", "Bob", "Cid"], "boards": ["lounge", "kitchen", "attic"], "bots": {"Bob": 20}}

    async def before(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": start})
        await boards.throw("lounge", "T20", "T20", "T20")
        await boards.command("lounge", {"next": True})

    async def alone(boards: SideBySide) -> None:
        players = Bots(boards.sessions["attic"], BotAdvice(boards.thinker, solved := X01Plans(tmp_path)))
        players.plan()
        # The lounge acts, whose bots are not there.
        await boards.remove("lounge")
        await until(lambda: state(boards, "attic")["turn"]["player"] == "Cid")
        players.stop()
        await solved.stop()

    play(tmp_path, before)
    play(tmp_path, alone, names=("lounge", "attic"))


def test_a_board_is_removed_after_its_commit(tmp_path: Path) -> None:
    """Otherwise its action is in the journal, and the other boards of the match know nothing of it."""

    async def one(boards: SideBySide) -> None:
        await begin(boards)
        async with boards.held() as held:
            command = asyncio.create_task(boards.command("kitchen", {"throw": "T19"}))
            await held.wait()
            removal = asyncio.create_task(boards.remove("kitchen"))
            # Its session is cancelled, or waited for.
            await asyncio.sleep(0)
        await removal
        command.cancel()
        assert boards.darts("lounge") == ["T20", "T19"]
        async with asyncio.timeout(LIMIT_SECONDS):
            await boards.throw("lounge", "T18")
        [(row, actions)] = boards.journal.matches()
        assert actions == len(boards.darts("lounge")) == 3
        assert json.loads(row.header)["boards"] == ["lounge", "kitchen"]

    play(tmp_path, one)


def test_a_removed_board_is_not_shown_by_what_others_commit(tmp_path: Path) -> None:
    async def one(boards: SideBySide) -> None:
        await begin(boards)
        async with boards.held() as held:
            dart = asyncio.create_task(boards.throw("lounge", "T19"))
            await held.wait()
            removal = asyncio.create_task(boards.remove("kitchen"))
            await until(lambda: removal.done() or boards.together.waiting() != ())
        await asyncio.gather(dart, removal)
        assert boards.darts("lounge") == ["T20", "T19"]
        assert boards.shown("kitchen") is None

    play(tmp_path, one)


def test_a_start_that_waited_does_not_bring_a_removed_board_back(tmp_path: Path) -> None:
    async def one(boards: SideBySide) -> None:
        async with boards.held() as held:
            busy = asyncio.create_task(boards.command("kitchen", {"start": OTHER}))
            await held.wait()
            lounge = boards.sessions["lounge"]
            removal = asyncio.create_task(boards.remove("kitchen"))
            await asyncio.sleep(0)
            start = asyncio.create_task(boards.command("lounge", {"id": 1, "start": START}))
            await until(lambda: bool(boards.bus.replies) or lounge.inbox in boards.together.waiting())
        await asyncio.gather(start, removal)
        busy.cancel()
        assert boards.bus.replies[-1]["reason"] == "bad_boards"
        assert boards.shown("lounge") is boards.shown("kitchen") is None

    play(tmp_path, one)
