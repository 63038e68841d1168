"""Fixtures for tests that run the whole daemon, and the hypothesis profile of every test."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from daemon.session.background_process import ONE_THREAD
from tests.file_order import heavy_files, ordered
from tests.mqtt_clients import Watcher
from tests.rig import Mosquitto, PtyBoard

# Containers often set this. Then every `oche` that a test starts would compile 240 files first, which takes longer than
# all else that it does until its boards are online.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# As the daemon's own processes that compute. Else each worker has a thread for each processor, and those that wait for
# their share of a sum burn the others' time.
for name, value in ONE_THREAD.items():
    os.environ.setdefault(name, value)

# The same examples in every run, so that a failure repeats. `scripts/soak` draws new ones.
settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Orders the files of a run on several workers; `scripts/test` turns off xdist's own order."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    files = [item.nodeid.partition("::")[0] for item in items]
    places = {name: place for place, name in enumerate(ordered(files, heavy_files()))}
    items.sort(key=lambda item: places[item.nodeid.partition("::")[0]])


def pytest_collection_finish() -> None:
    """Lets the garbage collector leave out the tests: it would go through thousands of them again and again."""
    gc.freeze()
    gc.set_threshold(50_000)


@pytest.fixture(autouse=True)
def priority() -> Iterator[None]:
    """A test that lowered the priority of its worker would make all later tests of that worker wait for the others."""
    before = os.nice(0)
    yield
    assert os.nice(0) == before, "the test has lowered the priority of the process that runs the tests"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A mosquitto that the daemon does not start."""
    with Mosquitto(tmp_path) as running:
        yield running


@pytest.fixture
def watcher(broker: Mosquitto) -> Iterator[Watcher]:
    """A subscriber to everything at `broker`."""
    client = Watcher(broker.port)
    yield client
    client.close()


@pytest.fixture
def pty(tmp_path: Path) -> Iterator[PtyBoard]:
    """A serial port whose other end the test holds."""
    board = PtyBoard(tmp_path)
    yield board
    board.unplug()
