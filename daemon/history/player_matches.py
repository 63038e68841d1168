"""The matches in which a person played, the newest first."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from daemon.history.stored_match import last_state, parsed
from daemon.record.match_list import Filter
from daemon.record.reader import History, MatchRow, StoredMatch
from daemon.system.catalogue import faces, games
from engine.match import Match

MOST_DARTS: Final = 20_000
"""How many of a player's newest darts are read; older ones tell of another hand, and the error is below 1 % by then."""
FEWEST_DARTS: Final = 30
"""Fewer are not enough for a hand."""
_ALL: Final = -1
"""No limit of a query, in SQLite."""


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
        last = None if record is None else last_state(record, games(), faces())
        if last is not None:
            yield PlayedMatch(stored.row, last)


def state_of(history: History, name: str) -> str:
    """A word that changes when a match of this person is over, is changed or is gone; empty without one."""
    return word_of(_with(history, name))


def word_of(matches: Iterable[StoredMatch]) -> str:
    """A word that changes when one of these matches is over, is changed or is gone; empty if none is over."""
    over = [stored for stored in matches if stored.row.ended is not None]
    if not over:
        return ""
    digest = hashlib.sha256()
    for stored in over:
        digest.update(f"{stored.row.id} {stored.end.actions} {stored.end.rewritten}\n".encode())
    return digest.hexdigest()[:32]


def _with(history: History, name: str) -> Iterator[StoredMatch]:
    for stored in history.listed(Filter(player=name), None, _ALL, {}):
        if name not in (parsed(stored.row.bots) or {}):
            yield stored
