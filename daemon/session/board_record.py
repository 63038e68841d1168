"""What is committed of one board: its counters, the replies to commands, and the hits, sent once committed."""

import asyncio
from dataclasses import replace
from typing import Final

from daemon.mqtt.bus import Bus
from daemon.record.changes import BoardRow, Entry
from daemon.record.journal import Journal
from daemon.record.journal_file import JournalError
from daemon.session import payloads
from daemon.session.inbox import Inbox
from daemon.session.outbox import Outbox, SentMark
from daemon.session.publisher import BoardPublisher
from daemon.session.replies import Replies
from daemon.session.unkept import UnkeptMatch
from engine import jsontext
from engine.hits import Hit
from engine.refusals import Refusal

DISK_RETRY_SECONDS: Final = 1.0
MARKS_KEPT: Final = 64
"""How many edges without a dart a counting board may send before the number of the last one is committed anyway. Such a
board has 256 numbers, 128 of which may be unacknowledged: an older mark could be mistaken for a newer one."""


class BoardRecord:
    """The record of the board `name`. While the disk is full, it answers the watchdog's probes in `inbox`."""

    def __init__(self, name: str, journal: Journal, bus: Bus, publisher: BoardPublisher, inbox: Inbox) -> None:
        self.row = BoardRow(name)
        self.replies = Replies({})
        self.unkept = UnkeptMatch()
        self._journal, self._publisher, self._inbox = journal, publisher, inbox
        self._outbox = Outbox(bus, name, SentMark(journal.path.parent, name))
        self._marks = 0

    def restore(self) -> None:
        """Reads what a former run committed."""
        self.row = self._journal.board(self.row.name)
        self.replies = Replies(self._journal.replies(self.row.name))

    def resend(self) -> asyncio.Task[None]:
        """Starts to send the hits that a former run did not send, and those that wait for a broker."""
        self._outbox.hold(self._journal.hits(self.row.name, after=self._outbox.last))
        return asyncio.create_task(self._outbox.run())

    def mark(self, mark: str) -> None:
        """Notes how far the board was read, to be committed with what follows it."""
        self.row, self._marks = replace(self.row, mark=mark), self._marks + 1

    async def commit_marks(self) -> None:
        """Commits the last mark if many have come without anything else."""
        if self._marks >= MARKS_KEPT:
            await self.commit(Entry(self.row), patient=True)

    def leave_unkept(self) -> None:
        """Continues after the numbers that a match without a record has used."""
        self.row = self.unkept.behind(self.row)

    async def commit(self, entry: Entry, *, patient: bool, hit: Hit | None = None) -> Refusal | None:
        """Commits the entry, with the hit if there is one. On a full disk retries until there is room, or returns a
        refusal if `patient` is false: a dart was thrown, and will not be thrown again."""
        if hit is not None:
            entry = replace(entry, board=replace(entry.board, seq=hit.seq), hit=jsontext.dump(payloads.hit(hit)))
        written = self.unkept.to_write(entry)
        while written is not None:
            try:
                await self._journal.write(written)
            except JournalError as error:
                if not patient:
                    return Refusal("disk", str(error))
                self._publisher.disk(str(error))
                for probe in self._inbox.take_probes():
                    probe.felt.release()
                await asyncio.sleep(DISK_RETRY_SECONDS)
            else:
                break
        self.row, self._marks = entry.board, 0
        self.replies.keep(entry.reply)
        self._publisher.disk(None)
        if entry.hit is not None:
            # Before the state: a display that has seen the state can rely on the hit.
            self._outbox.send(entry.board.seq, entry.hit, kept=not self.unkept.is_on(entry.board))
        return None
