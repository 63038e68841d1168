"""Writes changes to the journal's tables, every row with its checksum. Only the thread that owns the database calls it.

The ends of the chains and the boards' counters are kept in memory, so that a dart reads nothing from the database.
After a transaction that was rolled back they are loaded again.
"""

import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from daemon.record.chain import ChainEnd, action_checksum, chain_start, row_checksum
from daemon.record.changes import BoardRow, Change, Entry, Forgotten, Imported, MatchRow
from daemon.record.row_checksums import board_checksum, match_checksum, match_text
from daemon.record.written_mark import Extent

REMEMBERED_COMMANDS: Final = 1000
"""How many command ids are kept for each board; the oldest is deleted for the next one."""

REMEMBERED_OF_HOUSES: Final = 100_000
"""The same for the commands of other houses, which are remembered to the end of a match: one has no more actions. When
the next one begins, all but the last `REMEMBERED_COMMANDS` are deleted."""

REMEMBERED_HITS: Final = 150
"""How many hits are kept for each board, more than wait in one run for a broker and for its acknowledgement; the oldest
is deleted for the next one."""

_WRITE_BOARD: Final = (
    "INSERT INTO board (name, seq, revision, match, mark, entry, sum) VALUES (?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (name) DO UPDATE SET seq = excluded.seq, revision = excluded.revision, "
    "match = excluded.match, mark = excluded.mark, entry = excluded.entry, sum = excluded.sum"
)
_WRITE_MATCH: Final = (
    "INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
    "ended = excluded.ended, result = excluded.result, winners = excluded.winners, "
    "actions = excluded.actions, head = excluded.head, rewritten = excluded.rewritten, sum = excluded.sum"
)
_WRITE_END: Final = "UPDATE match SET actions = ?, head = ?, sum = ? WHERE id = ?"
"""For each dart: the other columns are as they were."""
_FORGET_COMMANDS: Final = (
    "DELETE FROM command WHERE board = ? AND n <= "
    "(SELECT n FROM command WHERE board = ? ORDER BY n DESC LIMIT 1 OFFSET ?)"
)


def is_of_house(key: str) -> bool:
    """Whether the key of a command is that of another house: its user is `node/board`."""
    return not key.startswith('"') and "/" in key.partition(" ")[0]


def of_houses(board: str) -> str:
    """Under which name the replies to the commands of other houses are stored."""
    return f"{board}/"


