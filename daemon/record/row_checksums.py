"""The checksums of the journal's rows, and a match row as a value although any column of it can be damaged."""

import json
from typing import Any

from daemon.record.chain import ChainEnd, checksum_of, row_checksum, values_text
from daemon.record.changes import BoardRow, MatchRow


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
