"""Compares the journal at the start with what is known to have been written, and repairs the boards' counters.

Known is the mark of what was written (`written_mark.py`), or without one, the marks of the hits that were
sent (`daemon/session/outbox.py`). Matches that lost their end are noted in the table `loss` and shown as damaged from
then on. Board rows are repaired because the next dart needs them: no hit id is used twice, also where the journal was
moved away or another one was put in its place. Then its marks are still there, and the numbers go on from them.
"""

import logging
import sqlite3
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from daemon.record.chain import Damage, row_checksum
from daemon.record.changes import BoardRow
from daemon.record.reader import decode_damaged
from daemon.record.row_checksums import board_checksum
from daemon.record.row_writer import RowWriter
from daemon.record.written_mark import Extent

log = logging.getLogger(__name__)

LIKELY_LOSS: Final = 1_000_000
"""The most hits that a lost log can have held; a mark that is further ahead is damaged itself."""
SENT_BYTES: Final = 20
"""How much of a mark of sent hits is read: all of its digits."""


@dataclass(slots=True)
class _Found:
    damage: list[Damage] = field(default_factory=list)
    losses: dict[str, int] = field(default_factory=dict)


def recover(db: sqlite3.Connection, mark: Extent | None, folder: Path, *, was_there: bool) -> list[Damage]:
    """Repairs what the next dart needs, in one transaction, and returns what was damaged or is gone.

    `mark` is None if the directory has no mark. `was_there` says whether the database file existed before this start.
    """
    found = _Found()
    db.text_factory = decode_damaged
    db.execute("BEGIN IMMEDIATE")
    try:
        compared = mark if mark is not None and mark.journal else None
        is_ours = _check_journal_row(db, compared, found, was_there=was_there)
        _repair_boards(db, compared if is_ours else None, found)
        rows = RowWriter(db)
        if compared is not None and is_ours:
            _compare(db, rows, compared, found)
        elif was_there:
            _compare_sent(rows, folder, found)
        _keep_counting(rows, mark, folder)
        for match_id, action in found.losses.items():
            row = (match_id, action, datetime.now(UTC).isoformat())
            db.execute("INSERT OR IGNORE INTO loss VALUES (?, ?, ?, ?)", (*row, row_checksum("loss", *row)))
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    finally:
        db.text_factory = str
    return found.damage


def _check_journal_row(db: sqlite3.Connection, mark: Extent | None, found: _Found, *, was_there: bool) -> bool:
    """Whether the mark belongs to this journal. Repairs the row with the journal's id."""
    row = db.execute("SELECT id, entry, sum FROM journal").fetchone()
    if row is None:
        empty = db.execute("SELECT 1 FROM board").fetchone() is None
        if mark is not None and mark.entry > 0 and empty:
            if not was_there:
                log.warning("The journal that was here is gone; a new one was created. Hits keep counting.")
                return False
            found.damage.append(Damage("Everything that was written to the journal is gone; a new one was created."))
            return True
        return False
    if row_checksum("journal", *row[:-1]) == row[-1]:
        return mark is not None and mark.journal == row[0]
    found.damage.append(Damage("The journal's own row was damaged and has been repaired."))
    values = (str(row[0]) if mark is None else mark.journal, row[1] if isinstance(row[1], int) else 0)
    db.execute("UPDATE journal SET id = ?, entry = ?, sum = ?", (*values, row_checksum("journal", *values)))
    return mark is not None


def _repair_boards(db: sqlite3.Connection, mark: Extent | None, found: _Found) -> None:
    """Repairs damaged rows of boards, from the mark where it has them."""
    for rowid, *values, entry, checksum in db.execute(
        "SELECT rowid, name, seq, revision, match, mark, entry, sum FROM board"
    ).fetchall():
        if checksum is None or row_checksum("board", *values, entry) == checksum:
            continue
        name = values[0]
        found.damage.append(Damage(f"The counters of the board {name} were damaged and have been repaired."))
        kept = None if mark is None else mark.boards.get(str(name))
        row = _plausible(db, values) if kept is None else kept
        if mark is not None and kept is None:
            # The mark has no board with this name: the name itself is damaged.
            db.execute("DELETE FROM board WHERE rowid = ?", (rowid,))
            continue
        count = entry if isinstance(entry, int) and mark is None else 0 if mark is None else mark.entry
        db.execute(
            "UPDATE board SET name = ?, seq = ?, revision = ?, match = ?, mark = ?, entry = ?, sum = ? WHERE rowid = ?",
            (row.name, row.seq, row.revision, row.match, row.mark, count, board_checksum(row, count), rowid),
        )


