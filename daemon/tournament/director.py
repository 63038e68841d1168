"""Directs the tournament of a node: carries out its commands, and looks at its boards after every change of a match.

Everything that changes the tournament is done one at a time: an event is checked, written to the disk, and only then
published.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Final

from daemon.mqtt.bus import Bus
from daemon.session.board_session import BoardSession
from daemon.system.urls import BrokerUrl
from daemon.tournament import forgetting, tournament_file
from daemon.tournament.fixture_boards import FixtureBoards
from daemon.tournament.fixture_match import check_setup
from daemon.tournament.forgetting import Forgotten
from daemon.tournament.node_boards import OtherNodes
from daemon.tournament.payloads import TournamentState, event_of, state_of
from daemon.tournament.state_size import check_size
from engine.faces import Faces
from engine.matchfile import Games
from engine.refusals import Refusal
from league.calls import players_of
from league.events import Call, Close, Draw, Enter, Event, event_from_json
from league.record import Record
from league.setup import Setup
from league.state import Tournament

log = logging.getLogger(__name__)

TOPIC: Final = "tournament"
LOOK_SECONDS: Final = 1.0
"""How often the boards are looked at without any news: a pause between two matches ends, a board comes back."""
REMEMBERED: Final = 1000
"""How many ids of commands are remembered, to do a repeated one once."""


class Director:
    """The tournament of a node; `sessions` are its boards by name, `clock` returns seconds since 1970.

    `shared` is the broker at which other nodes may be, and the name of this one; `None` if no other can be there.
    `may_send` returns whether this daemon holds that name: their boards take part only then.
    """

    def __init__(
        self,
        data: Path,
        sessions: Mapping[str, BoardSession],
        bus: Bus,
        games: Games,
        faces: Faces,
        clock: Callable[[], float] = time.time,
        shared: tuple[BrokerUrl, str] | None = None,
        may_send: Callable[[], bool] = lambda: True,
    ) -> None:
        self._data, self._sessions, self._bus = data, sessions, bus
        self._games, self._faces, self._clock = games, faces, clock
        self._changing = asyncio.Lock()
        self._news = asyncio.Event()
        self.loaded = asyncio.Event()
        """Set when the tournament of the last run was read, or there is none: `state` says nothing before."""
        self._record = Record()
        self._path: Path | None = None
        self._lines = self._bytes = 0
        self._ids: dict[str, None] = {}
        self._damaged: tuple[int, ...] = ()
        self._late: frozenset[str] = frozenset()
        url, node = shared or (None, "")
        self._others = OtherNodes(url, node, self._news.set, may_send)
        self._boards = FixtureBoards(sessions, self._others.boards, games, faces, clock, lambda: self._record, self._do)

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
        boards = len(self._boards.connected(tournament))
        return state_of(tournament, self._path.stem, self._lines, boards, self._clock(), self._damaged, self._late)

    async def run(self) -> None:
        """Reads the tournament of the last run and directs it, until cancelled. Commands wait until it is read."""
        async with self._changing:
            await self._load()
        self.loaded.set()
        try:
            await self._direct()
        finally:
            self._others.close()

    async def _direct(self) -> None:
        while True:
            self._boards.follow(self._news.set)
            self._others.follow(self.tournament.setup.nodes if self.tournament is not None else ())
            try:
                async with self._changing:
                    await self._boards.look()
                    self._tell_late()
            except Exception:
                # A fault of this program must not end the evening: the next look tries again.
                log.exception("the tournament could not be directed")
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._news.wait()

    async def _load(self) -> None:
        try:
            path = await asyncio.to_thread(tournament_file.newest, self._data)
            if path is not None:
                loaded = await asyncio.to_thread(tournament_file.load, path)
                self._begin(path)
                self._take(loaded)
        except Exception:
            # Neither the disk nor a fault of this program keeps the boards from being played on.
            log.exception("the last tournament in %s cannot be read", self._data / tournament_file.FOLDER)
        self._publish()

    async def forget(self, name: str, boards_in_use: Collection[str]) -> Forgotten | Refusal:
        """Replaces a person's name in the files of all tournaments, or refuses while they are called to a board."""
        async with self._changing:
            if (tournament := self.tournament) is not None:
                pairings = tournament.standing.pairings
                for fixture, board in tournament.calls.items():
                    if (board in boards_in_use or "/" in board) and name in players_of(tournament, pairings[fixture]):
                        why = f"{name} is called to the board {board}; end that match or take its call back first."
                        return Refusal("not_allowed", why)
            done = await asyncio.to_thread(forgetting.forget, self._data, name)
            if self._path is not None and (content := done.contents.get(self._path)) is not None:
                # From the content, not the file: what is in memory must never lag behind what is written.
                self._take(tournament_file.read(content))
                self._publish()
        return done

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
        # Rounded as it is written: the same events give the same tournament after a restart.
        before, at = self._record, round(self._clock(), 3)
        if isinstance(event, Setup):
            if self.tournament is not None:
                return Refusal("not_allowed", "There is a tournament; close it first.")
            if event.nodes and not self._others.can_be_heard:
                return Refusal(
                    "not_allowed", "This daemon has a broker of its own; other nodes need one that all share."
                )
            if (refusal := check_setup(event, self._games, self._faces)) is not None:
                return refusal
            before = Record()
        if isinstance(event, Call) and event.board is not None and event.board not in (names := self._boards.names):
            return Refusal("not_allowed", f"There is no board {event.board}; there are: {', '.join(names)}.")
        after = before.act(event, at)
        if isinstance(after, Refusal):
            return after
        if isinstance(event, Enter | Draw) and after.tournament and (refusal := check_size(after.tournament)):
            return refusal
        if self._lines >= tournament_file.MOST_LINES and not isinstance(event, Close | Setup):
            return Refusal("too_large", "The tournament has too many events; close it.")
        line = {"at": at, "event": body} | ({} if command_id is None else {"id": command_id})
        try:
            if isinstance(event, Setup):
                name = await asyncio.to_thread(tournament_file.new_name, self._data, at)
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
        self._late = frozenset()
        self._boards.new_tournament()

    def _take(self, loaded: tournament_file.Loaded) -> None:
        self._record, self._lines, self._bytes = loaded.record, loaded.lines, loaded.whole_bytes
        self._damaged = loaded.damaged
        self._ids = dict.fromkeys(loaded.ids[-REMEMBERED:])

    def _publish(self) -> None:
        state = self.state()
        if state is None:
            self._bus.clear(TOPIC)
        else:
            self._bus.retain(TOPIC, state)

    def _tell_late(self) -> None:
        """Publishes the state again when somebody is late, or has come."""
        if (late := self._boards.late()) != self._late:
            self._late = late
            self._publish()

    def _tell(self, event: Event) -> None:
        """Publishes calls and results for voice and light."""
        tournament = self.tournament
        if tournament is None or self._path is None:
            return
        if (said := event_of(tournament, event, f"{self._path.stem}-{self._lines}")) is not None:
            self._bus.send(f"{TOPIC}/event", said)
