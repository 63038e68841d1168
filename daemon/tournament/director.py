"""Directs the tournament of a node: calls matches to free boards, starts them, and takes their results.

Everything that changes the tournament passes through `command`, one at a time: an event is checked, written to the
disk, and only then published. What happens on the boards is looked at after every change of a match; whatever was
missed while the daemon was down is seen at the next look, because a board remembers its match.
"""

import asyncio
import contextlib
import logging
import math
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from daemon.mqtt.bus import Bus
from daemon.session.board_session import BoardSession
from daemon.session.recorded_match import RecordedMatch
from daemon.tournament import tournament_file
from daemon.tournament.fixture_match import check_setup, is_match_of, score_of, start_of
from daemon.tournament.payloads import TournamentEvent, TournamentState, state_of
from engine.about import unplayable
from engine.faces import Faces
from engine.matchfile import Games, open_match
from engine.refusals import Refusal
from league.events import Call, Close, Report, event_from_json
from league.record import Record
from league.schedule import next_calls
from league.setup import Setup
from league.tournament import Tournament

log = logging.getLogger(__name__)

TOPIC: Final = "tournament"
LOOK_SECONDS: Final = 1.0
"""How often the boards are looked at without any news: a pause between two matches ends, a board comes back."""
START_SECONDS: Final = 60.0
"""Within this time a match that was started is on its board; else the call is taken back."""
SEEN: Final = math.inf
REMEMBERED: Final = 1000
"""How many ids of commands are remembered, to do a repeated one once."""


