"""The matches in which a person played, the newest first."""

import hashlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from daemon.history.stored_match import open_header, parsed, played, players_of
from daemon.record.reader import History, MatchRow, StoredMatch
from daemon.system.catalogue import faces, games
from engine.match import Match
from engine.refusals import Refusal


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match at its end, and its row."""

    row: MatchRow
    match: Match


def matches_of(history: History, name: str, *, over: bool = False) -> Iterator[PlayedMatch]:
    """The matches with this person, or those that are over, without damaged ones and those of games that are gone."""
    for stored in _with(history, name):
        if over and stored.row.ended is None:
            continue
        record = history.record(stored.row.id)
        if record is None or record.bad is not None:
            continue
        opened = open_header(stored.row.header, games(), faces())
        if not isinstance(opened, Refusal):
            yield PlayedMatch(stored.row, deque(played(opened, record.lines), maxlen=1).pop())


def state_of(history: History, name: str) -> str:
    """A word that changes when a match of this person is over, is changed or is gone; empty without one."""
    over = [stored for stored in _with(history, name) if stored.row.ended is not None]
    if not over:
        return ""
    digest = hashlib.sha256()
    for stored in over:
        digest.update(f"{stored.row.id} {stored.end.actions} {stored.end.rewritten}\n".encode())
    return digest.hexdigest()[:32]


def _with(history: History, name: str) -> Iterator[StoredMatch]:
    for stored in history.all_stored():
        if name in players_of(stored.row) and name not in (parsed(stored.row.bots) or {}):
            yield stored
