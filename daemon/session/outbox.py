"""The outbox of a board: publishes every hit at least once, always with the same id, across a SIGKILL too.

The file `sent-<board>` has the number of the last hit that was written to the broker. It is written after the hit, and
never flushed. A hit that was sent just before a SIGKILL, before its mark, is published again at the next start; after a
power cut the mark can be older, and more hits are repeated. No hit is lost, and subscribers recognise a repeated hit by
its id. Not chosen: a mark in the journal, because it costs every dart a second flush of the disk.
"""

import asyncio
import contextlib
import logging
import math
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from daemon.mqtt.bus import Bus

log = logging.getLogger(__name__)

WAIT_SECONDS: Final = 5.0
"""How long a hit waits for a broker: nobody wants the sound of a dart of a minute ago."""
MOST_HELD: Final = 100
"""Hits that may wait, those of a former run not counted; the oldest one beyond is dropped."""
AGAIN_SECONDS: Final = 0.05
"""Delay before a hit that the connection did not take is sent again."""


@dataclass(frozen=True, slots=True)
class _Hit:
    """A hit as JSON text. A hit that is `kept` is in the journal, and gets a mark. It is dropped after `due`."""

    text: str
    kept: bool
    due: float


class SentMark:
    """The number of the last hit that was sent, in a file that stays open until the process ends."""

    def __init__(self, folder: Path, board: str) -> None:
        self._file: int | None = None
        try:
            self._file = os.open(folder / f"sent-{board}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
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

    def __init__(self, bus: Bus, board: str, mark: SentMark) -> None:
        self._bus, self._board, self._mark = bus, board, mark
        self._held: dict[int, _Hit] = {}
        self._holds = asyncio.Event()

    @property
    def last(self) -> int:
        """The number of the hit that was sent last, in a former run too."""
        return self._mark.read()

    async def run(self, stored: Mapping[int, str]) -> None:
        """Sends what waits, in the order of the numbers, until cancelled; `stored` are the hits that a former run did
        not send, as JSON by number: they wait without a limit."""
        for seq, text in stored.items():
            self._hold(seq, _Hit(text, True, math.inf))
        while True:
            await self._holds.wait()
            await self._bus.connected.wait()
            await self._bus.room_for(self._board)
            if not self._held:
                self._holds.clear()
                continue
            first = min(self._held)
            self._send(first, self._held.pop(first))
            if first in self._held:
                await asyncio.sleep(AGAIN_SECONDS)

    def send(self, seq: int, text: str, *, kept: bool) -> None:
        """Sends a hit, after those that wait."""
        hit = _Hit(text, kept, time.monotonic() + WAIT_SECONDS)
        if self._held or not self._bus.connected.is_set():
            self._hold(seq, hit)
        else:
            self._send(seq, hit)

    def _send(self, seq: int, hit: _Hit) -> None:
        written = partial(self._mark.write, seq) if hit.kept else None
        self._bus.send_text(f"board/{self._board}/hit", hit.text, written=written, lost=partial(self._hold, seq, hit))

    def _hold(self, seq: int, hit: _Hit) -> None:
        """Keeps a hit until it can be sent, and drops those that waited for too long."""
        self._held[seq] = hit
        self._holds.set()
        now = time.monotonic()
        passing = [number for number, held in sorted(self._held.items()) if held.due < math.inf]
        for place, number in enumerate(reversed(passing)):
            if place >= MOST_HELD or self._held[number].due < now:
                del self._held[number]
                self._bus.count_dropped()
