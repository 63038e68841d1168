"""The table: one board, the match on it, and everyone who watches. Read this file first.

The way of a dart, from top to bottom: bytes arrive (`_arrived`), the reading
makes darts of them (`drivers/pipeline.py`: decoder, debounce, board), a dart
becomes a hit with an id (`_land`), the match is asked (`scorer.py`), the step
goes on the disk (`_keep`), and only then does anyone see it (`_show`).

Everything that concerns a board comes through one queue and is done one after
another, so no two things ever happen to a match at once.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from daemon.links.link import Chunk, Link, chunk
from daemon.links.supervisor import Lost, Opened
from daemon.mqtt.bus import Bus, Message
from daemon.mqtt.topics import sender
from daemon.people.users import Users
from daemon.record.journal import Entry, Journal
from daemon.record.journal_file import JournalError
from daemon.record.reader import BoardRow, MatchRow
from daemon.session import payloads, recorded_match, replies
from daemon.session.commands import Command, Hint, Id, Start, Stop, allowed, read_command
from daemon.session.inbox import Inbox, InternalAction, Item, WatchdogProbe
from daemon.session.outbox import Outbox, SentMark
from daemon.session.publisher import UNREADABLE, BoardPublisher
from daemon.session.recorded_match import RecordedMatch, Transition, utc_now
from daemon.session.replies import Asker, Replies
from daemon.session.scorer import GAME_FAILED, NO_MATCH, Scorer
from daemon.session.unkept import Unkept
from drivers.driver import Driver
from drivers.events import (
    Awake,
    BoardEvent,
    Button,
    DartLanded,
    DoubtfulDart,
    Fault,
    Freed,
    Marked,
    Rejected,
    Stuck,
    TakeOut,
)
from drivers.pipeline import Pipeline
from engine import jsontext
from engine.actions import Action, Bounce, Next, Throw, Undo
from engine.hits import Hit, dart_of
from engine.match import dart_text
from engine.refusals import Refusal
from engine.segments import MISS

log = logging.getLogger(__name__)

DISK_RETRY_SECONDS: Final = 1.0
MAY_HOLD: Final = 3
"""So many of the last darts may be in the board, and hold their contacts, when the daemon starts anew."""
MARKS_KEPT: Final = 64
"""So many edges of a board that counts them may make no dart before their number is put on disk all the same: it has
256 numbers, 128 of them may be under way, and an older mark could be taken for a newer one."""
BUTTONS: Final[Mapping[str, Action]] = {"next": Next(), "undo": Undo(), "bounce": Bounce(), "miss": Throw(MISS)}


class BoardSession:
    """A board and its match. `onlooker` is told of every new state: bots and clocks are made of it; `hint` answers
    those who ask for one."""

    def __init__(self, scorer: Scorer, driver: Driver, journal: Journal, bus: Bus, users: Users) -> None:
        self.name = scorer.name
        self.board = scorer.board
        self.driver = driver
        self.live: RecordedMatch | None = None
        self.link: Link | None = None
        self.inbox = Inbox()
        self.restored = asyncio.Event()
        self.onlooker: Callable[[BoardSession], None] = lambda _table: None
        self.hint: Callable[[Message, Id | None], None] = lambda _message, _id: None
        self._scorer, self._journal, self._bus = scorer, journal, bus
        self._reading = Pipeline(self.board, driver)
        self._shown = BoardPublisher(self.name, self.board, driver, self._reading, bus, users)
        self._row = BoardRow(self.name)
        self._topic = self._shown.topic
        self._outbox = Outbox(bus, self._topic("hit"), SentMark(journal.path.parent, self.name))
        self._replies = Replies({})
        self._marks = 0
        self._unkept = Unkept()

    @property
    def revision(self) -> int:
        """Grows with everything that changes what is shown of the match; the same after a restart."""
        return self._row.revision

    # ------------------------------------------------------------------ the way of a dart

    async def run(self) -> None:
        """Takes up the match where it was, then does what comes, for ever."""
        try:
            self._restore()
        except Exception:
            log.exception("the match on %s cannot be taken up", self.name)
            self._shown.unreadable = UNREADABLE
        self.restored.set()
        self._shown.status()
        self._outbox.hold(self._journal.hits(self.name, after=self._outbox.last))
        resend = asyncio.create_task(self._outbox.release())
        try:
            await self._work()
        finally:
            resend.cancel()

    async def _work(self) -> None:
        while True:
            due = self._reading.due_ns
            try:
                # Not wait_for: up to Python 3.11 it can swallow being cancelled.
                async with asyncio.timeout(None if due is None else max(0.0, (due - time.monotonic_ns()) / 1e9)):
                    item = await self.inbox.get()
            except TimeoutError:
                item = chunk(b"")
            try:
                await self._arrived(item)
            except Exception:
                # A fault of the program, or of a game that somebody added: the next dart must find a table.
                log.exception("%s: %s was not dealt with", self.name, type(item).__name__)
                self._shown.failed += 1
            self._shown.news_of_the_board()
            self._shown.count()
            if self.inbox.waits:
                # The other boards take their turn: what waits here may be a flood.
                await asyncio.sleep(0)

    def hear(self, message: Message) -> None:
        """A command came over the bus. Where too many wait already, it is counted and dropped: a dart must get in."""
        if not self.inbox.offer(message):
            self._shown.refused += 1
            self._shown.count()

    async def _arrived(self, item: Item) -> None:
        match item:
            case Chunk():
                await self._heard(self._reading.feed(item.data, item.at_ns), item)
                self._shown.news_of_the_board()
                if self._marks >= MARKS_KEPT:
                    await self._keep(Entry(self._row), patient=True)
                # Only now: what a board is told to forget must be on disk.
                if self.link is not None and (answer := self._reading.answers()):
                    self._shown.tell(self.link, answer)
            case Opened():
                self.link = item.link
                await self._heard(self._reading.opened(item.at.at_ns), item.at)
                self._shown.status(state="online")
                self._shown.lamps(self.link, self.live, anew=True)
                self.onlooker(self)
            case Lost():
                self.link = None
                await self._heard(self._reading.lost(item.at.at_ns), item.at)
                self._shown.status(state="offline", reason=item.why.reason, message=str(item.why))
            case Message():
                await self._asked(item)
            case InternalAction():
                if item.revision == self.revision:
                    await self._act(item.action, item.by, patient=True)
            case Start():
                await self._start(item, None)
            case WatchdogProbe():
                item.felt.release()

    async def _heard(self, heard: tuple[BoardEvent, ...], at: Chunk) -> None:
        for what in heard:
            try:
                await self._happened(what, at)
            except Exception:
                # The darts that came in the same piece are darts of their own.
                log.exception("%s: %s was not dealt with", self.name, type(what).__name__)
                self._shown.failed += 1

    async def _happened(self, what: BoardEvent, at: Chunk) -> None:
        match what:
            case Marked(mark):
                # Written with what follows it, in one transaction.
                self._row, self._marks = replace(self._row, mark=mark), self._marks + 1
            case DartLanded():
                await self._land(what, at)
            case Button(name):
                await self._pressed(name)
            case TakeOut():
                if self.live is not None and self.live.match.turn.awaits == "next":
                    await self._act(Next(), by="takeout", patient=True)
            case DoubtfulDart(dart):
                self._shown.doubt(dart)
            case Stuck() | Freed() | Fault():
                self._shown.status()
            case Rejected() | Awake():
                pass

    async def _land(self, dart: DartLanded, at: Chunk) -> None:
        await self._bus.room_for(self.name)
        source = {"board": self.name, "model": self.board.name}
        hit = Hit(self.name, self._row.seq + 1, dart.dart, at.utc, source)
        step = self._scorer.step(self.live, Throw(hit.dart), "board", self.revision + 1)
        entry = Entry(self._row) if isinstance(step, Refusal) else self._entry(step)
        row = replace(entry.board, seq=hit.seq)
        # A dart waits for the disk as long as it takes: it was thrown, and will not be thrown again.
        await self._keep(replace(entry, board=row, hit=jsontext.dump(hit.to_json())), patient=True)
        # Before the state: who sees the state can rely on the hit being out.
        self._outbox.send(hit.seq, hit.to_json(), kept=not self._unkept.is_on(row))
        if isinstance(step, Refusal):
            self._shown.failed += step is GAME_FAILED
            self._bus.send(self._topic("event"), payloads.ignored(hit.to_json(), self.revision, step))
        else:
            self._show(step)

    def _entry(self, step: Transition, asker: Asker | None = None, ended: MatchRow | None = None) -> Entry:
        row = replace(self._row, revision=self.revision + 1, match=step.live.row.id)
        return Entry(row, step.live.row, step.lines, step.snapshot, replies.line(asker, row.revision), ended)

    async def _keep(self, entry: Entry, *, patient: bool) -> Refusal | None:
        """Puts it on the disk; from then on it is so. Who is not `patient` is refused where the disk is full."""
        written = self._unkept.to_write(entry)
        while written is not None:
            try:
                await self._journal.write(written)
            except JournalError as error:
                if not patient:
                    return Refusal("disk", str(error))
                if self._shown.reason != "disk":
                    self._shown.status(state="faulty", reason="disk", message=str(error))
                for pulse in self.inbox.pulses():
                    pulse.felt.release()
                await asyncio.sleep(DISK_RETRY_SECONDS)
            else:
                break
        self._row, self._marks = entry.board, 0
        self._replies.keep(entry.reply)
        if self._shown.reason == "disk":
            self._shown.status(state="online" if self.link is not None else "offline")
        return None

    def _show(self, step: Transition | None) -> None:
        """Tells everyone: the state first, for that is what people wait for. None is that there is no match now."""
        self.live = None if step is None else step.live
        picture = None if step is None else step.published_state
        self._shown.match(picture, () if step is None else step.events)
        self._shown.events(picture)
        self.show_hands()
        self._shown.lamps(self.link, self.live)
        self.onlooker(self)

    # ------------------------------------------------------------------ what people ask for

    async def _asked(self, message: Message) -> None:
        if message.retained:
            self._shown.refused += 1
            return
        command_id, command = read_command(message.payload)
        asker = Asker(command_id, sender(self._bus.root, message.topic))
        if (before := self._replies.find(asker)) is not None:
            self._bus.answer(message, self._topic("reply"), before)
            return
        outcome = await self._obey(command, asker)
        if isinstance(outcome, Refusal):
            self._shown.refused += 1
            if command_id is not None:
                self._bus.answer(message, self._topic("reply"), payloads.refused(command_id, outcome))
        elif isinstance(command, Command) and isinstance(command.ask, Hint):
            self.hint(message, command_id)
        elif command_id is not None:
            self._bus.answer(message, self._topic("reply"), payloads.accepted(command_id, self.revision))

    async def _obey(self, command: Command | Refusal, asker: Asker) -> Refusal | None:
        if isinstance(command, Refusal):
            return command
        played = None if self.live is None else self.live.match
        if (refusal := allowed(command, asker.user, self.revision, played)) is not None:
            return refusal
        match command.ask:
            case Start():
                return await self._start(command.ask, asker)
            case Stop():
                return await self._stop(asker)
            case Hint():
                return None
            case action:
                return await self._act(action, asker.user, asker)

    async def _act(
        self, action: Action, by: str | None, asker: Asker | None = None, *, patient: bool = False
    ) -> Refusal | None:
        step = self._scorer.step(self.live, action, by, self.revision + 1)
        if isinstance(step, Refusal):
            self._shown.failed += step is GAME_FAILED
            return step
        thrown = dart_text(action.dart) if isinstance(action, Throw) else None
        return await self._carry_out(self._entry(step, asker), step, patient=patient, thrown=thrown)

    async def _start(self, ask: Start, asker: Asker | None) -> Refusal | None:
        self._row = self._unkept.behind(self._row)
        begun = self._scorer.begin(ask, self.revision + 1)
        if isinstance(begun, Refusal):
            return begun
        if not ask.kept:
            self._unkept.begins(begun.live.row.id)
        return await self._carry_out(self._entry(begun, asker, self._ended()), begun)

    async def _stop(self, asker: Asker | None) -> Refusal | None:
        if self.live is None:
            return NO_MATCH
        self._row = self._unkept.behind(self._row)
        row = replace(self._row, revision=self.revision + 1, match=None)
        return await self._carry_out(Entry(row, reply=replies.line(asker, row.revision), ended=self._ended()), None)

    def _ended(self) -> MatchRow | None:
        """The row of the match that is taken from the board now; None where none of the journal's is."""
        return recorded_match.stopped(self.live, utc_now()) if self.live is not None and self.live.kept else None

    async def _carry_out(
        self, entry: Entry, step: Transition | None, *, patient: bool = False, thrown: str | None = None
    ) -> Refusal | None:
        """Keeps and shows what a command came to; `thrown` is a dart that was put in by hand."""
        if (refusal := await self._keep(entry, patient=patient)) is not None:
            return refusal
        if self.live is not None and self.live.row.id != entry.board.match:
            over = self.live.row.id
            self._bus.send(self._topic("event"), {"id": f"{over}-stopped", "event": "stopped", "match": over})
        if thrown is not None:
            self._shown.settle(thrown)
        self._show(step)
        return None

    async def _pressed(self, name: str) -> None:
        action = BUTTONS.get(name)
        if action is not None:
            await self._act(action, by="button", patient=True)

    # ------------------------------------------------------------------ from the last time

    def _restore(self) -> None:
        self._row = self._journal.board(self.name)
        held = self._journal.hits(self.name, after=self._row.seq - MAY_HOLD).values()
        self._reading.resume(self._row.mark or "", [dart_of(json.loads(hit)) for hit in held])
        self._replies = Replies(self._journal.replies(self.name))
        found = self._scorer.resume(self._row.match, self.revision)
        if isinstance(found, Refusal):
            self._shown.unreadable = found.message if found.reason == "damaged" else UNREADABLE
        elif found is not None:
            self._show(found)
            lost = (damage.message for damage in self._journal.found if damage.match == found.live.row.id)
            self._shown.unreadable = next(lost, None)

    def show_hands(self, hint: dict[str, Any] | None = None) -> None:
        """Again, because other people were let in to see them, or with a hint for the player who must act."""
        self._shown.hands(self.live, hint)

    def answer(self, message: Message, reply: dict[str, Any]) -> None:
        """Sends a reply to who asked."""
        self._bus.answer(message, self._topic("reply"), reply)
