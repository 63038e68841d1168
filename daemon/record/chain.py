"""The checksums of the journal: one in every row, and a chain through the actions of a match.

An action's checksum covers the one before it, so an action that is changed, missing, duplicated or moved is found, and
everything before it is known to be whole. The hash is BLAKE2b of 8 bytes from the standard library: it takes a
microsecond a row and misses one damaged row in 2**64. A CRC-32 takes a third of that, but misses one in 2**32, and
because it is linear, changes in two rows can cancel each other out. A longer digest makes every row larger and finds no
more: checksums do not protect against somebody who edits the file on purpose.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from json.encoder import encode_basestring_ascii
from typing import Any, Final

CHECKSUM_BYTES: Final = 8
_JSON: Final = json.JSONEncoder(default=repr)


def row_checksum(table: str, *values: Any) -> bytes:
    """The checksum of a row from its values in the order of the table's columns, of any type that SQLite returns."""
    return checksum_of(f"[{values_text(table, *values)}]")


def values_text(*values: Any) -> str:
    """Values as JSON, with a comma between them: a row is hashed as a JSON list."""
    # Put together here: the library takes three times as long, and a dart has six rows.
    return ", ".join(map(json_text, values))


def checksum_of(text: str) -> bytes:
    """The checksum of a text."""
    return _digest(text.encode())


def json_text(value: Any) -> str:
    """A value as JSON in ASCII; the `repr` of bytes."""
    if value is None:
        return "null"
    kind = type(value)
    if kind is str:
        return encode_basestring_ascii(value)
    return str(value) if kind is int else _JSON.encode(value)


def chain_start(match_id: str, board: str, header: str, bots: str, started: str) -> bytes:
    """What the first action of a match is chained to: the columns of the match that never change."""
    return row_checksum("start", match_id, board, header, bots, started)


def action_checksum(before: bytes, n: int, line: str) -> bytes:
    """The checksum of action `n` after an action with the checksum `before`. ValueError for a lone surrogate."""
    return _digest(b"%b%d %b" % (before, n, line.encode()))


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """Where the chain of a match ends."""

    actions: int = 0
    unchecked: int = 0
    """How many of the first actions were written by a version without checksums."""
    checksum: bytes | None = None
    """The checksum of the last action, or `chain_start`; None if no action was written with one yet."""
    rewritten: str | None = None
    """When the actions were written and chained again because a player was forgotten, ISO 8601 in UTC."""


@dataclass(frozen=True, slots=True)
class Damage:
    """Something that can no longer be read as it was written.

    `action` is the number of the first bad action of `match`, 0 if only the match's own row is damaged. Both are None
    where the damage is outside the matches.
    """

    message: str
    match: str | None = None
    action: int | None = None


def first_bad(start: bytes, end: ChainEnd, rows: Iterable[tuple[Any, Any, Any]]) -> int | None:
    """The number of the first action that is not as it was written, None if all are.

    `rows` are the number, line and checksum of each action. A missing action is bad, and so is one after the end of the
    chain.
    """
    count, before = 0, start
    for n, line, found in rows:
        count += 1
        if n != count or not isinstance(line, str) or count > end.actions:
            return count
        if count > end.unchecked:
            before = action_checksum(before, count, line)
            if found != before:
                return count
        elif found is not None:
            return count
    if count < end.actions:
        return count + 1
    whole = end.actions == end.unchecked if end.checksum is None else end.checksum == before
    return None if whole else max(1, count)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=CHECKSUM_BYTES).digest()