class Director:
    """The tournament of a node; `sessions` are its boards by name, `clock` returns seconds since 1970."""

    def __init__(
        self,
        data: Path,
        sessions: Mapping[str, BoardSession],
        bus: Bus,
        games: Games,
        faces: Faces,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._data, self._sessions, self._bus = data, sessions, bus
        self._games, self._faces, self._clock = games, faces, clock
        self._changing = asyncio.Lock()
        self._news = asyncio.Event()
        self._record = Record()
        self._path: Path | None = None
        self._lines = self._bytes = 0
        self._ids: dict[str, None] = {}
        self._damaged: tuple[int, ...] = ()
        self._followed: dict[str, BoardSession] = {}
        self._free_since: dict[str, float] = {}
        self._asked: dict[str, float] = {}
        """When the match of a fixture was started; infinite once it was seen on its board."""

    @property
    def tournament(self) -> Tournament | None:
        """The tournament now; `None` if there is none, or the last one was closed."""
        found = self._record.tournament
        return None if found is None or found.closed else found

    @property
    def revision(self) -> int:
        """How many events the tournament has had."""
        return self._lines

    def state(self) -> TournamentState | None:
        """What is published; `None` without a tournament."""
        if (tournament := self.tournament) is None or self._path is None:
            return None
        boards = len(self._boards(tournament))
        return state_of(tournament, self._path.stem, self._lines, boards, self._clock(), self._damaged)

    async def load(self) -> None:
        """Reads the tournament of the last run, and publishes it."""
        async with self._changing:
            path = await asyncio.to_thread(tournament_file.newest, self._data)
            if path is not None:
                try:
                    loaded = await asyncio.to_thread(tournament_file.load, path)
                except OSError:
                    log.exception("the tournament %s cannot be read", path)
                    return
                self._begin(path)
                self._record, self._lines, self._bytes = loaded.record, loaded.lines, loaded.whole_bytes
                self._damaged = loaded.damaged
                self._ids = dict.fromkeys(loaded.ids[-REMEMBERED:])
            self._publish()

    async def run(self) -> None:
        """Directs the tournament until cancelled."""
        while True:
            self._follow_boards()
            try:
                await self._look()
            except Exception:
                # A fault of this program must not end the evening: the next look tries again.
                log.exception("the tournament could not be directed")
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._news.wait()

    # ------------------------------------------------------------------ commands

    async def command(self, value: object) -> Refusal | int:
        """Carries out a command, and returns the revision after it, or why it is refused.

        `id` makes a repeated command the same one; `revision` is that for which alone it is meant.
        """
        if not isinstance(value, dict):
            return Refusal("bad_value", 'A command to a tournament is an object, like {"enter": {"name": "Ann"}}.')
        body = {key: part for key, part in value.items() if key not in ("id", "revision")}
        command_id, revision = value.get("id"), value.get("revision")
        if command_id is not None and (not isinstance(command_id, str) or not 0 < len(command_id) <= 128):
            return Refusal("bad_value", "The id of a command is text of at most 128 characters.")
        async with self._changing:
            if command_id in self._ids:
                return self._lines
            if revision is not None and revision != self._lines:
                return Refusal("stale_revision", f"The tournament has moved on to revision {self._lines}; look again.")
            refusal = await self._do(body, command_id)
        self._news.set()
        return self._lines if refusal is None else refusal

    async def _do(self, body: dict[str, Any], command_id: str | None = None) -> Refusal | None:
        """Checks, writes and publishes an event. The caller holds the lock."""
        event = event_from_json(body)
        if isinstance(event, Refusal):
            return event
        before, at = self._record, self._clock()
        if isinstance(event, Setup):
            if self.tournament is not None:
                return Refusal("not_allowed", "There is a tournament; close it first.")
            if (refusal := check_setup(event, self._games, self._faces)) is not None:
                return refusal
            before = Record()
        if isinstance(event, Call) and event.board is not None and event.board not in self._sessions:
            return Refusal("not_allowed", f"There is no board {event.board}; there are: {', '.join(self._sessions)}.")
        after = before.act(event, at)
        if isinstance(after, Refusal):
            return after
        if self._lines >= tournament_file.MOST_LINES and not isinstance(event, Close | Setup):
            return Refusal("too_large", "The tournament has too many events; close it.")
        line = {"at": round(at, 3), "event": body} | ({} if command_id is None else {"id": command_id})
        try:
            if isinstance(event, Setup):
                name = f"{datetime.fromtimestamp(at):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"  # noqa: DTZ006
                path = await asyncio.to_thread(tournament_file.create, self._data, name)
                self._begin(path)
            assert self._path is not None
            self._bytes = await asyncio.to_thread(tournament_file.append, self._path, line, self._bytes)
        except OSError as error:
            return Refusal("disk", f"The tournament cannot be written: {error.strerror}.")
        self._record, self._lines = after, self._lines + 1
        if command_id is not None:
            self._ids[command_id] = None
            if len(self._ids) > REMEMBERED:
                del self._ids[next(iter(self._ids))]
        self._publish()
        self._tell(event)
        return None

    def _begin(self, path: Path) -> None:
        self._path, self._lines, self._bytes, self._damaged = path, 0, 0, ()
        self._record = Record()
        self._ids.clear()
        self._asked.clear()

    def _publish(self) -> None:
        state = self.state()
        if state is None:
            self._bus.clear(TOPIC)
        else:
            self._bus.retain(TOPIC, state)

    def _tell(self, event: object) -> None:
        """Publishes calls and results for voice and light."""
        tournament = self.tournament
        if tournament is None or not isinstance(event, Call | Report) or self._path is None:
            return
        pairing = tournament.standing.pairings[event.fixture]
        players = [tournament.by_number(side).name for side in (pairing.home, pairing.away) if side]
        said: TournamentEvent = {
            "id": f"{self._path.stem}-{self._lines}",
            "event": "called",
            "fixture": event.fixture,
            "players": players,
        }
        if isinstance(event, Report):
            said |= {"event": "result", "score": list(event.score)}
            if pairing.winner:
                said["winner"] = tournament.by_number(pairing.winner).name
        elif event.board is None:
            return
        else:
            said["board"] = event.board
        self._bus.send(f"{TOPIC}/event", said)

    # ------------------------------------------------------------------ the boards

    def _follow_boards(self) -> None:
        """Listens to the boards that have come since the last look."""
        for name, session in self._sessions.items():
            if self._followed.get(name) is not session:
                self._followed[name] = session
                session.on_change(self._news.set)

    async def _look(self) -> None:
        """Takes results, starts what was called, and calls what can be played."""
        async with self._changing:
            if (tournament := self.tournament) is None or not tournament.drawn:
                return
            await self._look_again()
            for fixture, board in tournament.calls.items():
                if (session := self._sessions.get(board)) is not None and session.restored.is_set():
                    await self._attend(fixture, board, session)
            tournament = self.tournament or tournament
            free = [board for board in self._boards(tournament) if self._is_free(board, tournament.setup.pause)]
            for fixture, board in next_calls(tournament, free, tournament.held):
                if await self._do({"call": {"fixture": fixture, "board": board}}) is None:
                    await self._start(fixture, board)

    async def _attend(self, fixture: str, board: str, session: BoardSession) -> None:
        """Looks at the board to which a fixture was called."""
        tournament, recorded = self.tournament, session.recorded
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
                del self._asked[fixture]
                await self._do({"call": {"fixture": fixture}})
            return
        self._asked[fixture] = SEEN
        if recorded.match.finished:
            play = tournament.play_of(pairing.fixture)
            score = score_of(recorded.match, start, play.best_of, in_group=pairing.fixture.group is not None)
            del self._asked[fixture]
            if score is None:
                await self._do({"call": {"fixture": fixture}})
            else:
                self._free_since[board] = self._clock()
                await self._do({"result": {"fixture": fixture, "score": list(score), "match": recorded.row.id}})

    async def _look_again(self) -> None:
        """Takes back the last result if its match goes on: somebody took back a dart after the end."""
        last = next((event for event, _ in reversed(self._record.events) if not isinstance(event, Call)), None)
        if not isinstance(last, Report) or last.match is None:
            return
        for session in self._sessions.values():
            recorded = session.recorded
            if recorded is not None and recorded.row.id == last.match and not recorded.match.finished:
                await self._do({"undo": True})

    def _is_ours(self, tournament: Tournament, fixture: str, recorded: RecordedMatch) -> bool:
        """Whether the match on a board is that of a fixture, and was begun after its call."""
        start = start_of(tournament, tournament.standing.pairings[fixture], self._games)
        if not recorded.kept or not is_match_of(recorded.match.header, start):
            return False
        if any(result.match == recorded.row.id for result in tournament.results.values()):
            return False
        return datetime.fromisoformat(recorded.row.started).timestamp() >= tournament.began[fixture] - 1.0

    def _boards(self, tournament: Tournament) -> list[str]:
        """The boards that take part and are connected."""
        named = tournament.setup.boards or tuple(self._sessions)
        return [name for name in named if name in self._sessions and self._sessions[name].link is not None]

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

    async def _start(self, fixture: str, board: str) -> None:
        """Starts the match of a fixture, unless somebody plays or the board cannot tell what the game needs."""
        tournament, session = self.tournament, self._sessions[board]
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
