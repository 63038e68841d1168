"""The achievements in `figures.db`: which each player has, and since which match. Found when somebody asks.

Kept up to the player's newest match; a match before that one which is added, changed or removed has them found again.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable
from typing import Final

from daemon.history.answers import Earned
from daemon.history.rating_table import BadRow
from daemon.history.statistics import Figures
from daemon.record.chain import row_checksum
from league.achievements import BY_KEY

TABLES: Final = """
CREATE TABLE earned (name TEXT PRIMARY KEY, until TEXT NOT NULL, value TEXT NOT NULL, sum BLOB NOT NULL) WITHOUT ROWID;
"""

Reached = Callable[[Figures], list[str]]
"""Returns the keys of the achievements that some figures meet."""


def added(db: sqlite3.Connection, name: str, match: str) -> None:
    """A match of a player was added: what they have is unknown if it is not their newest."""
    db.execute("DELETE FROM earned WHERE name = ? AND until >= ?", (name, match))


def changed(db: sqlite3.Connection, name: str) -> None:
    """A match of a player has changed or is gone."""
    db.execute("DELETE FROM earned WHERE name = ?", (name,))


def earned(
    db: sqlite3.Connection, name: str, figures: Figures, reached: Reached, sums: Iterable[tuple[str, Figures]]
) -> dict[str, str]:
    """The match in which the player has reached each achievement, by key.

    `figures` are all of the player. `sums` are those after each match, with its id, from the first one on, and are read
    only if several matches are new.
    """
    newest = db.execute("SELECT max(match) FROM figures WHERE name = ?", (name,)).fetchone()[0]
    row = db.execute("SELECT name, until, value, sum FROM earned WHERE name = ?", (name,)).fetchone()
    if row is not None and row_checksum("earned", *row[:-1]) != row[-1]:
        raise BadRow("achievements are damaged")
    known: dict[str, str] = {} if row is None else json.loads(row[2])
    if newest is None or (row is not None and row[1] == newest):
        return known
    missing = [key for key in reached(figures) if key not in known]
    query = "SELECT count(*) FROM figures WHERE name = ? AND match > ?"
    if row is not None and db.execute(query, (name, row[1])).fetchone()[0] == 1:
        known |= dict.fromkeys(missing, newest)
    elif missing:
        known = {}
        for match, after in sums:
            known |= {key: match for key in reached(after) if key not in known}
    new = (name, newest, json.dumps(known))
    db.execute("INSERT OR REPLACE INTO earned VALUES (?, ?, ?, ?)", (*new, row_checksum("earned", *new)))
    return known


def earned_json(found: dict[str, str], started: dict[str, str]) -> list[Earned]:
    """Achievements as pages and programs get them, the newest first; `started` is when each match began."""
    order = {key: n for n, key in enumerate(BY_KEY)}
    return [
        {"key": key, "title": BY_KEY[key].title.to_json(), "match": match, "started": started.get(match, "")}
        for key, match in sorted(found.items(), key=lambda item: (item[1], order.get(item[0], 0)), reverse=True)
        if key in BY_KEY
    ]
