"""The boards of a tournament, as it looks at them: those of this node, and those of other nodes at the same broker."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol

from daemon.session.board_session import BoardSession
from daemon.session.commands import Command, Start, Stop
from daemon.session.inbox import Call, InternalAction
from daemon.session.recorded_match import RecordedMatch
from daemon.session.replies import Asker
from engine.actions import Next
from engine.refusals import Refusal
from engine.result import decided

MAXIMUM: Final = "ton_80"
"""The award for a 180."""
LATER: Final = 1.0
"""Seconds by which the start of a match may lie before its call: both are rounded."""

MOVED_ON: Final = Refusal("stale_revision", "The match has moved on.")


@dataclass(frozen=True, slots=True)
class SeenMatch:
    """The match on a board. `winners` and the `legs` of each player are those of a match that is finished.

    `maximums` are the 180s of each player. `is_won` says that only the last `next` is missing, `is_begun` that somebody
    has thrown. `started` is in seconds since 1970, `None` where the board does not tell.
    """

    id: str
    game: str
    players: tuple[str, ...]
    revision: int
    finished: bool = False
    is_won: bool = False
    is_begun: bool = False
    started: float | None = None
    winners: tuple[str, ...] = ()
    legs: Mapping[str, int] = field(default_factory=dict)
    maximums: Mapping[str, int] = field(default_factory=dict)


class FixtureBoard(Protocol):
    """A board on which fixtures are played. `call` names a call of a fixture to it, and no other call."""

    @property
    def is_ready(self) -> bool:
        """Whether it is known what is on the board."""

    @property
    def is_connected(self) -> bool:
        """Whether darts at the board count."""

    @property
    def can(self) -> Container[str]:
        """What the board can tell."""

    @property
    def match(self) -> SeenMatch | None:
        """The recorded match on the board; `None` without one."""

    def has_begun(self, match: SeenMatch, call: str, called: float) -> bool:
        """Whether a match was begun after a call, at the time `called`."""

    async def start(self, start: Start, call: str) -> None:
        """Starts a match, or asks for it again."""

    def is_answered(self, call: str) -> bool:
        """Whether nothing is gained by asking for the start again."""

    async def end_turn(self, revision: int) -> None:
        """Says the last `next` of a match whose winner is sure, at this revision alone."""

    async def stop(self, revision: int) -> None:
        """Takes the match off the board, at this revision alone."""


class LocalBoard:
    """A board of this node."""

    def __init__(self, session: BoardSession) -> None:
        self.session = session
        self._seen: tuple[RecordedMatch, SeenMatch] | None = None
        """The match as it was looked at last: each look asks for it several times."""

    @property
    def is_ready(self) -> bool:
        return self.session.restored.is_set()

    @property
    def is_connected(self) -> bool:
        return self.session.link is not None

    @property
    def can(self) -> Container[str]:
        return self.session.board.can_json()

    @property
    def match(self) -> SeenMatch | None:
        recorded, revision = self.session.recorded, self.session.revision
        if recorded is None or not recorded.kept:
            return None
        if self._seen is None or self._seen[0] is not recorded or self._seen[1].revision != revision:
            self._seen = recorded, _seen(recorded, revision)
        return self._seen[1]

    def has_begun(self, match: SeenMatch, call: str, called: float) -> bool:
        return match.started is not None and match.started >= called - LATER

    async def start(self, start: Start, call: str) -> None:
        await self.session.inbox.put(start)

    def is_answered(self, call: str) -> bool:
        return True

    async def end_turn(self, revision: int) -> None:
        await self.session.inbox.put(InternalAction(revision, Next(), "clock"))

    async def stop(self, revision: int) -> None:
        def permit(_match: RecordedMatch | None) -> Refusal | None:
            return None if self.session.revision == revision else MOVED_ON

        async def stop() -> None:
            await self.session.execute(Command(Stop()), Asker(None), permit)

        await self.session.inbox.put(Call(stop))


def _seen(recorded: RecordedMatch, revision: int) -> SeenMatch:
    match, header = recorded.match, recorded.match.header
    view = match.view() if match.finished else {}
    return SeenMatch(
        recorded.row.id,
        header.game,
        header.players,
        revision,
        match.finished,
        is_won=not match.finished and decided(match) is not None,
        is_begun=recorded.actions > 0,
        started=datetime.fromisoformat(recorded.row.started).timestamp(),
        winners=(match.game.winners(match.state) or ()) if match.finished else (),
        legs=legs_of(view) if match.finished else {},
        maximums=maximums_of(view) if match.finished else {},
    )


def legs_of(view: Mapping[str, Any]) -> dict[str, int]:
    """The legs of each player in the public state of a match."""
    return {player["name"]: player["legs"] for player in view["players"] if isinstance(player.get("legs"), int)}


def maximums_of(view: Mapping[str, Any]) -> dict[str, int]:
    """The 180s of each player who has thrown any, in the public state of a match."""
    awards = {player["name"]: player.get("awards") for player in view["players"]}
    return {
        name: of[MAXIMUM] for name, of in awards.items() if isinstance(of, Mapping) and type(of.get(MAXIMUM)) is int
    }
