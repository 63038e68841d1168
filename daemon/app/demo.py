"""The demo of a daemon without a board: bots play Cerberus on a virtual one until somebody starts another match.

Its matches are not recorded, and it pauses while nobody watches: an MQTT 5 broker says with each acknowledgement
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
"""The players and the spread of their darts in mm."""
PAUSE_SECONDS: Final = 12.0
"""The pause between two matches, to look at the result."""
LOOK_SECONDS: Final = 0.5
"""How often the match and the subscribers are checked: a page that opens sees a dart at once."""
REST_SECONDS = 5.0
"""The time without a subscriber after which it pauses; a page that is reloaded is back sooner."""


class Demo:
    """Starts a match of bots on an idle board, and another one after each of its own."""

    def __init__(self, session: BoardSession, bots: Bots, bus: Bus) -> None:
        self._session, self._bots, self._bus = session, bots, bus
        self._topic = f"board/{session.name}/match"
        self._over: float | None = None

    async def run(self) -> None:
        """Runs until cancelled; matches that people start are left alone."""
        await self._session.restored.wait()
        # Whoever has just started the program is about to look.
        watched = time.monotonic()
        recorded = self._session.recorded
        if recorded is not None and recorded.bots == BOTS:
            await self._begin()  # An earlier version recorded it.
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
        recorded = self._session.recorded
        if recorded is None:
            await self._begin()
        elif recorded.kept or not recorded.match.finished:
            self._over = None
        elif self._over is None:
            self._over = now
        elif now - self._over > PAUSE_SECONDS:
            await self._begin()

    async def _begin(self) -> None:
        self._over = None
        await self._session.inbox.put(Start(Header("cerberus", tuple(BOTS), {}), dict(BOTS), kept=False))
