"""What a daemon without any board does: bots play Cerberus on a virtual one until somebody else wants to play.

Nothing of it is written down, and it rests while nobody watches: an MQTT 5 broker says with each acknowledgement
whether anybody subscribes. Not chosen: to count connections to the pages, which other displays do not use, or the
broker's own statistics, which outside ones need not give.
"""

import asyncio
import time
from typing import Final

from daemon.mqtt.bus import Bus
from daemon.session.board_session import BoardSession
from daemon.session.bots import Bots
from daemon.session.commands import Start
from engine.match import Header

BOTS: Final = {"Ada": 14.0, "Ben": 18.0, "Cleo": 22.0}
"""The players and their spread in mm: somebody who practises, and two who come for the company."""
PAUSE_SECONDS: Final = 12.0
"""Between two matches, to look at the end of the first."""
LOOK_SECONDS: Final = 0.5
"""Between two looks at the match, and at whether somebody has come to watch: who opens a page sees a dart at once."""
REST_SECONDS = 5.0
"""After so long without anybody they rest; a page that is loaded again is back sooner."""


class Demo:
    """Starts a match of bots whenever there is none, and another one after its own."""

    def __init__(self, table: BoardSession, bots: Bots, bus: Bus) -> None:
        self._table, self._bots, self._bus = table, bots, bus
        self._topic = f"board/{table.name}/match"
        self._over: float | None = None

    async def run(self) -> None:
        """For ever; whatever people start on the table goes on undisturbed."""
        await self._table.restored.wait()
        # Somebody who has just started the program is about to look.
        watched = time.monotonic()
        live = self._table.live
        if live is not None and live.bots == BOTS:
            await self._begin()  # One that an earlier version has kept.
        while True:
            now = time.monotonic()
            if self._bus.is_watched(self._topic):
                watched = now
            resting = now - watched > REST_SECONDS
            if resting:
                self._bus.ask_who_watches(self._topic)
            else:
                await self._go_on(now)
            self._bots.rest(resting=resting)
            await asyncio.sleep(LOOK_SECONDS)

    async def _go_on(self, now: float) -> None:
        live = self._table.live
        if live is None:
            await self._begin()
        elif live.kept or not live.match.finished:
            self._over = None
        elif self._over is None:
            self._over = now
        elif now - self._over > PAUSE_SECONDS:
            await self._begin()

    async def _begin(self) -> None:
        self._over = None
        await self._table.inbox.put(Start(Header("cerberus", tuple(BOTS), {}), dict(BOTS), kept=False))
