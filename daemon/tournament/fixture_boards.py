"""The boards of a tournament: starts what was called there, calls what can be played, and sees how it ended.

A board remembers its match, so whatever was missed while the daemon was down is seen at the next look.
"""

import logging
import math
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, Final

from daemon.session.board_session import BoardSession
from daemon.session.inbox import InternalAction
from daemon.session.recorded_match import RecordedMatch
from daemon.tournament.fixture_match import check_setup, is_match_of, score_of, start_of
from engine.about import unplayable
from engine.actions import Next
from engine.faces import Faces
from engine.matchfile import Games, open_match
from engine.refusals import Refusal
from engine.result import decided
from league.events import Call, Report
from league.record import Record
from league.schedule import next_calls
from league.tournament import Tournament

log = logging.getLogger(__name__)

START_SECONDS: Final = 60.0
"""Within this time a match that was started is on its board; else the call is taken back."""
SEEN: Final = math.inf
"""Stands for the time of a start once the match was seen on its board."""
WON_SECONDS: Final = 60.0
"""A match whose winner is sure is ended by itself when nothing has happened on its board for so long."""
LATE_SECONDS: Final = 300.0
"""So long after its match was called and started, a pair of which nobody has thrown is late."""

Do = Callable[[dict[str, Any]], Awaitable[Refusal | None]]
"""Carries out a command to the tournament."""


