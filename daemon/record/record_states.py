"""How far each match of the journal is: what a look at all of them needs, without their actions."""

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from daemon.record.row_checksums import hex_text

CHECKSUMS_SINCE: Final = 3
"""The first schema that has checksums."""
COUNT: Final = "(SELECT count(*) FROM action WHERE match = match.id)"
"""The number of a match's actions in a journal of a version without checksums."""
_CAN_HAVE_CHANGED: Final = (
    "WHERE rowid > ? OR id IN (SELECT value FROM json_each(?)) OR id IN (SELECT match FROM board)"
)

_NOT_AS_KEPT: Final = """
WHERE ended IS NULL OR NOT EXISTS (
    SELECT 1 FROM kept.counted WHERE kept.counted.match = match.id AND kept.counted.state =
    actions || ' ' || CASE WHEN head IS NULL THEN 'None' ELSE lower(hex(head)) END || ' ' || ifnull(rewritten, 'None')
)"""


class RecordState(NamedTuple):
    """How far a match is recorded. `state` differs whenever its record differs.

    Not a dataclass: there is one for every match, and this is made in a third of the time.
    """

    over: bool
    actions: int
    state: str


@dataclass(frozen=True, slots=True)
class Seen:
    """How far a look at the matches came: the number of the last row, and the matches that can change without a new
    row, which are those that were not over and those on a board."""

    row: int
    can_change: frozenset[str]


def states(db: sqlite3.Connection, which: str = "", *values: Any) -> dict[str, RecordState]:
    """How far the matches are that a condition selects, by id. Quick, because no checksum is compared."""
    head = "actions, head, rewritten" if has_checksums(db) else f"{COUNT}, NULL, NULL"
    query = f"SELECT id, ended IS NOT NULL, {head} FROM match {which}"  # noqa: S608
    return {
        str(one): RecordState(bool(over), actions, f"{actions} {hex_text(end)} {rewritten}")
        for one, over, actions, end, rewritten in db.execute(query, values)
        if isinstance(actions, int)
    }


def states_since(db: sqlite3.Connection, seen: Seen | None) -> tuple[dict[str, RecordState], Seen]:
    """How far the matches are that can have changed since a look, all of them without one; and this look."""
    db.execute("BEGIN")  # One read transaction: the look is that of the states.
    which = () if seen is None else (_CAN_HAVE_CHANGED, seen.row, json.dumps(list(seen.can_change)))
    found = states(db, *which)
    return found, _seen(db, found)


def states_unlike(db: sqlite3.Connection, kept: Path) -> tuple[dict[str, RecordState], Seen, int]:
    """How far the matches are that are not over, or that have another state in the table `counted` of the file `kept`.

    Also this look, and the `application_id` of the file. SQLite compares: a quarter of the time of reading every state.
    For a journal without checksums these are all matches. Raises `sqlite3.DatabaseError` if the file is missing or
    damaged.
    """
    db.execute("ATTACH ? AS kept", (f"{kept.absolute().as_uri()}?mode=rw",))
    db.execute("BEGIN")  # One read transaction: the look is that of the states.
    number: int = db.execute("PRAGMA kept.application_id").fetchone()[0]
    found = states(db, _NOT_AS_KEPT if has_checksums(db) else "")
    return found, _seen(db, found), number


def all_actions(db: sqlite3.Connection) -> int:
    """The number of actions in all matches."""
    return int(db.execute(f"SELECT total({'actions' if has_checksums(db) else COUNT}) FROM match").fetchone()[0])  # noqa: S608


def has_checksums(db: sqlite3.Connection) -> bool:
    """Whether the journal has checksums, or comes from a version without them."""
    return bool(db.execute("PRAGMA user_version").fetchone()[0] >= CHECKSUMS_SINCE)


def _seen(db: sqlite3.Connection, found: dict[str, RecordState]) -> Seen:
    """The look that found these states, every match among them that is not over."""
    on_boards = {str(match_id) for (match_id,) in db.execute("SELECT match FROM board WHERE match IS NOT NULL")}
    row: int | None = db.execute("SELECT max(rowid) FROM match").fetchone()[0]
    return Seen(row or 0, frozenset(on_boards | {one for one, match in found.items() if not match.over}))