def _plausible(db: sqlite3.Connection, values: list[Any]) -> BoardRow:
    """A damaged row without its impossible values; its last hit is at least the last one that is kept."""
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


def _compare(db: sqlite3.Connection, rows: RowWriter, mark: Extent, found: _Found) -> None:
    """Finds what the mark has and the journal has not. After a power cut the journal can be ahead of its mark."""
    gone = mark.entry - rows.entry
    if gone < 0:
        return
    if gone > 0:
        found.damage.append(Damage(f"The last {gone} entries of the journal are gone: its log lost its end."))
    rows.entry = mark.entry
    for name, kept in mark.boards.items():
        row = rows.boards.get(name, BoardRow(name))
        if row == kept and (row.match is None or rows.end(row.match).actions == mark.actions.get(name)):
            continue
        if gone == 0:
            found.damage.append(Damage(f"The journal has lost the last state of the board {name}."))
        if kept.match is not None:
            _note_loss(db, kept.match, mark.actions.get(name, 0), found)
        if row.match not in (None, kept.match) and _is_running(db, row.match):
            # It was over before the log lost its end: at least its end is gone.
            _note_loss(db, str(row.match), rows.end(str(row.match)).actions + 1, found)
        # Its match stays on the board: what followed is gone, and people can go on from there.
        match = row.match if row.match is not None or not _is_there(db, kept.match) else kept.match
        rows.write_board(replace(_later(row, kept), revision=max(row.revision, kept.revision) + 1, match=match))
    rows.write_journal()


def _keep_counting(rows: RowWriter, mark: Extent | None, folder: Path) -> None:
    """Raises the counters of every board to those that were given, by whatever journal: no number is used again."""
    for name, kept in ({} if mark is None else mark.boards).items():
        row = rows.boards.get(name, BoardRow(name))
        if row.seq < kept.seq or row.revision < kept.revision:
            rows.write_board(replace(_later(row, kept), revision=max(row.revision, kept.revision + 1)))
    # Without a mark, or with one that a full disk kept from being written, these are all that is left.
    for name, sent in _sent(folder).items():
        row = rows.boards.get(name, BoardRow(name))
        if row.seq < sent < row.seq + LIKELY_LOSS:
            rows.write_board(replace(row, seq=sent))


def _later(row: BoardRow, kept: BoardRow) -> BoardRow:
    """The row of a board with the number of its last hit and of its last edge, which `kept` may know better.

    An older edge would be taken for a newer one, or its dart read again under another number.
    """
    return replace(row, seq=max(row.seq, kept.seq), mark=row.mark if kept.mark is None else kept.mark)


def _sent(folder: Path) -> dict[str, int]:
    """The number of the last hit that was sent or answered, by board."""
    found: dict[str, int] = {}
    for path in sorted((*folder.glob("sent-*"), *folder.glob("answered-*"))):
        name = path.name.partition("-")[2]
        try:
            with path.open("rb") as file:
                text = file.read(SENT_BYTES)
        except OSError:
            continue
        found[name] = max(int(text) if text.isdigit() else 0, found.get(name, 0))
    return found


def _note_loss(db: sqlite3.Connection, match_id: str, actions: int, found: _Found) -> None:
    """Notes a match that has fewer than `actions` actions, once for all boards that it is on."""
    if any(damage.match == match_id for damage in found.damage):
        return
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


def _is_running(db: sqlite3.Connection, match_id: str | None) -> bool:
    return db.execute("SELECT 1 FROM match WHERE id = ? AND ended IS NULL", (match_id,)).fetchone() is not None


def _compare_sent(rows: RowWriter, folder: Path, found: _Found) -> None:
    """Finds hits that were sent and are not in the journal, for a journal without a mark."""
    for name, sent in _sent(folder).items():
        row = rows.boards.get(name)
        if row is not None and row.seq < sent < row.seq + LIKELY_LOSS:
            found.damage.append(
                Damage(f"The last {sent - row.seq} hits of the board {name} are gone: the journal lost its end.")
            )
            if row.match is not None and _is_running(rows.db, row.match):
                found.losses[row.match] = rows.end(row.match).actions + 1
            rows.write_board(replace(row, seq=sent, revision=row.revision + sent - row.seq))
