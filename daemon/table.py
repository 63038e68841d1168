"""The table: one board, the match on it, and everyone who watches. Read this file first.

The way of a dart, from top to bottom: bytes arrive (`_arrived`), the reading
makes darts of them (`drivers/reading.py`: decoder, debounce, board), a dart
becomes a hit with an id (`_land`), the match is asked (`_step`), the step goes
on the disk (`_keep`), and only then does anyone see it (`_show`).

Everything that concerns a board comes through one queue and is done one after
another, so no two things ever happen to a match at once.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from boards.board import Board
from daemon import announce, chance, live, replies
from daemon.commands import Command, Start, Stop, may_ask, read_command
from daemon.inbox import Inbox, Item, Nudge, Pulse
from daemon.links.link import Chunk, Link, chunk
from daemon.links.wire import Lost, Opened
from daemon.live import Change, Live, utc_now
from daemon.mqtt.bus import Bus, Message
from daemon.mqtt.topics import sender
from daemon.outbox import Outbox, SentMark
from daemon.people.users import Users
from daemon.record.history import BoardRow, MatchRow
from daemon.record.journal import Entry, Journal, JournalError
from daemon.replies import Asker, Replies
from daemon.shown import Shown
from drivers.contract import Driver
from drivers.heard import Awake, Button, Dart, Doubtful, Fault, Freed, Heard, Marked, Rejected, Stuck, TakeOut
from drivers.reading import Reading
from engine import jsontext, matchfile
from engine.actions import Action, Bounce, Next, Throw, Undo
from engine.faces import Faces
from engine.hits import Hit, dart_of
from engine.match import dart_text
from engine.matchfile import Games
from engine.refusals import Refusal
from engine.segments import MISS

log = logging.getLogger(__name__)

DISK_RETRY_SECONDS: Final = 1.0
GAME_FAILED: Final = Refusal("game_failed", "The game has a fault of its own and did not take this; undo, or stop it.")
MAY_HOLD: Final = 3
"""So many of the last darts may be in the board, and hold their contacts, when the daemon starts anew."""
MARKS_KEPT: Final = 64
"""So many edges of a board that counts them may make no dart before their number is put on disk all the same: it has
256 numbers, 128 of them may be under way, and an older mark could be taken for a newer one."""
NO_MATCH: Final = Refusal("no_match", "There is no match on this board; start one.")
BUTTONS: Final[Mapping[str, Action]] = {"next": Next(), "undo": Undo(), "bounce": Bounce(), "miss": Throw(MISS)}


class Table:
    """A board and its match. `onlooker` is told of every new state: bots and clocks are made of it."""

    def __init__(
        self,
        name: str,
        board: Board,
        driver: Driver,
        journal: Journal,
        bus: Bus,
        games: Games,
        faces: Faces,
        users: Users,
    ) -> None:
        self.name = name
        self.board = board
        self.driver = driver
        self.live: Live | None = None
        self.link: Link | None = None
        self.inbox = Inbox()
        self.restored = asyncio.Event()
        self.onlooker: Callable[[Table], None] = lambda _table: None
        self._journal, self._bus, self._games, self._faces = journal, bus, games, faces
        self._reading = Reading(board, driver)
        self._shown = Shown(name, board, driver, self._reading, bus, users)
        self._row = BoardRow(name)
        self._topic = self._shown.topic
        self._outbox = Outbox(bus, self._topic("hit"), SentMark(journal.path.parent, name))
        self._replies = Replies({})
        self._marks = 0

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
            self._shown.unreadable = True
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
                    await self._surely_keep(Entry(self._row))
                # Only now: what a board is told to forget must be on disk.
                if self.link is not None and (answer := self._reading.answers()):
                    self.link.write(answer)
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
            case Nudge():
                if item.revision == self.revision:
                    await self._act(item.action, item.by, patient=True)
            case Start():
                await self._start(item, None)
            case Pulse():
                item.felt.release()

    async def _heard(self, heard: tuple[Heard, ...], at: Chunk) -> None:
        for what in heard:
            match what:
                case Marked(mark):
                    # Written with what follows it, in one transaction.
                    self._row, self._marks = replace(self._row, mark=mark), self._marks + 1
                case Dart():
                    await self._land(what, at)
                case Button(name):
                    await self._pressed(name)
                case TakeOut():
                    if self.live is not None and self.live.match.turn.awaits == "next":
                        await self._act(Next(), by="takeout", patient=True)
                case Doubtful(dart):
                    self._shown.doubt(self.live, self.revision, dart)
                case Stuck() | Freed() | Fault():
                    self._shown.status()
                case Rejected() | Awake():
                    pass

    async def _land(self, dart: Dart, at: Chunk) -> None:
        source = {"board": self.name, "model": self.board.name}
        hit = Hit(self.name, self._row.seq + 1, dart.dart, announce.utc(at), source)
        self._row = replace(self._row, seq=hit.seq)
        step = self._step(Throw(hit.dart), by="board")
        if isinstance(step, Refusal):
            await self._surely_keep(Entry(self._row, hit=jsontext.dump(hit.to_json())))
            self._outbox.send(hit.seq, hit.to_json())
            self._bus.send(self._topic("event"), announce.ignored(hit.to_json(), self.revision, step))
        else:
            await self._surely_keep(replace(self._entry(step), hit=jsontext.dump(hit.to_json())))
            # Before the state: who sees the state can rely on the hit being out.
            self._outbox.send(hit.seq, hit.to_json())
            self._show(step)

    def _step(self, action: Action, by: str | None) -> Change | Refusal:
        if self.live is None:
            return NO_MATCH
        try:
            step = live.act(self.live, action, by, utc_now(), chance.draw)
        except Exception:
            log.exception("the game %s failed", self.live.match.game.name)
            return GAME_FAILED
        if isinstance(step, Refusal) and step.reason == "nothing_to_undo" and self.live.hidden:
            whole = live.reopened(self.live, self._journal, self._games, self._faces)
            return whole if isinstance(whole, Refusal) else live.act(whole, action, by, utc_now(), chance.draw)
        return step

    def _entry(self, step: Change, asker: Asker | None = None) -> Entry:
        self._row = replace(self._row, revision=self.revision + 1, match=step.live.row.id)
        return Entry(self._row, step.live.row, step.lines, step.snapshot, replies.line(asker, self.revision))

    async def _surely_keep(self, entry: Entry) -> None:
        """A dart waits for the disk as long as it takes: it was thrown, and will not be thrown again."""
        while True:
            try:
                await self._journal.write(entry)
            except JournalError as error:
                log.warning("%s", error)
                if self._shown.reason != "disk":
                    self._shown.status(state="faulty", reason="disk", message=str(error))
                for pulse in self.inbox.pulses():
                    pulse.felt.release()
                await asyncio.sleep(DISK_RETRY_SECONDS)
            else:
                self._marks = 0
                if self._shown.reason == "disk":
                    self._shown.status(state="online" if self.link is not None else "offline")
                return

    def _show(self, step: Change) -> None:
        """Tells everyone: the state first, for that is what people wait for."""
        self.live = step.live
        self._shown.match(step.live, self.revision, step.facts)
        for event in announce.events(step.live, self.revision, step.facts):
            self._bus.send(self._topic("event"), event)
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
                self._bus.answer(message, self._topic("reply"), announce.refused(command_id, outcome))
        elif command_id is not None:
            self._bus.answer(message, self._topic("reply"), announce.done(command_id, self.revision))

    async def _obey(self, command: Command | Refusal, asker: Asker) -> Refusal | None:
        if isinstance(command, Refusal):
            return command
        if command.revision is not None and command.revision != self.revision:
            return Refusal("stale_revision", f"The match has moved on to revision {self.revision}; look again.")
        played = None if self.live is None else self.live.match
        if asker.user is not None and (refusal := may_ask(asker.user, command.ask, played)) is not None:
            return refusal
        match command.ask:
            case Start():
                return await self._start(command.ask, asker)
            case Stop():
                return await self._stop(asker)
            case action:
                return await self._act(action, asker.user, asker)

    async def _act(
        self, action: Action, by: str | None, asker: Asker | None = None, *, patient: bool = False
    ) -> Refusal | None:
        step = self._step(action, by)
        if isinstance(step, Refusal):
            return step
        thrown = dart_text(action.dart) if isinstance(action, Throw) else None
        return await self._carry_out(step, asker, patient=patient, thrown=thrown)

    async def _start(self, ask: Start, asker: Asker | None) -> Refusal | None:
        opened = matchfile.open_match(ask.header, self._games, self._faces)
        if isinstance(opened, Refusal):
            return opened
        if opened.game.needs_segments and not self.board.can.ring:
            return Refusal("board_cannot", f"{opened.game.title} must know the bed, and this board tells points alone.")
        try:
            begun = live.start(self.name, opened, ask.bots, utc_now(), chance.draw)
        except Exception:
            log.exception("the game %s failed", opened.game.name)
            return GAME_FAILED
        ended = None if self.live is None else live.stopped(self.live, utc_now())
        refusal = await self._carry_out(begun, asker, ended=ended)
        if refusal is None:
            self._shown.unreadable = False
        return refusal

    async def _stop(self, asker: Asker | None) -> Refusal | None:
        if self.live is None:
            return NO_MATCH
        row = live.stopped(self.live, utc_now())
        before = self._row
        self._row = replace(self._row, revision=self.revision + 1, match=None)
        entry = Entry(self._row, row, reply=replies.line(asker, self.revision))
        try:
            await self._journal.write(entry)
        except JournalError as error:
            self._row = before
            return Refusal("disk", str(error))
        self._replies.keep(entry.reply)
        self.live = None
        self._shown.match(None, self.revision)
        self._say_stopped(row)
        self.show_hands()
        self._shown.lamps(self.link, self.live)
        self.onlooker(self)
        return None

    async def _carry_out(
        self,
        step: Change,
        asker: Asker | None,
        *,
        ended: MatchRow | None = None,
        patient: bool = False,
        thrown: str | None = None,
    ) -> Refusal | None:
        """Writes and shows a step; `ended` is the match that it replaces, `thrown` a dart that was put in by hand.

        Who is `patient` waits for a full disk.
        """
        before = self._row
        entry = replace(self._entry(step, asker), ended=ended)
        if patient:
            await self._surely_keep(entry)
        else:
            try:
                await self._journal.write(entry)
            except JournalError as error:
                self._row = before
                return Refusal("disk", str(error))
        self._replies.keep(entry.reply)
        if ended is not None:
            self._say_stopped(ended)
        if thrown is not None:
            self._shown.settle(thrown)
        self._show(step)
        return None

    def _say_stopped(self, row: MatchRow) -> None:
        self._bus.send(self._topic("event"), {"id": f"{row.id}-stopped", "event": "stopped", "match": row.id})

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
        row = None if self._row.match is None else self._journal.match(self._row.match)
        if row is None:
            return
        found = live.resume(row, self._journal, self._games, self._faces)
        if isinstance(found, Refusal):
            log.error("the match %s cannot be taken up: %s", row.id, found)
            self._shown.unreadable = True
            return
        self.live = found
        self._shown.match(found, self.revision)
        self.show_hands()
        self.onlooker(self)

    def show_hands(self) -> None:
        """Again, because other people were let in to see them."""
        self._shown.hands(self.live, self.revision)
