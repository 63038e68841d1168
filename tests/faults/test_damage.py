"""Promise 8: damage is never silent. What cannot be read as it was written is reported, and the rest goes on."""

import asyncio
import contextlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.main import main
from daemon.record.journal import BoardRow, Entry, Journal, MatchRow
from daemon.record.journal_file import JournalError
from daemon.record.reader import History
from daemon.record.salvage import salvage
from daemon.record.written_mark import NAME as MARK
from tests.faults.damage import damages, evening, said
from tests.mqtt_clients import Referee, Watcher
from tests.rig import OCHE, Daemon, Mosquitto, free_port, takes_connections, until

SEED: Final = 20_261_122
DEN: Final = ("--board", "den=virtual@sim:?pace=0&seed=1")
A7: Final = "match = '20261120-den' AND n = 7"
LAST_HIT: Final = "board = 'den' AND seq = (SELECT max(seq) FROM hit WHERE board = 'den')"


def test_no_flip_and_no_cut_is_silent() -> None:
    """A sample; `scripts/soak` tries thousands."""
    verdicts = damages(60, random.randrange(2**31))
    assert set(verdicts) == {"said", "same"}


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """The data directories of a daemon that was killed, and of one that was not."""
    folders = {killed: tmp_path_factory.mktemp("evening") for killed in (True, False)}
    for killed, folder in folders.items():
        evening(folder, SEED, killed=killed)
    return folders


@pytest.fixture
def folder(tmp_path: Path, evenings: dict[bool, Path]) -> Path:
    """A data directory with matches that are over and some in progress."""
    shutil.copytree(evenings[False], tmp_path / "folder")
    return tmp_path / "folder"


@pytest.fixture
def killed(tmp_path: Path, evenings: dict[bool, Path]) -> Path:
    """The same of a daemon that was killed: the last evening is in the log alone."""
    shutil.copytree(evenings[True], tmp_path / "killed")
    return tmp_path / "killed"


def change(folder: Path, statement: str, *values: Any) -> None:
    """Changes a row as a bad disk would: its checksum stays."""
    with contextlib.closing(sqlite3.connect(folder / "oche.db")) as db:
        assert db.execute(statement, values).rowcount == 1
        db.commit()


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


def kept_aside(folder: Path) -> Path:
    """The folder with the damaged journal; fails if there are none or several."""
    [aside] = folder.glob("damaged-*")
    return aside


def flip(folder: Path, at: int, bit: int = 0x80) -> None:
    content = bytearray((folder / "oche.db").read_bytes())
    content[at] ^= bit
    (folder / "oche.db").write_bytes(content)


@pytest.mark.parametrize("at", [0, 17, 18, 47, 60, 61, 62, 100, 4096, 3 * 4096, "CREATE TABLE match", "mark TEXT"])
def test_a_start_survives_damage_to_the_structure(folder: Path, at: int | str) -> None:
    """Magic number, page size, versions of the format, number of the schema, kinds of pages, the text of the schema."""
    if isinstance(at, str):
        # It is no longer UTF-8.
        at = (folder / "oche.db").read_bytes().index(at.encode()) + 2
    seq = History(folder).board("den").seq
    matches = {row.id for row, _ in History(folder).matches()}
    flip(folder, at)
    damaged = (folder / "oche.db").read_bytes()
    with contextlib.closing(Journal(folder)) as journal:
        aside = kept_aside(folder)
        assert str(aside) in journal.found[0].message
        assert f"`oche salvage OUT --data {aside}`" in journal.found[0].message
        assert journal.board("den").seq == seq, "the next dart would get an id that was given"
        named = {damage.match for damage in (*journal.found, *journal.damage())}
        whole = {row.id for row, _ in journal.matches()} - named
        assert whole | named >= matches, "a match is neither kept nor named"
        board = journal.board("den")
        row, entry = MatchRow("next", "den", "{}", "{}", "2026-11-23T20:00:00+00:00"), board.revision + 1
        asyncio.run(journal.write(Entry(replace(board, revision=entry, match="next"), row, ((1, "{}"),))))
    assert (aside / "oche.db").read_bytes() == damaged
    again = said(folder)
    assert any(str(aside) in message for message in again), "the damage is forgotten"
    shutil.rmtree(aside)
    assert not any("damaged-" in message for message in said(folder))


