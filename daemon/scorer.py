"""The scorer: what an action, a start or a restart makes of the match on a board. Nothing is kept or shown here.

A game may be somebody's own: a fault in it is a refusal, and the match stays as it was.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from boards.board import Board
from daemon import chance, live
from daemon.commands import Start
from daemon.live import Change, Live, utc_now
from daemon.record.history import History, MatchRow, damage_of
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

    def step(self, on: Live | None, action: Action, by: str | None, revision: int) -> Change | Refusal:
        """The match after an action of `by`: a user, the board, or a referee who needs no name. `revision` is the one
        that it makes."""
        if on is None:
            return NO_MATCH
        return _guarded(on.match.header.game, lambda: self._act(on, action, by, revision))

    def begin(self, ask: Start, revision: int) -> Change | Refusal:
        """A new match, if this board can tell what its game must know."""
        return _guarded(ask.header.game, lambda: self._begin(ask, revision))

    def resume(self, match_id: str | None, revision: int) -> Change | Refusal | None:
        """The match that was on the board, as the record has it; None where there was none."""
        record = None if match_id is None else self.history.record(match_id)
        if record is None:
            return None
        if record.broken is not None and (damage := damage_of(record)) is not None:
            return Refusal("damaged", f"{damage.sentence} Start another one.")
        row = record.stored.row
        found = _guarded(f"of the match {match_id}", lambda: self._resume(row, revision))
        if isinstance(found, Refusal):
            log.error("the match %s cannot be taken up: %s", match_id, found)
        return found

    def _act(self, on: Live, action: Action, by: str | None, revision: int) -> Change | Refusal:
        step = live.act(on, action, by, utc_now(), chance.draw, revision)
        if isinstance(step, Refusal) and step.reason == "nothing_to_undo" and on.hidden:
            whole = live.reopened(on, self.history, self.games, self.faces)
            return (
                whole if isinstance(whole, Refusal) else live.act(whole, action, by, utc_now(), chance.draw, revision)
            )
        return step

    def _begin(self, ask: Start, revision: int) -> Change | Refusal:
        opened = matchfile.open_match(ask.header, self.games, self.faces)
        if isinstance(opened, Refusal):
            return opened
        if opened.game.needs_segments and not self.board.can.ring:
            return Refusal("board_cannot", f"{opened.game.title} must know the bed, and this board tells points alone.")
        return live.start(self.name, opened, ask, utc_now(), chance.draw, revision)

    def _resume(self, row: MatchRow, revision: int) -> Change | Refusal:
        found = live.resume(row, self.history, self.games, self.faces)
        return found if isinstance(found, Refusal) else live.again(found, revision)


def _guarded(game: str, change: Callable[[], Change | Refusal]) -> Change | Refusal:
    """What a game made, or a refusal where it failed: nothing is committed yet, and the match stays as it was."""
    try:
        return change()
    except Exception:
        log.exception("the game %s failed", game)
        return GAME_FAILED
