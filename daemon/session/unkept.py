"""A match that is shown and never written down: the demo's. What it uses up are numbers, and those are put on disk."""

from dataclasses import replace
from typing import Final

from daemon.record.journal import Entry
from daemon.record.reader import BoardRow

RESERVED: Final = 10_000
"""Numbers of hits and revisions that such a match uses up before they are put on disk again: in hours."""


class Unkept:
    """Which match on one board is not kept, and which numbers are on disk for it."""

    def __init__(self) -> None:
        self._match: str | None = None
        self._reserved = 0

    def begins(self, match_id: str) -> None:
        """This match is not to be written down."""
        self._match = match_id

    def is_on(self, row: BoardRow) -> bool:
        """Whether the match on the board is such a one."""
        return row.match is not None and row.match == self._match

    def to_write(self, entry: Entry) -> Entry | None:
        """What of an entry goes on the disk. Of a match that is not kept nothing does, but once in a long while the
        numbers that it uses up: no other dart is to have its id, no other state its revision."""
        row = entry.board
        if not self.is_on(row):
            return entry
        if max(row.seq, row.revision) <= self._reserved:
            return None
        self._reserved = max(row.seq, row.revision) + RESERVED
        return Entry(replace(row, seq=self._reserved, revision=self._reserved, match=None))

    def behind(self, row: BoardRow) -> BoardRow:
        """The row from which another match goes on: behind the numbers that are on disk already."""
        return replace(row, seq=self._reserved, revision=self._reserved) if self.is_on(row) else row
