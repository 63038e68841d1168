"""What the next rows of the journal are chained to: kept in memory by the thread that writes, read again after a
transaction that was undone."""

import secrets
import sqlite3
from dataclasses import replace

from daemon.record.chain import Head, chain_start, chained, row_sum
from daemon.record.reader import BoardRow, MatchRow, board_sum, match_sum
from daemon.record.written_mark import Extent


class Sums:
    """The ends of the chains, and the counters of every board, as they are in the database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.journal = ""
        self.entry = 0
        self.boards: dict[str, BoardRow] = {}
        self._heads: dict[str, Head] = {}
        self.load()

    def load(self) -> None:
        """Reads them from the database, which gets a name of its own if it has none."""
        row = self.db.execute("SELECT id, entry FROM journal").fetchone()
        if row is None:
            row = (secrets.token_hex(8), 0)
            self.db.execute("INSERT INTO journal VALUES (?, ?, ?)", (*row, row_sum("journal", *row)))
        self.journal, self.entry = row
        self._heads = {}
        self.boards = {}
        for *values, entry in self.db.execute("SELECT name, seq, revision, match, mark, entry FROM board"):
            board = BoardRow(*values)
            self.boards[board.name] = board
            self.entry = max(self.entry, entry)

    def extent(self) -> Extent:
        """How far the journal is written now."""
        actions = {name: self.head(row.match).actions for name, row in self.boards.items() if row.match is not None}
        return Extent(self.journal, self.entry, self.boards, actions)

    def head(self, match_id: str) -> Head:
        """Where the chain of a match ends; `Head()` for one that is not in the journal yet."""
        head = self._heads.get(match_id)
        if head is None:
            query = "SELECT actions, unchecked, head, rewritten FROM match WHERE id = ?"
            row = self.db.execute(query, (match_id,)).fetchone()
            head = self._heads[match_id] = Head() if row is None else Head(*row)
        return head

    def next_entry(self) -> int:
        """The number of the next thing that is written."""
        self.entry += 1
        return self.entry

    def write_board(self, board: BoardRow) -> None:
        """Writes the counters of a board, which never go back."""
        before = self.boards.get(board.name, board)
        row = replace(board, seq=max(before.seq, board.seq), revision=max(before.revision, board.revision))
        self.db.execute(
            "INSERT INTO board (name, seq, revision, match, mark, entry, sum) VALUES (?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (name) DO UPDATE SET seq = excluded.seq, revision = excluded.revision, "
            "match = excluded.match, mark = excluded.mark, entry = excluded.entry, sum = excluded.sum",
            (row.name, row.seq, row.revision, row.match, row.mark, self.entry, board_sum(row, self.entry)),
        )
        self.boards[row.name] = row
        if before.match not in (None, row.match):
            # What was on the board has made room: nothing is written to it any more.
            self._heads.pop(str(before.match), None)

    def write_journal(self) -> None:
        """Writes the number of an entry that changes no board."""
        values = (self.journal, self.entry)
        self.db.execute("UPDATE journal SET id = ?, entry = ?, sum = ?", (*values, row_sum("journal", *values)))

    def write_match(self, row: MatchRow, lines: tuple[tuple[int, str], ...] = (), rewritten: str | None = None) -> None:
        """Writes the next actions of a match, and its own row, in which only the end may change."""
        head = self.head(row.id)
        end = head.sum or chain_start(row.id, row.board, row.header, row.bots, row.started)
        for n, line in lines:
            end = chained(end, n, line)
            self.db.execute("INSERT INTO action VALUES (?, ?, ?, ?)", (row.id, n, line, end))
        head = replace(head, actions=head.actions + len(lines), sum=end, rewritten=rewritten or head.rewritten)
        self.db.execute(
            "INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
            "ended = excluded.ended, result = excluded.result, winners = excluded.winners, "
            "actions = excluded.actions, head = excluded.head, rewritten = excluded.rewritten, sum = excluded.sum",
            (
                *(row.id, row.board, row.header, row.bots, row.started, row.ended, row.result, row.winners),
                *(head.actions, head.unchecked, head.sum, head.rewritten, match_sum(row, head)),
            ),
        )
        self._heads[row.id] = head

    def forget(self, match_id: str) -> None:
        """A match was deleted: another one of its id begins a chain of its own."""
        self._heads[match_id] = Head()
