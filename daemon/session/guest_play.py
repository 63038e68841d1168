"""A match on this board that a board of another node records: what happens here goes there, and its record comes back.

The board's own journal has each dart first. Nothing is decided here: the copy of the match changes with the lines of
the host's record alone. What waits for the host's answer is only applied to know whether a dart counts as thrown.
"""

import hashlib
import logging
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from daemon.record.changes import MatchRow
from daemon.session.copied_match import RecordLines
from daemon.session.house_payloads import House, Sent
from daemon.session.match_board import MatchBoard, thrown_elsewhere
from daemon.session.node_boards import NodeBoards
from daemon.session.publisher import BoardPublisher
from daemon.session.recorded_match import RecordedMatch, Transition, starting, unchanged, utc_now
from daemon.session.replies import Asker
from daemon.session.scorer import Scorer
from daemon.session.waiting import Waiting, WaitingCommand, WaitingHit
from engine.actions import Action, Throw, action_from_json, action_to_json
from engine.darts import dart_to_json
from engine.hits import Hit, dart_of
from engine.match import dart_text
from engine.refusals import Refusal

log = logging.getLogger(__name__)

MOST_WAITING: Final = 32
"""Actions that may wait for the host. More are refused, but for darts: a visit bounds those."""


class HostLine(Protocol):
    """The way to the house that records the match."""

    @property
    def is_here(self) -> bool:
        """Whether the host answers."""

    def wake(self) -> None:
        """Sends the first of what waits."""


@dataclass(frozen=True, slots=True)
class FromHost:
    """News from the host: lines of the record, and what it has answered.

    `last` is the id of the last command that it executed for this board, `answered` the one that this replies to.
    `count` is how many lines the record has.
    """

    match: str
    lines: RecordLines | None = None
    last: str | None = None
    answered: str | None = None
    refusal: Refusal | None = None
    count: int = 0