@pytest.mark.parametrize("word", ["payload TEXT", "CREATE TABLE hit", "revision INTEGER"])
def test_salvage_reports_a_damaged_name_in_the_schema(folder: Path, word: str) -> None:
    """All rows can be read, but not by the names of their columns."""
    flip(folder, (folder / "oche.db").read_bytes().index(word.encode()) + len(word.split(" ")[0]) - 1, 0x02)
    saved = salvage(folder)
    assert saved.damaged
    assert [match.bad for match in saved.matches] == [None] * 7


def test_what_is_whole_is_in_the_new_journal(killed: Path) -> None:
    """One page of actions is lost; every match keeps its beginning, the boards, replies and hits stay."""
    before = History(killed)
    lines = {row.id: before.actions(row.id) for row, _ in before.matches()}
    boards = {name: before.board(name) for name in ("den", "lounge")}
    replies, hits = before.replies("den"), before.hits("den", 0)
    with contextlib.closing(sqlite3.connect(killed / "oche.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'command'").fetchone()[0]
    flip(killed, (root - 1) * 4096)
    with contextlib.closing(Journal(killed)) as journal:
        assert {row.id: journal.actions(row.id) for row, _ in journal.matches()} == lines
        for name, board in boards.items():
            kept = journal.board(name)
            assert (kept.seq, kept.match) == (board.seq, board.match)
            assert kept.revision >= board.revision
        assert journal.hits("den", 0) == hits
        assert list(journal.damage()) == []
    assert replies.keys() >= History(killed).replies("den").keys()


def test_damage_without_a_mark_gives_no_number_twice(folder: Path) -> None:
    seq = History(folder).board("den").seq
    (folder / MARK).unlink()
    (folder / "sent-den").write_bytes(b"%020d" % (seq + 2))
    flip(folder, 0)
    with contextlib.closing(Journal(folder)) as journal:
        assert journal.board("den").seq == seq + 2


def test_a_rescue_without_room_leaves_everything_in_place(folder: Path) -> None:
    flip(folder, 0)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "lock"}
    command = [OCHE, "run", "--data", str(folder), "--http", f"127.0.0.1:{free_port()}"]
    for _ in range(2):
        # No file may have more than 30,000 bytes: as a disk that fills up while the new journal is written.
        limited = ["prlimit", "--fsize=30000", *command, "--broker", f"embedded://127.0.0.1:{free_port()}"]
        ran = subprocess.run(limited, check=False, capture_output=True, text=True)
        assert ran.returncode == 1
        assert str(folder) in ran.stderr and "Traceback" not in ran.stderr
        assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "lock"} == before
    with contextlib.closing(Journal(folder)) as journal:
        assert journal.board("den").seq > 0
        assert (kept_aside(folder) / "oche.db").read_bytes() == before["oche.db"]


def test_a_match_of_an_earlier_version_stays_unchecked(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parents[1] / "records" / "schema-2" / "oche.db", tmp_path)
    Journal(tmp_path).close()
    with contextlib.closing(Journal(tmp_path)) as journal:
        row = MatchRow("new", "den", "{}", "{}", "2026-11-23T20:00:00+00:00")
        asyncio.run(journal.write(Entry(BoardRow("den", 90, 90, "new"), row, ((1, "{}"),))))
        before = {stored.row.id: stored.unchecked for stored in journal.all_stored()}
        lines = {match_id: journal.actions(match_id) for match_id in before}
    flip(tmp_path, 0)
    with contextlib.closing(Journal(tmp_path)) as journal:
        assert {stored.row.id: stored.unchecked for stored in journal.all_stored()} == before
        assert {match_id: journal.actions(match_id) for match_id in before} == lines
        assert list(journal.damage()) == []


@pytest.mark.parametrize("what", ["no database", "another database"])
def test_a_file_that_is_no_journal_is_refused_and_stays(tmp_path: Path, what: str) -> None:
    path = tmp_path / "oche.db"
    if what == "no database":
        path.write_bytes(b"a letter to somebody\n" * 1000)
    else:
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.executescript("CREATE TABLE board (name TEXT, height REAL); PRAGMA user_version = 3;")
    before = path.read_bytes()
    with pytest.raises(JournalError):
        Journal(tmp_path)
    assert path.read_bytes() == before or what == "another database"
    assert not list(tmp_path.glob("damaged-*"))


