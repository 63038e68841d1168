"""The boards of a running daemon come and go, and each is a board of its own."""

import asyncio
import contextlib
from pathlib import Path

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


def test_bots_play_on_when_the_board_beside_theirs_goes(tmp_path: Path) -> None:
    """As when the first board is plugged in, and the one on which the demo was shown makes room for it."""

    async def evening(journal: Journal) -> None:
        config = tmp_path / "oche.toml"
        config.touch()
        settings = load_settings(str(config), [], "mqtt://127.0.0.1:1", None, str(tmp_path), "test")
        bus = Bus("test", lambda _message: None)
        thrown = asyncio.Event()
        seats = BoardRegistry(settings, journal, bus, Users(tmp_path), None, lambda: None, BoardPorts())
        try:
            seats.add(board_spec("virtual=virtual@sim:?pace=0"))
            lounge = seats.add(board_spec("lounge=virtual@sim:?pace=0"))
            await seats.remove("virtual")

            def watched() -> None:
                if lounge.recorded is not None and len(lounge.recorded.match.played) >= 4:
                    thrown.set()

            lounge.on_change(watched)
            await lounge.inbox.put(Start(Header("x01", ("Rex", "Max"), {"start": 101}), {"Rex": 20, "Max": 20}))
            async with asyncio.timeout(LIMIT_SECONDS):
                await thrown.wait()
        finally:
            await seats.close()

    with contextlib.closing(Journal(tmp_path)) as journal:
        asyncio.run(evening(journal))
