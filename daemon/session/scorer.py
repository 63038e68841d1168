"""What an action, a start or a restart makes of the match on a board. Commits and publishes nothing.

A game may come from another package: if it raises, the change is refused and the match stays as it was.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from boards.board import Board
from daemon.record.reader import History, damage_of
from daemon.session import chance, recorded_match
from daemon.session.commands import Start
from daemon.session.recorded_match import RecordedMatch, Transition
from engine.about import unplayable
from engine.actions import Action
from engine.faces import Faces
from engine.matchfile import Games, open_match
from engine.refusals import Refusal
from engine.visit_total import VisitTotal, visit_actions

log = logging.getLogger(__name__)

GAME_FAILED: Final = Refusal("game_failed", "The game has a fault of its own and did not take this; undo, or stop it.")
NO_MATCH: Final = Refusal("no_match", "There is no match on this board; start one.")


@dataclass(frozen=True, slots=True)
class Scorer:
    """The rules for the board `name`: which games and faces there are, and which matches were recorded."""

    name: str
    board: Board
    history: History
    games: Games
    faces: Faces

    def act(
        self, recorded: RecordedMatch | None, action: Action, by: str | None, revision: int, now: datetime
    ) -> Transition | Refusal:
        """Applies an action of `by` (a user, the board; `None` for a referee) at the time `now`; it is published as
        `revision`."""
        if recorded is None:
            return NO_MATCH
        try:
            transition = recorded_match.act(recorded, action, by, now, chance.draw, revision)
            if isinstance(transition, Refusal) and transition.reason == "nothing_to_undo" and recorded.hidden:
                # The match was resumed from a stored state: replay it whole, so that undo can go further back.
                opened = open_match(recorded.match.header, self.games, self.faces)
                whole = (
                    opened if isinstance(opened, Refusal) else recorded_match.whole(recorded.row, opened, self.history)
                )
                if isinstance(whole, Refusal):
                    return whole
                return recorded_match.act(whole, action, by, now, chance.draw, revision)
        except Exception:
            return _failed(recorded.match.header.game)
        return transition

    def visit(
        self, recorded: RecordedMatch | None, total: VisitTotal, by: str | None, revision: int, now: datetime
    ) -> Transition | Refusal:
        """Enters the total of a visit as darts, in one transition."""
        if recorded is None:
            return NO_MATCH
        try:
            actions = visit_actions(recorded.match, total)
            if isinstance(actions, Refusal):
                return actions
            return recorded_match.act_all(recorded, actions, by, now, chance.draw, revision)
        except Exception:
            return _failed(recorded.match.header.game)

    def begin(self, ask: Start, revision: int, others: Iterable[Board] = ()) -> Transition | Refusal:
        """Starts a match, unless this board or one of the others cannot report what its game needs."""
        try:
            opened = open_match(ask.header, self.games, self.faces)
            if isinstance(opened, Refusal):
                return opened
            for board in (self.board, *others):
                if refusal := unplayable(opened.game, board.can_json()):
                    return refusal
            return recorded_match.start(self.name, opened, ask, recorded_match.utc_now(), chance.draw, revision)
        except Exception:
            return _failed(ask.header.game)

    def resume(self, match_id: str | None, revision: int) -> Transition | Refusal | None:
        """Reads the match that was on the board from the journal; `None` if there was none."""
        record = None if match_id is None else self.history.record(match_id)
        if match_id is None or record is None or self.name not in self.history.boards_of(match_id):
            # A match on several boards was stopped or replaced while this one was not there.
            return None
        if record.broken is not None and (damage := damage_of(record)) is not None:
            return Refusal("damaged", f"{damage.message} Start another one.")
        try:
            found = recorded_match.resume(record.stored.row, self.history, self.games, self.faces)
            if not isinstance(found, Refusal):
                return recorded_match.unchanged(replace(found, began=recorded_match.utc_now()), revision)
        except Exception:
            found = _failed(f"of the match {match_id}")
        log.error("the match %s cannot be resumed: %s", match_id, found)
        return found


def _failed(game: str) -> Refusal:
    log.exception("the game %s failed", game)
    return GAME_FAILED
