"""The scorer: what an action, a start or a restart makes of the match on a board. Nothing is kept or shown here.

A game may be somebody's own: a fault in it is a refusal, and the match stays as it was.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from boards.board import Board
from daemon.record.reader import History, MatchRow, damage_of
from daemon.session import chance, recorded_match
from daemon.session.commands import Start
from daemon.session.recorded_match import RecordedMatch, Transition, utc_now
from engine import matchfile
from engine.actions import Action
from engine.faces import Faces
from engine.matchfile import Games
from engine.refusals import Refusal

log = logging.getLogger(__name__)

GAME_FAILED: Final = Refusal("game_failed", "The game has a fault of its own and did not take this; undo, or stop it.")
NO_MATCH: Final = Refusal("no_match", "There is no match on this board; start one.")


@dataclass(frozen=True, slots=True)
class Scorer:
    """Of the board `name`, with the games and faces that there are and the matches that were recorded."""

    name: str
    board: Board
    history: History
    games: Games
    faces: Faces

    def step(self, on: RecordedMatch | None, action: Action, by: str | None, revision: int) -> Transition | Refusal:
        """The match after an action of `by`: a user, the board, or a referee who needs no name. `revision` is the one
        that it makes."""
        if on is None:
            return NO_MATCH
        return _guarded(on.match.header.game, lambda: self._act(on, action, by, revision))

    def begin(self, ask: Start, revision: int) -> Transition | Refusal:
        """A new match, if this board can tell what its game must know."""
        return _guarded(ask.header.game, lambda: self._begin(ask, revision))

    def resume(self, match_id: str | None, revision: int) -> Transition | Refusal | None:
        """The match that was on the board, as the record has it; None where there was none."""
        record = None if match_id is None else self.history.record(match_id)
        if record is None:
            return None
        if record.broken is not None and (damage := damage_of(record)) is not None:
            return Refusal("damaged", f"{damage.message} Start another one.")
        row = record.stored.row
        found = _guarded(f"of the match {match_id}", lambda: self._resume(row, revision))
        if isinstance(found, Refusal):
            log.error("the match %s cannot be taken up: %s", match_id, found)
        return found

    def _act(self, on: RecordedMatch, action: Action, by: str | None, revision: int) -> Transition | Refusal:
        step = recorded_match.act(on, action, by, utc_now(), chance.draw, revision)
        if isinstance(step, Refusal) and step.reason == "nothing_to_undo" and on.hidden:
            whole = recorded_match.reopened(on, self.history, self.games, self.faces)
            return (
                whole
                if isinstance(whole, Refusal)
                else recorded_match.act(whole, action, by, utc_now(), chance.draw, revision)
            )
        return step

    def _begin(self, ask: Start, revision: int) -> Transition | Refusal:
        opened = matchfile.open_match(ask.header, self.games, self.faces)
        if isinstance(opened, Refusal):
            return opened
        if opened.game.needs_segments and not self.board.can.ring:
            return Refusal("board_cannot", f"{opened.game.title} must know the bed, and this board tells points alone.")
        return recorded_match.start(self.name, opened, ask, utc_now(), chance.draw, revision)

    def _resume(self, row: MatchRow, revision: int) -> Transition | Refusal:
        found = recorded_match.resume(row, self.history, self.games, self.faces)
        return found if isinstance(found, Refusal) else recorded_match.again(found, revision)


def _guarded(game: str, change: Callable[[], Transition | Refusal]) -> Transition | Refusal:
    """What a game made, or a refusal where it failed: nothing is committed yet, and the match stays as it was."""
    try:
        return change()
    except Exception:
        log.exception("the game %s failed", game)
        return GAME_FAILED
