"""The checksums of the journal: one in every row, and a chain through the actions of a match.

An action's checksum covers the one before it, so an action that is changed, missing, doubled or in another place is
found, and everything before it is known to be whole. The hash is BLAKE2b of 8 bytes, from the standard library: a
microsecond a row, and one damaged row in 2**64 goes unnoticed. A CRC-32 costs a third of that, but misses one in 2**32,
and changes in two rows can cancel each other out because it is linear. A longer digest makes every row larger and finds
no more; this is no protection against somebody who edits the file on purpose.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

SUM_BYTES: Final = 8
_JSON: Final = json.JSONEncoder(default=repr)


def row_sum(table: str, *values: Any) -> bytes:
    """The checksum of a row, of its values in the order of the table's columns. Takes whatever SQLite can give."""
    return _digest(_JSON.encode([table, *values]).encode())


def chain_start(match_id: str, board: str, header: str, bots: str, started: str) -> bytes:
    """What the first action of a match is chained to: the match itself, in all that never changes."""
    return row_sum("start", match_id, board, header, bots, started)


def chained(before: bytes, n: int, line: str) -> bytes:
    """The checksum of action `n`, after an action with the checksum `before`. ValueError for half a character."""
    return _digest(b"%b%d %b" % (before, n, line.encode()))


@dataclass(frozen=True, slots=True)
class Head:
    """Where the chain of a match ends."""

    actions: int = 0
    unchecked: int = 0
    """The first so many actions were written by a version without checksums."""
    sum: bytes | None = None
    """The checksum of the last action, or `chain_start`; None where no action was written with one yet."""
    rewritten: str | None = None
    """When the record was written again and chained again because a player was forgotten, ISO 8601 in UTC."""


@dataclass(frozen=True, slots=True)
class Damage:
    """Something that was written and can no longer be read as it was written. `action` is the first bad one of `match`,
    0 if all its actions are whole; both are None where no match is concerned."""

    message: str
    match: str | None = None
    action: int | None = None


def first_bad(start: bytes, head: Head, rows: Iterable[tuple[Any, Any, Any]]) -> int | None:
    """The first action that is not as it was written, None if all are; `rows` are number, line and checksum of each.

    An action that is missing counts as bad, and so does one behind the end of the chain.
    """
    count, before = 0, start
    for n, line, found in rows:
        count += 1
        if n != count or not isinstance(line, str) or count > head.actions:
            return count
        if count > head.unchecked:
            before = chained(before, count, line)
            if found != before:
                return count
        elif found is not None:
            return count
    if count < head.actions:
        return count + 1
    whole = head.actions == head.unchecked if head.sum is None else head.sum == before
    return None if whole else max(1, count)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=SUM_BYTES).digest()
