"""The boards of a tournament: starts what was called there, calls what can be played, and sees how it ended.

A board remembers its match, so whatever was missed while the daemon was down is seen at the next look.
"""

import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from daemon.session.board_session import BoardSession
from daemon.tournament.boards import FixtureBoard, LocalBoard, SeenMatch
from daemon.tournament.fixture_match import call_id, check_setup, is_match_of, maximums_of_sides, score_of, start_of
from daemon.tournament.left_matches import START_SECONDS, LeftMatches
from engine.about import unplayable
from engine.faces import Faces
from engine.matchfile import Games, open_match
from engine.refusals import Refusal
from league.calls import players_of
from league.events import Call, Correct, Event, Reopened, Report
from league.pairings import Pairing
from league.record import Record
from league.schedule import next_calls
from league.state import Tournament

log = logging.getLogger(__name__)

SEEN: Final = math.inf
"""Stands for the time of a start once the match was seen on its board."""
WON_SECONDS: Final = 60.0
"""A match whose winner is sure is ended by itself when nothing has happened on its board for so long."""
LATE_SECONDS: Final = 300.0
"""So long after its match was called and started, a pair of which nobody has thrown is late."""

Do = Callable[[dict[str, Any]], Awaitable[Refusal | None]]
"""Carries out a command to the tournament."""


