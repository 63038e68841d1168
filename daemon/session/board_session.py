"""One board and the match on it. Read this file first.

The way of a dart, from top to bottom: bytes arrive (`_dispatch`), the pipeline turns them into board events
(`drivers/pipeline.py`: decoder, debounce, contact map), a dart becomes a hit with an id (`_record_hit`), the scorer
applies it to the match (`scorer.py`), both are committed (`board_record.py`), then it is published (`_publish`).

Everything that concerns a board passes through one inbox and is handled in order, so a match never changes in two
ways at the same time.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from daemon.links.link import Chunk, Link, chunk
from daemon.links.supervisor import Lost, Opened
from daemon.mqtt.bus import Bus, Message
from daemon.mqtt.topics import sender
from daemon.people import hand_files
from daemon.people.users import Users
from daemon.record.journal import Entry, Journal
from daemon.session import payloads
from daemon.session.board_record import BoardRecord
from daemon.session.commands import Command, Hint, Screens, Start, Stop, allowed, read_command
from daemon.session.hints import Hints
from daemon.session.inbox import Inbox, InternalAction, Item, WatchdogProbe
from daemon.session.lamps import Lamps
from daemon.session.publisher import UNREADABLE, BoardPublisher
from daemon.session.recorded_match import RecordedMatch, Transition, utc_now
from daemon.session.replies import Asker
from daemon.session.scorer import GAME_FAILED, NO_MATCH, Scorer
from drivers import events as board
from drivers.driver import Driver
from drivers.pipeline import Pipeline
from engine.actions import Action, Bounce, Next, Throw, Undo
from engine.hits import Hit
from engine.match import dart_text
from engine.refusals import Refusal
from engine.segments import MISS
from engine.visit_total import VisitTotal

log = logging.getLogger(__name__)

BUTTONS: Final[Mapping[str, Action]] = {"next": Next(), "undo": Undo(), "bounce": Bounce(), "miss": Throw(MISS)}


class BoardSession:
    """Handles the inbox of one board. `executor` works out hints."""

    def __init__(
        self, scorer: Scorer, driver: Driver, journal: Journal, bus: Bus, users: Users, executor: ThreadPoolExecutor
    ) -> None:
        self.name = scorer.name
        self.board = scorer.board
        self.driver = driver
        self.recorded: RecordedMatch | None = None
        self.link: Link | None = None
        self.inbox = Inbox()
        self.restored = asyncio.Event()
        self._scorer, self._bus = scorer, bus
        self._pipeline = Pipeline(self.board, driver)
        self._publisher = BoardPublisher(self.name, self.board, driver, self._pipeline, bus, users)
        self._topic = self._publisher.topic
        self._lamps = Lamps(driver, self._publisher)
        self._record = BoardRecord(self.name, journal, bus, self._publisher, self.inbox)
        self._hints = Hints(self, executor, partial(hand_files.spread_of, journal.path.parent))
        self._listeners: list[Callable[[], None]] = []

    @property
    def revision(self) -> int:
        """Grows with every published change of the match; the same after a restart."""
        return self._record.row.revision

    @property
    def darts(self) -> int:
        """The number of the board's last hit; the same after a restart."""
        return self._record.row.seq

    def on_change(self, listener: Callable[[], None]) -> None:
        """Calls `listener` after every published change of the match, and when the board's link opens."""
        self._listeners.append(listener)

    # ------------------------------------------------------------------ the way of a dart

    async def run(self) -> None:
        """Restores the match of the last run, then handles the inbox until cancelled."""
        try:
            self._restore()
        except Exception:
            log.exception("the match on %s cannot be restored", self.name)
            self._publisher.unreadable = UNREADABLE
        self.restored.set()
        self._publisher.status()
        resend = self._record.resend()
        try:
            while True:
                # Without bytes the pipeline decides what is due.
                item = await self.inbox.get_by(self._pipeline.due_ns) or chunk(b"")
                try:
                    await self._dispatch(item)
                except Exception:
                    self._failed(item)
                # The bus writes what was published, and the other boards have a turn: this inbox may hold a flood.
                await asyncio.sleep(0)
        finally:
            resend.cancel()
            self._lamps.lost()
            self._hints.stop()

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
                await self._record.commit_marks()
                # Only now: what a board may forget must be on disk.
                if self.link is not None and (answer := self._pipeline.answers()):
                    self._publisher.tell(self.link, answer)
                item.done()
            case Opened():
                self.link = item.link
                await self._handle(self._pipeline.opened(item.at.at_ns), item.at)
                self._publisher.set_state(state="online")
                self._lamps.opened(item.link, self.recorded)
                self._notify()
            case Lost():
                self.link = None
                self._lamps.lost()
                await self._handle(self._pipeline.lost(item.at.at_ns), item.at)
                self._publisher.set_state(state="offline", reason=item.why.reason, message=str(item.why))
            case Message():
                await self._answer_command(item)
            case InternalAction():
                if item.revision == self.revision:
                    await self._act(item.action, item.by, patient=True)
            case Start():
                await self._start(item, None)
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
                        await self._act(BUTTONS[name], by="button", patient=True)
                    case board.TakeOut() if self.recorded is not None and self.recorded.match.turn.awaits == "next":
                        await self._act(Next(), by="takeout", patient=True)
                    case board.DoubtfulDart(dart):
                        self._publisher.doubt(dart)
                    case board.Stuck() | board.Freed() | board.Fault():
                        self._publisher.status()
            except Exception:
                # The other darts of the same chunk are still to be recorded.
                self._failed(event)

    async def _record_hit(self, dart: board.DartLanded, at: Chunk) -> None:
        await self._bus.room_for(self.name)
        source = {"board": self.name, "model": self.board.name}
        hit = Hit(self.name, self._record.row.seq + 1, dart.dart, at.utc, source)
        transition = self._scorer.act(self.recorded, Throw(hit.dart), "board", self.revision + 1, at.time)
        if not isinstance(transition, Refusal):
            await self._change(transition, patient=True, hit=hit)
            self._lamps.landed(dart.dart, self.recorded)
            return
        if transition is GAME_FAILED:
            self._publisher.count("failed")
        await self._record.commit(Entry(self._record.row), patient=True, hit=hit)
        self._bus.send(self._topic("event"), payloads.ignored(hit.id, self.revision, transition))

    async def _change(
        self,
        transition: Transition | None,
        asker: Asker | None = None,
        *,
        patient: bool = False,
        hit: Hit | None = None,
        settles: str | None = None,
    ) -> Refusal | None:
        """Commits and publishes a transition; `None` takes the match off the board.

        `settles` is the bed of a dart that was entered by hand: it settles a doubt about that bed.
        """
        before = self.recorded
        entry = self._record.entry(before, transition, asker)
        if (refusal := await self._record.commit(entry, patient=patient, hit=hit)) is not None:
            return refusal
        if before is not None and entry.board.match != before.row.id:
            self._bus.send(self._topic("event"), payloads.stopped(before.row.id))
        if settles is not None:
            self._publisher.settle_doubt(settles)
        self._publish(transition)
        return None

    def _publish(self, transition: Transition | None) -> None:
        self.recorded = None if transition is None else transition.after
        self._publisher.match(transition)
        self.show_hands()
        self._lamps.show(self.recorded)
        self._notify()

    # ------------------------------------------------------------------ commands

    def receive(self, message: Message) -> None:
        """Takes a command from the bus. Beyond the inbox's bound it is counted and dropped, so that darts get in."""
        if not self.inbox.offer(message):
            self._publisher.count("commands_refused")

    async def _answer_command(self, message: Message) -> None:
        if message.retained:
            self._publisher.count("commands_refused")
            return
        command_id, command = read_command(message.payload)
        asker = Asker(command_id, sender(self._bus.root, message.topic))
        if (known := self._record.replies.find(asker)) is not None:
            self.answer(message, known)
            return
        refusal = command if isinstance(command, Refusal) else await self._execute(command, asker)
        if refusal is not None:
            self._publisher.count("commands_refused")
        if isinstance(command, Command) and isinstance(command.ask, Hint) and refusal is None:
            self._hints.ask(message, command_id)
        elif command_id is not None:
            accepted = payloads.accepted(command_id, self.revision)
            self.answer(message, accepted if refusal is None else payloads.refused(command_id, refusal))

    async def _execute(self, command: Command, asker: Asker) -> Refusal | None:
        played = None if self.recorded is None else self.recorded.match
        if (refusal := allowed(command, asker.user, self.revision, played)) is not None:
            return refusal
        match command.ask:
            case Start():
                return await self._start(command.ask, asker)
            case Stop() if self.recorded is None:
                return NO_MATCH
            case Stop():
                self._record.leave_unkept()
                return await self._change(None, asker)
            case Hint():
                return None
            case Screens():
                self._publisher.switch_screens(command.ask)
                return None
            case action:
                return await self._act(action, asker.user, asker)

    async def _act(
        self, action: Action | VisitTotal, by: str | None, asker: Asker | None = None, *, patient: bool = False
    ) -> Refusal | None:
        if isinstance(action, VisitTotal):
            transition = self._scorer.visit(self.recorded, action, by, self.revision + 1, utc_now())
        else:
            transition = self._scorer.act(self.recorded, action, by, self.revision + 1, utc_now())
        if isinstance(transition, Refusal):
            if transition is GAME_FAILED:
                self._publisher.count("failed")
            return transition
        settles = dart_text(action.dart) if isinstance(action, Throw) else None
        return await self._change(transition, asker, patient=patient, settles=settles)

    async def _start(self, ask: Start, asker: Asker | None) -> Refusal | None:
        self._record.leave_unkept()
        transition = self._scorer.begin(ask, self.revision + 1)
        if isinstance(transition, Refusal):
            return transition
        if not ask.kept:
            self._record.unkept.begins(transition.after.row.id)
        return await self._change(transition, asker)

    def show_hands(self, hint: payloads.HintBody | None = None) -> None:
        """Publishes the hands; a `hint` goes into the hand of the player who must act."""
        self._publisher.hands(self.recorded, hint)

    def answer(self, message: Message, reply: payloads.Reply) -> None:
        """Sends a reply to whoever sent the message."""
        self._bus.answer(message, self._topic("reply"), reply)

    # ------------------------------------------------------------------ after a restart

    def _restore(self) -> None:
        self._record.restore()
        row = self._record.row
        self._pipeline.resume(row.mark or "", self._record.last_darts())
        found = self._scorer.resume(row.match, self.revision)
        if isinstance(found, Refusal):
            self._publisher.unreadable = found.message if found.reason == "damaged" else UNREADABLE
        elif found is not None:
            self._publish(found)
            self._publisher.unreadable = self._record.damage_of(found.after.row.id)

    def _failed(self, item: object) -> None:
        # A fault of this program, or of a game from another package: the next dart must still be handled.
        log.exception("%s: %s was not handled", self.name, type(item).__name__)
        self._publisher.count("failed")

    def _notify(self) -> None:
        for listener in self._listeners:
            listener()
