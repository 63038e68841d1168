"""A board whose messages wait for acknowledgements takes its next command later; others go on."""

import asyncio
from pathlib import Path

from daemon.mqtt.bus import SHARE
from tests.daemon.side_by_side import SideBySide
from tests.daemon.test_match_boards import play

START = {"start": {"game": "x01", "players": ["Ann", "Bob"]}}


def test_a_flood_of_commands_waits_for_the_acknowledgements_of_its_replies(tmp_path: Path) -> None:
    async def one(boards: SideBySide) -> None:
        await boards.command("lounge", START)
        boards.bus._by_board["lounge"] = SHARE
        waiting = asyncio.create_task(boards.command("lounge", {"id": "late", "throw": "T20"}))
        await asyncio.sleep(0)
        for n in range(3):
            await boards.command("kitchen", START | {"id": f"kitchen {n}"})
        assert [reply["id"] for reply in boards.bus.replies] == ["kitchen 0", "kitchen 1", "kitchen 2"]
        boards.bus._by_board["lounge"] = SHARE - 1
        boards.bus._acknowledged.set()
        await waiting
        assert boards.bus.replies[-1]["id"] == "late"
        assert boards.darts("lounge") == ["T20"]

    play(tmp_path, one, names=("lounge", "kitchen"))
