"""The number of a hit is never used again, whatever became of the journal."""

import argparse
import asyncio
import contextlib
import random
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from daemon.cli.backup import backup, restore
from daemon.record.changes import BoardRow
from daemon.record.journal import Entry, Journal
from daemon.record.written_mark import NAME as MARK
from tests.mqtt_clients import ReceivedMessage, Referee, watching
from tests.rig import Daemon, Mosquitto, PtyBoard

BEDS: Final = ("S20", "T19", "D18", "S1", "S5", "T7", "D9", "S12")
"""One after the other: the same bed soon again would be the ringing of the dart before."""
BOARDS: Final = ("den", "lounge")


def thrown(daemon: Daemon, referee: Referee, pty: PtyBoard, beds: Iterable[str]) -> list[int]:
    """Starts the daemon, throws darts, kills it, and returns the numbers of their hits."""
    watcher = referee.watcher
    since = len(watcher.seen)
    daemon.start()
    referee.online(since)
    numbers = []
    for bed in beds:
        since = len(watcher.seen)
        pty.say(b'{"segment":"%s"}\n' % bed.encode())
        hit = watcher.wait(_hit_in(bed), bed, since).payload
        assert hit["id"] == f"lounge-{hit['seq']}"
        numbers.append(hit["seq"])
    daemon.kill()
    return numbers


def _hit_in(bed: str) -> Callable[[ReceivedMessage], bool]:
    """A hit in one bed: those of the killed daemon can come again."""
    return lambda message: message.topic.endswith("/hit") and message.payload["segment"] == bed


@pytest.mark.parametrize("lost", ["journal", "end"])
def test_no_number_is_used_again_after_the_journal(tmp_path: Path, pty: PtyBoard, lost: str) -> None:
    """The journal was moved away, or an older one was put in its place."""
    with Mosquitto(tmp_path) as broker, watching(broker.port) as watcher:
        daemon = Daemon(tmp_path, "--board", f"lounge=json-segment@{pty.path}", "--broker", broker.url)
        referee = Referee(watcher, "lounge")
        try:
            numbers = thrown(daemon, referee, pty, BEDS[:3])
            kept = {path: path.read_bytes() for path in daemon.data.glob("oche.db*")}
            numbers += thrown(daemon, referee, pty, BEDS[3:6])
            for path in daemon.data.glob("oche.db*"):
                path.unlink()
            if lost == "end":
                for path, content in kept.items():
                    path.write_bytes(content)
            numbers += thrown(daemon, referee, pty, BEDS[6:])
        finally:
            daemon.stop()
    assert numbers == list(range(1, len(BEDS) + 1))


