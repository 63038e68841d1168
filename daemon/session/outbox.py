"""The outbox of a board: publishes every hit at least once, always with the same id, across a SIGKILL too.

The file `sent-<board>` has the number of the last hit that was written to the broker. It is written after the hit, and
never flushed. A hit that was sent just before a SIGKILL, before its mark, is published again at the next start; after a
power cut the mark can be older, and more hits are repeated. No hit is lost, and subscribers recognise a repeated hit by
its id. Not chosen: a mark in the journal, because it costs every dart a second flush of the disk.
"""

import contextlib
import logging
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from daemon.mqtt.bus import Bus

log = logging.getLogger(__name__)

START_SECONDS: Final = 5.0
"""How long a hit waits for the broker at the start. Later, a hit without a broker is dropped and counted."""


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
    """Sends the hits of one board to `topic`."""

    def __init__(self, bus: Bus, topic: str, mark: SentMark) -> None:
        self._bus, self._topic, self._mark = bus, topic, mark
        self._waiting: dict[int, tuple[str, bool]] = {}
        self._patient_until = 0.0

    @property
    def last(self) -> int:
        """The number of the hit that was sent last, in a former run too."""
        return self._mark.read()

    def hold(self, stored: Mapping[int, str]) -> None:
        """Holds back the hits that a former run did not send, as JSON by number, and the hits of this start."""
        self._waiting = {seq: (hit, True) for seq, hit in stored.items()}
        self._patient_until = time.monotonic() + START_SECONDS

    async def release(self) -> None:
        """Sends what is held once the broker is connected, each hit with its id."""
        await self._bus.connected.wait()
        waiting, self._waiting, self._patient_until = self._waiting, {}, 0.0
        for seq, (hit, kept) in waiting.items():
            self.send(seq, hit, kept=kept)

    def send(self, seq: int, hit: str, *, kept: bool) -> None:
        """Sends a hit, which is JSON text. A hit that is `kept` is in the journal, and gets a mark."""
        if time.monotonic() < self._patient_until:
            # A board that repeats what was not acknowledged is faster than the broker at the start.
            self._waiting[seq] = hit, kept
            return
        self._bus.send_text(self._topic, hit, settled=(lambda: self._mark.write(seq)) if kept else None)
