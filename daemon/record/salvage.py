"""Finds what is whole in a journal, also in one that SQLite refuses. Writes nothing to the data directory."""

import contextlib
import json
import sqlite3
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from daemon.record.btree_pages import Row, rows_of
from daemon.record.chain import ChainEnd, action_checksum, chain_start, row_checksum
from daemon.record.changes import MatchRow
from daemon.record.journal_file import missing_columns
from daemon.record.reader import decode_damaged
from daemon.record.record_states import has_checksums
from daemon.record.row_checksums import is_json, match_row
from daemon.record.written_mark import NAME, Extent, parse_mark
from daemon.system.error_text import reason

SIZES: Final = {
    "match": (13, 8),
    "board": (7, 5, 4),
    "hit": (4, 3),
    "snapshot": (4, 3),
    "loss": (4,),
    "command": (5, 4),
}
"""How many columns each table has, now and in earlier schemas."""


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """The first actions of a match, as far as they are whole.

    `row` is None if the header is gone. `bad` is the number of the first action that is damaged or gone, 0 if only the
    match's own row is, None if the match is whole. `checked` is false if some of it has no checksums.
    """

    id: str
    row: MatchRow | None
    lines: list[str]
    bad: int | None
    checked: bool


@dataclass(slots=True)
class Saved:
    """Everything that was found. `problems` are sentences about damage outside the matches.

    `rows` are the whole rows of the tables board, hit, snapshot and command, with all columns of the present schema.
    """

    matches: list[SavedMatch] = field(default_factory=list)
    boards: list[dict[str, Any]] = field(default_factory=list)
    hits: list[Any] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    rows: dict[str, list[Row]] = field(default_factory=dict)

    @property
    def damaged(self) -> bool:
        """Whether anything is not as it was written."""
        return bool(self.problems) or any(match.bad is not None for match in self.matches)


def salvage(folder: Path) -> Saved:
    """What is whole in the journal of a data directory. OSError if its files cannot be read."""
    path = folder / "oche.db"
    database = path.read_bytes()
    log_file = path.with_name("oche.db-wal")
    log = log_file.read_bytes() if log_file.exists() else b""
    saved, tables = Saved(), None
    try:
        tables = _tables(database, log)
    except OSError as error:
        saved.problems.append(f"No copy could be made in {tempfile.gettempdir()}: {reason(error)}.")
    mark = parse_mark(_read(folder / NAME))
    lost = tables is not None and mark is not None and _entry(tables) < mark.entry
    if tables is not None and mark is not None and lost:
        gone = mark.entry - _entry(tables)
        saved.problems.append(f"The log lost its end: SQLite does not find the last {gone} entries.")
        tables = None
    if tables is None:
        saved.problems.append("SQLite did not read the whole journal; its pages were read one by one.")
        tables = _carved(database, log)
    _matches(saved, tables)
    if mark is not None:
        saved.matches = [_with_mark(match, mark, lost=lost) for match in saved.matches]
    _others(saved, tables)
    return saved


def _with_mark(match: SavedMatch, mark: Extent, *, lost: bool) -> SavedMatch:
    """The match compared with the mark: its own actions cannot show that the last of them are gone."""
    written = [mark.actions.get(name, 0) for name, row in mark.boards.items() if row.match == match.id]
    is_running = match.row is not None and match.row.ended is None
    # If the log lost its end, a running match that is on no board was over when the mark was written.
    short = len(match.lines) < max(written) if written else lost and is_running
    return replace(match, bad=len(match.lines) + 1) if match.bad is None and short else match


Tables = dict[str, list[Row]]


def _tables(database: bytes, log: bytes) -> Tables | None:
    """Returns every row by table, the checksum last; None if SQLite finds a fault in the file.

    Reads a copy: SQLite would write to the original. OSError if there is no room for one.
    """
    with tempfile.TemporaryDirectory(prefix="oche-salvage-") as name:
        copy = Path(name) / "oche.db"
        copy.write_bytes(database)
        copy.with_name("oche.db-wal").write_bytes(log)
        try:
            with contextlib.closing(sqlite3.connect(copy)) as db:
                db.text_factory = decode_damaged
                if db.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
                    return None
                old = not has_checksums(db)
                if not old and missing_columns(db):
                    return None
                tables = {
                    table: db.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608
                    for table in _names(old=old)
                }
        except (sqlite3.Error, ValueError):
            return None  # ValueError: a name in the schema is not UTF-8.
    return {table: [_full(table, row) for row in rows] for table, rows in tables.items()}


def _names(*, old: bool) -> list[str]:
    return ["match", "action", "board", "hit", "snapshot", "command", *(() if old else ("journal", "loss"))]


def _full(table: str, row: Row) -> Row:
    """The row with all columns of the present schema; the number of a command is left out."""
    if table == "command":
        row = (None, *row[1:])
    widths = {"action": 4, "journal": 3} | {name: sizes[0] for name, sizes in SIZES.items()}
    if table == "match" and len(row) == 8:
        return (*row, None, None, None, None, None)
    return (*row, *[None] * (widths[table] - len(row)))


def _carved(database: bytes, log: bytes) -> Tables:
    """The rows of all pages by table, which the columns and the checksum of each row tell."""
    found = rows_of(database, log)
    tables: Tables = {name: [] for name in _names(old=False)}
    tables["action"] = [
        _full("action", row)
        for row in found.keyed
        if len(row) in (3, 4) and [type(value) for value in row[:3]] == [str, int, str]
    ]
    for row in found.table:
        table = _table_of(row)
        if table is not None:
            tables[table].append(_full(table, row))
    return {name: list(dict.fromkeys(rows)) for name, rows in tables.items()}


