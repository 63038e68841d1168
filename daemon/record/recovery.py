"""At the start: what the journal has, beside what is known to have been written; counters never go back.

Known is the mark of what was written (`written_mark.py`), and where there is none yet, the marks of the hits that were
sent (`daemon/session/outbox.py`). Matches that lost their end are noted in the table `loss`, so that they are shown as
damaged from then on. Board rows are put right, because the next dart needs them: no id is given twice.
"""

import logging
import sqlite3
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from daemon.record.chain import Damage, row_sum
from daemon.record.reader import BoardRow, board_sum, readable
from daemon.record.sums import Sums
from daemon.record.written_mark import Extent

log = logging.getLogger(__name__)

LIKELY_LOSS: Final = 1_000_000
"""Hits that a log can have held at most; a mark further ahead than this is damaged itself."""


@dataclass(slots=True)
class _Found:
    damage: list[Damage] = field(default_factory=list)
    losses: dict[str, int] = field(default_factory=dict)


def recover(db: sqlite3.Connection, mark: Extent | None, folder: Path, *, was_there: bool) -> list[Damage]:
    """Puts right what the next dart needs, in one transaction, and returns what was damaged or is gone.

    `was_there` says whether the database file was there before this start.
    """
    found = _Found()
    db.text_factory = readable
    db.execute("BEGIN IMMEDIATE")
    try:
        ours = _journal(db, mark, found, was_there=was_there)
        _boards(db, mark if ours else None, found)
        sums = Sums(db)
        if mark is not None and ours:
            _compare(db, sums, mark, found)
        elif was_there:
            _compare_sent(sums, folder, found)
        for match_id, action in found.losses.items():
            row = (match_id, action, datetime.now(UTC).isoformat())
            db.execute("INSERT OR IGNORE INTO loss VALUES (?, ?, ?, ?)", (*row, row_sum("loss", *row)))
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    finally:
        db.text_factory = str
    return found.damage


def _journal(db: sqlite3.Connection, mark: Extent | None, found: _Found, *, was_there: bool) -> bool:
    """Whether the mark is of this journal; puts the row right that says which one it is."""
    row = db.execute("SELECT id, entry, sum FROM journal").fetchone()
    if row is None:
        empty = db.execute("SELECT 1 FROM board").fetchone() is None
        if mark is not None and mark.entry > 0 and empty:
            if not was_there:
                log.warning("The journal that was here is gone; a new one begins.")
                return False
            found.damage.append(Damage("Everything that was written to the journal is gone; a new one begins."))
            return True
        return False
    if row_sum("journal", *row[:-1]) == row[-1]:
        return mark is not None and mark.journal == row[0]
    found.damage.append(Damage("The journal's own row is damaged; it was put right."))
    values = (str(row[0]) if mark is None else mark.journal, row[1] if isinstance(row[1], int) else 0)
    db.execute("UPDATE journal SET id = ?, entry = ?, sum = ?", (*values, row_sum("journal", *values)))
    return mark is not None


def _boards(db: sqlite3.Connection, mark: Extent | None, found: _Found) -> None:
    """Puts right the rows of boards that are damaged, from the mark where it has them."""
    for rowid, *values, entry, total in db.execute(
        "SELECT rowid, name, seq, revision, match, mark, entry, sum FROM board"
    ).fetchall():
        if total is None or row_sum("board", *values, entry) == total:
            continue
        name = values[0]
        found.damage.append(Damage(f"The counters of the board {name} were damaged; they were put right."))
        kept = None if mark is None else mark.boards.get(str(name))
        row = _likely(db, values) if kept is None else kept
        if mark is not None and kept is None:
            # Nobody knows a board of this name: the name itself is damaged.
            db.execute("DELETE FROM board WHERE rowid = ?", (rowid,))
            continue
        count = entry if isinstance(entry, int) and mark is None else 0 if mark is None else mark.entry
        db.execute(
            "UPDATE board SET name = ?, seq = ?, revision = ?, match = ?, mark = ?, entry = ?, sum = ? WHERE rowid = ?",
            (row.name, row.seq, row.revision, row.match, row.mark, count, board_sum(row, count), rowid),
        )


