"""The ratings in `figures.db`: each player's rating after each match that counts, so that they grow match by match.

A match that is added, changed or removed marks itself, and `catch_up` rates all matches from the first marked one on
again: earlier ones stay as they are. The order is that of the ids of the matches, which begin with their times.
"""

import json
import sqlite3
from typing import Final

from daemon.history.answers import RatingInfo
from daemon.record.chain import row_checksum
from league.ratings import Ranking, Rating, rate

TABLES: Final = """
CREATE TABLE ranking (match TEXT PRIMARY KEY, value TEXT NOT NULL, sum BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE rating (
    name TEXT, match TEXT, mean REAL NOT NULL, deviation REAL NOT NULL, matches INTEGER NOT NULL, sum BLOB NOT NULL,
    PRIMARY KEY (name, match)
) WITHOUT ROWID;
CREATE INDEX rating_of_match ON rating (match);
CREATE TABLE unrated (first TEXT NOT NULL);
"""
AT_ONCE: Final = 1_000
"""How many matches are rated while a client waits: 0.08 s of processor time on x86, with the compiled openskill."""


class BadRow(Exception):
    """A row is not as it was written."""


def add(db: sqlite3.Connection, match: str, ranking: Ranking | None) -> None:
    """Notes how a match ended; None for one that does not count."""
    if ranking is not None:
        row = (match, json.dumps([ranking.sides, ranking.places]))
        db.execute("INSERT INTO ranking VALUES (?, ?, ?)", (*row, row_checksum("ranking", *row)))
        _mark(db, match)


def drop(db: sqlite3.Connection, match: str) -> None:
    """Removes a match; the ratings after it are out of date."""
    if db.execute("DELETE FROM ranking WHERE match = ?", (match,)).rowcount:
        _mark(db, match)
        # At once: the file must not keep the name of a forgotten player.
        db.execute("DELETE FROM rating WHERE match = ?", (match,))


def catch_up(db: sqlite3.Connection, most: int) -> None:
    """Rates up to `most` of the matches from the first marked one on."""
    marked = db.execute("SELECT first FROM unrated").fetchone()
    if marked is None:
        return
    db.execute("DELETE FROM rating WHERE match >= ?", marked)
    query = "SELECT match, value, sum FROM ranking WHERE match >= ? ORDER BY match LIMIT ?"
    known: dict[str, Rating] = {}
    rows = db.execute(query, (*marked, most + 1)).fetchall()
    for match, value, checksum in rows[:most]:
        if row_checksum("ranking", match, value) != checksum:
            raise BadRow("a ranking is damaged")
        sides, places = json.loads(value)
        of = Ranking(tuple(tuple(side) for side in sides), tuple(places))
        new = {name for side in of.sides for name in side} - known.keys()
        known |= {name: found for name in new if (found := _last(db, name, match)) is not None}
        for name, rating in rate(known, of).items():
            known[name] = rating
            row = (name, match, rating.mean, rating.deviation, rating.matches)
            db.execute("INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?)", (*row, row_checksum("rating", *row)))
    db.execute("DELETE FROM unrated")
    if len(rows) > most:
        _mark(db, rows[most][0])


def is_complete(db: sqlite3.Connection) -> bool:
    """Whether every match that counts is rated."""
    return db.execute("SELECT 1 FROM unrated").fetchone() is None


def ratings(db: sqlite3.Connection, before: str | None = None) -> dict[str, Rating]:
    """The rating of each player after their last match; with `before`, after the last one before that id."""
    query = """
SELECT name, match, mean, deviation, matches, sum FROM rating
JOIN (SELECT name AS who, max(match) AS last FROM rating WHERE ? IS NULL OR match < ? GROUP BY name)
ON name = who AND match = last"""
    return {row[0]: _rating(row) for row in db.execute(query, (before, before))}


def rating_json(rating: Rating) -> RatingInfo:
    """A rating as pages and programs get it."""
    return {"points": rating.points, "error": rating.error, "least": rating.least, "matches": rating.matches}


def _last(db: sqlite3.Connection, name: str, match: str) -> Rating | None:
    query = "SELECT * FROM rating WHERE name = ? AND match < ? ORDER BY match DESC LIMIT 1"
    row = db.execute(query, (name, match)).fetchone()
    return None if row is None else _rating(row)


def _rating(row: tuple[str, str, float, float, int, bytes]) -> Rating:
    if row_checksum("rating", *row[:-1]) != row[-1]:
        raise BadRow("a rating is damaged")
    return Rating(*row[2:-1])


def _mark(db: sqlite3.Connection, match: str) -> None:
    marked = db.execute("SELECT first FROM unrated").fetchone()
    if marked is None:
        db.execute("INSERT INTO unrated VALUES (?)", (match,))
    elif match < marked[0]:
        db.execute("UPDATE unrated SET first = ?", (match,))