def test_a_newer_journal_is_refused_and_stays(folder: Path) -> None:
    flip(folder, 63, 0x04)
    with pytest.raises(JournalError, match="newer oche"):
        Journal(folder)
    assert not list(folder.glob("damaged-*"))


def test_a_daemon_starts_with_a_damaged_journal(house: Callable[..., Daemon], watcher: Watcher, tmp_path: Path) -> None:
    den = Referee(watcher, "den")
    with house() as daemon:
        den.online()
        assert den.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})["ok"]
        assert den.ask({"throw": "T20"})["ok"]
        match = watcher.last("den/match")["match"]
    flip(daemon.data, 0)
    since = len(watcher.seen)
    with house() as daemon:
        den.online(since)
        back = den.state(lambda state: True, "the match", since)
        assert (back["match"], back["turn"]["darts"]) == (match, ["T20"])
        node = watcher.wait(lambda m: m.topic.endswith("test/status") and "damaged" in m.payload, "the damage", since)
        message = node.payload["damaged"][0]["message"]
        assert message in daemon.log()
        assert den.ask({"throw": "T19"})["ok"]
    aside = kept_aside(daemon.data)
    forgetting = [OCHE, "forget", "Bob", "--data", str(daemon.data)]
    assert aside.name in subprocess.run(forgetting, check=True, capture_output=True, text=True).stderr
    assert main(["salvage", str(tmp_path / "out"), "--data", str(aside)]) == 1
    assert (tmp_path / "out" / f"{match}.jsonl").read_text().count("T20") == 1


def test_a_damaged_index_is_rebuilt(folder: Path) -> None:
    """No row is damaged, but rows cannot be found by it."""
    with contextlib.closing(sqlite3.connect(folder / "oche.db")) as db:
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_match_1'").fetchone()[0]
    content = bytearray((folder / "oche.db").read_bytes())
    page = content[(root - 1) * 4096 : root * 4096]
    at = page.index(b"20261120-den")
    content[(root - 1) * 4096 + at + 11] ^= 1
    (folder / "oche.db").write_bytes(content)
    assert said(folder) == ["An index of the journal was damaged and has been rebuilt."]
    assert said(folder) == []


def get_json(daemon: Daemon, path: str) -> Any:
    with urllib.request.urlopen(f"http://127.0.0.1:{daemon.http}{path}") as answer:
        return json.load(answer)


@pytest.fixture
def house(tmp_path: Path, broker: Mosquitto) -> Iterator[Callable[..., Daemon]]:
    """Starts a daemon with the board `den` and the data directory `tmp_path/data`."""
    yield lambda: Daemon(tmp_path, *DEN, "--broker", broker.url, data=tmp_path / "data")


def test_one_bad_row_affects_nothing_else(
    house: Callable[..., Daemon], watcher: Watcher, capsys: pytest.CaptureFixture[str]
) -> None:
    den = Referee(watcher, "den")
    start = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 101}}
    with house() as daemon:
        den.online()
        ids = []
        for _ in range(2):
            assert den.ask({"start": start})["ok"]
            ids.append(watcher.last("den/match")["match"])
            assert den.ask({"throw": "T20"})["ok"]
            assert den.ask({"throw": "S1"})["ok"]
        assert den.ask({"stop": True})["ok"]
    change(daemon.data, "UPDATE action SET line = '{' WHERE match = ? AND n = 2", ids[0])
    since = len(watcher.seen)
    with house() as daemon:
        den.online(since)
        until(lambda: takes_connections(daemon.http), "the pages")
        listed = {match["id"]: match for match in get_json(daemon, "/history.json")}
        assert (listed[ids[0]]["damaged"], listed[ids[0]]["first_bad_action"]) == (True, 2)
        assert "damaged" not in listed[ids[1]]
        [ann, _] = get_json(daemon, "/players.json")
        assert ann["matches"] == 1, "it is counted"
        record = get_json(daemon, f"/history/{ids[0]}.json")
        assert (len(record["actions"]), record["states"], record["damaged"]) == (1, 2, True)
        status = watcher.wait(
            lambda m: m.topic.endswith("test/status") and "damaged" in m.payload, "what is damaged", since
        ).payload
        assert [(entry["match"], entry["first_bad_action"]) for entry in status["damaged"]] == [(ids[0], 2)]
        assert den.ask({"start": start})["ok"]
        assert den.ask({"throw": "T20"})["ok"]
    assert main(["matches", "--json", "--data", str(daemon.data)]) == 0
    lines = {match["id"]: match for match in map(json.loads, capsys.readouterr().out.splitlines())}
    assert lines[ids[0]] == lines[ids[0]] | {"damaged": True, "first_bad_action": 2}
    assert main(["export", ids[0], "--data", str(daemon.data)]) == 1
    assert "oche salvage" in capsys.readouterr().err