def _table_of(row: Row) -> str | None:
    for table, sizes in {**SIZES, "journal": (3,)}.items():
        if len(row) == sizes[0] and table != "match" and _fits(table, _full(table, row)):
            return table
    if len(row) in SIZES["match"]:
        return "match"
    if len(row) in SIZES["board"] and isinstance(row[1], int) and isinstance(row[2], int):
        return "board"
    return None


def _fits(table: str, row: Row) -> bool:
    values = row[1:-1] if table == "command" else row[:-1]
    return row[-1] is not None and row_checksum(table, *values) == row[-1]


def _entry(tables: Tables) -> int:
    counts = [row[5] for row in tables["board"]] + [row[1] for row in tables.get("journal", [])]
    return max((count for count in counts if isinstance(count, int)), default=0)


def _matches(saved: Saved, tables: Tables) -> None:
    lines: dict[str, dict[int, list[tuple[str, Any]]]] = {}
    for match_id, n, line, checksum in tables["action"]:
        if isinstance(match_id, str) and isinstance(n, int) and isinstance(line, str):
            lines.setdefault(match_id, {}).setdefault(n, []).append((line, checksum))
    rows: dict[str, list[tuple[MatchRow, ChainEnd, bool]]] = {}
    for row in tables["match"]:
        read, end, intact = match_row(row)
        if row[8] is None:
            # A version that did not count the actions wrote it.
            end = ChainEnd(len(lines.get(read.id, {})), len(lines.get(read.id, {})))
        rows.setdefault(read.id, []).append((read, end, intact))
    lost = {row[0]: row[1] for row in tables.get("loss", []) if isinstance(row[1], int)}
    for match_id in sorted({*rows, *lines}):
        found = [_saved(row, end, intact, lines.get(match_id, {})) for row, end, intact in rows.get(match_id, [])]
        whole = max(found, key=lambda match: (match.bad is None, len(match.lines), match.bad == 0), default=None)
        header = any(intact for _, _, intact in rows.get(match_id, []))
        if whole is None or (not header and not whole.lines and lines.get(match_id)):
            whole = _headless(match_id, lines[match_id])
        if (gone := lost.get(match_id)) is not None:
            whole = replace(whole, bad=min(gone, gone if whole.bad is None else whole.bad))
        saved.matches.append(whole)


def _saved(row: MatchRow, end: ChainEnd, intact: bool, lines: dict[int, list[tuple[str, Any]]]) -> SavedMatch:
    """The match according to one of its rows."""
    before = chain_start(row.id, row.board, row.header, row.bots, row.started)
    good: list[str] = []
    while candidates := lines.get(n := len(good) + 1):
        if n <= end.unchecked:
            line = next((line for line, checksum in candidates if checksum is None and is_json(line)), None)
        else:
            sums = {line: checksum for line, checksum in candidates if action_checksum(before, n, line) == checksum}
            line = next(iter(sums), None)
            before = before if line is None else sums[line]
        if line is None:
            break
        good.append(line)
    complete = len(good) >= end.actions and len(good) == len(lines)
    if complete and end.checksum is not None:
        complete = end.checksum == before
    bad = len(good) + 1 if not complete else None if intact and is_json(row.header) else 0
    return SavedMatch(row.id, row, good, bad, end.checksum is not None and end.unchecked == 0)


def _headless(match_id: str, lines: dict[int, list[tuple[str, Any]]]) -> SavedMatch:
    """What is left of a match without its header: the actions that follow each other. Nothing proves the first one."""
    good: list[str] = []
    before: bytes | None = None
    while candidates := lines.get(n := len(good) + 1):
        fitting = [
            (line, checksum)
            for line, checksum in candidates
            if before is None or action_checksum(before, n, line) == checksum
        ]
        if not fitting:
            break
        good.append(fitting[-1][0])
        before = fitting[-1][1] if isinstance(fitting[-1][1], bytes) else None
    return SavedMatch(match_id, None, good, 1, before is not None)


def _others(saved: Saved, tables: Tables) -> None:
    """Adds boards, kept hits, replies and stored states."""
    boards: dict[str, tuple[int, dict[str, Any]]] = {}
    newest: dict[str, Row] = {}
    for name, seq, revision, match, _, entry, checksum in tables["board"]:
        values = (name, seq, revision, match, _)
        whole = checksum is None or row_checksum("board", *values, entry) == checksum
        if not whole:
            saved.problems.append(f"The counters of the board {name} are damaged.")
        elif boards.get(name, (-1, None))[0] < (entry or 0):
            about = {"name": name, "hits": seq, "revision": revision}
            boards[name] = (entry or 0, about | ({} if match is None else {"match": match}))
            newest[name] = (*values, entry, checksum)
    saved.boards = [about for _, (_, about) in sorted(boards.items())]
    saved.rows["board"] = list(newest.values())
    for table in ("hit", "snapshot", "command"):
        good = saved.rows[table] = [row for row in tables[table] if row[-1] is None or _fits(table, row)]
        saved.counts[table] = len(good)
        if bad := len(tables[table]) - len(good):
            saved.problems.append(f"{bad} rows of the table {table} are damaged.")
        if table == "hit":
            saved.hits = [json.loads(row[2]) for row in good if is_json(row[2])]
    for row in tables.get("journal", []):
        if not _fits("journal", row):
            saved.problems.append("The journal's own row is damaged.")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
