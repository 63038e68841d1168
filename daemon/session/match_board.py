"""A board as a match sees it: where the match is played, committed and shown.

A match is played on a group of boards, most often of one. Each board keeps its inbox, counters and replies; they share
the match itself, and whoever changes it holds the group's lock. asyncio's locks are fair: the dart or command that
came first counts first.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from itertools import count
from typing import Final

from boards.board import Board
from daemon.session import payloads
from daemon.session.board_record import BoardRecord
from daemon.session.commands import Start
from daemon.session.inbox import Inbox
from daemon.session.lamps import Lamps
from daemon.session.publisher import BoardPublisher
from daemon.session.recorded_match import RecordedMatch, Transition
from daemon.session.replies import Asker
from daemon.session.scorer import Scorer
from engine.darts import Dart
from engine.hits import Hit
from engine.refusals import Refusal

log = logging.getLogger(__name__)

_NUMBERS: Final = count()


class BoardGroup:
    """The boards on which one match is played, or one board without a match."""

    def __init__(self, members: tuple["MatchBoard", ...], recorded: RecordedMatch | None = None) -> None:
        self.members = members
        self.recorded = recorded
        self.lock = asyncio.Lock()
        self.number = next(_NUMBERS)
        """The order in which several locks are taken, so that two sessions never wait for each other."""
        self.trouble: str | None = None
        """Why a dart of one of the boards cannot be committed, as a sentence; `None` while the disk works."""


class MatchBoard:
    """One board: its record, what is published of it, and the group that it belongs to."""

    def __init__(
        self, board: Board, record: BoardRecord, publisher: BoardPublisher, lamps: Lamps, inbox: Inbox
    ) -> None:
        self.name = record.row.name
        self.board = board
        self.record, self.inbox = record, inbox
        self.group = BoardGroup((self,))
        self._publisher, self._lamps = publisher, lamps
        self._listeners: list[Callable[[], None]] = []

    @property
    def has_turn(self) -> bool:
        """Whether the darts that the match waits for are thrown here; true without a match."""
        return self.group.recorded is None or self.group.recorded.turn_is_at(self.name)

    def acts_for(self, recorded: RecordedMatch) -> bool:
        """Whether bots and the clock act at this board now; the first of the boards acts for one that is missing, and
        the house that records a match for those of the other house."""
        if recorded.host is not None:
            return False
        members = self.group.members
        return self is next((member for member in members if recorded.turn_is_at(member.name)), members[0])

    def on_change(self, listener: Callable[[], None]) -> None:
        """Calls `listener` after every published change of the match."""
        self._listeners.append(listener)

    def notify(self) -> None:
        """Calls the listeners."""
        for listener in self._listeners:
            listener()

    # ------------------------------------------------------------------ changes, by whoever holds the lock

    def next_revision(self, boards: Iterable["MatchBoard"] = ()) -> int:
        """The revision of the next change, also of one that puts a match on other boards."""
        return _next_revision(self._affected(boards))

    async def change(
        self,
        transition: Transition | None,
        asker: Asker | None = None,
        *,
        boards: tuple["MatchBoard", ...] = (),
        patient: bool = False,
        hit: Hit | None = None,
        settles: str | None = None,
        adjourned: bool = False,
    ) -> Refusal | None:
        """Commits and publishes a transition on all boards; `None` takes the match off them, and stops it unless it is
        `adjourned`.

        A match that begins is played on `boards`; whatever was on them is replaced, on its other boards as well.
        `settles` is the bed of a dart that was entered by hand: it settles a doubt about that bed.
        """
        playing = () if transition is None else boards or self.group.members
        affected = self._affected(boards)
        before = {board: board.group.recorded for board in affected}
        match_id = None if transition is None else transition.after.row.id
        others = tuple((board.name, match_id if board in playing else None) for board in before if board is not self)
        revision = _next_revision(affected)
        leaves = None if adjourned else self.group.recorded
        entry = self.record.entry(leaves, transition, asker, revision, others, hit)
        if (refusal := await self.record.commit(entry, patient=patient)) is not None:
            return refusal
        rows = {self.name: match_id} | dict(others)
        for board, was in before.items():
            board.record.follow(revision, rows[board.name])
            if was is not None and was.row.id != rows[board.name]:
                board.send_event(payloads.stopped(was.row.id))
            if settles is not None:
                board.settle_doubt(settles)
        self._regroup(before, playing, None if transition is None else transition.after)
        for board in before:
            try:
                board.show(transition if board in playing else None)
            except Exception:
                # It is committed: the other boards show it all the same.
                log.exception("%s does not show the change", board.name)
                board._publisher.count("failed")
        return None

    async def start(
        self, scorer: Scorer, ask: Start, asker: Asker | None, boards: tuple["MatchBoard", ...] = ()
    ) -> Refusal | None:
        """Starts a match on `boards`, on this one alone without them. It replaces what is on them."""
        if (refusal := unstartable(self, boards)) is not None:
            return refusal
        boards = boards or (self,)
        if len(boards) == 1 and not any("/" in name for name in ask.header.boards):
            ask = replace(ask, header=replace(ask.header, boards=()))

        async def begin() -> Refusal | None:
            others = [board.board for board in boards if board is not self]
            transition = scorer.begin(ask, self.next_revision(boards), others)
            if isinstance(transition, Refusal):
                return transition
            if not ask.kept:
                self.record.unkept.begins(transition.after.row.id)
            return await self.change(transition, asker, boards=boards)

        return await _instead([board.record for board in boards], begin)

    async def adjourn(self, asker: Asker | None) -> Refusal | None:
        """Takes the match off its boards without ending it."""
        return await _instead([self.record], lambda: self.change(None, asker, adjourned=True))

    async def stop(self, asker: Asker | None) -> Refusal | None:
        """Takes the match off its boards."""
        return await _instead([self.record], lambda: self.change(None, asker))

    def _affected(self, boards: Iterable["MatchBoard"]) -> tuple["MatchBoard", ...]:
        """The boards of this group and of those that `boards` are in now, in order, each once."""
        members = self.group.members
        others = [member for board in boards for member in board.group.members]
        # Most changes are a dart or a command in a match that goes on.
        return tuple(dict.fromkeys((*members, *others))) if others else members

    def _regroup(
        self, affected: Iterable["MatchBoard"], playing: tuple["MatchBoard", ...], after: RecordedMatch | None
    ) -> None:
        if playing == self.group.members:
            self.group.recorded = after
            return
        for board in affected:
            if board not in playing:
                board.group = BoardGroup((board,))
        group = BoardGroup(playing, after)
        for board in playing:
            board.group = group

    # ------------------------------------------------------------------ what is shown

    def show(self, transition: Transition | None) -> None:
        """Publishes the match after a transition, and tells the board and the listeners about it."""
        recorded = None if transition is None else transition.after
        self._publisher.match(transition)
        self.show_hands()
        self._lamps.show(recorded)
        self.notify()

    def show_hands(self, hint: payloads.HintBody | None = None) -> None:
        """Publishes the hands; a `hint` goes into the hand of the player who must act."""
        self._publisher.hands(self.group.recorded, hint)

    def show_chance(self, revision: int, chance: dict[str, float]) -> None:
        """Publishes the chance of each player to win on all boards of the match, if it is still at this revision."""
        if self.record.row.revision == revision:
            for board in self.group.members:
                board._publisher.chance(chance)

    def send_event(self, event: payloads.Event) -> None:
        """Publishes an event of this board."""
        self._publisher.event(event)

    def send_ignored(self, seq: int, refusal: Refusal) -> None:
        """Publishes that a hit of this board does not count."""
        self.send_event(payloads.ignored(f"{self.name}-{seq}", self.record.row.revision, refusal))

    def disk(self, trouble: str | None) -> None:
        """Publishes on all boards that nothing can be committed, and why; with `None`, that it can again."""
        self.group.trouble = trouble
        for board in self.group.members:
            board._publisher.disk(trouble)

    def doubt(self, dart: Dart) -> None:
        """Lists a repeat that may have been a dart with the match."""
        self._publisher.doubt(dart)

    def settle_doubt(self, bed: str) -> None:
        """Removes a doubt about a bed."""
        self._publisher.settle_doubt(bed)

    def join(self, group: BoardGroup) -> None:
        """Joins boards that already play the match of this one, after a restart."""
        self.record.follow(max(member.record.row.revision for member in (self, *group.members)), self.record.row.match)
        others, group.members = group.members, (*group.members, self)
        self.group = group
        if self.has_turn:
            # The bots of another board acted for this one, and leave that to it now.
            for board in others:
                board.notify()


async def _instead(records: list[BoardRecord], change: Callable[[], Awaitable[Refusal | None]]) -> Refusal | None:
    """Runs a change that takes the matches off some boards. Those without a record go on as before if it is refused."""
    rows = [record.row for record in records]
    for record in records:
        record.leave_unkept()
    if (refusal := await change()) is not None:
        for record, row in zip(records, rows, strict=True):
            record.return_to(row)
    return refusal


def _next_revision(boards: Iterable[MatchBoard]) -> int:
    return 1 + max(board.record.row.revision for board in boards)


def thrown_elsewhere(recorded: RecordedMatch | None, board: str) -> Refusal | None:
    """Why a dart at a board does not count: the match waits for one at another board."""
    if recorded is None or recorded.match.turn.awaits != "throw" or recorded.turn_is_at(board):
        return None
    actor = recorded.match.turn.actor
    return Refusal("not_your_turn", f"It is {actor}'s turn, at the board {recorded.board_of(actor)}.")


def unstartable(board: MatchBoard, boards: Iterable[MatchBoard]) -> Refusal | None:
    """Why a match that `board` is told to start cannot begin on `boards`; None if it can.

    People may be playing at another board, in another room. A match of the demo is nobody's.
    """
    boards = tuple(boards)
    if boards and board not in boards:
        return Refusal("bad_boards", f"Nobody would throw at the board {board.name}; start the match at another one.")
    for other in boards:
        found = other.group.recorded
        if other.group is not board.group and found is not None and found.kept and not found.match.finished:
            return Refusal("board_busy", f"A match is being played at the board {other.name}; stop that one first.")
    return None
