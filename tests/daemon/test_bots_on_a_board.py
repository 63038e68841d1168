"""Bots at the virtual board: what it did not report is done again."""

import asyncio
from pathlib import Path

import pytest

from daemon.links.simulator import Simulator
from daemon.session import bots
from daemon.session.bot_advice import BotAdvice
from daemon.session.bots import Bots
from daemon.session.x01_plans import X01Plans
from daemon.system.urls import board_url
from engine.darts import Position
from tests.daemon.side_by_side import SideBySide, until
from tests.daemon.test_match_boards import play


class DeafBoard(Simulator):
    """A virtual board that reports only every second dart and every second take-out."""

    def __init__(self, boards: SideBySide) -> None:
        super().__init__(board_url("sim:?pace=0"))
        self.thrown = self.pulled = 0
        self._boards = boards
        self._reports: set[asyncio.Task[None]] = set()

    async def throw(self, aim: Position, skill_mm: float | None = None) -> None:
        self.thrown += 1
        if self.thrown % 2 == 0:
            self._reports.add(asyncio.create_task(self._boards.throw("lounge", "S1")))

    async def take_out(self) -> None:
        self.pulled += 1
        if self.pulled % 2 == 0:
            self._reports.add(asyncio.create_task(self._boards.command("lounge", {"next": True})))


def test_a_dart_or_a_take_out_without_a_report_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "AGAIN_SECONDS", 0.02)

    async def bot_plays(boards: SideBySide) -> None:
        session = boards.sessions["lounge"]
        session.link = board = DeafBoard(boards)
        players = Bots(session, BotAdvice(boards.thinker, solved := X01Plans(tmp_path)))
        await boards.command("lounge", {"start": {"game": "x01", "players": ["Bob", "Ann"], "bots": {"Bob": 20}}})
        await until(lambda: (boards.shown("lounge") or {"turn": {"player": None}})["turn"]["player"] == "Ann")
        players.stop()
        # A busy machine may take longer for a report than the bot waits.
        assert board.thrown >= 6
        assert board.pulled >= 2
        await solved.stop()

    play(tmp_path, bot_plays, names=("lounge",))
