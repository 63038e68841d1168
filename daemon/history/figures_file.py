"""The figures of every match that is over, counted once, in a file next to the journal: `figures.db`.

All of it comes from the journal and is counted again when the file is missing, damaged or of another version. It is a
separate file so that no dart waits for writes to it.
"""

import contextlib
import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from daemon.history import career, earned_table, rating_table
from daemon.history.answers import Earned, FormPoint, PlayerResult
from daemon.history.figures_json import dump, load
from daemon.history.figures_schema import BUSY_SECONDS, NAME, InUse, open_figures
from daemon.history.outcome import Counted
from daemon.history.rating_table import BadRow
from daemon.history.statistics import Figures, total
from daemon.record.chain import row_checksum
from daemon.record.journal_file import DATABASE_ERRORS
from daemon.record.reader import History, RecordState
from engine.matchfile import Games
from league.ratings import Rating

log = logging.getLogger(__name__)

FORM: Final = 50
"""How many of a player's last matches their page shows one by one."""
TOTAL: Final = ""
"""What `sums` has as the month of the sum of all months."""
_SUM: Final = "SELECT name, month, value, sum FROM sums WHERE name = ? AND month = ?"
_OUTCOME: Final = "outcome.match, outcome.started, outcome.game, outcome.whole, outcome.value, outcome.sum"
_UNREADABLE: Final = (*DATABASE_ERRORS, BadRow)
"""What a damaged file raises."""


