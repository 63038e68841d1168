"""What a daemon without any board does: bots play Cerberus on a virtual one until somebody else wants to play."""

import asyncio
from typing import Final

from daemon.commands import Start
from daemon.table import Table
from engine.match import Header

BOTS: Final = {"Ada": 14.0, "Ben": 18.0, "Cleo": 22.0}
"""The players and their spread in mm: somebody who practises, and two who come for the company."""
PAUSE_SECONDS: Final = 12.0
"""Between two matches, to look at the end of the first."""
LOOK_SECONDS: Final = 0.5


class Demo:
    """Starts a match of bots whenever there is none, and another one after its own."""

    def __init__(self, table: Table) -> None:
        self._table = table

    async def run(self) -> None:
        """For ever; whatever people start on the table goes on undisturbed."""
        await self._table.restored.wait()
        while True:
            live = self._table.live
            if live is None:
                await self._table.inbox.put(Start(Header("cerberus", tuple(BOTS), {}), dict(BOTS)))
                await asyncio.sleep(LOOK_SECONDS)
            elif live.match.finished and live.bots == BOTS:
                await asyncio.sleep(PAUSE_SECONDS)
                if self._table.live is live:
                    await self._table.inbox.put(Start(Header("cerberus", tuple(BOTS), {}), dict(BOTS)))
            await asyncio.sleep(LOOK_SECONDS)