class FixtureBoards:
    """The boards: `sessions` of this node by name, and `others` of other nodes by `node/board`. `record` returns the
    tournament's record, `clock` the seconds since 1970."""

    def __init__(
        self,
        sessions: Mapping[str, BoardSession],
        others: Mapping[str, FixtureBoard],
        games: Games,
        faces: Faces,
        clock: Callable[[], float],
        record: Callable[[], Record],
        do: Do,
    ) -> None:
        self._sessions, self._others = sessions, others
        self._games, self._faces = games, faces
        self._clock, self._record, self._do = clock, record, do
        self._followed: dict[str, BoardSession] = {}
        self._own: dict[str, LocalBoard] = {}
        self._free_since: dict[str, float] = {}
        self._asked: dict[str, float] = {}
        """When the match of a call was started, or `SEEN`, by the id of the call."""
        self._left = LeftMatches(lambda: self._boards, games, clock)
        self._left_out: set[str] = set()
        """The boards that cannot play, which were logged once."""
        self._won: dict[str, tuple[int, float]] = {}
        """The boards whose match waits for its last `next` alone: its revision, and since when."""

    def new_tournament(self) -> None:
        """Another tournament begins: its fixtures have the ids of the last one's."""
        self._asked.clear()
        self._left_out.clear()

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
        # A call that was taken back and is there again, because that was undone, may need another start.
        called = {_call_id(tournament, fixture) for fixture in tournament.calls}
        self._asked = {call: at for call, at in self._asked.items() if call in called}
        await self._left.end(tournament)
        for fixture, name in tournament.calls.items():
            if (place := self._boards.get(name)) is None:
                continue
            call = _call_id(tournament, fixture)
            if place.is_ready:
                await self._attend(fixture, name, place)
            elif self._asked.get(call, SEEN) != SEEN:
                # The time that its node or the broker is away does not count: the same start is asked for again.
                del self._asked[call]
        tournament = self._running() or tournament
        free = [board for board in self.connected(tournament) if self._is_free(board, tournament.setup.pause)]
        playing = self._left.players(tournament)
        if not next_calls(tournament, free, tournament.held, playing):
            return
        free = [board for board in free if self._can_play(board, tournament)]
        for fixture, board in next_calls(tournament, free, tournament.held, playing):
            if await self._do({"call": {"fixture": fixture, "board": board}}) is None:
                await self._start(fixture, board)

    def late(self) -> frozenset[str]:
        """The fixtures that wait on their board for somebody to throw, `LATE_SECONDS` after they were called."""
        if (tournament := self._running()) is None:
            return frozenset()
        now, boards = self._clock(), self._boards
        waiting = ((fixture, boards[name].match) for fixture, name in tournament.calls.items() if name in boards)
        return frozenset(
            fixture
            for fixture, match in waiting
            if match is not None
            and not match.is_begun
            and self._is_ours(tournament, fixture, match)
            and now - max(tournament.began[fixture], match.started or 0) >= LATE_SECONDS
        )

    def connected(self, tournament: Tournament) -> list[str]:
        """The boards that take part and are connected: of all nodes that the tournament names, and of this one."""
        boards = self._boards
        named = tournament.setup.boards or tuple(boards)
        return [name for name in named if name in boards and boards[name].is_connected]

    @property
    def names(self) -> list[str]:
        """The names of all boards to which a fixture can be called."""
        return list(self._boards)

    @property
    def _boards(self) -> dict[str, FixtureBoard]:
        for name, session in self._sessions.items():
            if (known := self._own.get(name)) is None or known.session is not session:
                self._own[name] = LocalBoard(session)
        return {name: self._own[name] for name in self._sessions} | dict(self._others)

    def _running(self) -> Tournament | None:
        found = self._record().tournament
        return found if found is not None and found.drawn and not found.closed else None

    async def _attend(self, fixture: str, name: str, board: FixtureBoard) -> None:
        """Looks at the board to which a fixture was called."""
        tournament, match = self._running(), board.match
        if tournament is None or tournament.calls.get(fixture) != name:
            return
        pairing = tournament.standing.pairings[fixture]
        start, call = start_of(tournament, pairing, self._games), _call_id(tournament, fixture)
        if match is None or not self._is_ours(tournament, fixture, match):
            asked = self._asked.get(call)
            if asked is None:
                await self._start(fixture, name)
            elif asked == SEEN or self._clock() - asked > START_SECONDS:
                # Somebody has taken it off the board, or the board refused it: a referee calls it again.
                await self._do({"call": {"fixture": fixture}})
            elif not board.is_answered(call):
                await board.start(start, call)
            return
        self._asked[call] = SEEN
        if not match.finished:
            await self._end_if_won(name, board, match)
        else:
            play = tournament.play_of(pairing.fixture)
            score = score_of(match, start, play.best_of, in_group=pairing.fixture.group is not None)
            del self._asked[call]
            if score is None:
                await self._do({"call": {"fixture": fixture}})
            else:
                self._free_since[name] = self._clock()
                maximums = list(maximums_of_sides(match, start))
                more = {"maximums": maximums} if any(maximums) else {}
                result = {"fixture": fixture, "score": list(score), "match": match.id}
                await self._do({"result": result | more})

    async def _end_if_won(self, name: str, board: FixtureBoard, match: SeenMatch) -> None:
        """Says the last `next` for winners who walk off. Not a result beside the match: the match then ends as always,
        is in the history as it ended, and an undo takes both back."""
        now = self._clock()
        seen, since = self._won.get(name, (-1, now))
        if seen == match.revision:
            if now - since >= WON_SECONDS:
                del self._won[name]
                await board.end_turn(match.revision)
        elif match.is_won:
            self._won[name] = (match.revision, now)

    async def _take_back_result(self) -> None:
        """Takes back the last result if its match goes on or has ended otherwise: somebody took back a dart after the
        end. An earlier result stays, for what came after it may follow from it; the referee is told."""
        tournament, events = self._running(), [event for event, _ in self._record().events]
        last = next((event for event in reversed(events) if not isinstance(event, Call | Reopened)), None)
        results = {result.match: fixture for fixture, result in tournament.results.items()} if tournament else {}
        for board in self._boards.values():
            match = board.match
            if tournament is None or match is None or (fixture := results.get(match.id)) is None:
                continue
            ended, result = self._score(tournament, fixture, match), tournament.results[fixture]
            if ended == result.score or was_corrected(events, fixture, match.id):
                if tournament.reopened.get(fixture, ended) != ended:
                    await self._do({"reopened": {"fixture": fixture, "score": list(result.score)}})
            elif isinstance(last, Report) and last.match == match.id:
                await self._do({"undo": True})
            elif tournament.reopened.get(fixture, False) != ended:
                log.warning("the match of %s has gone on after others; its result stands: correct it", fixture)
                await self._do({"reopened": {"fixture": fixture} | ({"score": list(ended)} if ended else {})})

    def _score(self, tournament: Tournament, fixture: str, match: SeenMatch) -> tuple[int, int] | None:
        """The score of a match that has a result; `None` while it goes on, and if it has no winner."""
        of, result = tournament.standing.pairings[fixture].fixture, tournament.results[fixture]
        if not match.finished:
            return None
        pairing = Pairing(of, "done", result.home, result.away)
        start = start_of(tournament, pairing, self._games)
        return score_of(match, start, tournament.play_of(of).best_of, in_group=of.group is not None)

    def _is_ours(self, tournament: Tournament, fixture: str, match: SeenMatch) -> bool:
        """Whether the match on a board is that of a fixture, and was begun after its call."""
        start = start_of(tournament, tournament.standing.pairings[fixture], self._games)
        if not is_match_of(match, start):
            return False
        if any(result.match == match.id for result in tournament.results.values()):
            return False
        board = self._boards[tournament.calls[fixture]]
        return board.has_begun(match, _call_id(tournament, fixture), tournament.began[fixture])

    def _is_free(self, name: str, pause: float) -> bool:
        """Whether a match can begin: nobody plays, and the end of the last match was shown for a while."""
        board, now = self._boards[name], self._clock()
        if not board.is_ready:
            return False
        if (match := board.match) is None:
            return True
        if not match.finished:
            self._free_since.pop(name, None)
            return False
        return now - self._free_since.setdefault(name, now) >= pause

    def _can_play(self, board: str, tournament: Tournament) -> bool:
        """Whether a board can tell what every match of the tournament needs. One that cannot is never called: it would
        take one match after the other off the list."""
        refusal = check_setup(tournament.setup, self._games, self._faces, self._boards[board].can)
        if refusal is not None and board not in self._left_out:
            log.warning("the tournament is not played on %s: %s", board, refusal.message)
            self._left_out.add(board)
        return refusal is None

    async def _start(self, fixture: str, name: str) -> None:
        """Starts the match of a fixture, unless somebody plays there, one of its players is still on another board, or
        the board cannot tell what the game needs."""
        tournament, board = self._running(), self._boards[name]
        if tournament is None or not self._is_free(name, 0):
            return
        pairing = tournament.standing.pairings[fixture]
        if players_of(tournament, pairing) & self._left.players(tournament):
            return
        start = start_of(tournament, pairing, self._games)
        opened = open_match(start.header, self._games, self._faces)
        refusal = opened if isinstance(opened, Refusal) else unplayable(opened.game, board.can)
        if refusal is not None:
            log.warning("%s cannot be played on %s: %s", fixture, name, refusal.message)
            await self._do({"call": {"fixture": fixture}})
            return
        self._asked[_call_id(tournament, fixture)] = self._clock()
        await board.start(start, _call_id(tournament, fixture))


def _call_id(tournament: Tournament, fixture: str) -> str:
    return call_id(tournament, fixture, tournament.began[fixture])


def was_corrected(events: Sequence[Event], fixture: str, match: str) -> bool:
    """Whether a referee has corrected the result that a match gave: theirs counts, whatever the board says."""
    for event in reversed(events):
        if isinstance(event, Correct) and event.fixture == fixture:
            return True
        if isinstance(event, Report) and event.match == match:
            return False
    return False
