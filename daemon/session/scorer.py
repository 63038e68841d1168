"""What an action, a start or a restart makes of the match on a board. Commits and publishes nothing.

A game may come from another package: if it raises, the change is refused and the match stays as it was.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from boards.board import Board
from daemon.record.reader import History, MatchRow, damage_of
from daemon.session import chance, copied_match, recorded_match, resumed_match
from daemon.session.commands import Start
from daemon.session.copied_match import RecordLines
from daemon.session.recorded_match import RecordedMatch, Transition
from engine.about import unplayable
from engine.actions import Action
from engine.faces import Faces
from engine.match import Header
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
    node: str = ""

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
                whole = self._whole(recorded)
                if isinstance(whole, Refusal):
                    return whole
                return recorded_match.act(whole, action, by, now, chance.draw, revision)
        except Exception:
            return _failed(recorded.match.header.game)
        return transition

    def _whole(self, recorded: RecordedMatch) -> RecordedMatch | Refusal:
        opened = open_match(recorded.match.header, self.games, self.faces)
        if isinstance(opened, Refusal):
            return opened
        found = resumed_match.whole(recorded.row, opened, self.history)
        return found if isinstance(found, Refusal) else replace(found, node=self.node, ghosts=recorded.ghosts)

    def copied(self, row: MatchRow) -> RecordedMatch | Refusal:
        """The copy of a match that another node records, as far as the journal has it."""
        stored = self.history.match(row.id) or row
        if (stored.board, stored.header) != (row.board, row.header):
            return Refusal("not_invited", "The host names a match that is another one here.")
        if stored.result == "stopped":
            stored = replace(stored, ended=None, result=None, winners=None)
        try:
            found = resumed_match.resume(stored, self.history, self.games, self.faces)
        except Exception:
            return _failed(f"of the match {row.id}")
        if isinstance(found, Refusal):
            return found
        return replace(found, began=recorded_match.utc_now(), node=self.node)

    def boards_here(self, header: Header) -> tuple[str, ...]:
        """The boards of this node that a header names, without the node."""
        own = (name.removeprefix(f"{self.node}/") for name in header.boards)
        return tuple(name for name in own if "/" not in name)

    def put_back(self, match_id: str, revision: int) -> Transition | Refusal:
        """The match that was adjourned, as the journal has it."""
        row = self.history.match(match_id)
        if row is None or row.ended is not None:
            return Refusal("no_match", f"There is no match {match_id[:64]!r} to go on with here.")
        found = self.copied(row)
        return found if isinstance(found, Refusal) else recorded_match.unchanged(found, revision)

    def follow(self, recorded: RecordedMatch, lines: RecordLines, revision: int) -> Transition | Refusal | None:
        """Continues a copy with lines of the host's record; `None` if there is nothing new in them."""
        try:
            found = copied_match.follow(recorded, lines, revision)
            if isinstance(found, Refusal) and recorded.hidden:
                # An undo goes back behind the stored state.
                whole = self._whole(recorded)
                return whole if isinstance(whole, Refusal) else copied_match.follow(whole, lines, revision)
        except Exception:
            return _failed(recorded.match.header.game)
        return found

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
            return recorded_match.start(
                self.name, opened, ask, recorded_match.utc_now(), chance.draw, revision, self.node
            )
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
            found = resumed_match.resume(record.stored.row, self.history, self.games, self.faces)
            if not isinstance(found, Refusal):
                restored = replace(found, began=recorded_match.utc_now(), node=self.node)
                return recorded_match.unchanged(restored, revision)
        except Exception:
            found = _failed(f"of the match {match_id}")
        log.error("the match %s cannot be resumed: %s", match_id, found)
        return found


def _failed(game: str) -> Refusal:
    log.exception("the game %s failed", game)
    return GAME_FAILED
