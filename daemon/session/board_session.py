"""One board and the match on it. Read this file first.

The way of a dart, from top to bottom: bytes arrive (`_dispatch`), the pipeline turns them into board events
(`drivers/pipeline.py`: decoder, debounce, contact map), a dart becomes a hit with an id (`_record_hit`), the scorer
applies it to the match (`scorer.py`), both are committed (`board_record.py`), then the change is published on every
board of the match (`match_board.py`).

Everything that concerns a board passes through one inbox and is handled in order. A match that several boards share
has a lock (`NodeBoards.alone`), so it never changes in two ways at the same time.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final

from daemon.links.link import Chunk, Link, chunk, utc_text
from daemon.links.supervisor import Lost, Opened
from daemon.mqtt.bus import Bus, Message
from daemon.people.users import Users
from daemon.record.journal import Entry, Journal
from daemon.session import payloads
from daemon.session.board_commands import BoardCommands
from daemon.session.board_record import BoardRecord
from daemon.session.commands import Fair, Start
from daemon.session.ghost_legs import Ghost
from daemon.session.ghosts import Ghosts
from daemon.session.guest_play import GuestPlay
from daemon.session.house_commands import HouseCommands
from daemon.session.inbox import Call, Inbox, InternalAction, Item, WatchdogProbe
from daemon.session.lamps import Lamps
from daemon.session.match_board import MatchBoard, thrown_elsewhere
from daemon.session.node_boards import NodeBoards
from daemon.session.publisher import UNREADABLE, BoardPublisher
from daemon.session.recorded_match import RecordedMatch, Transition, unchanged
from daemon.session.scorer import GAME_FAILED, Scorer
from drivers import events as board
from drivers.driver import Driver
from drivers.pipeline import Pipeline
from engine.actions import Action, Bounce, Next, Throw, Undo
from engine.hits import Hit
from engine.refusals import Refusal
from engine.segments import MISS

log = logging.getLogger(__name__)

BUTTONS: Final[Mapping[str, Action]] = {"next": Next(), "undo": Undo(), "bounce": Bounce(), "miss": Throw(MISS)}


class BoardSession:
    """Handles the inbox of one board. `executor` works out hints; `boards` are those that can share a match."""

    def __init__(
        self,
        scorer: Scorer,
        driver: Driver,
        journal: Journal,
        bus: Bus,
        users: Users,
        executor: ThreadPoolExecutor,
        boards: NodeBoards,
    ) -> None:
        self.name = scorer.name
        self.board = scorer.board
        self.driver = driver
        self.link: Link | None = None
        self.inbox = Inbox()
        self.restored = asyncio.Event()
        self._scorer, self._bus = scorer, bus
        self._pipeline = Pipeline(self.board, driver)
        self._publisher = BoardPublisher(self.name, self.board, driver, self._pipeline, bus, users)
        self._lamps = Lamps(self.name, driver, self._publisher)
        self._record = BoardRecord(self.name, journal, bus, self._disk, self._waiting)
        data = journal.path.parent
        self.ghosts = Ghosts(data, self.name)
        self._boards = boards
        self._match = MatchBoard(self.board, self._record, self._publisher, self._lamps, self.inbox)
        self._boards.add(self._match)
        self.guest = GuestPlay(self._match, self._publisher, scorer, boards)
        self.with_houses = HouseCommands(self._match, scorer, boards, self.guest)
        self._commands = BoardCommands(
            self._match,
            scorer,
            self._publisher,
            boards,
            self.guest,
            self.with_houses,
            self.ghosts,
            data,
            executor,
        )
        self.execute = self._commands.execute
        self.show_houses = self._publisher.houses
        self.on_change = self._match.on_change
        self.show_hands = self._match.show_hands
        self.acts_for = self._match.acts_for
        self.show_chance = self._match.show_chance

    @property
    def recorded(self) -> RecordedMatch | None:
        """The match on the board; `None` without one."""
        return self._match.group.recorded

    def keep_ghosts(self, ghosts: Mapping[str, Ghost]) -> None:
        """Leaves these ghosts in the match alone: the players of the others were forgotten."""
        if self.recorded is not None:
            self._match.group.recorded = replace(self.recorded, ghosts=ghosts)

    @property
    def revision(self) -> int:
        """Grows with every published change of the match; the same after a restart."""
        return self._record.row.revision

    @property
    def darts(self) -> int:
        """The number of the board's last hit; the same after a restart."""
        return self._record.row.seq

    @property
    def is_first(self) -> bool:
        """Whether this board is the first one of its match, which does what one board alone does for it."""
        return self._match.group.members[0] is self._match

    # ------------------------------------------------------------------ the way of a dart

    async def run(self) -> None:
        """Restores the match of the last run, then handles the inbox until cancelled."""
        try:
            await self._restore()
        except Exception:
            log.exception("the match on %s cannot be restored", self.name)
            self._publisher.unreadable = UNREADABLE
        self.restored.set()
        self._publisher.status()
        resend = self._record.resend()
        try:
            while True:
                item = await self.inbox.get(self._pipeline.due_ns)
                try:
                    # Without bytes the pipeline decides what is due.
                    await self._dispatch(item or chunk(b""))
                except Exception:
                    self._failed(item)
                if item is None or self.inbox.waits:
                    # The bus writes what was published, and the other boards have a turn: this inbox may hold a flood.
                    await asyncio.sleep(0)
        finally:
            resend.cancel()
            self._lamps.lost()
            self._commands.hints.stop()

    async def _dispatch(self, item: Item) -> None:
        match item:
            case Chunk(request=request) if request and request == self._record.row.mark:
                # It was committed with this mark, and its sender has not heard of that.
                item.done()
            case Chunk():
                if item.request:
                    self._record.mark(item.request)
                await self._handle(self._pipeline.feed(item.data, item.at_ns), item)
                if item.battery is not None:
                    self._publisher.battery(item.battery)
                self._publisher.refresh()
                if self._record.marks_are_due:
                    async with self._boards.alone(self._match):
                        await self._record.commit(Entry(self._record.row), patient=True)
                # Only now: what a board may forget must be on disk.
                if self.link is not None and (answer := self._pipeline.answers()):
                    self._publisher.tell(self.link, answer)
                item.done()
            case Opened():
                self.link = item.link
                await self._handle(self._pipeline.opened(item.at.at_ns), item.at)
                self._publisher.set_state(state="online")
                self._lamps.opened(item.link, self.recorded)
                self._match.notify()
            case Lost():
                self.link = None
                self._lamps.lost()
                await self._handle(self._pipeline.lost(item.at.at_ns), item.at)
                self._publisher.set_state(state="offline", reason=item.why.reason, message=str(item.why))
            case Message():
                # As a dart does: the replies to a flood would take the room of other boards' events.
                await self._bus.room_for(self.name)
                await self._commands.answer_command(item)
            case InternalAction():
                async with self._boards.alone(self._match):
                    if item.revision == self.revision:
                        await self._commands.act(item.action, item.by, patient=True)
            case Start():
                async with self._boards.alone(self._match):
                    await self._match.start(self._scorer, item, None)
            case Call():
                await item.run()
            case WatchdogProbe():
                item.felt.release()

    async def _handle(self, events: tuple[board.BoardEvent, ...], at: Chunk) -> None:
        for event in events:
            try:
                match event:
                    case board.Marked(mark):
                        # Committed with what follows it, in one transaction.
                        self._record.mark(mark)
                    case board.DartLanded():
                        await self._record_hit(event, at)
                    case board.Button(name) if name in BUTTONS:
                        async with self._boards.alone(self._match):
                            if self._match.has_turn or name == "undo":
                                await self._commands.act(BUTTONS[name], by="button", patient=True)
                    case board.TakeOut():
                        async with self._boards.alone(self._match):
                            expected = self.guest.expected()
                            is_here = expected is not None and expected.turn_is_at(self.name)
                            if is_here and expected is not None and expected.match.turn.awaits == "next":
                                await self._commands.act(Next(), by="takeout", patient=True)
                    case board.DoubtfulDart(dart) if self._match.has_turn:
                        for member in self._match.group.members:
                            member.doubt(dart)
                    case board.Stuck() | board.Freed() | board.Fault():
                        self._publisher.status()
            except Exception:
                # The other darts of the same chunk are still to be recorded.
                self._failed(event)

    async def _record_hit(self, dart: board.DartLanded, at: Chunk) -> None:
        await self._bus.room_for(self.name)
        source = {"board": self.name, "model": self.board.name}
        moment = at.time
        async with self._boards.alone(self._match) as group:
            hit = Hit(self.name, self._record.row.seq + 1, dart.dart, utc_text(moment), source)
            is_sent = self.guest.copy is not None
            if is_sent:
                transition = await self.guest.throw(hit, moment)
            else:
                transition = thrown_elsewhere(group.recorded, self.name) or self._scorer.act(
                    group.recorded, Throw(hit.dart), "board", self._match.next_revision(), moment
                )
            if not isinstance(transition, Refusal):
                if not is_sent:
                    await self._match.change(transition, patient=True, hit=hit)
                self._lamps.landed(dart.dart, transition)
                return
            if transition is GAME_FAILED:
                self._publisher.count("failed")
            await self._record.commit(self._record.entry_of_hit(hit), patient=True)
            self._match.send_event(payloads.ignored(hit.id, self.revision, transition))

    # ------------------------------------------------------------------ from the rest of the daemon

    def receive(self, message: Message) -> None:
        """Takes a command from the bus. Beyond the inbox's bound it is counted and dropped, so that darts get in."""
        if not self.inbox.offer(message):
            self._publisher.count("commands_refused")

    def find_fair_by(self, find: Callable[[Fair, Callable[[Mapping[str, Any]], None]], None]) -> None:
        """Has fair handicaps worked out by `find`."""
        self._commands.find_fair = find

    # ------------------------------------------------------------------ after a restart

    async def _restore(self) -> None:
        playing = self._boards.playing(self._record.stored_match())
        # A board that plays the match may be committing a change at this moment.
        async with self._boards.alone(self._match, *(() if playing is None else playing.members)):
            self._record.restore()
            self._pipeline.resume(self._record.row.mark or "", self._record.last_darts())
            # While this waited, a match may have begun here.
            if self.recorded is None:
                self._resume(self._record.row.match)

    def _resume(self, match_id: str | None) -> None:
        found: Transition | Refusal | None
        playing = self._boards.playing(match_id)
        if playing is not None and playing.recorded is not None:
            # Another board of the match has restored it.
            self._match.join(playing)
            found = unchanged(playing.recorded, self.revision)
        else:
            found = self._scorer.resume(match_id, self.revision)
        if isinstance(found, Refusal):
            self._publisher.unreadable = found.message if found.reason == "damaged" else UNREADABLE
        elif found is not None:
            ghosts = self.ghosts.kept(found.after.row.id)
            if ghosts:
                found = unchanged(replace(found.after, ghosts=ghosts), self.revision)
            self._match.group.recorded = found.after
            self._match.show(found)
            self._publisher.unreadable = self._record.damage_of(found.after.row.id)

    def _failed(self, item: object) -> None:
        # A fault of this program, or of a game from another package: the next dart must still be handled.
        log.exception("%s: %s was not handled", self.name, type(item).__name__)
        self._publisher.count("failed")

    def _disk(self, trouble: str | None) -> None:
        self._match.disk(trouble)

    def _waiting(self) -> Iterable[Inbox]:
        return (self.inbox, *self._boards.waiting())