class RowWriter:
    """The rows of a database that is open for writing. `boards` are the counters of each board as they are in it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        # One cursor for all writes: Connection.execute makes a new one for every statement.
        self._execute = db.cursor().execute
        self.journal = ""
        self.entry = 0
        self.boards: dict[str, BoardRow] = {}
        self._ends: dict[str, ChainEnd] = {}
        self._written: dict[str, tuple[MatchRow, str]] = {}
        """The rows of the matches in `_ends` that were written, and their `match_text`."""
        self.load()

    def load(self) -> None:
        """Reads the counters from the database. A new database gets an id."""
        row = self.db.execute("SELECT id, entry FROM journal").fetchone()
        if row is None:
            row = (secrets.token_hex(8), 0)
            self.db.execute("INSERT INTO journal VALUES (?, ?, ?)", (*row, row_checksum("journal", *row)))
        self.journal, self.entry = row
        self._ends, self._written = {}, {}
        self.boards = {}
        for *values, entry in self.db.execute("SELECT name, seq, revision, match, mark, entry FROM board"):
            board = BoardRow(*values)
            self.boards[board.name] = board
            self.entry = max(self.entry, entry)

    def extent(self) -> Extent:
        """How far the journal is written."""
        actions = {name: self.end(row.match).actions for name, row in self.boards.items() if row.match is not None}
        return Extent(self.journal, self.entry, self.boards, actions)

    def end(self, match_id: str) -> ChainEnd:
        """Where the chain of a match ends; `ChainEnd()` for a match that is not in the journal."""
        end = self._ends.get(match_id)
        if end is None:
            query = "SELECT actions, unchecked, head, rewritten FROM match WHERE id = ?"
            row = self.db.execute(query, (match_id,)).fetchone()
            end = self._ends[match_id] = ChainEnd() if row is None else ChainEnd(*row)
        return end

    def write(self, change: Change) -> None:
        """Writes a change inside the transaction that is open, as the next entry."""
        self.entry += 1
        match change:
            case Entry():
                self._write_entry(change)
            case Imported():
                self.write_match(change.match, enumerate(change.lines, 1))
                self.write_journal()
            case Forgotten():
                self._forget(change)
                self.write_journal()

    def write_board(self, board: BoardRow) -> None:
        """Writes the counters of a board. They never go back: a lower one keeps its value."""
        before = self.boards.get(board.name, board)
        if before.seq > board.seq or before.revision > board.revision:
            board = replace(board, seq=max(before.seq, board.seq), revision=max(before.revision, board.revision))
        self._execute(
            _WRITE_BOARD,
            (
                *(board.name, board.seq, board.revision, board.match, board.mark),
                *(self.entry, board_checksum(board, self.entry)),
            ),
        )
        self.boards[board.name] = board
        if before.match is not None and before.match != board.match:
            # Nothing is written to the match any more.
            self._ends.pop(before.match, None)
            self._written.pop(before.match, None)

    def write_journal(self) -> None:
        """Writes the number of an entry that changes no board."""
        values = (self.journal, self.entry)
        self._execute("UPDATE journal SET id = ?, entry = ?, sum = ?", (*values, row_checksum("journal", *values)))

    def _write_entry(self, entry: Entry) -> None:
        board = entry.board
        begins = entry.match is not None and self.boards.get(board.name, board).match != board.match
        if entry.ended is not None:
            self.write_match(entry.ended)
        if entry.match is not None:
            self.write_match(entry.match, entry.actions)
        self.write_board(board)
        for name, match_id in entry.others:
            # The number of its last hit and its mark are its own, and may be ahead in memory of what is written.
            other = self.boards.get(name, BoardRow(name))
            self.write_board(replace(other, revision=board.revision, match=match_id))
        if entry.hit is not None:
            hit = (board.name, board.seq, entry.hit)
            self._execute("INSERT INTO hit VALUES (?, ?, ?, ?)", (*hit, row_checksum("hit", *hit)))
            last = board.seq - REMEMBERED_HITS
            last = last if entry.waits_from is None else min(last, entry.waits_from - 1)
            self._execute("DELETE FROM hit WHERE board = ? AND seq <= ?", (board.name, last))
        if entry.snapshot is not None:
            state = (board.match, *entry.snapshot)
            checksum = row_checksum("snapshot", *state)
            self._execute("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?)", (*state, checksum))
        if entry.reply is not None:
            house = is_of_house(entry.reply[0])
            name = of_houses(board.name) if house else board.name
            reply = (name, *entry.reply)
            checksum = row_checksum("command", *reply)
            self._execute("INSERT INTO command (board, id, reply, sum) VALUES (?, ?, ?, ?)", (*reply, checksum))
            if not house or begins:
                self._execute(_FORGET_COMMANDS, (name, name, REMEMBERED_COMMANDS))

    def write_match(self, row: MatchRow, lines: Iterable[tuple[int, str]] = (), rewritten: str | None = None) -> None:
        """Writes the next actions of a match, and its own row, of which only the end may change."""
        end = self.end(row.id)
        checksum = end.checksum or chain_start(row.id, row.board, row.header, row.bots, row.started)
        actions = end.actions
        for n, line in lines:
            checksum = action_checksum(checksum, n, line)
            self._execute("INSERT INTO action VALUES (?, ?, ?, ?)", (row.id, n, line, checksum))
            actions += 1
        end = ChainEnd(actions, end.unchecked, checksum, rewritten or end.rewritten)
        written, text = self._written.get(row.id, (None, ""))
        if row == written and rewritten is None:
            self._execute(_WRITE_END, (end.actions, end.checksum, match_checksum(text, end), row.id))
        else:
            text = match_text(row)
            self._execute(
                _WRITE_MATCH,
                (
                    *(row.id, row.board, row.header, row.bots, row.started, row.ended, row.result, row.winners),
                    *(end.actions, end.unchecked, end.checksum, end.rewritten, match_checksum(text, end)),
                ),
            )
            if row.ended is None:
                self._written[row.id] = (row, text)
            else:
                # An undo opens it again: its row is then not the one from before the end.
                self._written.pop(row.id, None)
        self._ends[row.id] = end

    def write_unchecked(self, row: MatchRow, lines: Sequence[str]) -> None:
        """Writes a match without checksums of its actions, as a version without them left it."""
        for n, line in enumerate(lines, 1):
            self._execute("INSERT INTO action VALUES (?, ?, ?, NULL)", (row.id, n, line))
        end = self._ends[row.id] = ChainEnd(len(lines), len(lines))
        columns = (row.id, row.board, row.header, row.bots, row.started, row.ended, row.result, row.winners)
        values = (end.actions, end.unchecked, None, None, match_checksum(match_text(row), end))
        self._execute(_WRITE_MATCH, (*columns, *values))

    def _forget(self, change: Forgotten) -> None:
        self._execute("DELETE FROM match WHERE id = ?", (change.id,))
        for table in ("action", "snapshot", "loss"):
            self._execute(f"DELETE FROM {table} WHERE match = ?", (change.id,))  # noqa: S608
        self._execute("DELETE FROM command WHERE id LIKE ? || ' %'", (change.user,))
        # A match with the same id starts a new chain.
        self._ends[change.id] = ChainEnd()
        self._written.pop(change.id, None)
        # A board that comes back shows another state of the match.
        for row in [row for row in self.boards.values() if row.match == change.id]:
            self.write_board(replace(row, revision=row.revision + 1))
        if change.match is not None:
            self.write_match(change.match, enumerate(change.lines, 1), datetime.now(UTC).isoformat())
