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
from functools import partial
from typing import Any, Final

from daemon.links.link import Chunk, Link, chunk
from daemon.links.supervisor import Lost, Opened
from daemon.mqtt.bus import Bus, Message
from daemon.mqtt.topics import sender
from daemon.people import hand_files
from daemon.people.users import Users
from daemon.record.journal import Entry, Journal
from daemon.session import payloads
from daemon.session.board_record import BoardRecord
from daemon.session.bot_hands import with_spreads
from daemon.session.commands import Command, Fair, Hint, Id, Screens, Start, Stop, allowed, read_command
from daemon.session.ghost_legs import Ghost
from daemon.session.ghosts import Ghosts
from daemon.session.guest_play import GuestPlay
from daemon.session.hints import Hints
from daemon.session.house_asks import Accept, Adjourn, Invite, Resume
from daemon.session.house_commands import NO_HOUSES, HouseCommands, Permit, reply_to
from daemon.session.inbox import Call, Inbox, InternalAction, Item, WatchdogProbe
from daemon.session.lamps import Lamps
from daemon.session.match_board import MatchBoard, thrown_elsewhere
from daemon.session.node_boards import NodeBoards
from daemon.session.publisher import UNREADABLE, BoardPublisher
from daemon.session.recorded_match import RecordedMatch, Transition, unchanged, utc_now
from daemon.session.replies import Asker
from daemon.session.scorer import GAME_FAILED, NO_MATCH, Scorer
from daemon.system.skills import HandOf
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
        self._topic = self._publisher.topic
        self._lamps = Lamps(self.name, driver, self._publisher)
        self._record = BoardRecord(self.name, journal, bus, self._disk, self._waiting)
        data = journal.path.parent
        self._hints = Hints(self, executor, partial(hand_files.spread_of, data))
        self._data = data
        self.ghosts = Ghosts(data, self.name)
        self._boards = boards
        self._match = MatchBoard(self.board, self._record, self._publisher, self._lamps, self.inbox, bus)
        self._boards.add(self._match)
        self.guest = GuestPlay(self._match, self._record, self._publisher, scorer, boards)
        self.with_houses = HouseCommands(self._match, self._record, scorer, boards, self.guest)
        self.show_houses = self._publisher.line
        self.on_change = self._match.on_change
        self.show_hands = self._match.show_hands
        self.acts_for = self._match.acts_for
        self.show_chance = self._match.show_chance
        self.find_fair: Callable[[Fair, Callable[[Mapping[str, Any]], None]], None] | None = None
        """Has a fair handicap worked out; `None` where nothing does."""

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
                # Without bytes the pipeline decides what is due.
                item = await self.inbox.get(self._pipeline.due_ns) or chunk(b"")
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
                await self._answer_command(item)
            case InternalAction():
                async with self._boards.alone(self._match):
                    if item.revision == self.revision:
                        await self._act(item.action, item.by, patient=True)
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
                                await self._act(BUTTONS[name], by="button", patient=True)
                    case board.TakeOut():
                        async with self._boards.alone(self._match):
                            expected = self.guest.expected()
                            is_here = expected is not None and expected.turn_is_at(self.name)
                            if is_here and expected is not None and expected.match.turn.awaits == "next":
                                await self._act(Next(), by="takeout", patient=True)
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
        async with self._boards.alone(self._match) as group:
            hit = Hit(self.name, self._record.row.seq + 1, dart.dart, at.utc, source)
            is_sent = self.guest.copy is not None
            if is_sent:
                transition = await self.guest.throw(hit, at.time)
            else:
                transition = thrown_elsewhere(group.recorded, self.name) or self._scorer.act(
                    group.recorded, Throw(hit.dart), "board", self._match.next_revision(), at.time
                )
            if not isinstance(transition, Refusal):
                if not is_sent:
                    await self._match.change(transition, patient=True, hit=hit)
                self._lamps.landed(dart.dart, transition)
                return
            if transition is GAME_FAILED:
                self._publisher.count("failed")
            await self._record.commit(Entry(self._record.row), patient=True, hit=hit)
            self._match.send_event(payloads.ignored(hit.id, self.revision, transition))

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
        if isinstance(command, Command) and self._allowed(command, asker) is None:
            command = await self._with_hands(command)
        if isinstance(command, Command) and self.with_houses.passes_on(command):
            if (refusal := self._allowed(command, asker)) is None:
                self.with_houses.pass_on(message, command, asker, partial(self.answer, message))
                return
        else:
            refusal = command if isinstance(command, Refusal) else await self._execute_alone(command, asker)
        if refusal is not None:
            self._publisher.count("commands_refused")
        if isinstance(command, Command) and isinstance(command.ask, Hint) and refusal is None:
            self._hints.ask(message, command_id)
        elif isinstance(command, Command) and isinstance(command.ask, Fair) and refusal is None:
            self._find_fair(message, command_id, command.ask)
        elif command_id is not None:
            accepted = payloads.accepted(command_id, self.revision)
            self.answer(message, accepted if refusal is None else payloads.refused(command_id, refusal))

    async def _with_hands(self, command: Command) -> Command | Refusal:
        """Looks up the hands of the bots that a command names."""
        ask = command.ask
        if not isinstance(ask, Start | Fair) or not ask.hands:
            return command
        found = await asyncio.to_thread(with_spreads, ask, self._spread_of, self.ghosts.find)
        return found if isinstance(found, Refusal) else replace(command, ask=found)

    def _spread_of(self, hand: HandOf) -> float | None:
        return hand_files.spread_of(self._data, hand.player, hand.month)

    async def execute(self, command: Command, asker: Asker, permit: Permit) -> payloads.Reply:
        """Executes a command of another house, once for each id, and returns the reply."""
        if (known := self._record.replies.find(asker)) is not None:
            return known
        refusal = await self._execute_alone(command, asker, permit)
        if refusal is not None:
            self._publisher.count("commands_refused")
        return reply_to(command.id or "", self.revision, refusal)

    async def _execute_alone(self, command: Command, asker: Asker, permit: Permit | None = None) -> Refusal | None:
        named = self._scorer.boards_here(command.ask.header) if isinstance(command.ask, Start) else ()
        while True:
            boards = self._boards.named(named)
            if isinstance(boards, Refusal):
                return boards
            if (trouble := self._match.group.trouble) is not None:
                # Another board of the match waits for the disk with a dart.
                return Refusal("disk", trouble)
            async with self._boards.alone(self._match, *boards):
                # While this waited, a board may have been removed.
                if self._boards.named(named) == boards:
                    refusal = self._allowed(command, asker) if permit is None else permit(self.recorded)
                    return await self._execute(command, asker, boards) if refusal is None else refusal

    def _allowed(self, command: Command, asker: Asker) -> Refusal | None:
        return allowed(command, asker.user, self.revision, None if self.recorded is None else self.recorded.match)

    async def _execute(self, command: Command, asker: Asker, boards: tuple[MatchBoard, ...]) -> Refusal | None:
        match command.ask:
            case Start():
                refusal = await self._match.start(self._scorer, command.ask, asker, boards)
                if refusal is None and self.recorded is not None:
                    await asyncio.to_thread(self.ghosts.keep, self.recorded.row.id, command.ask.ghosts)
                return refusal
            case Stop() if self.recorded is None:
                return NO_MATCH
            case Stop():
                return await self._match.stop(asker)
            case Hint() | Fair():
                return None
            case Screens():
                self._publisher.switch_screens(command.ask)
                return None
            case Invite() | Accept() | Adjourn() | Resume():
                return NO_HOUSES
            case action:
                return await self._act(action, asker.user, asker)

    async def _act(
        self, action: Action | VisitTotal, by: str | None, asker: Asker | None = None, *, patient: bool = False
    ) -> Refusal | None:
        if self.guest.copy is not None and not isinstance(action, VisitTotal):
            return self.guest.press(action)
        if isinstance(action, VisitTotal):
            transition = self._scorer.visit(self.recorded, action, by, self._match.next_revision(), utc_now())
        else:
            transition = self._scorer.act(self.recorded, action, by, self._match.next_revision(), utc_now())
        if isinstance(transition, Refusal):
            if transition is GAME_FAILED:
                self._publisher.count("failed")
            return transition
        settles = dart_text(action.dart) if isinstance(action, Throw) else None
        return await self._match.change(transition, asker, patient=patient, settles=settles)

    def answer(self, message: Message, reply: payloads.Reply) -> None:
        """Sends a reply to whoever sent the message."""
        self._bus.answer(message, self._topic("reply"), reply)

    def _find_fair(self, message: Message, command_id: Id | None, ask: Fair) -> None:
        def answered(found: Mapping[str, Any]) -> None:
            if command_id is not None:
                self.answer(message, payloads.fair(command_id, self.revision, found))

        if self.find_fair is None:
            answered({})
        else:
            self.find_fair(ask, answered)

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