def test_a_damaged_match_on_a_board_makes_room_for_the_next(house: Callable[..., Daemon], watcher: Watcher) -> None:
    den = Referee(watcher, "den")
    start = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 101}}
    with house() as daemon:
        den.online()
        assert den.ask({"start": start})["ok"]
        match = watcher.last("den/match")["match"]
        assert den.ask({"throw": "T20"})["ok"]
    change(daemon.data, 'UPDATE action SET line = \'{"throw":"T19"}\' WHERE match = ? AND n = 1', match)
    since = len(watcher.seen)
    with house():
        shown = watcher.wait(
            lambda m: m.topic.endswith("den/status") and m.payload.get("reason") == "match", "the damage", since
        ).payload
        assert f"{match} is damaged from action 1 on" in shown["message"]
        den.online(since)
        since = len(watcher.seen)
        assert den.ask({"start": start})["ok"]
        assert den.ask({"throw": "T20"})["ok"]
        watcher.wait(lambda m: m.topic.endswith("den/status") and "reason" not in m.payload, "the next match", since)


def test_a_match_that_lost_its_end_goes_on_and_is_shown_as_damaged(
    house: Callable[..., Daemon], watcher: Watcher, tmp_path: Path
) -> None:
    den = Referee(watcher, "den")
    with house() as daemon:
        den.online()
        assert den.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})["ok"]
        match = watcher.last("den/match")["match"]
        assert den.ask({"throw": "T20"})["ok"]
        shutil.copytree(daemon.data, tmp_path / "before")
        revision = den.ask({"throw": "T19"})["revision"]
        daemon.kill()
    for name in ("oche.db", "oche.db-wal"):
        shutil.copy(tmp_path / "before" / name, daemon.data / name)
    since = len(watcher.seen)
    with house() as daemon:
        den.online(since)
        back = den.state(lambda state: True, "the match", since)
        assert (back["match"], back["turn"]["darts"]) == (match, ["T20"])
        assert back["revision"] > revision, "the state that was shown with it was another one"
        node = watcher.wait(lambda m: m.topic.endswith("test/status") and "damaged" in m.payload, "the loss", since)
        assert (match, 2) in [(e.get("match"), e.get("first_bad_action")) for e in node.payload["damaged"]]
        assert den.ask({"throw": "T18"})["ok"]
        until(lambda: takes_connections(daemon.http), "the pages")
        [listed] = get_json(daemon, "/history.json")
        assert (listed["damaged"], listed["first_bad_action"], listed["actions"]) == (True, 2, 2)
        assert get_json(daemon, "/players.json") == []


def test_a_match_of_an_earlier_version_is_shown_as_not_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = Path(__file__).parents[1] / "records" / "schema-2"
    shutil.copy(record / "oche.db", tmp_path)
    for _ in ("as it was left", "taken up"):
        assert main(["matches", "--json", "--data", str(tmp_path)]) == 0
        listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [match["checked"] for match in listed] == [False] * 3
        assert main(["matches", "--data", str(tmp_path)]) == 0
        assert capsys.readouterr().out.count("; not checked)") == 3
        Journal(tmp_path).close()


def test_forgetting_a_player_chains_the_actions_again_and_notes_it(folder: Path) -> None:
    done = subprocess.run([OCHE, "forget", "Ann", "--data", str(folder)], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert said(folder) == []
    assert all(stored.end.rewritten is not None and not stored.unchecked for stored in History(folder).all_stored())
