"""Matches that are published and never recorded: the demo's. Only the numbers that they use up are committed."""

from dataclasses import replace
from typing import Final

from daemon.record.journal import Entry
from daemon.record.reader import BoardRow

RESERVED: Final = 10_000
"""How many hit and revision numbers are reserved at a time: some hours of bots."""


class UnkeptMatch:
    """Knows which match on one board is not recorded, and which numbers are reserved for it."""

    def __init__(self) -> None:
        self._match: str | None = None
        self._reserved = 0

    def begins(self, match_id: str) -> None:
        """Marks a match as not recorded."""
        self._match = match_id

    def is_on(self, row: BoardRow) -> bool:
        """Whether the match on the board is not recorded."""
        return row.match is not None and row.match == self._match

    def to_write(self, entry: Entry) -> Entry | None:
        """Returns what to commit of an entry: all of it, or for an unkept match nothing.

        Now and then the numbers that it uses up are committed: no other dart gets its id, no other state its revision.
        """
        row = entry.board
        if not self.is_on(row):
            return entry
        if max(row.seq, row.revision) <= self._reserved:
            return None
        self._reserved = max(row.seq, row.revision) + RESERVED
        return Entry(replace(row, seq=self._reserved, revision=self._reserved, match=None))

    def behind(self, row: BoardRow) -> BoardRow:
        """The row from which another match continues: after the reserved numbers."""
        return replace(row, seq=self._reserved, revision=self._reserved) if self.is_on(row) else row
