"""The outbox of a board: publishes every hit at least once, always with the same id, across a SIGKILL too.

The file `sent-<board>` has a number: no hit up to it waits, for a broker or for an acknowledgement. It is not flushed.
A hit that was sent just before a SIGKILL, before its acknowledgement, is published again at the next start; after a
power cut the mark can be older, and more hits are repeated. No hit is lost, and subscribers recognise a repeated hit by
its id. Not chosen: a mark in the journal, because it costs every dart a second flush of the disk; a mark when the
system has the bytes, because a broker that hangs never reads them.

Hits of a former run wait without a limit. While one of them waits, the number stays before it, and hits that are
dropped meanwhile are published after the next restart.
"""

import asyncio
import contextlib
import logging
import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from daemon.mqtt.outgoing import Outgoing

log = logging.getLogger(__name__)

WAIT_SECONDS: Final = 5.0
"""How long a hit waits for a broker, from the time when it could not be sent or its connection ended: nobody wants the
sound of a dart of a minute ago."""
MOST_HELD: Final = 100
"""Hits that may wait, those of a former run not counted; the oldest one beyond is dropped."""
AGAIN_SECONDS: Final = 0.05
"""Delay before a hit that the connection did not take is sent again."""


@dataclass(frozen=True, slots=True)
class _Hit:
    """A hit as JSON text. A hit that is `kept` is in the journal, and gets a mark.

    It is dropped after `due`; `None` if it has not waited yet."""

    text: str
    kept: bool
    due: float | None = None


class SentMark:
    """The number up to which no hit waits, in a file that stays open until the process ends."""

    def __init__(self, folder: Path, board: str, prefix: str = "sent") -> None:
        self._file: int | None = None
        try:
            self._file = os.open(folder / f"{prefix}-{board}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            log.warning("hits of a former run may be published again after a restart, with the same ids: %s", error)

    def read(self) -> int:
        """Returns the number; 0 if there is no readable mark."""
        try:
            text = b"" if self._file is None else os.pread(self._file, 20, 0)
        except OSError:
            return 0
        return int(text) if text.isdigit() else 0

    def write(self, seq: int) -> None:
        """Writes the number. On a full disk the old mark stays, and hits may be repeated: no dart waits for it."""
        with contextlib.suppress(OSError):
            if self._file is not None:
                os.pwrite(self._file, b"%020d" % seq, 0)


class Outbox:
    """Sends the hits of one board.

    A hit waits while there is no broker, or while one does not keep up. One that the broker has not acknowledged when
    the connection ends is sent again, with the same id.
    """

    def __init__(self, bus: Outgoing, board: str, mark: SentMark, clock: Callable[[], float] = time.monotonic) -> None:
        self._bus, self._board, self._mark, self._clock = bus, board, mark, clock
        self._held: dict[int, _Hit] = {}
        self._holds = asyncio.Event()
        self._open: set[int] = set()
        """The kept hits that wait, for a broker or for its acknowledgement."""
        self._marked = self._newest = mark.read()

    @property
    def last(self) -> int:
        """The number up to which no hit waits, in a former run too."""
        return self._marked

    def hold(self, stored: Mapping[int, str]) -> None:
        """Adds the hits that a former run did not send, as JSON by number: they wait without a limit."""
        for seq, text in stored.items():
            hit = _Hit(text, True, math.inf)
            self._add(seq, hit)
            self._hold(seq, hit)

    async def run(self) -> None:
        """Sends what waits, in the order of the numbers, until cancelled."""
        while True:
            await self._holds.wait()
            await self._bus.connected.wait()
            await self._bus.room_for(self._board)
            self._drop_old()
            if not self._held:
                self._holds.clear()
                continue
            first = min(self._held)
            self._send(first, self._held.pop(first))
            if first in self._held:
                await asyncio.sleep(AGAIN_SECONDS)

    def send(self, seq: int, text: str, *, kept: bool) -> None:
        """Sends a hit, after those that wait."""
        hit = _Hit(text, kept)
        self._add(seq, hit)
        if self._held or not self._bus.connected.is_set():
            self._hold(seq, hit)
        else:
            self._send(seq, hit)

    def _add(self, seq: int, hit: _Hit) -> None:
        if hit.kept:
            self._open.add(seq)
            self._newest = max(self._newest, seq)

    def _send(self, seq: int, hit: _Hit) -> None:
        self._bus.send_text(
            f"board/{self._board}/hit",
            hit.text,
            taken=partial(self._settle, seq),
            lost=partial(self._hold, seq, hit),
        )

    def _settle(self, seq: int) -> None:
        """Ends the wait for a hit: it was acknowledged or dropped."""
        if seq not in self._open:
            return
        self._open.discard(seq)
        done = min(self._open, default=self._newest + 1) - 1
        if done > self._marked:
            self._marked = done
            self._mark.write(done)

    def _hold(self, seq: int, hit: _Hit) -> None:
        """Keeps a hit until it can be sent."""
        self._held[seq] = hit if hit.due is not None else replace(hit, due=self._clock() + WAIT_SECONDS)
        self._holds.set()
        self._drop_old()

    def _drop_old(self) -> None:
        """Drops the hits that waited for too long, and the oldest beyond those that may wait."""
        now = self._clock()
        passing = sorted(seq for seq, hit in self._held.items() if hit.due != math.inf)
        late = {seq for seq in passing if (self._held[seq].due or 0) < now}
        for seq in sorted(late.union(passing[:-MOST_HELD])):
            del self._held[seq]
            self._bus.count_dropped()
            self._settle(seq)
