"""Sends the unsent matches of a node, for as long as it takes: live darts at once, everything else behind them."""

import asyncio
import contextlib
import math
import random
import sqlite3
from collections.abc import Callable
from typing import Any, Final

from daemon.shipping.hall_client import SHUT_OUT, HallAway, HallClient, HallRefused
from daemon.shipping.league import keep_up
from daemon.shipping.sent_file import SentFile
from daemon.shipping.to_send import Lines
from daemon.shipping.unsent_matches import UnsentMatches
from daemon.system.disk_errors import disk_trouble
from engine import jsontext

SHORTEST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 30.0
"""Seconds between two attempts while the hall is away: longer each time, and drawn: nodes do not come at once."""
GROWTH: Final = 1.5
"""How much longer each pause is than the one before: a hall that is back is found after about half of the time that it
was away. Not 2, with which that would be about as long again."""
SHUT_OUT_SECONDS: Final = 300.0
LOOK_SECONDS: Final = 5.0
"""How often the matches on the boards are looked at without a notice from the daemon."""
WHOLE_SECONDS: Final = 60.0
"""How often the whole journal is looked at, for matches that came by another way."""


class Pauses:
    """The seconds between attempts: longer each time up to a bound, with jitter."""

    def __init__(self, draws: random.Random) -> None:
        self._draws, self._next = draws, SHORTEST_PAUSE

    def reset(self) -> None:
        """Begins with the shortest one again."""
        self._next = SHORTEST_PAUSE

    def longer(self) -> float:
        """The next pause."""
        now, self._next = self._next, min(GROWTH * self._next, LONGEST_PAUSE)
        return now * self._draws.uniform(0.5, 1.0)


class Shipper:
    """Sends unsent matches to a hall. `told` gets the status whenever it changes.

    `gather` is the shortest time between two requests with live lines, in seconds: the first dart after a pause is sent
    at once, and those that follow sooner are sent together. 0 sends each at once.
    """

    def __init__(
        self,
        unsent: UnsentMatches,
        client: HallClient,
        sent: SentFile,
        told: Callable[[dict[str, Any]], None] = lambda _status: None,
        *,
        gather: float = 0.0,
        draws: random.Random | None = None,
    ) -> None:
        self._unsent, self._client, self._sent, self._told = unsent, client, sent, told
        self._gather, self._draws = gather, draws or random.Random()
        self._live_at = -math.inf
        """When live lines were sent last, by the event loop's clock."""
        self._epoch = sent.about("epoch")
        self._written, self._behind = asyncio.Event(), asyncio.Event()
        self._status: dict[str, Any] = {}
        self._trouble: dict[str, tuple[str, str]] = {}

    def written(self) -> None:
        """Says that the journal was written."""
        self._written.set()

    async def run(self) -> None:
        """Runs until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            cards = keep_up(self._client, self._sent, lambda: self._unsent.waiting, self._draws)
            for work in (self._run_live(), self._run_behind(), self._look_at_all(), cards):
                group.create_task(work)

    async def _run_live(self) -> None:
        """Lines of running matches."""
        pauses = Pauses(self._draws)
        while True:
            try:
                await self._send_live(pauses)
            except sqlite3.Error as error:
                await self._disk_fails("live", error, pauses)

    async def _send_live(self, pauses: Pauses) -> None:
        self._unsent.look()
        self._behind.set()
        now = asyncio.get_running_loop().time()
        wait = self._live_at + self._gather - now
        if not (chunks := self._unsent.lines(live=wait <= 0)):
            if wait > 0 and self._unsent.lines():
                await asyncio.sleep(wait)
                return  # More may have been written.
            self._say("live", None)
            await self._woken(self._written, LOOK_SECONDS)
            return
        if chunks[0].live:
            self._live_at = now
        # Each is taken or refused for itself: their answers come together, for the hall commits them together.
        led_on = await asyncio.gather(*(self._send_lines(lines) for lines in chunks))
        if all(led_on):
            pauses.reset()
            self._say("live", None)
        else:
            await asyncio.sleep(pauses.longer())

    async def _send_lines(self, lines: Lines) -> bool:
        """Sends lines of one match. Returns whether to go on at once."""
        try:
            have, epoch = await self._client.ship(lines, self._unsent.waiting)
        except HallAway as error:
            self._say("live", ("away", str(error)))
            return False
        except HallRefused as error:
            if await self._is_shut_out("live", error):
                return False
            self._unsent.block(lines)
            return True
        leads_on = self._unsent.taken(lines, have)
        self._compare(epoch)
        return leads_on

    async def _run_behind(self) -> None:
        """Finished matches, and players who are forgotten."""
        pauses = Pauses(self._draws)
        while True:
            try:
                if players := self._unsent.to_forget():
                    self._unsent.gone(await self._client.forget(players[:500]))
                    continue
                # Between two matches nothing else is looked for: a backlog has thousands.
                while (match := self._unsent.finished()) is not None:
                    try:
                        epoch = await self._client.finish(match, self._unsent.waiting)
                    except HallRefused as error:
                        if error.reason in ("stale_edition", "edition_taken") and error.edition is not None:
                            self._unsent.outdated(match, error.edition)
                        elif not await self._is_shut_out("behind", error):
                            self._unsent.stored(match, f"{error.reason}: {error}")
                    else:
                        self._unsent.stored(match)
                        self._compare(epoch)
                        self._say("behind", None)
                    pauses.reset()
            except HallAway as error:
                self._say("behind", ("away", str(error)))
                await asyncio.sleep(pauses.longer())
            except sqlite3.Error as error:
                await self._disk_fails("behind", error, pauses)
            except HallRefused as error:
                if not await self._is_shut_out("behind", error):
                    self._say("behind", ("refused", str(error)))
                    await asyncio.sleep(LONGEST_PAUSE)
            else:
                self._say("behind", None)
                await self._woken(self._behind, LOOK_SECONDS)

    async def _look_at_all(self) -> None:
        while True:
            await asyncio.sleep(WHOLE_SECONDS)
            # What the error is, the others say.
            with contextlib.suppress(sqlite3.Error):
                self._unsent.look_at_all()
            self._behind.set()

    async def _woken(self, event: asyncio.Event, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            pass
        event.clear()

    async def _disk_fails(self, which: str, error: sqlite3.Error, pauses: Pauses) -> None:
        self._say(which, ("away", disk_trouble(error, self._sent.path)))
        await asyncio.sleep(pauses.longer())

    async def _is_shut_out(self, which: str, error: HallRefused) -> bool:
        """Waits, and returns True, if the hall takes nothing from this node."""
        if error.reason not in SHUT_OUT:
            return False
        self._say(which, ("refused", str(error)))
        await asyncio.sleep(SHUT_OUT_SECONDS)
        return True

    def _compare(self, epoch: str) -> None:
        """Starts over if the hall may have lost what it had acknowledged."""
        if epoch == self._epoch:
            return
        if self._epoch is None:
            self._sent.note("epoch", epoch)
        else:
            self._unsent.start_over(epoch)
            self._behind.set()
        self._epoch = epoch

    def _say(self, which: str, trouble: tuple[str, str] | None) -> None:
        """Tells the status of both connections if it has changed."""
        if trouble is None:
            self._trouble.pop(which, None)
        else:
            self._trouble[which] = trouble
        waiting = self._unsent.waiting
        status: dict[str, Any] = {"state": "connected", "waiting": waiting}
        for state, message in self._trouble.values():
            status |= {"state": state, "message": message}
        if status != self._status:
            self._status = status
            with contextlib.suppress(sqlite3.Error):
                self._sent.note("status", jsontext.dump(status))
            self._told(status)
