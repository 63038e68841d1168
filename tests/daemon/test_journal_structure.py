"""A long journal is checked at the start without its actions, and whole while darts are thrown."""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from daemon.record import structure
from daemon.record.chain import Damage
from daemon.record.journal import Journal
from tests.bench.restart import fill
from tests.mqtt_clients import Watcher
from tests.rig import Daemon, Mosquitto

DARTS: Final = 60_000
"""More than fit in `CHECKED_AT_START`."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory of a long journal."""
    folder = tmp_path_factory.mktemp("long")
    fill(folder, DARTS)
    assert structure.is_checked_later(folder / "oche.db")
    return folder


@pytest.fixture
def long(filled: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(filled, tmp_path / "data")
    return tmp_path / "data"


def _first_byte(folder: Path, tree: str) -> int:
    """Where the root page of a table or an index begins in the file."""
    with contextlib.closing(sqlite3.connect(folder / "oche.db")) as db:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        return (int(db.execute(query, (tree,)).fetchone()[0]) - 1) * 4096


def _damage(folder: Path, tree: str) -> None:
    """Damages a table so that SQLite cannot read it."""
    at = _first_byte(folder, tree)
    with (folder / "oche.db").open("r+b") as file:
        file.seek(at)
        file.write(bytes(range(200, 250)))


@contextlib.contextmanager
def _running(folder: Path, broker: Mosquitto) -> Iterator[None]:
    with Daemon(folder, "--board", "den=virtual@sim:?pace=0", "--broker", broker.url, data=folder / "data"):
        yield


def test_damage_of_the_actions_does_not_end_the_start_and_is_shown(
    long: Path, tmp_path: Path, broker: Mosquitto, watcher: Watcher
) -> None:
    _damage(long, "action")
    with _running(tmp_path, broker):
        status = watcher.wait(
            lambda m: m.topic == "oche/test/status" and m.payload.get("damaged"), "the damage in the node's status"
        )
    messages = [damage["message"] for damage in status.payload["damaged"]]
    assert any("oche salvage" in message for message in messages), messages


@pytest.mark.parametrize("tree", ["match", "board"])
def test_damage_of_what_the_next_dart_needs_is_found_at_the_start(long: Path, tree: str) -> None:
    _damage(long, tree)
    with contextlib.closing(Journal(long)) as journal:
        messages = [damage.message for damage in journal.found]
        assert any("was damaged" in message and "oche salvage" in message for message in messages), messages
        assert sum(match.actions for match in journal.states().values()) >= DARTS


def test_an_index_of_a_long_journal_is_rebuilt_at_the_start(long: Path) -> None:
    at = _first_byte(long, "sqlite_autoindex_match_1")
    content = bytearray((long / "oche.db").read_bytes())
    content[content.index(b"bench-", at) + 10] ^= 1
    (long / "oche.db").write_bytes(content)
    with contextlib.closing(Journal(long)) as journal:
        assert journal.found == [Damage("An index of the journal was damaged and has been rebuilt.")]
        assert not journal.structure_checked