class House:
    """A data directory whose journal gets lost in many ways; every number that was told is kept."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self._folder, self._chance = folder, chance
        self.data = folder / "data"
        self.told: dict[str, int] = dict.fromkeys(BOARDS, 0)
        self._copies: list[dict[str, bytes]] = []
        self._backups: list[Path] = []
        self._journal = Journal(self.data)

    def throw(self) -> None:
        name = self._chance.choice(BOARDS)
        row = self._journal.board(name)
        row = replace(row, seq=row.seq + 1, revision=row.revision + 1, mark=f"00-{row.seq + 1}")
        asyncio.run(self._journal.write(Entry(row, hit="{}")))
        if self._chance.random() < 0.5:
            (self.data / f"sent-{name}").write_bytes(b"%020d" % row.seq)
        assert row.seq == self.told[name] + 1, f"{name} gave {row.seq} after {self.told[name]}"
        self.told[name] = row.seq

    def damage(self) -> list[str]:
        """Starts again after what a user, a disk or a SIGKILL does to the directory; returns what it says."""
        killed = self._chance.random() < 0.5
        kept = self._files()
        self._journal.close()
        if killed:
            self._replace(kept)
        getattr(self, self._chance.choice(("keep", "lose", "copy", "put_back", "save", "bring_back", "cut", "flip")))()
        self._journal = Journal(self.data)
        return [damage.message for damage in self._journal.found]

    def keep(self) -> None:
        """Nothing happens."""

    def lose(self) -> None:
        self._replace({})

    def copy(self) -> None:
        self._copies.append(self._files())

    def put_back(self) -> None:
        if self._copies:
            self._replace(self._chance.choice(self._copies))

    def save(self) -> None:
        path = self._folder / f"backup-{len(self._backups)}"
        if (self.data / "oche.db").exists() and backup(argparse.Namespace(data=self.data, file=path)) == 0:
            self._backups.append(path)

    def bring_back(self) -> None:
        if self._backups:
            self._replace({})
            assert restore(argparse.Namespace(data=self.data, file=self._chance.choice(self._backups))) == 0

    def cut(self) -> None:
        for name, content in self._files().items():
            (self.data / name).write_bytes(content[: self._chance.randrange(len(content) + 1)])

    def flip(self) -> None:
        content = bytearray((self.data / "oche.db").read_bytes())
        for _ in range(self._chance.randrange(20)):
            content[self._chance.randrange(len(content))] ^= 1 << self._chance.randrange(8)
        (self.data / "oche.db").write_bytes(content)

    def end(self) -> None:
        self._journal.close()

    def _files(self) -> dict[str, bytes]:
        files = (self.data / name for name in ("oche.db", "oche.db-wal"))
        return {path.name: path.read_bytes() for path in files if path.exists()}

    def _replace(self, files: dict[str, bytes]) -> None:
        for path in self.data.glob("oche.db*"):
            path.unlink()
        for name, content in files.items():
            (self.data / name).write_bytes(content)


@pytest.mark.parametrize("seed", range(8))
def test_no_number_is_used_again_whatever_happens_to_the_journal(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    house = House(tmp_path, chance)
    try:
        for _ in range(12):
            for _ in range(chance.randrange(8)):
                house.throw()
            house.damage()
    finally:
        house.end()


def written(data: Path, seq: int) -> None:
    """A journal whose board "den" has given the numbers up to `seq`."""
    with contextlib.closing(Journal(data)) as journal:
        asyncio.run(journal.write(Entry(BoardRow("den", seq, seq, mark=f"00-{seq}"), hit="{}")))


def test_a_restored_backup_says_of_no_later_dart_that_it_is_damaged(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "backup"
    written(data, 3)
    assert backup(argparse.Namespace(data=data, file=file)) == 0
    written(data, 5)
    (data / "oche.db").unlink()
    locked = (data / "lock").stat().st_ino
    assert restore(argparse.Namespace(data=data, file=file)) == 0
    assert (data / "lock").stat().st_ino == locked, "a daemon that starts meanwhile would lock another file"
    with contextlib.closing(Journal(data)) as journal:
        assert journal.found == []
        row = journal.board("den")
        assert (row.seq, row.mark) == (5, "00-5")
        assert row.revision > 5


@pytest.mark.parametrize("name", ["sent-den", "answered-den"])
def test_what_was_sent_is_enough(tmp_path: Path, name: str) -> None:
    """The journal and its mark are gone, the marks of hits are not."""
    written(tmp_path, 7)
    (tmp_path / name).write_bytes(b"%020d" % 7)
    for path in (tmp_path / "oche.db", tmp_path / MARK):
        path.unlink()
    with contextlib.closing(Journal(tmp_path)) as journal:
        assert journal.board("den").seq == 7
        assert journal.found == []


@pytest.mark.parametrize("text", [b"9" * 20, b"-1", b"", b"7.5", b"\xff" * 20])
def test_a_damaged_number_of_sent_hits_is_ignored(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "sent-den").write_bytes(text)
    with contextlib.closing(Journal(tmp_path)) as journal:
        assert journal.board("den").seq == 0


def test_a_log_that_lost_its_end_reads_no_edge_twice(tmp_path: Path) -> None:
    """A counting board has 256 numbers: a mark that goes back takes newer edges for older ones."""
    written(tmp_path, 3)
    shutil.copy(tmp_path / "oche.db", tmp_path / "older")
    written(tmp_path, 200)
    (tmp_path / "older").replace(tmp_path / "oche.db")
    with contextlib.closing(Journal(tmp_path)) as journal:
        row = journal.board("den")
        assert (row.seq, row.mark) == (200, "00-200")
