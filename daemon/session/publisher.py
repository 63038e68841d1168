"""What displays see of a board and its match: retained topics and events.

The session decides what to publish; this remembers what was published last, so that nothing is published twice and
topics are cleared when what they describe is gone.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, Unpack

from boards.board import Board
from daemon.links.link import Link
from daemon.mqtt.bus import Bus, Message
from daemon.mqtt.topics import sender
from daemon.people.access import speaks_for
from daemon.people.users import Users
from daemon.session.commands import Screens
from daemon.session.house_payloads import House
from daemon.session.payloads import BoardState, BoardStatus, Event, HintBody, ScreensBody
from daemon.session.published_state import PublishedState
from daemon.session.recorded_match import RecordedMatch, Transition
from daemon.session.reply_payloads import Reply
from daemon.system.console import TroublePrinter
from drivers.driver import Driver
from drivers.limits import limits
from drivers.pipeline import Pipeline
from engine.darts import Dart, Points
from engine.match import dart_text

COUNTERS_SECONDS: Final = 1.0
"""Delay of a status in which nothing but counters changed, so that garbage from a board makes no flood of statuses."""
DOUBTS_SHOWN: Final = 3
"""How many doubtful darts the state lists: a turn has hardly more, and a ringing contact must not make it longer."""
NOT_READING: Final = (
    "The board does not read what it is told. Is its firmware whole, and its cable one for data both ways? "
    "Its darts count; some may come again and again."
)
UNREADABLE: Final = "The match that was on this board cannot be read by this version; it is kept. Start another one."
NEW_TURN: Final = ("turn", "undone", "started")
"""Events after which the doubts of the turn before are void."""

SessionCounter = Literal["commands_refused", "failed", "untaken"]
"""Commands refused or dropped; items that raised; messages that the board did not take."""


class BoardPublisher:
    """Publishes the status, the match and the hands of the board `name`."""

    def __init__(self, name: str, board: Board, driver: Driver, pipeline: Pipeline, bus: Bus, users: Users) -> None:
        self.unreadable: str | None = None
        """Why the match that was on the board cannot be read, or lacks its end, as a sentence."""
        self._disk: str | None = None
        """Why nothing can be committed, as a sentence; `None` while the disk works."""
        self._name, self._board = name, board
        self._pipeline, self._bus, self._users = pipeline, bus, users
        self._limits = limits(board, driver)
        self._state: BoardState = {"state": "offline", "reason": "starting"}
        self._own: Counter[SessionCounter] = Counter()
        self._published_counters: dict[str, int] = {}
        self._reported: tuple[Mapping[str, int], tuple[str, str] | None] = ({}, None)
        self._delayed: asyncio.TimerHandle | None = None
        self._doubtful: tuple[tuple[str, ...], ...] = ()
        """For each doubtful dart the beds that it may have hit: one, or several where a board reports points alone."""
        self._hands: frozenset[str] = frozenset()
        self._published: PublishedState | None = None
        self._elsewhere: Mapping[str, Any] = {}
        self._chance: dict[str, float] = {}
        """The chance of each player to win; empty while it is unknown."""
        self._reads = True
        self._battery: int | None = None
        self._screens: ScreensBody = {}
        self._trouble = TroublePrinter(f"Board {name}")

    def topic(self, leaf: str) -> str:
        """A topic of this board, below the node's."""
        return f"board/{self._name}/{leaf}"

    # ------------------------------------------------------------------ the match

    def match(self, transition: Transition | None) -> None:
        """Publishes the state after a transition, then its events; `None` clears the state."""
        if transition is None or any(event.kind in NEW_TURN for event in transition.events):
            self._doubtful = ()
        self._published, self._chance = None if transition is None else transition.published, {}
        if transition is None or any(event.kind == "started" for event in transition.events):
            self._elsewhere = {}
        self._retain_match()
        for event in () if transition is None else transition.published.events:
            self._bus.send_text(self.topic("event"), event)
        # Before the hands, the lamps and those who listen for changes: a display waits for this.
        self._bus.flush()

    def chance(self, chance: dict[str, float]) -> None:
        """Publishes the state again, with the chance of each player to win."""
        if self._published is not None and not self._published.state["finished"]:
            self._chance = chance
            self._retain_match()

    def doubt(self, dart: Dart) -> None:
        """Lists a repeat that may have been a dart with the match, so that one touch can make it one."""
        if self._published is not None and not self._published.state["finished"]:
            beds = tuple(bed.text for bed in dart.candidates) if isinstance(dart, Points) else (dart_text(dart),)
            before, self._doubtful = self._doubtful, (*self._doubtful, beds)[-DOUBTS_SHOWN:]
            if self._doubtful != before:
                self._retain_match()

    def settle_doubt(self, bed: str) -> None:
        """Removes the first doubt about a bed: somebody entered that dart by hand."""
        found = next((n for n, beds in enumerate(self._doubtful) if bed in beds), None)
        if found is not None:
            self._doubtful = (*self._doubtful[:found], *self._doubtful[found + 1 :])

    def houses(self, houses: Sequence[House], sent: Sequence[str] = (), *, now: bool = True) -> None:
        """Publishes with the match which other houses play it, and the darts that the host has not confirmed; not
        `now`, but with its next state, if that follows."""
        elsewhere = ({"houses": list(houses)} if houses else {}) | ({"sent": list(sent)} if sent else {})
        if elsewhere != self._elsewhere:
            self._elsewhere = elsewhere
            if now:
                self._retain_match()

    def hands(self, recorded: RecordedMatch | None, hint: HintBody | None = None) -> None:
        """Publishes the hands: by seat for those who may see all, and by user name for the user whose hand it is.

        A `hint` goes into the hand of the player who must act.
        """
        hands = () if self._published is None else self._published.hands
        if recorded is not None and hint is not None:
            actor = recorded.match.turn.actor
            hands = tuple(hand.hinted(hint) if hand.player == actor else hand for hand in hands)
        by_topic = {str(hand.seat): hand.text for hand in hands}
        by_player = {hand.player: hand.text for hand in hands}
        for user in self._users.by_name.values():
            # Among all players, not only those with a hand: a player without one may have a similar name.
            player = None if recorded is None else speaks_for(user.name, recorded.match.header.players)
            if player in by_player and user.role == "player":
                by_topic[user.name] = by_player[player]
        for name, hand in by_topic.items():
            self._bus.retain_text(self.topic(f"hand/{name}"), hand)
        for name in self._hands - by_topic.keys():
            self._bus.clear(self.topic(f"hand/{name}"))
        self._hands = frozenset(by_topic)

    def _retain_match(self) -> None:
        if self._published is None:
            self._bus.clear(self.topic("match"))
        else:
            beds = tuple(bed for dart in self._doubtful for bed in dart)
            more = ({"doubtful": list(beds)} if beds else {}) | ({"chance": self._chance} if self._chance else {})
            self._bus.retain_text(self.topic("match"), self._published.adding({**more, **self._elsewhere}))
            if self.unreadable is not None:
                self.unreadable = None
                self.status()

    def event(self, event: Event) -> None:
        """Publishes an event that comes from no transition."""
        self._bus.send(self.topic("event"), event)

    # ------------------------------------------------------------------ commands

    def sender(self, message: Message) -> str | None:
        """Returns who sent a command; `None` is the referee."""
        return sender(self._bus.root, message.topic)

    def answer(self, message: Message, reply: Reply) -> None:
        """Sends a reply to whoever sent a command."""
        self._bus.answer(message, self.topic("reply"), reply)

    # ------------------------------------------------------------------ the board

    def disk(self, trouble: str | None) -> None:
        """Publishes that nothing can be committed, and why; with `None`, that it can again."""
        if (trouble is None) != (self._disk is None):
            self._disk = trouble
            self.status()

    @property
    def targets(self) -> tuple[int | str, ...]:
        """What scores now, as the published state names it: numbers, beds, `bull`."""
        turn: dict[str, Any] = {} if self._published is None else {**self._published.state["turn"]}
        return tuple(turn.get("targets", ()))

    def battery(self, level: int) -> None:
        """Publishes how full the board's battery is, in percent, if that changed."""
        if level != self._battery:
            self._battery = level
            self.status()

    def switch_screens(self, ask: Screens) -> None:
        """Publishes whether the board's screens play sound and speak. They remember it over a restart of the daemon."""
        before = self._screens.copy()
        if ask.sound is not None:
            self._screens["sound"] = ask.sound
        if ask.caller is not None:
            self._screens["caller"] = ask.caller
        if self._screens != before:
            self.status()

    def set_state(self, **state: Unpack[BoardState]) -> None:
        """Publishes another state of the board."""
        self._state, self._reads = state, True
        self.status()

    def status(self) -> None:
        """Publishes the board's status."""
        self._published_counters = self._counters()
        self._reported = (self._pipeline.board_counters, fault := self._pipeline.board_fault)
        status: BoardStatus = {
            **self._state,
            "model": self._board.name,
            "can": self._board.can_json(),
            "stuck": list(self._pipeline.stuck),
            "limits": list(self._limits),
            "counters": self._published_counters,
        }
        if self._battery is not None:
            status["battery"] = self._battery
        if self._screens:
            status["screens"] = self._screens.copy()
        if self._disk is not None:
            status |= {"state": "faulty", "reason": "disk", "message": self._disk}
        elif status["state"] == "online" and self._pipeline.fault is not None:
            status |= {"state": "faulty", "reason": "wiring", "message": self._pipeline.fault}
        elif status["state"] == "online" and fault is not None:
            status |= {"state": "faulty", "reason": fault[0], "message": fault[1]}
        elif status["state"] == "online" and not self._reads:
            status |= {"state": "faulty", "reason": "not-reading", "message": NOT_READING}
        elif self.unreadable is not None:
            status |= {"reason": "match", "message": self.unreadable}
        self._bus.retain(self.topic("status"), status)
        self._trouble.now(status.get("message"))

    def count(self, counter: SessionCounter) -> None:
        """Adds one to a counter of the status."""
        self._own[counter] += 1
        self.refresh()

    def refresh(self) -> None:
        """Publishes what the board itself reports at once if it changed, and counters a little later."""
        if (self._pipeline.board_counters, self._pipeline.board_fault) != self._reported:
            self.status()
        elif self._delayed is None and self._counters() != self._published_counters:
            self._delayed = asyncio.get_running_loop().call_later(COUNTERS_SECONDS, self._publish_counters)

    def tell(self, link: Link, words: bytes) -> None:
        """Writes to the board. A board that does not read is counted, and published as faulty until it does."""
        reads = link.write(words)
        if not reads:
            self.count("untaken")
        if reads != self._reads:
            self._reads = reads
            self.status()

    def _counters(self) -> dict[str, int]:
        counters: dict[str, int] = {**self._pipeline.counters}
        for name in self._own:
            counters[name] = self._own[name]
        return {name: count for name, count in counters.items() if count}

    def _publish_counters(self) -> None:
        self._delayed = None
        self.status()
