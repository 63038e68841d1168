"""Bots play a match to its end at any pace, with the real parts: board, table, journal."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from daemon.app.board_registry import BoardRegistry
from daemon.links.board_ports import BoardPorts
from daemon.mqtt.bus import Bus
from daemon.people.users import Users
from daemon.record.journal import Journal
from daemon.session.commands import Start
from daemon.system.config import load_settings
from daemon.system.urls import board_spec
from engine.match import Header
from tests.rig import LIMIT_SECONDS


@pytest.mark.parametrize("pace", ["0", "0.05"])
def test_a_match_of_bots_comes_to_its_end(tmp_path: Path, pace: str) -> None:
    """A leg that is won with the first dart of a turn has two take-outs close together: neither is lost."""

    async def evening(journal: Journal) -> None:
        config = tmp_path / "oche.toml"
        config.touch()
        settings = load_settings(str(config), [], "mqtt://127.0.0.1:1", None, str(tmp_path), "test")
        seats = BoardRegistry(
            settings, journal, Bus("test", lambda _: None), Users(tmp_path), None, lambda: None, BoardPorts()
        )
        over = asyncio.Event()
        ends: set[tuple[str, ...]] = set()
        try:
            table = seats.add(board_spec(f"lounge=virtual@sim:?pace={pace}&seed=3"))

            def watched() -> None:
                if table.recorded is not None:
                    turn = table.recorded.match.turn
                    if turn.awaits == "next":
                        ends.add(turn.darts)
                    if table.recorded.match.finished:
                        over.set()

            table.on_change(watched)
            header = Header("x01", ("Rex", "Max"), {"start": 101, "legs": 3})
            await table.inbox.put(Start(header, {"Rex": 10, "Max": 10}))
            async with asyncio.timeout(LIMIT_SECONDS):
                await over.wait()
        finally:
            await seats.close()
        assert any(len(darts) == 1 for darts in ends), "a visit of one dart"

    with contextlib.closing(Journal(tmp_path)) as journal:
        asyncio.run(evening(journal))
