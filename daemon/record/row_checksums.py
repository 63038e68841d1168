"""The checksums of the journal's rows, and a match row as a value although any column of it can be damaged."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any, Final

from daemon.record.chain import ChainEnd, Damage, checksum_of, row_checksum, values_text
from daemon.record.changes import BoardRow, MatchRow

_UNCHAINED: Final = {
    "SELECT board, seq, payload, sum FROM hit": "Hit {1} of the board {0} is damaged and is not sent again.",
    "SELECT board, id, reply, sum FROM command": "The reply to the command {1} on the board {0} is damaged; "
    "if the command is sent again, it is carried out again.",
    "SELECT match, n, state, sum FROM snapshot": "The stored state of the match {0} is damaged; "
    "the match is replayed from its first action.",
    "SELECT match, action, found, sum FROM loss": "The note that the match {0} lost its end is damaged.",
}
"""Messages about damaged rows that belong to no chain, by the query that reads the rows."""


def is_intact(table: str, row: tuple[Any, ...]) -> bool:
    """Whether a row with its checksum last is as it was written. Without a checksum it counts as intact."""
    return row[-1] is None or row_checksum(table, *row[:-1]) == row[-1]


def match_text(row: MatchRow) -> str:
    """The first part of what is hashed for a match's own row. It does not change while darts are thrown."""
    values = (row.id, row.board, row.header, row.bots, row.started, row.ended, row.result, row.winners)
    return values_text("match", *values)


def match_checksum(text: str, end: ChainEnd) -> bytes:
    """The checksum of a match's own row, from its `match_text`."""
    return checksum_of(f"[{text}, {values_text(end.actions, end.unchecked, hex_text(end.checksum), end.rewritten)}]")


def board_checksum(row: BoardRow, entry: int) -> bytes:
    """The checksum of a board's row that is written with entry number `entry`."""
    return row_checksum("board", row.name, row.seq, row.revision, row.match, row.mark, entry)


def match_row(row: tuple[Any, ...]) -> tuple[MatchRow, ChainEnd, bool]:
    """A row of the table `match` as a value, the end of its chain, and whether it is as it was written.

    `row` has all columns. Any value in it can be damaged; the types of the result are right. In a row of a version
    without checksums their columns are None, or as the migration left them.
    """
    *texts, actions, unchecked, last, rewritten, found = row
    count = actions if isinstance(actions, int) else 0
    if unchecked is None and found is None:
        return _match_row(texts), ChainEnd(count, count), True
    same = row_checksum("match", *texts, actions, unchecked, hex_text(last), rewritten) == found
    # Written before there were checksums, and not since.
    old = found is None and last is None and unchecked == actions
    end = ChainEnd(
        count,
        unchecked if isinstance(unchecked, int) else 0,
        last if isinstance(last, bytes) else None,
        rewritten if isinstance(rewritten, str) else None,
    )
    return _match_row(texts), end, same or old


def unchained_damage(db: sqlite3.Connection) -> Iterator[Damage]:
    """Damage in rows outside the matches; not for a journal without checksums."""
    for query, message in _UNCHAINED.items():
        table = query.split()[-1]
        for row in db.execute(query):
            if not is_intact(table, row):
                yield Damage(message.format(*(str(value)[:100] for value in row)))


def _match_row(values: list[Any]) -> MatchRow:
    """A match row whose values have the right types, also where they are damaged."""
    must = [value if isinstance(value, str) else "" for value in values[:5]]
    may = [value if isinstance(value, str) else None for value in values[5:]]
    return MatchRow(*must, *may)


def hex_text(value: Any) -> Any:
    """Bytes in hexadecimal; other values unchanged."""
    return value.hex() if isinstance(value, bytes) else value


def is_json(text: Any) -> bool:
    """Whether a value of a row is JSON."""
    try:
        json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return False
    return True
