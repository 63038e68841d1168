"""What is committed of one board: its counters, the replies to commands, and the hits, sent once committed."""

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from daemon.mqtt.bus import Bus
from daemon.record.changes import BoardRow, Entry
from daemon.record.journal import Journal
from daemon.record.journal_file import JournalError
from daemon.session import payloads
from daemon.session.hits_to_host import HitsToHost
from daemon.session.house_payloads import Sent
from daemon.session.inbox import Inbox
from daemon.session.outbox import Outbox, SentMark
from daemon.session.recorded_match import RecordedMatch, Transition, stopped, utc_now
from daemon.session.replies import Asker, Replies
from daemon.session.unkept import UnkeptMatch
from engine import jsontext
from engine.darts import Points, Position
from engine.hits import Hit, dart_of
from engine.refusals import Refusal
from engine.segments import Segment

DISK_RETRY_SECONDS: Final = 1.0
MAY_HOLD: Final = 3
"""How many recent darts may still hold a contact closed after a restart."""
MARKS_KEPT: Final = 64
"""How many edges without a dart a counting board may send before the number of the last one is committed anyway. Such a
board has 256 numbers, 128 of which may be unacknowledged: an older mark could be mistaken for a newer one."""


class BoardRecord:
    """The record of the board `name`.

    `disk` is told why nothing can be committed, and with `None` that it can. While the disk is full, it answers the
    watchdog's probes in the inboxes that `waiting` returns.
    """

    def __init__(
        self,
        name: str,
        journal: Journal,
        bus: Bus,
        disk: Callable[[str | None], None],
        waiting: Callable[[], Iterable[Inbox]],
    ) -> None:
        self.row = BoardRow(name)
        self.replies = Replies({})
        self.unkept = UnkeptMatch()
        self._journal, self._disk, self._waiting = journal, disk, waiting
        self._outbox = Outbox(bus, name, SentMark(journal.path.parent, name))
        self.to_host = HitsToHost(name, journal)
        self._marks = 0

    def stored_match(self) -> str | None:
        """The id of the match that a former run committed for the board."""
        return self._journal.board(self.row.name).match

    def restore(self) -> None:
        """Reads what a former run committed."""
        self.row = self._journal.board(self.row.name)
        self.replies = Replies(self._journal.replies(self.row.name))

    def last_darts(self) -> list[Segment | Position | Points]:
        """Returns the darts that may still hold a contact closed after a restart."""
        hits = self._journal.hits(self.row.name, after=self.row.seq - MAY_HOLD)
        return [dart_of(json.loads(hit)) for hit in hits.values()]

    def damage_of(self, match_id: str) -> str | None:
        """Returns what is wrong with the record of a match, `None` if nothing is known to be."""
        return next((damage.message for damage in self._journal.found if damage.match == match_id), None)

    def resend(self) -> asyncio.Task[None]:
        """Starts to send the hits that a former run did not send, and those that wait for a broker."""
        self._outbox.hold(self._journal.hits(self.row.name, after=self._outbox.last))
        return asyncio.create_task(self._outbox.run())

    def mark(self, mark: str) -> None:
        """Notes how far the board was read, to be committed with what follows it."""
        self.row, self._marks = replace(self.row, mark=mark), self._marks + 1

    @property
    def marks_are_due(self) -> bool:
        """Whether many marks have come without anything else, so that the last one is to be committed."""
        return self._marks >= MARKS_KEPT

    def follow(self, revision: int, match_id: str | None) -> None:
        """Continues from a change that another board has committed for this one as well."""
        if (self.row.revision, self.row.match) != (revision, match_id):
            self.row = replace(self.row, revision=revision, match=match_id)

    def leave_unkept(self) -> None:
        """Continues after the numbers that a match without a record has used."""
        self.row = self.unkept.behind(self.row)

    def return_to(self, row: BoardRow) -> None:
        """Continues with the numbers of `row`: the match without a record stays. What was read since keeps its mark."""
        self.row = replace(self.row, seq=row.seq, revision=row.revision)

    def entry(
        self,
        before: RecordedMatch | None,
        transition: Transition | None,
        asker: Asker | None,
        revision: int,
        others: tuple[tuple[str, str | None], ...] = (),
        hit: Hit | None = None,
    ) -> Entry:
        """Returns the entry of a transition from `before`, with the hit that caused it or the reply to who asked.

        A match that is replaced is stopped. `others` are the other boards, with the match on each. Without a
        transition, which no hit causes, the match is taken off the board.
        """
        match_id = None if transition is None else transition.after.row.id
        seq = self.row.seq if hit is None else hit.seq
        # Not `replace`, which would take longer for every dart.
        row = BoardRow(self.row.name, seq, revision, match_id, self.row.mark)
        replaced = before is not None and before.kept and before.row.id != match_id
        ended = stopped(before, utc_now()) if before is not None and replaced else None
        reply = self.replies.line(asker, revision)
        if transition is None:
            return Entry(row, reply=reply, ended=ended, others=others)
        hit_json = None if hit is None else jsontext.dump(payloads.hit(hit))
        after, waits_from = transition.after.row, self.to_host.first
        return Entry(row, after, transition.lines, transition.snapshot, reply, ended, others, hit_json, waits_from)

    def entry_of_hit(self, hit: Hit, about: Sent | None = None) -> Entry:
        """Returns the entry of a hit that changes no match here; `about` says which match elsewhere it is sent to."""
        text = jsontext.dump(payloads.hit(hit, about))
        return Entry(replace(self.row, seq=hit.seq), hit=text, waits_from=self.to_host.first)

    async def commit(self, entry: Entry, *, patient: bool) -> Refusal | None:
        """Commits the entry. On a full disk retries until there is room, or returns a refusal if `patient` is false: a
        dart was thrown, and will not be thrown again."""
        written = self.unkept.to_write(entry)
        while written is not None:
            try:
                await self._journal.write(written)
            except JournalError as error:
                if not patient:
                    return Refusal("disk", str(error))
                self._disk(str(error))
                for inbox in self._waiting():
                    for probe in inbox.take_probes():
                        probe.felt.release()
                await asyncio.sleep(DISK_RETRY_SECONDS)
            else:
                break
        self.row, self._marks = entry.board, 0
        self.replies.keep(entry.reply)
        self._disk(None)
        if entry.hit is not None:
            # Before the state: a display that has seen the state can rely on the hit.
            self._outbox.send(entry.board.seq, entry.hit, kept=not self.unkept.is_on(entry.board))
        return None