class FiguresFile:
    """The figures of the matches in the journal of `history`. Several processes can use the file at the same time.

    `busy_timeout` is how many seconds `add`, `rate` and `earned` wait while another process writes; then they raise
    `InUse`. A process that counts a long journal writes almost without a break.
    """

    def __init__(self, history: History, games: Games, busy_timeout: float = BUSY_SECONDS) -> None:
        self.path = history.path.with_name(NAME)
        self._history, self._games, self._busy_timeout = history, games, busy_timeout

    def uncounted(self, states: Mapping[str, RecordState]) -> dict[str, RecordState]:
        """The matches that are over and not counted in their present state, and those that an undo has opened again."""
        return self.compared(states)[0]

    def compared(self, states: Mapping[str, RecordState]) -> tuple[dict[str, RecordState], int | None]:
        """The matches of `uncounted`, and the number of the file that was looked at: None if it was damaged and is
        now removed."""
        number: int | None = None
        try:
            with contextlib.closing(open_figures(self.path)) as db:
                query = "SELECT match, state FROM counted WHERE match IN (SELECT value FROM json_each(?))"
                counted = dict(db.execute(query, (json.dumps(list(states)),)))
                number = db.execute("PRAGMA application_id").fetchone()[0]
        except _UNREADABLE as error:
            self._remove(error)
            counted = {}
        uncounted = {
            match_id: match
            for match_id, match in states.items()
            if (match.over or match_id in counted) and counted.get(match_id) != match.state
        }
        return uncounted, number

    def add(self, matches: Mapping[str, RecordState], count: Callable[[str], Counted | None]) -> None:
        """Stores what matches count in place of what they counted before. `count` returns it for the match with an id,
        None for a damaged match. Matches that are counted in their present state stay as they are."""
        self._store(matches, count, again=False)

    def add_damaged(self, match_id: str, match: RecordState) -> None:
        """Stores that a match counts nothing, also if it was counted in this state while it was whole."""
        self._store({match_id: match}, lambda _: None, again=True)

    def _store(
        self, matches: Mapping[str, RecordState], count: Callable[[str], Counted | None], *, again: bool
    ) -> None:
        try:
            # One connection for all matches: closing the last connection flushes the file.
            with contextlib.closing(open_figures(self.path, self._busy_timeout)) as db:
                for match_id, match in matches.items():
                    if not again and _is_counted(db, match_id, match):
                        continue
                    found = count(match_id)
                    db.execute("BEGIN IMMEDIATE")
                    now = self._history.states([match_id]).get(match_id)
                    # A player in it may have been forgotten in the meantime, or another process was quicker.
                    if now is not None and now.state == match.state and (again or not _is_counted(db, match_id, match)):
                        self._add(db, match_id, match.state, found)
                    db.execute("COMMIT")
        except _UNREADABLE as error:
            self._remove(error)

    def tidy(self) -> None:
        """Removes matches that are no longer in the journal as they were counted; the file keeps no trace of them."""
        if not self.path.exists():
            return
        states = {match_id: match.state for match_id, match in self._history.states().items()}
        try:
            with contextlib.closing(open_figures(self.path)) as db:
                db.execute("BEGIN IMMEDIATE")
                rows = db.execute("SELECT match, state FROM counted").fetchall()
                gone = [match for match, state in rows if states.get(match) != state]
                self._sum_up(db, _drop(db, gone))
                db.execute("COMMIT")
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except _UNREADABLE as error:
            self._remove(error)

    def totals(self) -> dict[str, Figures] | None:
        """The figures of each player over all counted matches; None if the file was damaged and is now removed."""
        query = "SELECT name, month, value, sum FROM sums WHERE month = ?"
        try:
            with contextlib.closing(open_figures(self.path)) as db:
                return {row[0]: _checked("sums", row) for row in db.execute(query, (TOTAL,))}
        except _UNREADABLE as error:
            self._remove(error)
        return None

    def rate(self, most: int) -> bool:
        """Rates up to `most` of the matches that are not rated. Returns whether every match is rated then."""
        try:
            with contextlib.closing(open_figures(self.path, self._busy_timeout)) as db:
                if not rating_table.is_complete(db):
                    db.execute("BEGIN IMMEDIATE")
                    rating_table.catch_up(db, most)
                    db.execute("COMMIT")
                return rating_table.is_complete(db)
        except _UNREADABLE as error:
            self._remove(error)
        return False

    def ratings(self, before: str | None = None) -> dict[str, Rating]:
        """Each player's rating after their last match that is rated; with `before`, the last before that id."""
        try:
            with contextlib.closing(open_figures(self.path)) as db:
                return rating_table.ratings(db, before)
        except _UNREADABLE as error:
            self._remove(error)
        return {}

    def earned(self, name: str, reached: earned_table.Reached) -> list[Earned]:
        """The player's achievements over the matches that are counted, each with the match in which it was reached."""
        try:
            with contextlib.closing(open_figures(self.path, self._busy_timeout)) as db:
                db.execute("BEGIN IMMEDIATE")
                whole = db.execute(_SUM, (name, TOTAL)).fetchone()
                if whole is None:
                    return []
                found = earned_table.earned(db, name, _checked("sums", whole), reached, self._sums(db, name))
                db.execute("COMMIT")
                query = "SELECT match, started FROM outcome JOIN json_each(?) ON match = json_each.value"
                started = dict(db.execute(query, (json.dumps(list(set(found.values()))),)))
        except _UNREADABLE as error:
            self._remove(error)
            return []
        return earned_table.earned_json(found, started)

    def _sums(self, db: sqlite3.Connection, name: str) -> Iterator[tuple[str, Figures]]:
        """A player's figures after each of their matches, without a career, which makes the sums slow."""
        sums = Figures()
        query = "SELECT match, name, value, sum FROM figures WHERE name = ? ORDER BY match"
        for row in db.execute(query, (name,)):
            sums = total([sums, replace(_checked("figures", row), career=career.NONE)], self._games)
            yield row[0], sums

    def between(self, since: str | None, until: str | None) -> dict[str, Figures]:
        """The figures of each player over the matches that began in a time and were played to their end."""
        query = """
SELECT figures.match, figures.name, figures.value, figures.sum FROM outcome JOIN figures USING (match)
WHERE whole AND (? IS NULL OR started >= ?) AND (? IS NULL OR started < ?)"""
        found: dict[str, list[Figures]] = {}
        try:
            with contextlib.closing(open_figures(self.path)) as db:
                for row in db.execute(query, (since, since, until, until)):
                    found.setdefault(row[1], []).append(_checked("figures", row))
        except _UNREADABLE as error:
            self._remove(error)
            return {}
        return {name: total(some, self._games) for name, some in found.items()}

    def results(self, matches: Iterable[str]) -> dict[str, list[PlayerResult]]:
        """How these matches ended for each player, by id; those that are not counted are left out."""
        query = f"SELECT {_OUTCOME} FROM outcome JOIN json_each(?) ON match = json_each.value"  # noqa: S608
        return {row[0]: json.loads(row[4]) for row in self._outcomes(query, json.dumps(list(matches)))}

    def form(self, name: str) -> list[FormPoint]:
        """How a player's last matches that count went, the newest last."""
        query = f"""
SELECT {_OUTCOME} FROM figures JOIN outcome USING (match) WHERE figures.name = ? AND outcome.whole
ORDER BY figures.match DESC LIMIT {FORM}"""  # noqa: S608
        points = []
        for match, started, game, _, value, _ in self._outcomes(query, name):
            about = {"match": match, "started": started, "game": game}
            points += [about | result for result in json.loads(value) if result["name"] == name]
        return [cast(FormPoint, point) for point in reversed(points)]

    def _outcomes(self, query: str, value: str) -> list[tuple[Any, ...]]:
        """The rows of `outcome` that a query finds; none if the file is damaged, which removes it."""
        try:
            with contextlib.closing(open_figures(self.path)) as db:
                rows = db.execute(query, (value,)).fetchall()
            if any(row_checksum("outcome", *row[:-1]) != row[-1] for row in rows):
                raise BadRow("a row is damaged")
        except _UNREADABLE as error:
            self._remove(error)
            return []
        return rows

    def _remove(self, error: Exception) -> None:
        """Removes a damaged file, so that everything is counted again. A locked file stays."""
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise InUse(f"another process writes to {self.path}") from error
        log.info("%s is removed and counted again: %s", self.path, error)
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(NAME + suffix).unlink(missing_ok=True)

    def _add(self, db: sqlite3.Connection, match_id: str, state: str, counted: Counted | None) -> None:
        outdated = _drop(db, [match_id])
        db.execute("INSERT INTO counted VALUES (?, ?)", (match_id, state))
        if counted is not None:
            outcome = (match_id, counted.started, counted.game, int(counted.whole), json.dumps(counted.results))
            db.execute("INSERT INTO outcome VALUES (?, ?, ?, ?, ?, ?)", (*outcome, row_checksum("outcome", *outcome)))
            rating_table.add(db, match_id, counted.ranking)
        dropped = {name for name, _ in outdated}
        for name, value in {} if counted is None else counted.figures.items():
            row = (match_id, name, dump(value))
            db.execute("INSERT INTO figures VALUES (?, ?, ?, ?)", (*row, row_checksum("figures", *row)))
            earned_table.added(db, name, match_id)
            if name not in dropped:
                for month in (_month(match_id), TOTAL):
                    found = db.execute(_SUM, (name, month)).fetchone()
                    parts = [value] if found is None else [_checked("sums", found), value]
                    self._write_sum(db, name, month, parts)
        self._sum_up(db, outdated)

    def _sum_up(self, db: sqlite3.Connection, outdated: Iterable[tuple[str, str]]) -> None:
        """Adds up these months of players from their matches, and then the totals of these players from their months,
        which are far fewer than matches."""
        for name, month in outdated:
            # No character of an id comes after the tilde.
            query = "SELECT match, name, value, sum FROM figures WHERE name = ? AND match >= ? AND match < ? || '~'"
            rows = db.execute(query, (name, month, month)).fetchall()
            self._write_sum(db, name, month, [_checked("figures", row) for row in rows])
        for name in {name for name, _ in outdated}:
            earned_table.changed(db, name)
            query = "SELECT name, month, value, sum FROM sums WHERE name = ? AND month <> ?"
            rows = db.execute(query, (name, TOTAL)).fetchall()
            self._write_sum(db, name, TOTAL, [_checked("sums", row) for row in rows])

    def _write_sum(self, db: sqlite3.Connection, name: str, month: str, parts: list[Figures]) -> None:
        """Replaces a sum; without parts it is removed."""
        db.execute("DELETE FROM sums WHERE name = ? AND month = ?", (name, month))
        if parts:
            row = (name, month, dump(total(parts, self._games)))
            db.execute("INSERT INTO sums VALUES (?, ?, ?, ?)", (*row, row_checksum("sums", *row)))


def _is_counted(db: sqlite3.Connection, match_id: str, match: RecordState) -> bool:
    row: tuple[str] | None = db.execute("SELECT state FROM counted WHERE match = ?", (match_id,)).fetchone()
    return row == (match.state,)


def _drop(db: sqlite3.Connection, matches: Iterable[str]) -> set[tuple[str, str]]:
    """Removes matches; returns the players and months whose sums are now out of date."""
    outdated: set[tuple[str, str]] = set()
    for match in matches:
        names = db.execute("SELECT name FROM figures WHERE match = ?", (match,))
        outdated |= {(name, _month(match)) for (name,) in names}
        db.execute("DELETE FROM figures WHERE match = ?", (match,))
        db.execute("DELETE FROM outcome WHERE match = ?", (match,))
        db.execute("DELETE FROM counted WHERE match = ?", (match,))
        rating_table.drop(db, match)
    return outdated


def _month(match_id: str) -> str:
    """Year and month in which a match began, as in its id."""
    return match_id[:6]


def _checked(table: str, row: tuple[Any, ...]) -> Figures:
    if row_checksum(table, *row[:-1]) != row[-1]:
        raise BadRow("a row is damaged")
    return load(row[-2])
