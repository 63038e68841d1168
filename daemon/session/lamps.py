"""The lamps and lights of a board itself: what it is told about its match, when that changes.

A driver says in bytes what a moment looks like (`Driver.words`). Here is decided when a board is told: nothing twice, a
dart that lands at once, and what the match waits for again when the flash of that dart is over.
"""

import asyncio
from typing import Final

from daemon.links.link import Link
from daemon.session.publisher import BoardPublisher
from daemon.session.recorded_match import RecordedMatch, Transition
from drivers.driver import Driver, Moment
from engine.darts import Points, Position
from engine.segments import Segment

FLASH_SECONDS: Final = 0.7
"""How long the flash of a dart is left alone: what is shown next would end it."""


class Lamps:
    """Tells the board `name` about its match."""

    def __init__(self, name: str, driver: Driver, publisher: BoardPublisher) -> None:
        self._name, self._driver, self._publisher = name, driver, publisher
        self._link: Link | None = None
        self._told = b""
        self._wanted = b""
        self._flash: asyncio.TimerHandle | None = None

    def opened(self, link: Link, recorded: RecordedMatch | None) -> None:
        """Tells a board that was just connected: it may have forgotten everything."""
        self.lost()
        self._link = link
        self.show(recorded)

    def lost(self) -> None:
        """Handles that the board is away."""
        self._link, self._told = None, b""
        self._end_flash()

    def show(self, recorded: RecordedMatch | None) -> None:
        """Tells the board what the match waits for, after the flash of a dart."""
        self._wanted = self._driver.words(self._moment(recorded))
        if self._flash is None:
            self._tell_wanted()

    def landed(self, dart: Segment | Position | Points, transition: Transition) -> None:
        """Shows where a dart landed, or that it busted, on a board that can."""
        if self._link is None:
            return
        words = b""
        if any(event.kind == "bust" for event in transition.events):
            words = self._driver.words(Moment("bust"))
        if not words and isinstance(dart, Segment):
            moment = self._moment(transition.after)
            words = self._driver.words(Moment(moment.saying, moment.targets, dart))
        if words in (b"", self._wanted):
            return
        self._end_flash()
        self._told = b""
        self._publisher.tell(self._link, words)
        self._flash = asyncio.get_running_loop().call_later(FLASH_SECONDS, self._flashed)

    def _moment(self, recorded: RecordedMatch | None) -> Moment:
        if recorded is None:
            return Moment("idle")
        targets = self._publisher.targets if recorded.turn_is_at(self._name) else ()
        return Moment(recorded.saying(self._name), targets)

    def _flashed(self) -> None:
        self._flash = None
        self._tell_wanted()

    def _tell_wanted(self) -> None:
        if self._link is not None and self._wanted and self._wanted != self._told:
            self._told = self._wanted
            self._publisher.tell(self._link, self._wanted)

    def _end_flash(self) -> None:
        if self._flash is not None:
            self._flash.cancel()
            self._flash = None
