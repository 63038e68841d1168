"""What a board and its match look like from outside: the topics that keep their last value, and the board's lamps.

The table decides; this only shows. It holds what was shown last, so that
what is no news is not sent again, and what has gone is taken away.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from boards.board import Board
from daemon.links.link import Link
from daemon.mqtt.bus import Bus
from daemon.people.access import speaks_for
from daemon.people.users import Users
from daemon.session import recorded_match
from daemon.session.published_state import PublishedState
from daemon.session.recorded_match import RecordedMatch
from daemon.system.console import Trouble
from drivers.driver import Driver, Saying
from drivers.limits import limits
from drivers.pipeline import Pipeline
from engine.darts import Dart, Points
from engine.game import Event
from engine.match import dart_text

COUNTERS_SECONDS: Final = 1.0
"""A status that differs in its counters alone waits so long, so that rubbish makes no flood of its own."""
DOUBTS_SHOWN: Final = 3
"""A turn has hardly more darts; a contact that rings on and on shall not make the match longer with each line."""
NOT_READING: Final = (
    "The board does not read what it is told. Is its firmware whole, and its cable one for data both ways? "
    "Its darts count; some may come again and again."
)
UNREADABLE: Final = "The match that was on this board cannot be read by this version; it is kept. Start another one."


class BoardPublisher:
    """The status, the match and the hands of the board `name`, on the bus."""

    def __init__(self, name: str, board: Board, driver: Driver, reading: Pipeline, bus: Bus, users: Users) -> None:
        self.refused = 0
        """Commands that were refused or dropped."""
        self.failed = 0
        """Things that came and were not dealt with, by a fault of the program or of a game."""
        self.untaken = 0
        """Messages to the board that were dropped, because it did not read those before."""
        self.unreadable: str | None = None
        """Why the match that was on the board cannot be read, or lacks its end, as a sentence."""
        self._name, self._board, self._driver = name, board, driver
        self._reading, self._bus, self._users = reading, bus, users
        self._limits = limits(board, driver)
        self._link: dict[str, Any] = {"state": "offline", "reason": "starting"}
        self._counted: dict[str, int] = {}
        self._told_by_board: tuple[Mapping[str, int], tuple[str, str] | None] = ({}, None)
        self._recount: asyncio.TimerHandle | None = None
        self._doubtful: tuple[tuple[str, ...], ...] = ()
        """For each dart in doubt the beds that it can have been: one, or several where a board tells points alone."""
        self._hands: frozenset[str] = frozenset()
        self._saying: Saying | None = None
        self._picture: PublishedState | None = None
        self._reads = True
        self._trouble = Trouble(f"Board {name}")

    def topic(self, leaf: str) -> str:
        """A topic of this board."""
        return f"board/{self._name}/{leaf}"

    # ------------------------------------------------------------------ the match

    def match(self, picture: PublishedState | None, events: tuple[Event, ...] = ()) -> None:
        """The match as it is now, or that there is none."""
        self._picture = picture
        if picture is None or any(event.kind in ("turn", "undone", "started") for event in events):
            self._doubtful = ()
        if picture is None:
            self._bus.clear(self.topic("match"))
        else:
            self.unreadable = None
            beds = tuple(bed for dart in self._doubtful for bed in dart)
            self._bus.retain_text(self.topic("match"), picture.doubting(beds))

    def events(self, picture: PublishedState | None) -> None:
        """What just happened."""
        for event in () if picture is None else picture.events:
            self._bus.send_text(self.topic("event"), event)

    def doubt(self, dart: Dart) -> None:
        """A repeat that may have been a dart: shown, so that one touch can make it one."""
        self.count()
        if self._picture is not None and not self._picture.state["finished"]:
            beds = tuple(bed.text for bed in dart.candidates) if isinstance(dart, Points) else (dart_text(dart),)
            before, self._doubtful = self._doubtful, (*self._doubtful, beds)[-DOUBTS_SHOWN:]
            if self._doubtful != before:
                self.match(self._picture)

    def settle(self, bed: str) -> None:
        """Somebody put this dart in by hand: where one was in doubt there, it was that one."""
        found = next((n for n, beds in enumerate(self._doubtful) if bed in beds), None)
        if found is not None:
            self._doubtful = (*self._doubtful[:found], *self._doubtful[found + 1 :])

    def hands(self, recorded_match: RecordedMatch | None, hint: dict[str, Any] | None = None) -> None:
        """By seat, for who may see all, and by the name of the user that was let in to see this one alone.

        A `hint` goes into the hand of the player who must act.
        """
        hands = () if self._picture is None else self._picture.hands
        if recorded_match is not None and hint is not None:
            actor = recorded_match.match.turn.actor
            hands = tuple(hand.hinted(hint) if hand.player == actor else hand for hand in hands)
        by_topic = {str(hand.seat): hand.text for hand in hands}
        by_player = {hand.player: hand.text for hand in hands}
        for user in self._users.by_name.values():
            # Of all players: one without a hand may be called alike.
            player = None if recorded_match is None else speaks_for(user.name, recorded_match.match.header.players)
            if player in by_player and user.role == "player":
                by_topic[user.name] = by_player[player]
        for name, hand in by_topic.items():
            self._bus.retain_text(self.topic(f"hand/{name}"), hand)
        for name in self._hands - by_topic.keys():
            self._bus.clear(self.topic(f"hand/{name}"))
        self._hands = frozenset(by_topic)

    # ------------------------------------------------------------------ the board

    @property
    def reason(self) -> str | None:
        """Why the board is not at work, where it is not."""
        return self._link.get("reason")

    def status(self, **news: Any) -> None:
        """The board's status; with `news`, its state and the reason of it have changed."""
        if "state" in news:
            self._link, self._reads = news, True
        self._counted = self._counters()
        self._told_by_board = (self._reading.board_counters, fault := self._reading.board_fault)
        shown = self._link | {
            "model": self._board.name,
            "can": self._board.can_json(),
            "stuck": list(self._reading.stuck),
            "limits": list(self._limits),
            "counters": self._counted,
        }
        if shown["state"] == "online" and self._reading.fault is not None:
            shown |= {"state": "faulty", "reason": "wiring", "message": self._reading.fault}
        elif shown["state"] == "online" and fault is not None:
            shown |= {"state": "faulty", "reason": fault[0], "message": fault[1]}
        elif shown["state"] == "online" and not self._reads:
            shown |= {"state": "faulty", "reason": "not-reading", "message": NOT_READING}
        elif self.unreadable is not None:
            shown |= {"reason": "match", "message": self.unreadable}
        self._bus.retain(self.topic("status"), shown)
        self._trouble.now(shown.get("message"))

    def news_of_the_board(self) -> None:
        """Shows what the board has counted, or that it cannot be understood, when that is news."""
        if (self._reading.board_counters, self._reading.board_fault) != self._told_by_board:
            self.status()

    def count(self) -> None:
        """Shows counters that changed, soon."""
        if self._recount is None and self._counters() != self._counted:
            self._recount = asyncio.get_running_loop().call_later(COUNTERS_SECONDS, self._show_counters)

    def lamps(self, link: Link | None, shown: RecordedMatch | None, *, anew: bool = False) -> None:
        """Says to a board that listens what the match waits for; `anew` to one that was just plugged in."""
        saying = recorded_match.saying(shown)
        if link is not None and (anew or saying != self._saying):
            self._saying = saying
            if words := self._driver.says.get(saying):
                self.tell(link, words)

    def tell(self, link: Link, words: bytes) -> None:
        """Hands words to the board; one that does not read them is counted, and shown as faulty until it does."""
        reads = link.write(words)
        self.untaken += not reads
        if reads != self._reads:
            self._reads = reads
            self.status()

    def _counters(self) -> dict[str, int]:
        counters = dict(self._reading.counters) | {"commands_refused": self.refused, "failed": self.failed}
        counters["untaken"] = self.untaken
        return {name: count for name, count in counters.items() if count}

    def _show_counters(self) -> None:
        self._recount = None
        self.status()