def _likely(db: sqlite3.Connection, values: list[Any]) -> BoardRow:
    """What a damaged row said, as far as it can be true, and no less than the hits that are kept."""
    name, seq, revision, match, _ = values
    hits = db.execute("SELECT max(seq) FROM hit WHERE board = ?", (name,)).fetchone()[0]
    highest = hits if isinstance(hits, int) else 0
    known = db.execute("SELECT id FROM match WHERE id = ?", (match,)).fetchone()
    return BoardRow(
        str(name),
        max(highest, seq) if isinstance(seq, int) and seq - highest < LIKELY_LOSS else highest,
        revision if isinstance(revision, int) else 0,
        None if known is None else str(match),
    )


def _compare(db: sqlite3.Connection, sums: Sums, mark: Extent, found: _Found) -> None:
    """Finds what the mark knows and the journal does not. A journal that is ahead of its mark outlived a power cut."""
    gone = mark.entry - sums.entry
    if gone < 0:
        return
    if gone > 0:
        found.damage.append(
            Damage(f"The last {gone} things that were written to the journal are gone: its log lost its end.")
        )
    sums.entry = mark.entry
    for name, kept in mark.boards.items():
        row = sums.boards.get(name, BoardRow(name))
        if row == kept and (row.match is None or sums.head(row.match).actions == mark.actions.get(name)):
            continue
        if gone == 0:
            found.damage.append(Damage(f"The journal has an older state of the board {name} than was written to it."))
        if kept.match is not None:
            _lost(db, kept.match, mark.actions.get(name, 0), found)
        if row.match not in (None, kept.match) and _goes_on(db, row.match):
            # It was over when the log was whole: how it ended is gone at least.
            _lost(db, str(row.match), sums.head(str(row.match)).actions + 1, found)
        # Its match stays: what came after it is gone, and people can go on with it.
        match = row.match if row.match is not None or not _is_there(db, kept.match) else kept.match
        sums.write_board(
            replace(row, seq=max(row.seq, kept.seq), revision=max(row.revision, kept.revision) + 1, match=match)
        )
    sums.write_journal()


def _lost(db: sqlite3.Connection, match_id: str, actions: int, found: _Found) -> None:
    """Notes a match that had so many actions, if it has fewer now."""
    there = db.execute("SELECT count(*) FROM action WHERE match = ?", (match_id,)).fetchone()[0]
    if not _is_there(db, match_id):
        found.damage.append(Damage(f"The match {match_id} is gone.", match_id, 1))
    elif there < actions:
        found.losses[match_id] = there + 1
        found.damage.append(
            Damage(f"The match {match_id} lost its end, from action {there + 1} on.", match_id, there + 1)
        )


def _is_there(db: sqlite3.Connection, match_id: str | None) -> bool:
    return db.execute("SELECT 1 FROM match WHERE id = ?", (match_id,)).fetchone() is not None


def _goes_on(db: sqlite3.Connection, match_id: str | None) -> bool:
    return db.execute("SELECT 1 FROM match WHERE id = ? AND ended IS NULL", (match_id,)).fetchone() is not None


def _compare_sent(sums: Sums, folder: Path, found: _Found) -> None:
    """Hits that went out and are not in the journal; for a journal that has no mark of its own yet."""
    for path in sorted(folder.glob("sent-*")):
        row = sums.boards.get(path.name.removeprefix("sent-"))
        try:
            text = path.read_bytes()[:20]
        except OSError:
            continue
        sent = int(text) if text.isdigit() else 0
        if row is not None and row.seq < sent < row.seq + LIKELY_LOSS:
            found.damage.append(
                Damage(f"The last {sent - row.seq} hits of the board {row.name} are gone: the journal lost its end.")
            )
            if row.match is not None and _goes_on(sums.db, row.match):
                found.losses[row.match] = sums.head(row.match).actions + 1
            sums.write_board(replace(row, seq=sent, revision=row.revision + sent - row.seq))
