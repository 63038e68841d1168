"""What the tests of access have in common, and those of the history."""

import contextlib
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from daemon.history.archive import Archive
from daemon.record.journal import Journal
from daemon.system.catalogue import faces, games
from tests.daemon.guest import OVER_THE_NETWORK
from tests.daemon.house import BOARD, START, House, answers
from tests.daemon.past import Past
from tests.rig import Daemon, free_port, until


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    port, http_port = free_port(), free_port()
    daemon = Daemon(
        tmp_path,
        *("--http", f"{OVER_THE_NETWORK}:{http_port}"),
        *("--broker", f"embedded://127.0.0.1:{port}"),
        *("--board", "lounge=virtual@sim:"),
    )
    with daemon, ExitStack() as stack:
        until(lambda: answers(http_port), "the pages")
        house = House(daemon, port, http_port, stack)
        assert house.referee.ask(json.loads(START))["ok"]
        house.watcher.wait(lambda m: m.topic == f"{BOARD}/hand/2" and m.payload is not None, "Bob's hand")
        yield house


@pytest.fixture
def past(tmp_path: Path) -> Iterator[Past]:
    with contextlib.closing(Journal(tmp_path)) as journal:
        yield Past(journal)


@pytest.fixture
def archive(past: Past) -> Archive:
    """The history of what is added to `past`."""
    return Archive(past.journal, games(), faces())
