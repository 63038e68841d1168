"""The scorer: what an action, a start or a restart makes of the match on a board. Nothing is kept or shown here.

A game may be somebody's own: a fault in it is a refusal, and the match stays as it was.
"""

import logging
from dataclasses import dataclass
from typing import Final

from boards.board import Board
from daemon import chance, live
from daemon.commands import Start
from daemon.live import Change, Live, utc_now
from daemon.record.history import History, damage_of
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

    def step(self, on: Live | None, action: Action, by: str | None) -> Change | Refusal:
        """The match after an action of `by`: a user, the board, or a referee who needs no name."""
        if on is None:
            return NO_MATCH
        try:
            step = live.act(on, action, by, utc_now(), chance.draw)
        except Exception:
            log.exception("the game %s failed", on.match.game.name)
            return GAME_FAILED
        if isinstance(step, Refusal) and step.reason == "nothing_to_undo" and on.hidden:
            whole = live.reopened(on, self.history, self.games, self.faces)
            return whole if isinstance(whole, Refusal) else live.act(whole, action, by, utc_now(), chance.draw)
        return step

    def begin(self, ask: Start) -> Change | Refusal:
        """A new match, if this board can tell what its game must know."""
        opened = matchfile.open_match(ask.header, self.games, self.faces)
        if isinstance(opened, Refusal):
            return opened
        if opened.game.needs_segments and not self.board.can.ring:
            return Refusal("board_cannot", f"{opened.game.title} must know the bed, and this board tells points alone.")
        try:
            return live.start(self.name, opened, ask.bots, utc_now(), chance.draw)
        except Exception:
            log.exception("the game %s failed", opened.game.name)
            return GAME_FAILED

    def resume(self, match_id: str | None) -> Live | Refusal | None:
        """The match that was on the board, as the record has it; None where there was none."""
        record = None if match_id is None else self.history.record(match_id)
        if record is not None and record.broken is not None and (damage := damage_of(record)) is not None:
            return Refusal("damaged", f"{damage.sentence} Start another one.")
        row = None if record is None else record.stored.row
        found = None if row is None else live.resume(row, self.history, self.games, self.faces)
        if isinstance(found, Refusal):
            log.error("the match %s cannot be taken up: %s", match_id, found)
        return found