class GuestPlay:
    """The part of a board's session for matches that another node records."""

    def __init__(self, match: MatchBoard, publisher: BoardPublisher, scorer: Scorer, boards: NodeBoards) -> None:
        self.waiting: deque[Waiting] = deque()
        self.line: HostLine | None = None
        self._match, self._record, self._publisher = match, match.record, publisher
        self._scorer, self._boards = scorer, boards
        self._loaded: str | None = None
        self._differs: str | None = None
        """The match whose record the rules here do not allow: the versions of the two houses differ."""
        match.on_change(self._changed)

    @property
    def copy(self) -> RecordedMatch | None:
        """The match on the board, if another node records it."""
        recorded = self._match.group.recorded
        return recorded if recorded is not None and recorded.host is not None else None

    @property
    def is_here(self) -> bool:
        """Whether the host answers."""
        return self.line is not None and self.line.is_here

    def expected(self) -> RecordedMatch | None:
        """The match on the board, as it will be if the host executes what waits."""
        recorded = self._match.group.recorded
        if self.copy is None or recorded is None:
            return recorded
        for waiting in self.waiting:
            action = action_from_json(waiting.body)
            if not isinstance(action, Refusal):
                done = self._scorer.act(recorded, action, None, self._record.row.revision, utc_now())
                recorded = recorded if isinstance(done, Refusal) else done.after
        return recorded

    # ------------------------------------------------------------------ to the host

    async def throw(self, hit: Hit, now: datetime) -> Transition | Refusal:
        """Commits a dart and sends it; refused, and not committed, if no throw is awaited here.

        Returns what it is expected to change.
        """
        expected = self.expected()
        if expected is None:
            return Refusal("no_match", "There is no match on this board; start one.")
        refusal = thrown_elsewhere(expected, self._match.name)
        done = refusal or self._scorer.act(expected, Throw(hit.dart), "board", self._record.row.revision, now)
        if isinstance(done, Refusal):
            return done
        if self._record.to_host.first is None:
            self._record.to_host.first = hit.seq
        dart, turn = _next_dart(expected)
        about: Sent = {"match": expected.row.id, "dart": dart, "turn": turn}
        await self._record.commit(self._record.entry_of_hit(hit, about), patient=True)
        self._add(WaitingHit(self._id_of(hit.seq), {"throw": dart_to_json(hit.dart)}, dart, turn, seq=hit.seq))
        return done

    def press(self, action: Action) -> Refusal | None:
        """Sends what the board itself asks for: a button, or the take-out."""
        if len(self.waiting) >= MOST_WAITING:
            return Refusal("away", "Too much waits for the other house already.")
        self._add(WaitingCommand(f"{self._place}-{secrets.token_hex(8)}", action_to_json(action)))
        return None

    def forward(
        self, asker: Asker, body: dict[str, Any], answered: Callable[[Refusal | None], None], *, exact: bool
    ) -> None:
        """Sends a command of this house, and calls `answered` with the host's answer; refused while it is away."""
        copy = self.copy
        if copy is None or not self.is_here or len(self.waiting) >= MOST_WAITING:
            answered(Refusal("away", "The other house cannot be reached now; try again when it is back."))
            return
        number = secrets.token_hex(8) if asker.id is None else hashlib.sha256(asker.key.encode()).hexdigest()[:16]
        expected = self.expected() or copy
        dart, turn = _next_dart(expected) if "throw" in body else (None, None)
        shown = copy.actions if exact else None
        self._add(WaitingCommand(f"{self._place}-c{number}", body, dart, turn, exact=shown, answered=answered))

    def _add(self, waiting: Waiting) -> None:
        self.waiting.append(waiting)
        if self.line is not None:
            self.line.wake()
        self.show()

    @property
    def _place(self) -> str:
        return f"{self._scorer.node}-{self._match.name}"

    def _id_of(self, seq: int) -> str:
        return f"{self._place}-{seq}"

    # ------------------------------------------------------------------ from the host

    async def begin(self, row: MatchRow, lines: RecordLines) -> Refusal | None:
        """Puts the copy of a match on the board. A match of people that is not over must be stopped first."""
        async with self._boards.alone(self._match):
            there = self._match.group.recorded
            if there is not None and there.row.id == row.id:
                return None
            if there is not None and there.kept and not there.match.finished and there.host != row.board:
                return Refusal("board_busy", f"A match is being played at the board {self._match.name}; stop it first.")
            is_new = self._scorer.history.match(row.id) is None
            copy = self._scorer.copied(row)
            if isinstance(copy, Refusal):
                return copy
            self._record.leave_unkept()
            revision = self._match.next_revision()
            transition = self._scorer.follow(copy, lines, revision) or unchanged(copy, revision)
            if isinstance(transition, Refusal):
                return transition
            if is_new:
                transition = starting(transition, revision)
            refusal = await self._match.change(transition, boards=(self._match,), patient=True)
            self.show()
            return refusal

    async def hear(self, news: FromHost) -> None:
        """Takes what the host says of the match on this board."""
        async with self._boards.alone(self._match):
            copy = self.copy
            if copy is None or copy.row.id != news.match:
                return
            following: Transition | Refusal | None = None
            if news.lines is not None:
                following = self._scorer.follow(copy, news.lines, self._match.next_revision())
            if isinstance(following, Refusal):
                if self._differs != copy.row.id:
                    self._differs = copy.row.id
                    log.error("the record of %s differs from the rules here: %s", copy.host, following)
                    self._publisher.count("failed")
                return
            after = copy if following is None else following.after
            # Before it has all lines, a dart that counts would be in no list for a while: the host is asked again.
            settled = self._settle(news) if after.actions >= news.count or news.refusal is not None else []
            # With the next state, so that a dart is never shown twice, or not at all.
            self._publisher.houses(*self._shown(copy), now=following is None)
            if following is not None:
                await self._match.change(following, patient=True)
            for waiting, refusal in settled:
                if isinstance(waiting, WaitingCommand):
                    waiting.answered(refusal)

    async def end(self, *, stopped: bool) -> None:
        """Takes the copy off the board, after the host has stopped the match or has adjourned it."""
        async with self._boards.alone(self._match):
            if self.copy is not None:
                await self._match.change(None, patient=True, adjourned=not stopped)

    def _changed(self) -> None:
        copy = self.copy
        if self._loaded != (None if copy is None else copy.row.id):
            self._forget()
            self._loaded = None if copy is None else copy.row.id
            if copy is not None:
                self._load(copy)
            if self.line is not None:
                self.line.wake()

    def _forget(self) -> None:
        """Drops what waits: its match is not on the board any more. The darts of an adjourned one stay in the journal,
        and wait again when it is resumed."""
        row = None if self._loaded is None else self._scorer.history.match(self._loaded)
        is_adjourned = row is not None and row.ended is None
        for waiting in self.waiting:
            if isinstance(waiting, WaitingCommand):
                waiting.answered(Refusal("no_match", "The match is not on this board any more."))
            elif not is_adjourned:
                self._record.to_host.answered(waiting.seq)
        self.waiting.clear()
        self._record.to_host.first = None

    def show(self) -> None:
        """Publishes whether the host is there, and what waits for it."""
        if (copy := self.copy) is not None:
            self._publisher.houses(*self._shown(copy))

    def _shown(self, copy: RecordedMatch) -> tuple[list[House], list[str]]:
        node = (copy.host or "").partition("/")[0]
        thrown = (action_from_json(waiting.body) for waiting in self.waiting)
        darts = [dart_text(action.dart) for action in thrown if isinstance(action, Throw)]
        return [{"node": node, "state": "here" if self.is_here else "away", "host": True}], darts

    def _load(self, copy: RecordedMatch) -> None:
        """Adds the darts that a former run has sent without an answer."""
        for seq, hit in self._record.to_host.unanswered(copy.row.id).items():
            body = {"throw": dart_to_json(dart_of(hit))}
            self.waiting.append(WaitingHit(self._id_of(seq), body, hit.get("dart"), hit.get("turn"), seq=seq))
        self._record.to_host.first = self._first()
        self.show()

    def _first(self) -> int | None:
        return next((one.seq for one in self.waiting if isinstance(one, WaitingHit)), None)

    def _settle(self, news: FromHost) -> list[tuple[Waiting, Refusal | None]]:
        settled: list[tuple[Waiting, Refusal | None]] = []
        ids = [waiting.id for waiting in self.waiting]
        if news.last in ids:
            settled += [(self.waiting.popleft(), None) for _ in range(ids.index(news.last) + 1)]
        if self.waiting and self.waiting[0].id == news.answered and not _is_asked_again(self.waiting[0], news.refusal):
            settled.append((self.waiting.popleft(), news.refusal))
        for waiting, refusal in settled:
            if not isinstance(waiting, WaitingHit):
                continue
            self._record.to_host.answered(waiting.seq)
            if refusal is not None:
                log.warning("the host refused the dart %s: %s", waiting.id, refusal)
                self._match.send_ignored(waiting.seq, refusal)
        if settled:
            self._record.to_host.first = self._first()
        return settled


def _next_dart(expected: RecordedMatch) -> tuple[int, int]:
    """The numbers of the next dart and of its turn."""
    return len(expected.match.turn.darts) + 1, expected.match.turns[-1].number


def _is_asked_again(waiting: Waiting, refusal: Refusal | None) -> bool:
    """Whether the host can execute it later: a dart was thrown, and waits until the host's disk has room."""
    return isinstance(waiting, WaitingHit) and refusal is not None and refusal.reason == "disk"
