"""A board whose match another house records: asks that house each second, and takes its record to the session.

A question carries the first action that waits, or asks for news alone. It is repeated, under the same id, until it is
answered; so one action is on its way at a time, and they arrive in order.
"""

import asyncio
import json
import logging
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

from daemon.houses.messages import news
from daemon.mqtt.shared_broker import SharedBroker
from daemon.record.reader import History
from daemon.session.board_session import BoardSession
from daemon.session.inbox import Call
from daemon.session.waiting import WaitingCommand

log = logging.getLogger(__name__)

ASK_SECONDS: Final = 1.0
"""How often a question is repeated, and how often news is asked for."""
AWAY_SECONDS: Final = 3.5
"""A host that has said nothing for so long is away."""
LEAVES: Final = 5
"""How often a house says that it leaves, until it is answered."""
OPEN: Final = 20
"""Messages of the host that may wait for the session; more are dropped, and asked for again."""
ADJOURNED: Final = 8
"""Adjourned matches of a board whose hosts are asked whether they go on."""


class GuestLine:
    """The line of one board to the host of its match."""

    def __init__(self, node: str, session: BoardSession, shared: SharedBroker, history: History) -> None:
        self._node, self._session, self._shared, self._history = node, session, shared, history
        self._woken = asyncio.Event()
        self._hurries = False
        self._due = 0.0
        """When the next question is due, by the loop's clock."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._heard = -AWAY_SECONDS
        self._sent: str | None = None
        self._over: str | None = None
        """The match that the host does not record any more."""
        self._before: tuple[str, str] | None = None
        self._adjourned: dict[str, str] = {}
        """Hosts of the adjourned matches, by match."""
        self._leaving: dict[str, tuple[str, str, int]] = {}
        """Hosts that are to know that this house leaves, by the id with which they are told: the host, the match, and
        how often it is still told."""
        session.guest.line = self
        session.on_change(self._changed)

    @property
    def is_here(self) -> bool:
        """Whether the host has answered lately."""
        return asyncio.get_running_loop().time() - self._heard < AWAY_SECONDS

    def wake(self) -> None:
        """Sends what waits, unless it was sent less than a second ago."""
        if self._is_new():
            # Not by the task, which would have its turn after whatever else this round of the event loop does.
            self._ask_now()
        self._woken.set()

    def hurry(self) -> None:
        """Asks at once."""
        self._hurries = True
        self._woken.set()

    async def run(self) -> None:
        """Asks for as long as there is a host to ask, until cancelled."""
        await self._session.restored.wait()
        self._find_adjourned()
        while True:
            self._woken.clear()
            if self._is_new() or asyncio.get_running_loop().time() >= self._due:
                self._ask_now()
            self._session.guest.show()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._due if self._has_questions() else None):
                    await self._woken.wait()

    def _ask_now(self) -> None:
        try:
            self._ask()
        except Exception:
            # The next question is another chance.
            log.exception("%s: the host was not asked", self._session.name)
        self._due = asyncio.get_running_loop().time() + ASK_SECONDS

    # ------------------------------------------------------------------ questions

    def _has_questions(self) -> bool:
        return bool(self._asked() or self._adjourned or self._leaving)

    def _asked(self) -> bool:
        copy = self._session.guest.copy
        return copy is not None and copy.row.id != self._over

    def _is_new(self) -> bool:
        """Whether something waits that was not sent yet."""
        waiting = self._session.guest.waiting
        return self._hurries or (self._asked() and bool(waiting) and waiting[0].id != self._sent)

    def _ask(self) -> None:
        guest, self._hurries = self._session.guest, False
        copy = guest.copy
        if copy is not None and copy.host is not None and copy.row.id != self._over:
            about: dict[str, Any] = {"match": copy.row.id, "have": copy.actions}
            if guest.waiting:
                first = guest.waiting[0]
                self._sent = first.id
                numbers = {"dart": first.dart, "turn": first.turn}
                dart = {name: number for name, number in numbers.items() if number is not None}
                shown = first.exact if isinstance(first, WaitingCommand) else None
                exact = {} if shown is None else {"exact": True, "have": shown}
                self._send(copy.host, {"id": first.id, **about, **dart, **exact, **first.body})
            else:
                self._sent = None
                self._send(copy.host, {"id": self._any_id(), **about, "follow": True})
        for match, host in self._adjourned.items():
            self._send(host, {"id": self._any_id(), "match": match, "follow": True})
        for number, (host, match, left) in tuple(self._leaving.items()):
            self._send(host, {"id": number, "match": match, "leave": True})
            self._leaving[number] = (host, match, left - 1)
            if left <= 1:
                del self._leaving[number]

    def _any_id(self) -> str:
        return f"{self._node}-{self._session.name}-{secrets.token_hex(8)}"

    def _send(self, host: str, body: dict[str, Any]) -> None:
        node, _, board = host.partition("/")
        body["board"] = self._session.name
        self._shared.send(f"oche/{node}/board/{board}/command/{self._node}", body)

    # ------------------------------------------------------------------ answers

    def hear(self, host: str, value: dict[str, Any]) -> None:
        """Takes a message of a host, as `node/board`."""
        match, copy, number = value.get("match"), self._session.guest.copy, value.get("id")
        if isinstance(number, str):
            # Its own answer: one to an earlier question can come when the host has not heard that this house leaves.
            self._leaving.pop(number, None)
        if isinstance(match, str) and self._adjourned.get(match) == host:
            self._hear_adjourned(match, value)
            return
        if copy is None or copy.host != host:
            return
        state, reason = value.get("state"), value.get("reason")
        if match not in (None, copy.row.id):
            return
        was_here, self._heard = self.is_here, asyncio.get_running_loop().time()
        if not was_here:
            self._session.guest.show()
        if state == "adjourned":
            self._do(lambda: self._session.guest.end(stopped=False))
        elif match is None and reason == "no_match":
            self._over = copy.row.id
        else:
            self._do(lambda: self._take(value, over=state == "over"))

    async def _take(self, value: dict[str, Any], *, over: bool) -> None:
        guest = self._session.guest
        await guest.hear(news(value))
        copy = guest.copy
        if over and copy is not None and copy.row.id == value.get("match") and not value.get("lines"):
            if copy.match.finished:
                self._over = copy.row.id
            else:
                await guest.end(stopped=True)
        elif copy is not None and value.get("lines") and _lacks(copy.actions, value):
            # One message does not take all lines.
            self.hurry()
        self.wake()

    def _hear_adjourned(self, match: str, value: dict[str, Any]) -> None:
        if value.get("ok") is True and value.get("state") != "adjourned":
            # Also of one that is over meanwhile, whose last lines are fetched like any.
            self._do(lambda: self._resume(match))

    async def _resume(self, match: str) -> None:
        if await self._session.with_houses.resume(match) is None:
            self._adjourned.pop(match, None)
            self.wake()

    def _do(self, run: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if len(self._tasks) >= OPEN:
            # The host is asked again.
            return
        task = asyncio.create_task(self._session.inbox.put(Call(run)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------------ what happens at the board

    def _changed(self) -> None:
        copy = self._session.guest.copy
        now = None if copy is None or copy.host is None else (copy.row.id, copy.host)
        before, self._before = self._before, now
        if before is not None and before != now:
            row = self._history.match(before[0])
            if row is not None and row.ended is None:
                self._adjourned[before[0]] = before[1]
            elif row is not None and row.result == "stopped":
                self._leaving[self._any_id()] = (before[1], before[0], LEAVES)
        if now is not None:
            self._adjourned.pop(now[0], None)
            if now[0] != self._over:
                self.wake()

    def _find_adjourned(self) -> None:
        """Finds the matches of a former run that were adjourned."""
        copy, own = self._session.guest.copy, f"{self._node}/{self._session.name}"
        if copy is not None and copy.host is not None:
            self._before = (copy.row.id, copy.host)
        open_rows = [row for row, _ in self._history.matches() if row.ended is None and "/" in row.board]
        for row in open_rows[:ADJOURNED]:
            if own in json.loads(row.header).get("boards", []) and (copy is None or copy.row.id != row.id):
                self._adjourned[row.id] = row.board


def _lacks(actions: int, value: dict[str, Any]) -> bool:
    count = value.get("count")
    return isinstance(count, int) and count > actions
