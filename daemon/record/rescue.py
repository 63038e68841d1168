"""Replaces a journal that SQLite cannot read with what is whole in it. The damaged files are kept in a folder.

The first actions of every match whose header is left are taken over; a match that lost some is marked as damaged. So
are the boards' counters, the replies to commands, and the hits that may not have been sent. `oche salvage` reads the
damaged files as it reads a data directory.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from daemon.record.btree_pages import Row
from daemon.record.chain import Damage, row_checksum
from daemon.record.changes import BoardRow
from daemon.record.journal_file import open_journal
from daemon.record.row_writer import REMEMBERED_COMMANDS, REMEMBERED_HITS, REMEMBERED_OF_HOUSES, RowWriter, of_houses
from daemon.record.salvage import Saved, SavedMatch, salvage
from daemon.record.written_mark import NAME as MARK
from daemon.record.written_mark import Extent, parse_mark
from daemon.system.secure_files import give_to_owner, sync

ASIDE: Final = "damaged-"
"""How the folders with damaged journals begin; the time follows."""


def rescue(folder: Path, why: str, *, is_database: bool) -> list[Damage] | None:
    """Moves the journal of a data directory aside and writes a new one; returns what is damaged.

    None, and nothing is changed, if nothing proves that the file was a journal: a row that fits its checksum, or the
    mark of what was written, unless SQLite reads another database (`is_database`). OSError or sqlite3.Error if the
    disk fails or is full: then the damaged files are still in their place, and nothing else is left.
    """
    saved, mark = salvage(folder), _mark(folder)
    if not _has_proof(saved) and (is_database or mark is None or mark.entry == 0):
        return None
    path, new, aside = folder / "oche.db", folder / "oche.db.new", _unused_folder(folder)
    try:
        _keep(folder, aside)
        _remove(new)
        _write(saved, mark, new, folder)
    except BaseException:
        # A service that is restarted every few seconds must not leave a folder each time.
        shutil.rmtree(aside, ignore_errors=True)
        with contextlib.suppress(OSError):
            _remove(new)
        raise
    # The log first: SQLite would apply it to any database that it finds next to it.
    for companion in _companions(path):
        companion.unlink(missing_ok=True)
    new.replace(path)
    sync(folder)
    whole = sum(match.bad is None and match.row is not None for match in saved.matches)
    kept = sum(match.row is not None for match in saved.matches)
    return [
        Damage(
            f"The journal was damaged ({why}) and was moved to {aside}. A new one has {whole} of "
            f"{len(saved.matches)} matches as they were, and the beginning of {kept - whole}. {_advice(aside)}"
        ),
        *(Damage(problem) for problem in saved.problems),
        *(
            Damage(f"The match {match.id} lost its header; its actions are in {aside.name} alone.", match.id, 1)
            for match in saved.matches
            if match.row is None
        ),
    ]


def kept_aside(folder: Path) -> Iterator[Damage]:
    """A message for each damaged journal that earlier starts have moved aside."""
    for aside in sorted(folder.glob(f"{ASIDE}*")):
        if aside.is_dir():
            yield Damage(f"A damaged journal is kept in {aside}. {_advice(aside)} Then delete {aside.name}.")


def _advice(aside: Path) -> str:
    return f"`oche salvage OUT --data {aside}` writes all that is whole in it to the folder OUT."


def _mark(folder: Path) -> Extent | None:
    try:
        return parse_mark((folder / MARK).read_bytes())
    except FileNotFoundError:
        return None


def _has_proof(saved: Saved) -> bool:
    """Whether a row fits its checksum."""
    return any(row[-1] is not None for rows in saved.rows.values() for row in rows) or any(
        match.checked and match.bad != 1 for match in saved.matches
    )


def _companions(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def _remove(database: Path) -> None:
    for name in (database, *_companions(database)):
        name.unlink(missing_ok=True)


def _unused_folder(folder: Path) -> Path:
    """Returns the path of a folder for damaged files, named after the time, that does not exist yet."""
    aside = folder / f"{ASIDE}{datetime.now(UTC):%Y%m%d-%H%M%S}"
    while aside.exists():
        aside = aside.with_name(f"{aside.name}-again")
    return aside


def _keep(folder: Path, aside: Path) -> None:
    """Puts the damaged files into the new folder `aside` and flushes it. The originals stay in their place too."""
    aside.mkdir(mode=0o700)
    give_to_owner(aside, folder)
    for name in ("oche.db", "oche.db-wal"):
        if (folder / name).exists():
            # A link needs no room, and is complete at once.
            try:
                os.link(folder / name, aside / name)
            except OSError:
                shutil.copy2(folder / name, aside / name)
                sync(aside / name)
    # A copy: the mark is written in place.
    with contextlib.suppress(FileNotFoundError):
        shutil.copy2(folder / MARK, aside / MARK)
        give_to_owner(aside / MARK, folder)
    sync(aside)
    sync(folder)


def _write(saved: Saved, mark: Extent | None, new: Path, folder: Path) -> None:
    with contextlib.closing(open_journal(new, [])) as db:
        db.execute("BEGIN IMMEDIATE")
        rows = RowWriter(db)
        if mark is not None:
            # The counters are compared with the mark afterwards, as at every start.
            rows.journal, rows.entry = mark.journal, mark.entry
        kept = {match.id: match for match in saved.matches if match.row is not None}
        for match in kept.values():
            _write_match(rows, match)
        for board in _boards(saved, mark):
            rows.write_board(board if board.match in kept else BoardRow(board.name, board.seq, board.revision))
        _write_rows(rows, saved, kept)
        rows.write_journal()
        db.execute("COMMIT")
    give_to_owner(new, folder)


def _write_match(rows: RowWriter, match: SavedMatch) -> None:
    assert match.row is not None  # the caller has left the others out
    if match.checked:
        rows.write_match(match.row, enumerate(match.lines, 1))
    else:
        rows.write_unchecked(match.row, match.lines)
    if match.bad is not None:
        loss = (match.id, match.bad, datetime.now(UTC).isoformat())
        rows.db.execute("INSERT INTO loss VALUES (?, ?, ?, ?)", (*loss, row_checksum("loss", *loss)))


def _boards(saved: Saved, mark: Extent | None) -> list[BoardRow]:
    """The counters of each board, as far as the journal and the mark tell; the start compares those of sent hits."""
    boards = {row[0]: BoardRow(*row[:5]) for row in saved.rows["board"] if _has_types(row, _BOARD)}
    known = {} if mark is None else mark.boards
    highest: dict[str, int] = {}
    for row in saved.rows["hit"]:
        if _has_types(row, _HIT):
            highest[row[0]] = max(row[1], highest.get(row[0], 0))
    found = []
    for name in sorted({*boards, *known, *highest}):
        counters = boards.get(name) or known.get(name) or BoardRow(name)
        found.append(replace(counters, seq=max(counters.seq, highest.get(name, 0))))
    return found


def _write_rows(rows: RowWriter, saved: Saved, kept: dict[str, SavedMatch]) -> None:
    """Writes the hits, replies and states that are remembered. Pages can hold older copies of a row as well."""
    states = [row for row in saved.rows["snapshot"] if _has_types(row, _STATE) and row[0] in kept]
    states = [row for row in states if row[1] <= len(kept[row[0]].lines)]
    newest = {row[0]: row for row in sorted(states, key=lambda row: int(row[1]))}
    hits = {row[:2]: row for row in saved.rows["hit"] if _has_types(row, _HIT)}
    replies = {row[1:3]: row for row in saved.rows["command"] if _has_types(row[1:], _REPLY)}
    for row in newest.values():
        rows.db.execute("INSERT INTO snapshot VALUES (?, ?, ?, ?)", row)
    for board in rows.boards:
        for key in sorted(key for key in hits if key[0] == board)[-REMEMBERED_HITS:]:
            rows.db.execute("INSERT INTO hit VALUES (?, ?, ?, ?)", hits[key])
        for name, most in ((board, REMEMBERED_COMMANDS), (of_houses(board), REMEMBERED_OF_HOUSES)):
            for key in [key for key in replies if key[0] == name][-most:]:
                rows.db.execute("INSERT INTO command (board, id, reply, sum) VALUES (?, ?, ?, ?)", replies[key][1:])


_BOARD: Final = (str, int, int, str | None, str | None)
_HIT: Final = (str, int, str)
_STATE: Final = (str, int, str)
_REPLY: Final = (str, str, str)
"""The types of the first columns; a row of a version without checksums can have others after damage."""


def _has_types(row: Row, types: tuple[Any, ...]) -> bool:
    return all(isinstance(value, kind) for value, kind in zip(row, types, strict=False))
