"""Promise 8: damage is never silent. What cannot be read as it was written is reported, and the rest goes on."""

import contextlib
import json
import os
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Final

import pytest

from daemon.record.journal import Journal
from daemon.record.reader import History
from daemon.record.written_mark import NAME as MARK
from tests.faults.damage import change, damages, said
from tests.rig import oche

A7: Final = "match = '20261120-den' AND n = 7"
LAST_HIT: Final = "board = 'den' AND seq = (SELECT max(seq) FROM hit WHERE board = 'den')"


def test_no_flip_and_no_cut_is_silent() -> None:
    """A sample; `scripts/soak` tries thousands."""
    verdicts = damages(60, random.randrange(2**31))
    assert set(verdicts) == {"said", "same"}


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (f"UPDATE action SET line = 'no json' WHERE {A7}", "20261120-den is damaged from action 7"),
        (f"UPDATE action SET n = 9999 WHERE {A7}", "20261120-den is damaged from action 7"),
        (f"UPDATE action SET sum = NULL WHERE {A7}", "20261120-den is damaged from action 7"),
        (f"DELETE FROM action WHERE {A7}", "20261120-den is damaged from action 7"),
        (f"UPDATE action SET match = '20261120-dem' WHERE {A7}", "20261120-dem is gone"),
        ("UPDATE match SET header = x'00ff' WHERE id = '20261120-den'", "20261120-den is damaged from action 1 "),
        ("UPDATE match SET winners = '[3' WHERE id = '20261120-den'", "20261120-den is damaged in its own row"),
        ("UPDATE match SET actions = 3 WHERE id = '20261120-den'", "20261120-den is damaged from action 4"),
        ("UPDATE match SET id = 'm' WHERE id = '20261120-den'", "match m is damaged"),
        ("DELETE FROM match WHERE id = '20261120-den'", "20261120-den is gone"),
        ("UPDATE board SET seq = 3 WHERE name = 'den'", "counters of the board den"),
        ("UPDATE board SET name = 'dem' WHERE name = 'den'", "counters of the board dem"),
        ("DELETE FROM board WHERE name = 'den'", "last state of the board den"),
        (f"UPDATE hit SET payload = 'no json' WHERE {LAST_HIT}", "Hit"),
        ("UPDATE command SET reply = '{}' WHERE board = 'den' AND id = '\"start-2\"'", 'the command "start-2"'),
        ("UPDATE snapshot SET state = '{}' WHERE match = '20261122-den'", "stored state of the match 20261122-den"),
        ("UPDATE journal SET entry = 7", "own row"),
    ],
)  # fmt: skip
def test_damage_in_every_table_is_reported(folder: Path, statement: str, words: str) -> None:
    before = History(folder).board("den")
    change(folder, statement)
    assert any(words in message for message in said(folder)), said(folder)
    with contextlib.closing(Journal(folder)) as journal:
        after = journal.board("den")
        assert (after.name, after.seq) == (before.name, before.seq), "the next dart would get an id that was given"
        assert after.revision >= before.revision


def test_a_missing_last_action_is_reported(folder: Path) -> None:
    count = len(History(folder).actions("20261120-den"))
    change(folder, "DELETE FROM action WHERE match = '20261120-den' AND n = ?", count)
    assert any(f"20261120-den is damaged from action {count} on" in message for message in said(folder))


def cut_log(folder: Path) -> None:
    """Cuts off the second half of the log."""
    log = folder / "oche.db-wal"
    # Not half of the file: most of it can be older than the last checkpoint.
    marked = json.loads((folder / MARK).read_text().partition(" ")[2].partition("\n")[0])
    whole = log.read_bytes()
    for size in range(len(whole), 32, -4120):
        os.truncate(log, size)
        with contextlib.closing(sqlite3.connect(f"file:{folder / 'oche.db'}?mode=ro", uri=True)) as db:
            entry = db.execute("SELECT max(entry) FROM board").fetchone()[0]
        if entry is not None and entry < marked[1]:
            return
    raise AssertionError("the log was not needed")


def test_a_log_that_lost_its_end_is_reported_and_no_id_is_used_twice(killed: Path, tmp_path: Path) -> None:
    for name in ("oche.db", "oche.db-wal"):
        shutil.copy(killed / name, tmp_path / f"kept-{name}")
    with contextlib.closing(sqlite3.connect(tmp_path / "kept-oche.db")) as db:
        seq = dict(db.execute("SELECT name, seq FROM board"))
    cut_log(killed)
    with contextlib.closing(Journal(killed)) as journal:
        lost = [damage for damage in journal.found if damage.match is not None]
        assert "its log lost its end" in journal.found[0].message
        assert lost
        assert {name: journal.board(name).seq for name in seq} == seq
        record = journal.record(str(lost[0].match))
        assert record is not None
        assert (record.broken, record.bad) == (None, lost[0].action), "people can go on with it"
    again = said(killed)
    assert any("20261122-" in message and "damaged" in message for message in again), "the loss is forgotten"


def test_a_journal_that_is_suddenly_empty_is_reported(folder: Path) -> None:
    os.truncate(folder / "oche.db", 0)
    assert said(folder)[0].startswith("Everything that was written to the journal is gone")


def test_the_mark_of_hits_reveals_what_a_journal_without_a_mark_lost(folder: Path) -> None:
    (folder / MARK).unlink()
    seq = History(folder).board("den").seq
    (folder / "sent-den").write_bytes(b"%020d" % (seq + 3))
    with contextlib.closing(Journal(folder)) as journal:
        assert "The last 3 hits of the board den are gone" in journal.found[0].message
        assert journal.board("den").seq == seq + 3


@pytest.mark.parametrize("rest", [b"", b"rubbish", b'0123456789abcdef ["x",1,{},{}]\n'])
def test_a_damaged_mark_is_ignored(folder: Path, rest: bytes) -> None:
    (folder / MARK).write_bytes(rest)
    assert said(folder) == []


def test_a_replaced_journal_is_not_compared_with_the_old_mark(folder: Path, tmp_path: Path) -> None:
    (folder / "oche.db").unlink()
    assert said(folder) == []
    Journal(tmp_path / "other").close()
    shutil.copy(tmp_path / "other" / "oche.db", folder / "oche.db")
    assert said(folder) == []


def test_forgetting_a_player_chains_the_actions_again_and_notes_it(folder: Path) -> None:
    done = oche("forget", "Ann", "--data", str(folder), check=False)
    assert done.returncode == 0, done.stderr
    assert said(folder) == []
    assert all(stored.end.rewritten is not None and not stored.unchecked for stored in History(folder).all_stored())