class FixtureBoards:
    """The boards, `sessions` by name. `record` returns the tournament's record, `clock` the seconds since 1970."""

    def __init__(
        self,
        sessions: Mapping[str, BoardSession],
        games: Games,
        faces: Faces,
        clock: Callable[[], float],
        record: Callable[[], Record],
        do: Do,
    ) -> None:
        self._sessions, self._games, self._faces = sessions, games, faces
        self._clock, self._record, self._do = clock, record, do
        self._followed: dict[str, BoardSession] = {}
        self._free_since: dict[str, float] = {}
        self._asked: dict[str, float] = {}
        """When the match of a fixture was started, or `SEEN`."""
        self._left_out: set[str] = set()
        self._reopened: set[str] = set()
        """What was logged once: boards that cannot play, and matches that go on after their result was used."""
        self._won: dict[str, tuple[int, float]] = {}
        """The boards whose match waits for its last `next` alone: its revision, and since when."""

    def new_tournament(self) -> None:
        """Another tournament begins: its fixtures have the ids of the last one's."""
        self._asked.clear()
        self._left_out.clear()
        self._reopened.clear()

    def called(self, fixture: str) -> None:
        """A call was made, changed or taken back: what was started before does not answer it."""
        self._asked.pop(fixture, None)

    def follow(self, on_news: Callable[[], None]) -> None:
        """Listens to the boards that have come since the last call."""
        for name, session in self._sessions.items():
            if self._followed.get(name) is not session:
                self._followed[name] = session
                session.on_change(on_news)

    async def look(self) -> None:
        """Takes results, starts what was called, and calls what can be played."""
        if (tournament := self._running()) is None:
            return
        await self._take_back_result()
        for fixture, board in tournament.calls.items():
            if (session := self._sessions.get(board)) is not None and session.restored.is_set():
                await self._attend(fixture, board, session)
        tournament = self._running() or tournament
        free = [board for board in self.connected(tournament) if self._is_free(board, tournament.setup.pause)]
        if not next_calls(tournament, free, tournament.held):
            return
        free = [board for board in free if self._can_play(board, tournament)]
        for fixture, board in next_calls(tournament, free, tournament.held):
            if await self._do({"call": {"fixture": fixture, "board": board}}) is None:
                await self._start(fixture, board)

    def late(self) -> frozenset[str]:
        """The fixtures that wait on their board for somebody to throw, `LATE_SECONDS` after they were called."""
        if (tournament := self._running()) is None:
            return frozenset()
        now = self._clock()
        waiting = (
            (fixture, self._sessions[board].recorded)
            for fixture, board in tournament.calls.items()
            if board in self._sessions
        )
        return frozenset(
            fixture
            for fixture, recorded in waiting
            if recorded is not None
            and recorded.actions == 0
            and self._is_ours(tournament, fixture, recorded)
            and now - max(tournament.began[fixture], _started(recorded)) >= LATE_SECONDS
        )

    def connected(self, tournament: Tournament) -> list[str]:
        """The boards that take part and are connected."""
        named = tournament.setup.boards or tuple(self._sessions)
        return [name for name in named if name in self._sessions and self._sessions[name].link is not None]

    def _running(self) -> Tournament | None:
        found = self._record().tournament
        return found if found is not None and found.drawn and not found.closed else None

    async def _attend(self, fixture: str, board: str, session: BoardSession) -> None:
        """Looks at the board to which a fixture was called."""
        tournament, recorded = self._running(), session.recorded
        if tournament is None or tournament.calls.get(fixture) != board:
            return
        pairing = tournament.standing.pairings[fixture]
        start = start_of(tournament, pairing, self._games)
        if recorded is None or not self._is_ours(tournament, fixture, recorded):
            asked = self._asked.get(fixture)
            if asked is None:
                await self._start(fixture, board)
            elif asked == SEEN or self._clock() - asked > START_SECONDS:
                # Somebody has taken it off the board, or the board refused it: a referee calls it again.
                await self._do({"call": {"fixture": fixture}})
            return
        self._asked[fixture] = SEEN
        if not recorded.match.finished:
            await self._end_if_won(session)
        else:
            play = tournament.play_of(pairing.fixture)
            score = score_of(recorded.match, start, play.best_of, in_group=pairing.fixture.group is not None)
            del self._asked[fixture]
            if score is None:
                await self._do({"call": {"fixture": fixture}})
            else:
                self._free_since[board] = self._clock()
                await self._do({"result": {"fixture": fixture, "score": list(score), "match": recorded.row.id}})

    async def _end_if_won(self, session: BoardSession) -> None:
        """Says the last `next` for winners who walk off. Not a result beside the match: the match then ends as always,
        is in the history as it ended, and an undo takes both back."""
        now, revision = self._clock(), session.revision
        seen, since = self._won.get(session.name, (-1, now))
        if seen == revision:
            if now - since >= WON_SECONDS:
                del self._won[session.name]
                await session.inbox.put(InternalAction(revision, Next(), "clock"))
        elif session.recorded is not None and decided(session.recorded.match) is not None:
            self._won[session.name] = (revision, now)

    async def _take_back_result(self) -> None:
        """Takes back the last result if its match goes on: somebody took back a dart after the end. An earlier result
        stays until a referee corrects it: what came after it may follow from it."""
        last = next((event for event, _ in reversed(self._record().events) if not isinstance(event, Call)), None)
        tournament = self._running()
        results = {result.match: fixture for fixture, result in tournament.results.items()} if tournament else {}
        for session in self._sessions.values():
            recorded = session.recorded
            if recorded is None or recorded.match.finished or (fixture := results.get(recorded.row.id)) is None:
                continue
            if isinstance(last, Report) and last.match == recorded.row.id:
                await self._do({"undo": True})
            elif recorded.row.id not in self._reopened:
                log.warning("the match of %s goes on at %s; its result stands: correct it", fixture, session.name)
                self._reopened.add(recorded.row.id)

    def _is_ours(self, tournament: Tournament, fixture: str, recorded: RecordedMatch) -> bool:
        """Whether the match on a board is that of a fixture, and was begun after its call."""
        start = start_of(tournament, tournament.standing.pairings[fixture], self._games)
        if not recorded.kept or not is_match_of(recorded.match.header, start):
            return False
        if any(result.match == recorded.row.id for result in tournament.results.values()):
            return False
        return _started(recorded) >= tournament.began[fixture] - 1.0

    def _is_free(self, board: str, pause: float) -> bool:
        """Whether a match can begin: nobody plays, and the end of the last match was shown for a while."""
        session, now = self._sessions[board], self._clock()
        if not session.restored.is_set():
            return False
        recorded = session.recorded
        if recorded is None or not recorded.kept:
            return True
        if not recorded.match.finished:
            self._free_since.pop(board, None)
            return False
        return now - self._free_since.setdefault(board, now) >= pause

    def _can_play(self, board: str, tournament: Tournament) -> bool:
        """Whether a board can tell what every match of the tournament needs. One that cannot is never called: it would
        take one match after the other off the list."""
        can = self._sessions[board].board.can_json()
        refusal = check_setup(tournament.setup, self._games, self._faces, can)
        if refusal is not None and board not in self._left_out:
            log.warning("the tournament is not played on %s: %s", board, refusal.message)
            self._left_out.add(board)
        return refusal is None

    async def _start(self, fixture: str, board: str) -> None:
        """Starts the match of a fixture, unless somebody plays or the board cannot tell what the game needs."""
        tournament, session = self._running(), self._sessions[board]
        if tournament is None or not self._is_free(board, 0):
            return
        start = start_of(tournament, tournament.standing.pairings[fixture], self._games)
        opened = open_match(start.header, self._games, self._faces)
        refusal = opened if isinstance(opened, Refusal) else unplayable(opened.game, session.board.can_json())
        if refusal is not None:
            log.warning("%s cannot be played on %s: %s", fixture, board, refusal.message)
            await self._do({"call": {"fixture": fixture}})
            return
        self._asked[fixture] = self._clock()
        await session.inbox.put(start)


def _started(recorded: RecordedMatch) -> float:
    return datetime.fromisoformat(recorded.row.started).timestamp()
