"""A match that goes on from the journal: from its stored state, or from its first action."""

import json
import logging
from dataclasses import replace

from daemon.record.reader import History, MatchRow
from daemon.session.payloads import earlier_turns
from daemon.session.recorded_match import STATE, RecordedMatch
from engine import codec
from engine.actions import EARLIER, action_from_json
from engine.faces import Faces
from engine.match import Match, begin
from engine.matchfile import Games, header_from_json, open_match
from engine.play import replayed
from engine.refusals import Refusal

log = logging.getLogger(__name__)


def resume(row: MatchRow, history: History, games: Games, faces: Faces) -> RecordedMatch | Refusal:
    """Reads a match from the journal: from its stored state, or from its first action without a usable one."""
    header = header_from_json(json.loads(row.header))
    opened = header if isinstance(header, Refusal) else open_match(header, games, faces)
    if isinstance(opened, Refusal):
        return opened
    snapshot = history.snapshot(row.id)
    found = None if snapshot is None else _from_snapshot(row, opened, snapshot, history)
    return whole(row, opened, history) if found is None else found


def whole(row: MatchRow, opened: Match, history: History) -> RecordedMatch | Refusal:
    """Replays a match from its first action, so that undo can take back all of them."""
    return _replayed(RecordedMatch(row, opened, json.loads(row.bots)), history.actions(row.id))


def _from_snapshot(row: MatchRow, opened: Match, snapshot: tuple[int, str], history: History) -> RecordedMatch | None:
    n, text = snapshot
    try:
        stored = json.loads(text)
        state, awards = codec.from_json(opened.game.state_type, stored[STATE]), stored["awards"]
    except Exception:
        # Written by a version with other states: the actions are complete without it.
        log.info("the stored state of the match %s cannot be used", row.id, exc_info=True)
        return None
    match = begin(opened.header, opened.game, state, awards)
    found = _replayed(RecordedMatch(row, match, json.loads(row.bots), n, n, n), history.actions(row.id, n))
    # With fewer turns, darts could not be corrected that could be before the restart.
    return None if isinstance(found, Refusal) or len(found.match.turns) <= EARLIER else found


def _replayed(recorded: RecordedMatch, lines: list[str]) -> RecordedMatch | Refusal:
    match = replayed(recorded.match, (action_from_json(json.loads(line)) for line in lines))
    if isinstance(match, Refusal):
        return match
    return replace(recorded, match=match, actions=recorded.actions + len(lines), earlier=earlier_turns(match))
