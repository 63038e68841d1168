"""Matches on the boards that do not count any more: nobody in them is called to another board, and they end.

A correction gave the match other players, a withdrawal or a typed result decided it, or its call was moved. Nobody
would end such a match: its players leave for the board to which they are called next, and its own board is never free.
"""

from collections.abc import Callable, Mapping
from typing import Final

from daemon.tournament.boards import FixtureBoard, SeenMatch
from daemon.tournament.fixture_match import call_id, is_match_of, start_of
from engine.matchfile import Games
from league.calls import VOID_SECONDS, players_of
from league.state import Left, Tournament

START_SECONDS: Final = 60.0
"""Within this time a match that was started is on its board; else its call is taken back."""
UNKNOWN_SECONDS: Final = 600.0
"""A board of another node does not tell when its match has begun: after this time the same players may have begun one
of their own. So long a board that cannot be asked keeps its players, too."""


class LeftMatches:
    """The matches of `Tournament.left` that are still played. `boards` are those of the tournament now."""

    def __init__(
        self, boards: Callable[[], Mapping[str, FixtureBoard]], games: Games, clock: Callable[[], float]
    ) -> None:
        self._boards, self._games, self._clock = boards, games, clock

    def players(self, tournament: Tournament) -> frozenset[str]:
        """Who still plays such a match, or may do so on a board that cannot be asked at the moment."""
        now, boards = self._clock(), self._boards()
        return frozenset(
            player
            for left in tournament.left
            if (board := boards.get(left.board)) is not None
            and (self._match(tournament, left, board) if board.is_ready else now - left.at < UNKNOWN_SECONDS)
            for player in players_of(tournament, left.pairing)
        )

    async def end(self, tournament: Tournament) -> None:
        """Takes those off their boards that have stayed long enough."""
        now, boards = self._clock(), self._boards()
        for left in tournament.left:
            board = boards.get(left.board)
            if board is None or not board.is_ready or not (left.at_once or now - left.at >= VOID_SECONDS):
                continue
            if (match := self._match(tournament, left, board)) is not None:
                await board.stop(match.revision)

    def _match(self, tournament: Tournament, left: Left, board: FixtureBoard) -> SeenMatch | None:
        """The match, if it is still played on its board."""
        match = board.match
        if match is None or match.finished or self._is_called(tournament, left.board, board, match):
            return None
        if not is_match_of(match, start_of(tournament, left.pairing, self._games)):
            return None
        begun = board.has_begun(match, call_id(tournament, left.pairing.fixture.id, left.began), left.began)
        in_time = self._clock() <= left.at + UNKNOWN_SECONDS
        if match.started is not None:
            in_time = match.started <= left.at + START_SECONDS
        return match if begun and in_time else None

    def _is_called(self, tournament: Tournament, name: str, board: FixtureBoard, match: SeenMatch) -> bool:
        """Whether it is the match of a fixture that is called to the board now: of the same players, called again."""
        for fixture, called in tournament.calls.items():
            if called == name:
                began = tournament.began[fixture]
                start = start_of(tournament, tournament.standing.pairings[fixture], self._games)
                return is_match_of(match, start) and board.has_begun(match, call_id(tournament, fixture, began), began)
        return False
